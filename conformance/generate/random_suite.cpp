#include "conformance/generate/random_suite.hpp"

#include "conformance/generate/play.hpp"
#include "conformance/generate/seeded.hpp"

namespace streampool::generate {

namespace {

constexpr Seeded random_suite{.suite = "random", .histories_of_a_job = 40, .budget = std::chrono::seconds(10)};

}  // namespace

std::unique_ptr<kit::JobSource> random_source(const suites::SuiteOptions& options) {
  return seeded_source(random_suite, options);
}

kit::JobAnswer run_random(const RandomJob& job, const kit::RunContext& context, Shapes& shapes) {
  const auto play = [&](kit::LiveRun& run, history::NameTable& names, std::uint64_t seed) {
    Player player(run, setting_of(context.target, context.profile), names);
    Random random(seed);
    bool good = player.begin();
    for (std::uint64_t i = 0; good && i < job.operations; ++i) {
      const Operation operation = draw(random);
      if (operation.kind != job.without) good = player.play(operation);
    }
    shapes.add(player.shapes());
  };
  return run_seeded(random_suite, {.seed = job.seed, .histories = job.histories}, context, play);
}

kit::JobAnswer run_random_job(const nlohmann::json& parameters, const kit::RunContext& context) {
  Shapes shapes;
  const SeededJob seeded = seeded_job(parameters);
  RandomJob job{.seed = seeded.seed, .histories = seeded.histories};
  job.operations = parameters.value("operations", job.operations);
  return run_random(job, context, shapes);
}

}  // namespace streampool::generate
