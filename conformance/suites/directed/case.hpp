// A directed case: a small history, written by hand, in a state where a wrong runtime answers differently from a right
// one.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "model/profile/profile.hpp"
#include "spec/clauses.hpp"

namespace streampool::suites {

using namespace spec::literals;

// The clauses that a case aims at; at least one of them must be exercised by a run.
class Aims {
 public:
  template <class... Clauses>
  constexpr Aims(Clauses... clauses) : clauses_{clauses...}, count_(sizeof...(clauses)) {  // NOLINT: read as a list
    static_assert(sizeof...(clauses) >= 1 && sizeof...(clauses) <= 8);
  }
  [[nodiscard]] constexpr std::span<const spec::ClauseId> list() const { return {clauses_.data(), count_}; }

 private:
  std::array<spec::ClauseId, 8> clauses_{};
  std::size_t count_ = 0;
};

// Misuse: the profile's answer to it. Where that is no status, the case runs only with --undefined.
using Misuse = model::Parameter<model::StatusRule> model::Parameters::*;

struct Case {
  std::string_view name;  // unique; "reuse/…": the chapter, then what is done
  Aims aims;
  // The faulty behaviours that this case tells from the right one: names of tests/twins.hpp, with spaces between.
  std::string_view twins{};
  std::string_view setup;  // lines that go before the text; one of setup.hpp
  std::string_view text;   // lines of the history; braces as in kit/scenario.hpp
  Misuse misuse = nullptr;
  bool (*applies)(const model::Profile&) = nullptr;  // null: under every profile
};

}  // namespace streampool::suites
