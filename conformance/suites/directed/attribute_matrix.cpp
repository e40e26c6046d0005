// Each attribute against each rule that applies to it: default, width, set and get, what is refused, independence.
//
// The texts differ only in the attribute and its values, so they are made from one table; what an attribute does, on
// and off, is told by the chapters reuse, policy and release.
#include <fmt/format.h>

#include <deque>
#include <string>

#include "conformance/suites/directed/directed.hpp"

namespace streampool::suites {
namespace {

using model::Parameters;

struct Row {
  int number;
  std::string_view name;
  // A value other than the default, and lines that give it; empty where the program cannot choose it.
  std::string_view value;
};
constexpr Row rows[] = {
    {1, "reuse_follow_event_dependencies", "0"},
    {2, "reuse_allow_opportunistic", "0"},
    {3, "reuse_allow_internal_dependencies", "0"},
    {4, "release_threshold", "{3*granule}"},
    {5, "reserved_mem_current", ""},
    {6, "reserved_mem_high", ""},
    {7, "used_mem_current", ""},
    {8, "used_mem_high", ""},
};

constexpr bool is_switch(const Row& row) { return row.number <= 3; }
constexpr bool is_setting(const Row& row) { return row.number <= 4; }
constexpr bool is_current(const Row& row) { return row.number == 5 || row.number == 7; }
constexpr bool is_high(const Row& row) { return row.number == 6 || row.number == 8; }

constexpr std::string_view fresh_pool = "stream_create s1 nonblocking\npool_create p max_size=0\n";
// A pool whose statistics all read differently from a new one's, and the watermarks differently from the values.
constexpr std::string_view used_pool =
    "stream_create s1 nonblocking\npool_create p max_size=0\n"
    "malloc a {granule} p s1\nmalloc b {2*granule} p s1\nfree b s1\nstream_sync s1\npool_trim p 0\n";

class Matrix {
 public:
  Matrix() {
    for (const Row& row : rows) add(row);
  }
  [[nodiscard]] std::span<const Case> cases() const { return cases_; }

 private:
  // Texts stay where they are.
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  template <class... Values>
  std::string_view text(std::string_view pattern, const Row& row, const Values&... values) {
    return keep(
        fmt::format(fmt::runtime(pattern), fmt::arg("name", row.name), fmt::arg("value", row.value), values...));
  }
  // `twins` without the attribute, with spaces between.
  void add_case(const Row& row, std::string_view rule, Aims aims, std::string_view twins, std::string_view setup,
                std::string_view lines, Misuse misuse = nullptr) {
    std::string full;
    for (std::size_t at = 0; at < twins.size();) {
      const std::size_t end = std::min(twins.find(' ', at), twins.size());
      full += fmt::format("{}:{} ", twins.substr(at, end - at), row.name);
      at = end + 1;
    }
    cases_.push_back({.name = keep(fmt::format("attributes/{}/{}", row.name, rule)),
                      .aims = aims,
                      .twins = keep(std::move(full)),
                      .setup = setup,
                      .text = lines,
                      .misuse = misuse});
  }

  void add(const Row& row) {
    const auto clause = [&row](spec::ClauseFamily family) { return spec::attribute_clause(family, row.number); };
    const std::string_view get = text("pool_get p {name}\n", row);
    add_case(row, "default", {clause("ATTR-DEFAULT"_family)}, "default_wrong", fresh_pool, get);
    add_case(row, "width", {clause("ATTR-WIDTH"_family), "ATTR-STATUS"_clause}, "too_wide too_narrow get_refused",
             fresh_pool, text("pool_get p {name}\nmalloc a {{granule}} p s1\npool_get p {name}\n", row));
    add_frame(row, clause("ATTR-FRAME"_family));
    if (is_setting(row)) {
      add_case(row, "set_and_get", {clause("ATTR-READBACK"_family), "ATTR-STATUS"_clause},
               "set_ignored set_refused set_sticks_to_max", fresh_pool,
               text("pool_set p {name} 1\npool_get p {name}\npool_set p {name} {value}\npool_get p {name}\n"
                    "pool_set p {name} 1\npool_get p {name}\npool_set p {name} 0\npool_get p {name}\n",
                    row));
      add_case(
          row, "keeps_its_value_across_calls", {clause("ATTR-READBACK"_family), clause("ATTR-FRAME"_family)},
          "moves_with_calls", fresh_pool,
          text("pool_set p {name} {value}\nmalloc a {{granule}} p s1\nfree a s1\nstream_sync s1\npool_get p {name}\n"
               "pool_trim p 0\npool_get p {name}\n",
               row));
      add_case(row, "null_is_refused", {clause("ATTR-FAILED-SET"_family), "ATTR-NULL-VALUE"_clause},
               "failed_set_clears", fresh_pool,
               text("pool_set p {name} {value}\npool_get p {name}\npool_set p {name} null\npool_get p {name}\n", row),
               &Parameters::null_value);
    }
    if (is_switch(row)) {
      add_case(row, "other_values", {clause("ATTR-OTHER-VALUE"_family), clause("ATTR-FAILED-SET"_family)},
               "other_value_taken failed_set_stores", fresh_pool,
               text("pool_set p {name} 2\npool_get p {name}\n"
                    "pool_set p {name} 0\npool_get p {name}\npool_set p {name} 2\npool_get p {name}\n"
                    "pool_set p {name} 0\npool_set p {name} 0xFFFFFFFF\npool_get p {name}\n",
                    row));
    }
    if (is_current(row)) {
      add_case(
          row, "read_only", {clause("ATTR-READ-ONLY"_family), clause("ATTR-FAILED-SET"_family)},
          "read_only_accepted failed_set_stores", used_pool,
          text("pool_get p {name}\npool_set p {name} 0\npool_get p {name}\npool_set p {name} 1\npool_get p {name}\n"
               "pool_set p {name} {{8*granule}}\npool_get p {name}\n",
               row),
          &Parameters::read_only);
      add_case(row, "read_only_to_null", {clause("ATTR-FAILED-SET"_family), "ATTR-NULL-VALUE"_clause}, "null_stores",
               used_pool, text("pool_get p {name}\npool_set p {name} null\npool_get p {name}\n", row),
               &Parameters::null_value);
    }
    if (is_high(row)) {
      add_case(row, "reset", {clause("ATTR-RESET"_family), "ATTR-STATUS"_clause, "STAT-HIGH-GE-CURRENT"_clause},
               "reset_ignored reset_to_zero set_refused", used_pool,
               text("pool_get p used_mem_current\npool_get p reserved_mem_current\npool_get p {name}\npool_set p "
                    "{name} 0\npool_get p {name}\n",
                    row));
      add_case(
          row, "other_values", {clause("ATTR-RESET-NONZERO"_family), clause("ATTR-FAILED-SET"_family)},
          "reset_nonzero_accepted failed_set_stores", used_pool,
          text("pool_get p {name}\npool_set p {name} 1\npool_get p {name}\npool_set p {name} max\npool_get p {name}\n"
               "pool_set p {name} {{granule}}\npool_get p {name}\n",
               row),
          &Parameters::nonzero_watermark);
      add_case(row, "null_is_refused", {clause("ATTR-FAILED-SET"_family), "ATTR-NULL-VALUE"_clause}, "null_stores",
               used_pool, text("pool_get p {name}\npool_set p {name} null\npool_get p {name}\n", row),
               &Parameters::null_value);
    }
  }

  // No other attribute, of this pool or of another, moves it.
  void add_frame(const Row& row, spec::ClauseId clause) {
    std::string lines(is_setting(row) ? fmt::format("pool_set p {} {}\n", row.name, row.value) : "");
    lines += fmt::format("pool_create q max_size=0\npool_get p {}\n", row.name);
    for (const std::string_view pool : {"p", "q"}) {
      for (const Row& other : rows) {
        const bool same = pool == "p" && other.number == row.number;
        if (same || is_current(other)) continue;
        lines += fmt::format("pool_set {} {} {}\npool_get p {}\n", pool, other.name,
                             is_setting(other) ? (is_switch(row) && pool == "q" ? "1" : "0") : "0", row.name);
      }
    }
    if (!is_setting(row)) lines += fmt::format("malloc c {{8*granule}} q s1\npool_get p {}\n", row.name);
    // A watermark that moved may also lie below what it follows.
    add_case(row, "independent", {clause, "STAT-FRAME"_clause, "STAT-HIGH-GE-CURRENT"_clause},
             "moves_with_neighbour shared_by_pools", used_pool, keep(std::move(lines)));
  }

  std::deque<std::string> texts_;
  std::vector<Case> cases_;
};

}  // namespace

std::span<const Case> attribute_matrix() {
  static const Matrix matrix;
  return matrix.cases();
}

}  // namespace streampool::suites
