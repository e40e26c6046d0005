#include "conformance/report/record.hpp"

#include <fmt/format.h>

#include "conformance/kit/json.hpp"

namespace streampool::report {

using nlohmann::json;

json to_json(const RunInfo& info) {
  return {{"runtime", info.runtime},
          {"runtime_name", info.runtime_name},
          {"runtime_version", info.runtime_version},
          {"profile", info.profile},
          {"profile_hash", info.profile_hash},
          {"seed", info.seed},
          {"suites", info.suites},
          {"shard", info.shard},
          {"shards", info.shards},
          {"kit", info.kit},
          {"abi", info.abi},
          {"specification", info.specification},
          {"strict", info.strict}};
}

RunInfo info_from_json(const json& object) {
  RunInfo info;
  info.runtime = object.value("runtime", "");
  info.runtime_name = object.value("runtime_name", "");
  info.runtime_version = object.value("runtime_version", "");
  info.profile = object.value("profile", "");
  info.profile_hash = object.value("profile_hash", "");
  info.seed = object.value("seed", std::uint64_t{0});
  info.suites = object.value("suites", "");
  info.shard = object.value("shard", 1u);
  info.shards = object.value("shards", 1u);
  info.kit = object.value("kit", "");
  info.abi = object.value("abi", "");
  info.specification = object.value("specification", "");
  info.strict = object.value("strict", false);
  return info;
}

json record(const kit::CaseResult& result, const RunInfo& info) {
  json out = kit::to_json(result);
  out["run"] = to_json(info);
  return out;
}

tl::expected<Recorded, std::string> read_records(const std::string& text) {
  Recorded recorded;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    const json parsed = json::parse(line, nullptr, false);
    if (!parsed.is_object()) return tl::unexpected(fmt::format("line {}: expected a JSON object", number));
    auto result = kit::result_from_json(parsed);
    if (!result) return tl::unexpected(fmt::format("line {}: {}", number, result.error()));
    recorded.results.push_back(std::move(*result));
    const auto run = parsed.find("run");
    recorded.infos.push_back(run != parsed.end() && run->is_object() ? info_from_json(*run) : RunInfo{});
  }
  return recorded;
}

}  // namespace streampool::report
