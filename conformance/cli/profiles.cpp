// streampool profiles: the answers of vendors, and where two differ.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/profile_option.hpp"
#include "model/profile/diff.hpp"

namespace streampool::cli {
namespace {

nlohmann::json to_json(const model::ParameterText& parameter) {
  return {{"parameter", parameter.name},
          {"value", parameter.value},
          {"mark", parameter.mark},
          {"source", parameter.source}};
}

int all(const Arguments& arguments) {
  nlohmann::json list = nlohmann::json::array();
  for (const std::string_view name : model::builtin_profiles()) {
    const auto profile = load_profile(std::string(name));
    if (!profile) return usage_error(arguments, profile.error());
    list.push_back({{"profile", profile->name}, {"about", profile->about}, {"hash", profile->hash}});
    if (!arguments.json()) fmt::print("{:<24}{}\n", profile->name, profile->about);
  }
  if (arguments.json()) fmt::print("{}\n", list.dump());
  return exit_ok;
}

int one(const Arguments& arguments, const std::string& name) {
  const auto profile = load_profile(name);
  if (!profile) return usage_error(arguments, profile.error());
  nlohmann::json list = nlohmann::json::array();
  if (!arguments.json()) fmt::print("{}: {}\nSHA-256 {}\n\n", profile->name, profile->about, profile->hash);
  for (const model::ParameterText& parameter : model::list(*profile)) {
    list.push_back(to_json(parameter));
    if (!arguments.json())
      fmt::print("{:<24}{:<28}{:<12}{}\n", parameter.name, parameter.value, parameter.mark, parameter.source);
  }
  if (arguments.json()) {
    fmt::print("{}\n",
               nlohmann::json{
                   {"profile", profile->name}, {"about", profile->about}, {"hash", profile->hash}, {"parameters", list}}
                   .dump());
  }
  return exit_ok;
}

int difference(const Arguments& arguments, const std::string& first, const std::string& second) {
  const auto a = load_profile(first), b = load_profile(second);
  if (!a) return usage_error(arguments, a.error());
  if (!b) return usage_error(arguments, b.error());
  nlohmann::json list = nlohmann::json::array();
  constexpr const char* row = "{:<24}{:<40} {}\n";
  if (!arguments.json()) fmt::print(row, "", a->name, b->name);
  for (const model::Difference& one : model::diff(*a, *b)) {
    list.push_back({{"parameter", one.first.name}, {"first", to_json(one.first)}, {"second", to_json(one.second)}});
    if (arguments.json()) continue;
    fmt::print(row, one.first.name, fmt::format("{} ({})", one.first.value, one.first.mark),
               fmt::format("{} ({})", one.second.value, one.second.mark));
  }
  if (arguments.json())
    fmt::print("{}\n", nlohmann::json{{"first", a->name}, {"second", b->name}, {"differences", list}}.dump());
  return exit_ok;
}

int run(const Arguments& arguments) {
  const auto& words = arguments.positionals();
  if (words.empty()) return all(arguments);
  if (words.front() == "diff") {
    if (words.size() != 3)
      return usage_error(arguments, "profiles diff needs two profiles: streampool profiles diff strict cuda-13");
    return difference(arguments, words[1], words[2]);
  }
  if (words.size() != 1) return usage_error(arguments, "profiles takes one name, or: diff A B");
  return one(arguments, words.front());
}

}  // namespace

const Command profiles_command{
    .name = "profiles",
    .summary = "The profiles, one of them, or where two differ",
    .example = "  streampool profiles diff strict cuda-13\n",
    .options = {},
    .positional = {"NAME | diff A B", "One profile, or where two differ; without: all", 0, 3},
    .exits = "0, or 2 where there is none of that name",
    .run = run,
};

}  // namespace streampool::cli
