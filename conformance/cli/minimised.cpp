#include "conformance/cli/minimised.hpp"

#include <fmt/format.h>

#include "conformance/kit/json.hpp"
#include "model/history/reader.hpp"

namespace streampool::cli {

void print_minimised(const Arguments& arguments, const minimize::Minimised& done) {
  const kit::CaseResult& result = done.result;
  if (arguments.json()) {
    nlohmann::json json{{"verdict", kit::name(result.verdict)},
                        {"calls_before", done.calls_before},
                        {"calls", result.calls},
                        {"runs", done.runs},
                        {"complete", done.complete},
                        {"line", result.line},
                        {"explanation", result.explanation},
                        {"history", result.history}};
    if (result.clause) json["clause"] = spec::info(*result.clause).id;
    fmt::print("{}\n", kit::dump(json));
    return;
  }
  fmt::print("{}", result.history);
  fmt::print("# {} of {} calls, after {} runs{}\n", result.calls, done.calls_before, done.runs,
             done.complete ? "" : "; the time was over before nothing more went");
  if (result.clause) {
    fmt::print("# line {}, {}: {}\n", result.line, spec::info(*result.clause).id, spec::info(*result.clause).text);
  }
  fmt::print("# {}: {}\n", kit::name(result.verdict), result.explanation);
}

tl::expected<std::string, std::string> profile_named_in(const std::string& text) {
  history::NameTable names;
  const auto lines = history::read_text(text, names);
  if (!lines) return tl::unexpected(history::to_text(lines.error()));
  return history::named_profile(*lines);
}

}  // namespace streampool::cli
