// What the judge says of a whole history, as one value: for tests and theorems that compare verdicts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace streampool::model {

struct Judgement {
  std::string kind;  // conformant, violation, program_fault, inconclusive, malformed; no_profile: it names none we know
  std::string clause;       // id of the broken clause; empty where none is
  std::uint64_t line = 0;   // of the text; 0 where none is to blame
  std::string explanation;  // whole sentences

  // "violation REUSE-UNSAFE", "conformant": as the second line of a known history says it.
  [[nodiscard]] std::string in_words() const { return clause.empty() ? kind : kind + " " + clause; }
};

// Judges the whole `text` under `profile`; empty: the profile that the history names, or else strict.
[[nodiscard]] Judgement judge_text(std::string_view text, std::string_view profile = {});

}  // namespace streampool::model
