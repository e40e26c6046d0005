#include "conformance/suites/directed/directed.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace streampool::suites {
namespace {

constexpr std::span<const Case> (*chapters[])() = {
    reuse_cases,     order_cases,      order_content_cases, allocation_cases, reuse_pool_cases, reuse_policy_cases,
    attribute_cases, attribute_matrix, statistics_cases,    release_cases,    lifecycle_cases,  asynchrony_cases,
    capacity_cases,  device_cases,     thread_cases,        many_cases,       program_cases,    reported_cases,
};

// Does the profile say what the runtime must answer?
bool has_status(const model::Parameter<model::StatusRule>& rule) {
  return rule.binds() && rule.value.kind != model::StatusRule::Kind::not_detected;
}

bool is_word(std::string_view text, std::size_t at, std::size_t size) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const bool begins = at == 0 || letters.find(text[at - 1]) == std::string_view::npos;
  return begins && (at + size >= text.size() || letters.find(text[at + size]) == std::string_view::npos);
}

std::size_t count_word(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if (is_word(text, at, word.size())) ++count;
  }
  return count;
}

// Shared beginnings make more than a case uses. What it never names again is left out, so that a runtime without gates,
// say, is not asked for one.
std::string without_unused(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
    text.remove_prefix(line.size());
    const bool creates =
        line.starts_with("gate_create ") || line.starts_with("event_create ") || line.starts_with("stream_create ");
    std::string_view name = line.substr(std::min(line.find(' ') + 1, line.size()));
    name = name.substr(0, name.find_first_of(" \n"));
    if (creates && count_word(text, name) == 0) continue;
    kept += line;
  }
  return kept;
}

bool about_attributes(const Case& one) {
  return std::ranges::any_of(one.aims.list(), [](spec::ClauseId id) { return spec::info(id).id.starts_with("ATTR-"); });
}

}  // namespace

std::string with_modest_thresholds(std::string text) {
  constexpr std::string_view keep_all = " release_threshold max\n";
  for (std::size_t at = text.find(keep_all); at != std::string::npos; at = text.find(keep_all, at + 1)) {
    const std::size_t name = text.rfind(' ', at - 1) + 1;
    const std::string create = fmt::format("pool_create {} max_size=", text.substr(name, at - name));
    const std::size_t limited = text.find(create);
    std::string size = "0";  // no limit of its own
    if (limited != std::string::npos) size = text.substr(limited + create.size());
    size.erase(std::min(size.find_first_of(" \n"), size.size()));
    text.replace(at, keep_all.size(), fmt::format(" release_threshold {}\n", size == "0" ? "{everything}" : size));
  }
  return text;
}

std::vector<const Case*> directed_cases() {
  std::vector<const Case*> list;
  for (const auto chapter : chapters) {
    for (const Case& one : chapter()) list.push_back(&one);
  }
  return list;
}

kit::Scenario directed_scenario(const Case& one, const model::Profile& profile) {
  const auto aims = one.aims.list();
  kit::Scenario made;
  made.name = one.name;
  made.suite = "directed";
  made.aims.assign(aims.begin(), aims.end());
  made.text = without_unused(fmt::format("{}{}", one.setup, one.text));
  const bool refuses = profile.threshold_range.value == model::ThresholdRange::at_most_pool_size;
  if (refuses || !about_attributes(one)) made.text = with_modest_thresholds(std::move(made.text));
  made.undefined = one.misuse != nullptr && !has_status(profile.*one.misuse);
  if (one.applies != nullptr && !one.applies(profile)) {
    made.not_applicable = fmt::format("The profile {} rules it out.", profile.name);
  }
  return made;
}

std::vector<kit::Scenario> directed_scenarios(const model::Profile& profile) {
  std::vector<kit::Scenario> scenarios;
  for (const Case* one : directed_cases()) scenarios.push_back(directed_scenario(*one, profile));
  return scenarios;
}

std::unique_ptr<kit::JobSource> directed_source(const SuiteOptions& options) {
  return scenario_source(directed_scenarios(options.profile), options);
}

}  // namespace streampool::suites
