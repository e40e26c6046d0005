#include "model/explain/explain.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "fmt/format.h"
#include "spec/clauses.hpp"

namespace streampool::model {

using history::Op;
using history::Result;
using history::Status;

namespace {

constexpr std::uint64_t first_fresh = 0x7000'0000'0000;
// More idle blocks than a reader wants to see are counted instead.
constexpr std::size_t most_blocks = 24;

constexpr std::array statuses{Status::ok,        Status::invalid_value,  Status::out_of_memory, Status::not_supported,
                              Status::not_ready, Status::invalid_handle, Status::not_permitted, Status::mismatch,
                              Status::internal,  Status::unknown};

}  // namespace

Explainer::Explainer(const Profile& profile, const history::NameTable& names, Environment environment)
    : profile_(profile), names_(names), monitor_(profile, names, environment), fresh_(first_fresh) {}

ExplainedAnswer Explainer::attempt(const history::Line& line, const Result& result, std::string text) const {
  Monitor trial = monitor_;
  const auto before = trial.verdicts().exercised();
  trial.begin_line(line.number);
  trial.call(line.call, result, line.thread);
  trial.end_line();
  ExplainedAnswer answer{std::move(text), !trial.verdicts().decided(), {}, {}};
  if (const auto& finding = trial.verdicts().finding()) {
    answer.clause = spec::info(finding->clause).id;
    answer.reason = finding->explanation;
    if (finding->kind == Finding::Kind::program_fault) answer.reason += " (a fault of the program)";
    return answer;
  }
  // What permits it: the may clauses that were counted, by id and text.
  for (const spec::ClauseInfo& info : spec::clauses()) {
    const auto index = static_cast<std::size_t>(&info - spec::clauses().data());
    if (info.kind != spec::Kind::may || trial.verdicts().exercised()[index] == before[index]) continue;
    if (!answer.clause.empty()) answer.clause.append(", "), answer.reason.append(" ");
    answer.clause.append(info.id);
    answer.reason.append(info.text);
  }
  return answer;
}

void Explainer::explain_malloc(const history::Line& line, std::vector<ExplainedAnswer>& answers) const {
  Result result;
  result.value = fresh_;
  answers.push_back(attempt(line, result, "ok, fresh memory"));
  std::size_t left_out = 0, shown = 0;
  monitor_.memory().for_each([&](const BlockRef&, const Block& block) {
    if (!block.placed || block.end == block.address || block.left == 0) return;
    if (block.live ? block.size < *line.call.size : block.end - block.address < *line.call.size) return;
    if (++shown > most_blocks) {
      ++left_out;
      return;
    }
    result.value = block.address;
    answers.push_back(
        attempt(line, result, fmt::format("ok {:#x}, the range of {}", block.address, names_.text(block.name))));
  });
  if (left_out > 0)
    answers.push_back({fmt::format("… and {} more blocks that are large enough", left_out), true, {}, {}});
  result = {};
  result.status = Status::out_of_memory;
  answers.push_back(attempt(line, result, "out_of_memory"));
}

void Explainer::explain_reading(const history::Line& line, std::vector<ExplainedAnswer>& answers) const {
  const Entity* entity = monitor_.entity(line.call.pool);
  const int id = static_cast<int>(line.call.attribute);
  if (entity == nullptr || !entity->alive || id < 1 || id > 8) return;
  const Pool& pool = monitor_.pool(entity->index);
  if (id <= 4) {
    const auto known = pool.attribute(line.call.attribute);
    answers.push_back({known ? fmt::format("ok {}", *known) : "ok with any value",
                       true,
                       {},
                       known ? "What was set or is its default." : "Nothing is known of it."});
    return;
  }
  const Bounds bounds = monitor_.statistic_bounds(pool, line.call.attribute);
  answers.push_back(
      {fmt::format("ok {} to {}", bounds.low, bounds.high == no_bound ? "no bound" : std::to_string(bounds.high)),
       true,
       {},
       fmt::format("Below it breaks {}, above it {}.", spec::info(bounds.below).id, spec::info(bounds.above).id)});
}

std::vector<ExplainedAnswer> Explainer::answers(const history::Line& line) const {
  std::vector<ExplainedAnswer> answers;
  const bool has_call = line.kind == history::LineKind::call || line.kind == history::LineKind::call_return;
  if (!has_call || monitor_.verdicts().decided()) return answers;
  const Op op = line.call.op;
  const bool allocates = (op == Op::malloc || op == Op::plain_malloc) && *line.call.size > 0;
  if (allocates) explain_malloc(line, answers);
  if (op == Op::pool_get) explain_reading(line, answers);
  // Statuses with one reason stand together.
  std::map<std::pair<bool, std::string>, ExplainedAnswer> grouped;
  for (const Status status : statuses) {
    if ((allocates && (status == Status::ok || status == Status::out_of_memory)) ||
        (status == Status::mismatch) != (op == Op::check && status == Status::mismatch))
      continue;
    if (op == Op::pool_get && status == Status::ok && !answers.empty()) continue;
    Result result;
    result.status = status;
    const ExplainedAnswer one = attempt(line, result, std::string(to_text(status)));
    auto [it, fresh] = grouped.try_emplace({one.permitted, one.clause}, one);
    if (!fresh) it->second.answer.append(", ").append(one.answer);
  }
  for (auto it = grouped.rbegin(); it != grouped.rend(); ++it) answers.push_back(it->second);
  return answers;
}

void Explainer::apply(const history::Line& line) {
  ++lines_;
  monitor_.begin_line(line.number != 0 ? line.number : lines_);
  if (line.kind == history::LineKind::device) monitor_.device(line.device);
  if (line.kind == history::LineKind::call || line.kind == history::LineKind::call_return) {
    std::optional<Result> result = line.result;
    const bool allocates = line.call.op == Op::malloc || line.call.op == Op::plain_malloc;
    if (allocates && !result && *line.call.size > 0 && *line.call.size < first_fresh) {
      result.emplace();
      result->value = fresh_;
      const std::uint64_t unit = std::max<std::uint64_t>(profile_.alignment.value.count, 2 << 20);
      fresh_ = Concrete::round_up(fresh_ + *line.call.size, unit);
    }
    monitor_.call(line.call, result, line.thread);
  }
  monitor_.end_line();
}

}  // namespace streampool::model
