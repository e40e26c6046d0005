// A history judged by the model, in a program of one's own: memory that a closed gate still holds is handed out again.
#include <cstdio>

#include "model/history/reader.hpp"
#include "model/monitor/judge.hpp"
#include "model/profile/load.hpp"

using namespace streampool;

constexpr const char* text =
    "streampool-history 1\n"
    "profile strict\n"
    "stream_create s1 nonblocking\n"
    "stream_create s2 nonblocking\n"
    "gate_create g\n"
    "pool_create p max_size=0\n"
    "pool_set p reuse_allow_internal_dependencies 0\n"
    "malloc a 2MiB p s1 -> ok 0x10000000\n"
    "gate_hold s1 g\n"
    "free a s1 -> ok\n"
    "# a's free waits for the gate\n"
    "malloc b 2MiB p s2 -> ok 0x10000000\n";

int main() {
  const auto profile = model::load_profile("strict");
  history::NameTable names;
  const auto lines = history::read_text(text, names);
  if (!profile || !lines) {
    std::puts("the history or the profile cannot be read");
    return 2;
  }
  model::Judge judge(*profile, names);
  for (const history::Line& line : *lines) judge.apply(line);
  judge.finish();
  if (!judge.finding()) return 1;
  const auto id = spec::info(judge.finding()->clause).id;
  std::printf("line %d: %.*s: %s\n", static_cast<int>(judge.finding()->line), static_cast<int>(id.size()), id.data(),
              judge.finding()->explanation.c_str());
  return 0;
}
