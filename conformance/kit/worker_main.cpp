// The worker's side of worker.hpp.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <optional>

#include "conformance/kit/json.hpp"
#include "conformance/kit/process.hpp"
#include "conformance/kit/worker.hpp"
#include "model/profile/load.hpp"

namespace streampool::kit {
namespace {

class Channel {
 public:
  // Nothing at the end: the kit has gone or wants no more.
  std::optional<std::string> receive() {
    while (true) {
      if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
      }
      std::array<char, 1 << 16> block;
      const ssize_t count = read(worker_channel, block.data(), block.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      buffer_.append(block.data(), static_cast<std::size_t>(count));
    }
  }

  void send(const nlohmann::json& json) {
    const std::string text = dump(json) + '\n';
    std::size_t sent = 0;
    while (sent < text.size()) {
      const ssize_t count = write(worker_channel, text.data() + sent, text.size() - sent);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) _exit(3);
      sent += static_cast<std::size_t>(count);
    }
  }

 private:
  std::string buffer_;
};

struct Loaded {
  model::Profile profile;
  std::unique_ptr<Target> target;
};

tl::expected<Loaded, std::string> load(const nlohmann::json& setup) {
  auto profile = model::load_profile(setup.at("profile").get<std::string>());
  if (!profile) return tl::unexpected(profile.error());
  auto target = load_target(setup.at("runtime").get<std::string>(), setup.at("options").get<RuntimeOptions>());
  if (!target) return tl::unexpected(target.error().message);
  if (const auto opened = (*target)->open(); !opened) return tl::unexpected(opened.error().message);
  return Loaded{std::move(*profile), std::move(*target)};
}

nlohmann::json greeting(const Target& target) {
  const Description& description = target.description();
  return {{"name", description.name},
          {"version", description.version},
          {"devices", description.devices},
          {"memory", description.memory},
          {"alignment", description.alignment},
          {"reserve_granule", description.reserve_granule},
          {"capabilities", target.capabilities()}};
}

nlohmann::json answer(const JobAnswer& done) {
  nlohmann::json results = nlohmann::json::array();
  for (const CaseResult& result : done.results) results.push_back(to_json(result));
  return {{"results", std::move(results)}, {"clean", done.clean}};
}

}  // namespace

int worker_main(std::span<const JobKind> kinds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // What a runtime printed before it crashed must not sit in a buffer.
  setvbuf(stdout, nullptr, _IONBF, 0);
  // Where the machine runs out of memory, the kernel is to end this process and not the kit. It may forbid that: no
  // matter.
  std::ofstream("/proc/self/oom_score_adj") << 1000;
  Channel channel;
  const auto setup_line = channel.receive();
  if (!setup_line) return 0;
  const auto setup = nlohmann::json::parse(*setup_line, nullptr, false);
  if (!setup.is_object()) {
    std::fputs("streampool worker: started by hand? it is a part of `streampool run`\n", stderr);
    return 2;
  }
  auto loaded = load(setup);
  if (!loaded) {
    channel.send({{"error", loaded.error()}});
    return 2;
  }
  channel.send(greeting(*loaded->target));
  Journal journal(worker_journal);
  Watchdog watchdog({.unexpected = setup.at("patience").get<unsigned>(), .journal = &journal});
  const RunContext context{*loaded->target, loaded->profile, watchdog, &journal, setup.at("undefined").get<bool>()};
  while (const auto line = channel.receive()) {
    journal.clear();
    const auto request = nlohmann::json::parse(*line, nullptr, false);
    const auto kind = std::ranges::find(kinds, request.at("job").get<std::string>(), &JobKind::name);
    if (kind == kinds.end()) {
      channel.send({{"error", "no such job"}});
      continue;
    }
    channel.send(answer(kind->run(request.at("parameters"), context)));
  }
  // Without the runtime's own clean-up at exit: nobody would hear of a crash in it.
  std::fflush(nullptr);
  _exit(0);
}

}  // namespace streampool::kit
