#include "conformance/kit/json.hpp"

#include <fmt/format.h>

namespace streampool::kit {
namespace {

using nlohmann::json;

// What json and the look-ups below throw at each other; it never leaves this file.
struct UnknownClause {
  std::string id;
};

spec::ClauseId clause(const std::string& id) {
  const auto found = spec::find_clause(id);
  if (!found) throw UnknownClause{id};
  return *found;
}

std::vector<spec::ClauseId> clauses(const json& list) {
  std::vector<spec::ClauseId> out;
  for (const auto& id : list) out.push_back(clause(id.get<std::string>()));
  return out;
}

template <class Read>
auto guarded(Read read) -> tl::expected<decltype(read()), std::string> {
  try {
    return read();
  } catch (const json::exception& error) {
    return tl::unexpected(std::string(error.what()));
  } catch (const UnknownClause& error) {
    return tl::unexpected(fmt::format("this build knows no clause {}", error.id));
  }
}

}  // namespace

json ids(std::span<const spec::ClauseId> clauses) {
  json list = json::array();
  for (const spec::ClauseId clause : clauses) list.push_back(spec::info(clause).id);
  return list;
}

json to_json(const Scenario& scenario) {
  return {{"case", scenario.name},
          {"suite", scenario.suite},
          {"clauses", ids(scenario.aims)},
          {"text", scenario.text},
          {"seed", scenario.seed},
          {"undefined", scenario.undefined},
          {"not_applicable", scenario.not_applicable},
          {"runs", scenario.runs}};
}

json to_json(const CaseResult& result) {
  json out = {{"case", result.name},           {"suite", result.suite},
              {"clauses", ids(result.aims)},   {"verdict", name(result.verdict)},
              {"exercised", result.exercised}, {"calls", result.calls},
              {"seconds", result.seconds},     {"seed", result.seed}};
  json counts = json::object();
  for (const auto& [clause, count] : result.counts) counts[std::string(spec::info(clause).id)] = count;
  out["counts"] = std::move(counts);
  if (result.clause) out["clause"] = spec::info(*result.clause).id;
  if (result.also) out["also"] = spec::info(*result.also).id;
  if (result.line != 0) out["line"] = result.line;
  if (!result.explanation.empty()) out["explanation"] = result.explanation;
  if (!result.shape.empty()) out["shape"] = result.shape;
  if (!result.history.empty()) out["history"] = result.history;
  if (!result.history_of.empty()) out["history_of"] = result.history_of;
  for (const Outcome& outcome : result.outcomes) {
    out["outcomes"].push_back({{"what", outcome.what}, {"seen", outcome.seen}, {"decided", outcome.decided}});
  }
  for (const Note& note : result.qualities) {
    out["qualities"].push_back({{"clause", spec::info(note.clause).id}, {"explanation", note.explanation}});
  }
  if (!result.output.empty()) out["output"] = result.output;
  return out;
}

tl::expected<Scenario, std::string> scenario_from_json(const json& json) {
  return guarded([&] {
    Scenario scenario;
    scenario.name = json.at("case").get<std::string>();
    scenario.suite = json.at("suite").get<std::string>();
    scenario.aims = clauses(json.at("clauses"));
    scenario.text = json.at("text").get<std::string>();
    scenario.seed = json.at("seed").get<std::uint64_t>();
    scenario.undefined = json.at("undefined").get<bool>();
    scenario.not_applicable = json.at("not_applicable").get<std::string>();
    scenario.runs = json.at("runs").get<unsigned>();
    return scenario;
  });
}

tl::expected<CaseResult, std::string> result_from_json(const json& json) {
  auto read = guarded([&] {
    CaseResult result;
    result.name = json.at("case").get<std::string>();
    result.suite = json.at("suite").get<std::string>();
    result.aims = clauses(json.at("clauses"));
    const auto verdict = find_verdict(json.at("verdict").get<std::string>());
    result.verdict = verdict.value_or(Verdict::internal_error);
    result.exercised = json.at("exercised").get<std::uint64_t>();
    result.calls = json.at("calls").get<std::uint64_t>();
    result.seconds = json.at("seconds").get<double>();
    result.seed = json.at("seed").get<std::uint64_t>();
    for (const auto& [id, count] : json.at("counts").items()) {
      result.counts.emplace_back(clause(id), count.template get<std::uint64_t>());
    }
    if (json.contains("clause")) result.clause = clause(json["clause"].get<std::string>());
    if (json.contains("also")) result.also = clause(json["also"].get<std::string>());
    result.line = json.value("line", std::uint64_t{0});
    result.explanation = json.value("explanation", "");
    result.shape = json.value("shape", "");
    result.history = json.value("history", "");
    result.history_of = json.value("history_of", "");
    result.output = json.value("output", "");
    if (json.contains("outcomes")) {
      for (const auto& outcome : json["outcomes"]) {
        result.outcomes.push_back({outcome.at("what").get<std::string>(), outcome.at("seen").get<std::uint64_t>(),
                                   outcome.at("decided").get<std::uint64_t>()});
      }
    }
    if (json.contains("qualities")) {
      for (const auto& note : json["qualities"]) {
        result.qualities.push_back(
            {clause(note.at("clause").get<std::string>()), note.at("explanation").get<std::string>()});
      }
    }
    return result;
  });
  return read;
}

std::string dump(const json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

}  // namespace streampool::kit
