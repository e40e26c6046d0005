// From assertions with quantifiers to assertions without: negative quantifiers get a witness, positive ones are
// instantiated with terms that already occur where their variables are used.
//
// Every instance follows from what was given, so `unsat` of the result means `unsat` of the assertions. A model of the
// result may be none of the assertions: then an instance was missing, and the bounded encoding (bounded.hpp) has the
// last word.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "spec/theorems/term.hpp"

namespace streampool::theorems {

class Grounder {
 public:
  explicit Grounder(const std::vector<Term>& assertions);
  // One round of instances. False when there are no new ones.
  bool round(std::size_t most);
  // What has been produced so far, none of it quantified.
  [[nodiscard]] const std::vector<Term>& assertions() const { return ground_; }

 private:
  struct Law {  // guard → for all variables: body
    Term guard;
    std::vector<Term> variables;
    Term body;
    std::vector<std::vector<Term>> patterns{};  // alternatives: applications that together mention every variable
    std::vector<std::vector<Term>>
        fallback{};  // for want of a match: the widest, other variables from all terms of their sort
  };

  void assert_term(Term term);
  // The term without quantifiers, where it is asserted (positive) or denied.
  Term strip(Term term, bool positive);
  void add_law(Term guard, Term forall);
  void collect(Term term);
  void match(const Law& law, const std::vector<Term>& pattern, std::size_t index, TermMap<Term>& binding,
             std::vector<TermMap<Term>>& found) const;
  static bool unify(Term pattern, Term ground, TermMap<Term>& binding);

  std::vector<Term> ground_;
  std::vector<Law> laws_;
  TermMap<Term> witnesses_;  // of a denied quantifier
  TermMap<Term> proxies_;    // of an asserted one that is not at the top
  std::unordered_map<std::string, std::vector<Term>> applications_;
  TermMap<std::size_t> generation_;  // the round in which an application appeared
  std::size_t round_ = 0;
  std::vector<std::vector<Term>> by_sort_;  // arguments of applications: candidates without a pattern
  std::unordered_set<const Node*> collected_, arguments_, asserted_, initial_;
};

}  // namespace streampool::theorems
