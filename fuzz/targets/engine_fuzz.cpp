// Any bytes are operations: whatever the engine is asked to do on the simulated device, the judge finds nothing.
#include <cstdio>
#include <cstdlib>

#include "conformance/generate/play.hpp"
#include "conformance/kit/executor.hpp"
#include "conformance/kit/live_run.hpp"
#include "fuzz/targets/operations.hpp"
#include "impl/device/simulated/simulated_device.hpp"
#include "impl/runtime/table.hpp"
#include "model/profile/load.hpp"

namespace {

using namespace streampool;

[[noreturn]] void fail(const std::string& why, const std::string& history) {
  std::fprintf(stderr, "%s\n%s\n", why.c_str(), history.c_str());
  std::abort();
}

// One for all inputs: only the context is made afresh.
struct Bench {
  Bench() {
    auto runtime = kit::Runtime::from_table(engine::Table<engine::SimulatedDevice>::get(), "sim");
    if (!runtime) fail(runtime.error().message, "");
    // Little memory, so that running out of it is common.
    target = std::make_unique<kit::Executor>(std::move(*runtime),
                                             kit::RuntimeOptions{{"memory", "4194304"}, {"granularity", "65536"}});
    auto loaded = model::load_profile("strict");
    if (!loaded) fail(loaded.error(), "");
    profile = std::move(*loaded);
  }
  std::unique_ptr<kit::Executor> target;
  model::Profile profile;
  kit::Watchdog watchdog;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Bench bench;
  if (const auto opened = bench.target->open(); !opened) fail(opened.error().message, "");
  {
    history::NameTable names;
    kit::LiveRun run(*bench.target, bench.profile, names, bench.watchdog, nullptr);
    generate::Player player(run, generate::setting_of(*bench.target, bench.profile), names);
    bool goes_on = player.begin();
    for (const generate::Operation& operation : fuzz::decode(data, size)) {
      if (!goes_on) break;
      goes_on = player.play(operation);
    }
    run.finish();
    if (const auto& finding = run.judge().finding()) {
      fail(std::string(spec::info(finding->clause).id) + ": " + finding->explanation, run.text());
    }
  }
  if (!bench.target->close()) fail("the runtime could not be closed", "");
  return 0;
}
