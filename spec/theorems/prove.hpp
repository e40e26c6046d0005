// The engine behind `streampool prove`: discharges every obligation and says what is proved, over what, and what is
// not.
//
//   prove({.theorem = "REUSE-SAFE"})          one theorem
//   prove({.emit = "certificate"})            everything, with a folder that other solvers can check
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "spec/theorems/profiles.hpp"

namespace streampool::theorems {

struct ProveOptions {
  enum class Solver : std::uint8_t { z3, cvc5, file_only };
  std::string theorem{};       // id; empty: all of them
  Solver solver = Solver::z3;  // cvc5: the written files go through it as well; file_only: written, not asked
  std::string cvc5_command = "cvc5";
  std::string emit{};                   // a folder for the certificate; empty: none
  double timeout = 60;                  // seconds for one question
  bool second_seed = true;              // every text is solved again with another seed
  bool quick = false;                   // without dropped guards and witnesses
  std::vector<ProfileRule> profiles{};  // PROFILE-SAFE and MONOTONE are about these
  // Asked when an obligation fails: a run, as the text of a .pool file, that shows it; empty: none known.
  std::function<std::string()> find_run{};
};

struct Result {
  std::string id, theorem, kind;
  std::string expected, answer;  // "unsat", "counterexample", "fails", "witness", …
  bool ok = false;
  double seconds = 0;
  std::string note{};           // why, in a sentence
  std::string history{};        // text of a .pool file
  std::string second_answer{};  // cvc5's, where it was asked
};

struct Report {
  std::vector<Result> results;
  std::vector<std::string> missing;  // obligations that the table asks for and nobody made
  double seconds = 0;
  std::string error;  // of the certificate folder
  [[nodiscard]] bool ok() const;
};

using Progress = std::function<void(const Result&, std::size_t done, std::size_t total)>;
[[nodiscard]] Report prove(const ProveOptions& options, const Progress& progress = nullptr);
[[nodiscard]] std::vector<std::string> theorem_ids();

}  // namespace streampool::theorems
