#include "conformance/report/waivers.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "conformance/kit/glob.hpp"
#include "spec/clauses.hpp"

namespace streampool::report {
namespace {

namespace fs = std::filesystem;

template <class Node>
std::string place(const fs::path& file, const Node& node) {
  return fmt::format("{}:{}", file.string(), node.source().begin.line);
}

tl::expected<Waiver, std::string> read(const toml::table& table, const fs::path& file) {
  Waiver waiver;
  for (const auto& [key, field] : {std::pair<const char*, std::string*>{"clause", &waiver.clause},
                                   {"case", &waiver.cases},
                                   {"runtime", &waiver.runtime},
                                   {"owner", &waiver.owner},
                                   {"link", &waiver.link},
                                   {"reason", &waiver.reason}}) {
    const auto text = table[key].value<std::string>();
    if (!text || text->empty()) {
      return tl::unexpected(fmt::format("{}: expected {} = \"…\" in this waiver", place(file, table), key));
    }
    *field = *text;
  }
  const auto expires = table["expires"].value<toml::date>();
  if (!expires)
    return tl::unexpected(fmt::format("{}: expected expires = YYYY-MM-DD in this waiver", place(file, table)));
  waiver.expires =
      std::chrono::year{expires->year} / std::chrono::month{expires->month} / std::chrono::day{expires->day};
  if (!spec::find_clause(waiver.clause)) {
    return tl::unexpected(fmt::format("{}: there is no clause {}", place(file, table), waiver.clause));
  }
  return waiver;
}

tl::expected<void, std::string> read_file(const fs::path& file, std::vector<Waiver>& list) {
  try {
    if (!std::ifstream(file))
      return tl::unexpected(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
    const toml::table root = toml::parse_file(file.string());
    for (const auto& [key, value] : root) {
      if (key.str() != "waiver")
        return tl::unexpected(fmt::format("{}: expected [[waiver]], found {}", place(file, value), key.str()));
    }
    const toml::array* waivers = root["waiver"].as_array();
    if (waivers == nullptr) return {};
    for (const toml::node& node : *waivers) {
      const toml::table* table = node.as_table();
      if (table == nullptr) return tl::unexpected(fmt::format("{}: expected [[waiver]] tables", place(file, node)));
      auto waiver = read(*table, file);
      if (!waiver) return tl::unexpected(waiver.error());
      list.push_back(std::move(*waiver));
    }
    return {};
  } catch (const toml::parse_error& error) {
    return tl::unexpected(fmt::format("{}: {}", place(file, error), error.description()));
  }
}

}  // namespace

tl::expected<Waivers, std::string> Waivers::load(const fs::path& path) {
  Waivers waivers;
  std::vector<fs::path> files;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const auto& entry : fs::directory_iterator(path, error)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
    std::ranges::sort(files);
  } else {
    files.push_back(path);
  }
  for (const fs::path& file : files) {
    if (auto done = read_file(file, waivers.list_); !done) return tl::unexpected(done.error());
  }
  return waivers;
}

void Waivers::apply(kit::CaseResult& result, const std::string& runtime_name, std::chrono::year_month_day today) const {
  using kit::Verdict;
  if (!result.clause || !kit::is_failure(result.verdict)) return;
  const std::string_view broken = spec::info(*result.clause).id;
  const auto covers = [&](const Waiver& waiver) {
    return waiver.clause == broken && kit::matches(waiver.cases, result.name) &&
           kit::matches(waiver.runtime, runtime_name);
  };
  const auto waiver = std::ranges::find_if(list_, covers);
  if (waiver == list_.end()) return;
  const auto date =
      fmt::format("{}-{:02}-{:02}", static_cast<int>(waiver->expires.year()),
                  static_cast<unsigned>(waiver->expires.month()), static_cast<unsigned>(waiver->expires.day()));
  if (waiver->expires < today) {
    result.explanation += fmt::format(" (Its waiver by {} ended on {}.)", waiver->owner, date);
    return;
  }
  result.verdict = Verdict::waived;
  result.explanation = fmt::format("Waived by {} until {} ({}): {} {}", waiver->owner, date, waiver->link,
                                   waiver->reason, result.explanation);
}

std::chrono::year_month_day today() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

}  // namespace streampool::report
