#include "conformance/report/junit.hpp"

#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <sstream>

namespace streampool::report {
namespace {

using kit::Verdict;

// XML 1.0 has no place for control characters, not even as references.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
  }
  return out;
}

// How JUnit's few words say our many.
enum class Junit { passed, failure, error, skipped };
Junit as_junit(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
    case Verdict::quality:
      return Junit::passed;
    case Verdict::fail:
      return Junit::failure;
    case Verdict::crash:
    case Verdict::timeout:
    case Verdict::inconclusive:
    case Verdict::internal_error:
      return Junit::error;
    case Verdict::not_exercised:
    case Verdict::not_applicable:
    case Verdict::not_supported:
    case Verdict::waived:
      return Junit::skipped;
  }
  return Junit::error;
}

void set(pugi::xml_node node, const char* key, std::string_view value) {
  node.append_attribute(key).set_value(printable(value).c_str());
}

void add_case(pugi::xml_node suite, const kit::CaseResult& result) {
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "name", result.name);
  set(node, "classname", result.suite);
  set(node, "time", fmt::format("{:.6f}", result.seconds));
  const Junit kind = as_junit(result.verdict);
  if (kind != Junit::passed) {
    pugi::xml_node why = node.append_child(kind == Junit::failure ? "failure"
                                           : kind == Junit::error ? "error"
                                                                  : "skipped");
    const std::string clause = result.clause ? std::string(spec::info(*result.clause).id) + ": " : "";
    set(why, "type", kit::name(result.verdict));
    set(why, "message", clause + result.explanation);
    if (!result.history.empty()) why.text().set(printable(result.history).c_str());
  }
  if (!result.output.empty()) node.append_child("system-out").text().set(printable(result.output).c_str());
}

}  // namespace

std::string junit(std::span<const kit::CaseResult> results, const RunInfo& info) {
  std::map<std::string, std::vector<const kit::CaseResult*>> by_suite;
  for (const kit::CaseResult& result : results) by_suite[result.suite].push_back(&result);

  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "streampool " + info.runtime);
  for (const auto& [name, cases] : by_suite) {
    pugi::xml_node suite = root.append_child("testsuite");
    std::size_t failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
    for (const kit::CaseResult* result : cases) {
      const Junit kind = as_junit(result->verdict);
      failures += kind == Junit::failure ? 1 : 0;
      errors += kind == Junit::error ? 1 : 0;
      skipped += kind == Junit::skipped ? 1 : 0;
      seconds += result->seconds;
    }
    set(suite, "name", name);
    set(suite, "tests", std::to_string(cases.size()));
    set(suite, "failures", std::to_string(failures));
    set(suite, "errors", std::to_string(errors));
    set(suite, "skipped", std::to_string(skipped));
    set(suite, "time", fmt::format("{:.6f}", seconds));
    pugi::xml_node properties = suite.append_child("properties");
    for (const auto& [key, value] :
         {std::pair<const char*, std::string>{"runtime", info.runtime_name + " " + info.runtime_version},
          {"profile", info.profile},
          {"profile_hash", info.profile_hash},
          {"seed", std::to_string(info.seed)},
          {"kit", info.kit},
          {"abi", info.abi},
          {"specification", info.specification}}) {
      pugi::xml_node property = properties.append_child("property");
      set(property, "name", key);
      set(property, "value", value);
    }
    for (const kit::CaseResult* result : cases) add_case(suite, *result);
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace streampool::report
