#include "conformance/generate/threads_suite.hpp"

#include "conformance/generate/play.hpp"
#include "conformance/generate/threads_history.hpp"

namespace streampool::generate {

namespace {

constexpr Seeded threads_suite{.suite = "threads", .histories_of_a_job = 20, .budget = std::chrono::seconds(5)};

}  // namespace

std::unique_ptr<kit::JobSource> threads_source(const suites::SuiteOptions& options) {
  return seeded_source(threads_suite, options);
}

kit::JobAnswer run_threads(const SeededJob& job, const kit::RunContext& context) {
  return run_seeded(threads_suite, job, context, [&](kit::LiveRun& run, history::NameTable& names, std::uint64_t seed) {
    ThreadsHistory(run, setting_of(context.target, context.profile), names, seed).play();
  });
}

kit::JobAnswer run_threads_job(const nlohmann::json& parameters, const kit::RunContext& context) {
  return run_threads(seeded_job(parameters), context);
}

}  // namespace streampool::generate
