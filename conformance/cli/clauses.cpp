// streampool clauses: the specification's clauses.
#include "spec/clauses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "conformance/cli/commands.hpp"
#include "conformance/kit/nearest.hpp"

namespace streampool::cli {
namespace {

nlohmann::json to_json(const spec::ClauseInfo& clause) {
  nlohmann::json sources = nlohmann::json::array();
  for (const spec::ClauseSource& source : clause.sources) {
    sources.push_back(
        {{"vendor", source.vendor}, {"document", source.document}, {"address", source.address}, {"says", source.says}});
  }
  return {{"id", clause.id},
          {"chapter", clause.chapter},
          {"kind", spec::name(clause.kind)},
          {"status", spec::name(clause.status)},
          {"text", clause.text},
          {"attributes", clause.attributes},
          {"parameters", clause.parameters},
          {"rule", clause.rule},
          {"theorem", clause.theorem},
          {"sources", sources}};
}

void print_one(const spec::ClauseInfo& clause) {
  fmt::print("{} ({}, chapter {}, {})\n\n{}\n", clause.id, spec::name(clause.kind), clause.chapter,
             spec::name(clause.status), clause.text);
  if (!clause.attributes.empty()) fmt::print("\nattributes: {}\n", fmt::join(clause.attributes, ", "));
  if (!clause.parameters.empty()) fmt::print("\nprofile parameters: {}\n", fmt::join(clause.parameters, ", "));
  if (!clause.rule.empty()) fmt::print("\nrule: {}\n", clause.rule);
  if (!clause.theorem.empty()) fmt::print("theorem: {}\n", clause.theorem);
  for (const spec::ClauseSource& source : clause.sources) {
    fmt::print("\n{}: {}\n  {}\n  {}\n", source.vendor, source.says, source.document, source.address);
  }
}

int one(const Arguments& arguments, const std::string& id) {
  const auto clause = spec::find_clause(id);
  if (!clause) {
    std::vector<std::string> ids;
    for (const spec::ClauseInfo& info : spec::clauses()) ids.emplace_back(info.id);
    std::string upper = id;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const std::string near = kit::nearest(upper, ids);
    return usage_error(arguments, fmt::format("there is no clause '{}'{}", id,
                                              near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
  }
  if (arguments.json()) {
    fmt::print("{}\n", to_json(spec::info(*clause)).dump());
  } else {
    print_one(spec::info(*clause));
  }
  return exit_ok;
}

int run(const Arguments& arguments) {
  if (!arguments.positionals().empty()) return one(arguments, arguments.positionals().front());
  if (arguments.json()) {
    nlohmann::json all = nlohmann::json::array();
    for (const spec::ClauseInfo& clause : spec::clauses()) all.push_back(to_json(clause));
    fmt::print("{}\n", all.dump());
    return exit_ok;
  }
  std::string_view chapter;
  for (const spec::ClauseInfo& clause : spec::clauses()) {
    if (clause.chapter != chapter) fmt::print("{}{}\n", chapter.empty() ? "" : "\n", clause.chapter);
    chapter = clause.chapter;
    fmt::print("  {:<50}{:<10}{}\n", clause.id, spec::name(clause.kind),
               clause.status == spec::ClauseStatus::modelled ? "" : spec::name(clause.status));
  }
  return exit_ok;
}

}  // namespace

const Command clauses_command{
    .name = "clauses",
    .summary = "The clauses of the specification, or one of them with its sources",
    .example = "  streampool clauses REUSE-UNSAFE\n",
    .options = {},
    .positional = {"ID", "A clause", 0, 1},
    .exits = "0, or 2 where there is none of that name",
    .run = run,
};

}  // namespace streampool::cli
