// Fills a folder with the minimal litmus tests of the scopes below: synthesize_litmus FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fmt/format.h"
#include "model/explorer/litmus.hpp"
#include "model/profile/load.hpp"

int main(int count, char** arguments) {
  using streampool::model::explorer::Scope;
  if (count != 2) {
    std::fputs("usage: synthesize_litmus FOLDER\n", stderr);
    return 2;
  }
  const auto profile = streampool::model::load_profile("strict");
  if (!profile) {
    std::fprintf(stderr, "%s\n", profile.error().c_str());
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::size_t written = 0;
  for (unsigned calls = 3; calls <= 6; ++calls) {
    const Scope scope{.streams = 3,
                      .events = calls < 6 ? 1U : 2U,
                      .blocks = 2,
                      .gates = calls < 6 ? 1U : 0U,
                      .calls = calls,
                      .event_syncs = true};
    for (const auto& litmus : streampool::model::explorer::synthesize(*profile, scope)) {
      std::ofstream file(folder / (litmus.name + ".pool"));
      file << litmus.text;
      if (!file) {
        std::fprintf(stderr, "cannot write %s\n", (folder / litmus.name).c_str());
        return 2;
      }
      ++written;
    }
  }
  fmt::print("{} litmus tests in {}\n", written, folder.string());
  return 0;
}
