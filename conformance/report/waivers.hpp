// Waivers: failures that are known and accepted for a while. Each has an owner, a link and an end; after its end the
// case fails again. File format: conformance/waivers/README.md.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/kit/verdict.hpp"

namespace streampool::report {

struct Waiver {
  std::string clause;   // id
  std::string cases;    // a glob over case names
  std::string runtime;  // a glob over what the runtime calls itself
  std::string owner, link, reason;
  std::chrono::year_month_day expires{};  // the last day on which it holds
};

class Waivers {
 public:
  // A file, or every .toml of a folder. The error names file and line.
  [[nodiscard]] static tl::expected<Waivers, std::string> load(const std::filesystem::path& path);

  // Turns a failure that a waiver covers into `waived`, with the waiver's words before the explanation. One that has
  // ended only says so.
  void apply(kit::CaseResult& result, const std::string& runtime_name, std::chrono::year_month_day today) const;

  [[nodiscard]] const std::vector<Waiver>& list() const { return list_; }

 private:
  std::vector<Waiver> list_;
};

[[nodiscard]] std::chrono::year_month_day today();

}  // namespace streampool::report
