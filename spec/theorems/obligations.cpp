#include "spec/theorems/obligations.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "fmt/format.h"
#include "spec/theorems/expected.hpp"

namespace streampool::theorems {
namespace {

const Invariant* find(const std::string& id) {
  for (const Invariant& invariant : theory().invariants) {
    if (invariant.id == id) return &invariant;
  }
  return nullptr;
}

void assume(const World& w, const std::vector<std::string>& needs, std::vector<Term>& into) {
  for (const std::string& need : needs) {
    if (const Invariant* invariant = find(need)) into.push_back(invariant->holds(w).term);
    for (const Consequence& consequence : theory().consequences) {
      if (consequence.id == need) into.push_back(consequence.holds(w).term);
    }
  }
}

bool sums(const std::string& theorem) { return theorem == "ACCOUNTING"; }

Address next(const Address& a) { return L::after(a, one()); }
Bool not_above(const Address& a, const Address& b) { return {less_equal(a.term, b.term)}; }

// What the inductions of accounting.cpp give, for the steps of the sums.
void assume_sums_rise(const World& w, std::vector<Term>& into) {
  into.push_back(every<Pool, Address, Address>([&](const Pool& p, const Address& a, const Address& b) {
                   const auto rises = [&](const Map<Address, Nat>& sum) { return sum(a) <= sum(b); };
                   return is_none(p) || !not_above(Address{}, a) || !not_above(a, b) ||
                          (rises(w.history.backed_below(p)) && rises(w.history.counted_below(p)));
                 }).term);
}

std::vector<Term> with_denied(std::vector<Term> hypotheses, const Bool& goal) {
  hypotheses.push_back(negate(goal.term));
  return hypotheses;
}

void add_base(std::vector<Obligation>& all, const Invariant& invariant) {
  all.push_back({"base." + invariant.id, invariant.theorem, Kind::base, [&invariant](bool) {
                   const Definitions definitions;
                   const Bool goal = invariant.holds(initial_world());
                   return with_denied(definitions.axioms(), goal);
                 }});
}

std::vector<std::string> with_self(const Invariant& invariant) {
  std::vector<std::string> needs = invariant.needs;
  needs.push_back(invariant.id);
  return needs;
}

void add_step(std::vector<Obligation>& all, const Invariant& invariant, const Transition& transition) {
  all.push_back(
      {"step." + invariant.id + "." + transition.name, invariant.theorem, Kind::step,
       [&invariant, &transition](bool light) {
         const Definitions definitions;
         StepSetting s = setting(transition, light ? std::vector{invariant.id} : with_self(invariant), nullptr);
         if (!light && invariant.known_after) {
           s.hypotheses.push_back(invariant.known_after(s.before, s.after, transition.name, s.arguments).term);
         }
         if (sums(invariant.theorem)) assume_sums_rise(s.before, s.hypotheses);
         const Bool goal = invariant.holds(s.after);
         std::ranges::copy(definitions.axioms(), std::back_inserter(s.hypotheses));
         return with_denied(std::move(s.hypotheses), goal);
       }});
}

void add_statement(std::vector<Obligation>& all, const StepStatement& statement, const Transition& transition) {
  all.push_back({"statement." + statement.id + "." + transition.name, statement.theorem, Kind::statement,
                 [&statement, &transition](bool) {
                   const Definitions definitions;
                   StepSetting s = setting(transition, statement.needs, nullptr);
                   const Bool goal = statement.holds(s.before, transition.name, s.arguments, s.after);
                   std::ranges::copy(definitions.axioms(), std::back_inserter(s.hypotheses));
                   return with_denied(std::move(s.hypotheses), goal);
                 }});
}

void add_use(std::vector<Obligation>& all, const Consequence& consequence) {
  all.push_back({"use." + consequence.id, consequence.theorem, Kind::use, [&consequence](bool) {
                   const Definitions definitions;
                   const World w = any_world();
                   std::vector<Term> hypotheses;
                   assume(w, consequence.needs, hypotheses);
                   const Bool goal = consequence.holds(w);
                   std::ranges::copy(definitions.axioms(), std::back_inserter(hypotheses));
                   return with_denied(std::move(hypotheses), goal);
                 }});
}

// Inductions over the bytes of a range: at its first byte, and from each to the next.
const std::vector<std::string>& induction_needs() {
  static const std::vector<std::string> needs{"RESERVED-BELOW", "USED-BELOW", "COUNTED", "NEWEST-MADE",
                                              "FREE-ITEM",      "IN-SPACE",   "CAPPED"};
  return needs;
}

void add_inductions(std::vector<Obligation>& all, const Transition& transition) {
  std::vector<std::string> names;
  {
    const Definitions definitions;
    for (const Induction& one : transition.step(any_world(), arguments("")).inductions) names.push_back(one.name);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const bool base : {true, false}) {
      all.push_back(
          {"induction." + transition.name + "." + names[i] + (base ? ".base" : ".step"), "ACCOUNTING", Kind::induction,
           [&transition, i, base](bool) {
             const Definitions definitions;
             const World w = any_world();
             const Stepped stepped = transition.step(w, arguments(""));
             const Induction& induction = stepped.inductions[i];
             std::vector<Term> hypotheses{stepped.guard.term, stepped.owed.term};
             assume(w, induction_needs(), hypotheses);
             Bool goal = induction.holds(induction.from);
             if (!base) {
               const Address at = unknown<Address>("at");
               hypotheses.push_back(
                   (not_above(induction.from, at) && not_above(next(at), induction.to) && induction.holds(at)).term);
               goal = induction.holds(next(at));
             }
             hypotheses.push_back(not_above(Address{}, induction.from).term);
             std::ranges::copy(definitions.axioms(), std::back_inserter(hypotheses));
             return with_denied(std::move(hypotheses), goal);
           }});
    }
  }
}

std::vector<Obligation> build() {
  std::vector<Obligation> all;
  const Theory& t = theory();
  for (const Invariant& invariant : t.invariants) {
    add_base(all, invariant);
    for (const Transition& transition : transitions()) add_step(all, invariant, transition);
  }
  for (const StepStatement& statement : t.steps) {
    for (const Transition& transition : transitions()) add_statement(all, statement, transition);
  }
  for (const Consequence& consequence : t.consequences) add_use(all, consequence);
  for (const Transition& transition : transitions()) add_inductions(all, transition);
  return all;
}

}  // namespace

const char* to_string(Kind kind) {
  static const char* const names[] = {"base",    "step",    "statement", "use",    "induction",
                                      "vacuity", "dropped", "overflow",  "gallery"};
  return names[static_cast<std::size_t>(kind)];
}

StepSetting setting(const Transition& transition, const std::vector<std::string>& needs,
                    const std::function<Term(Term)>& weaken) {
  StepSetting s{.before = any_world(), .after = {}, .arguments = arguments(""), .hypotheses = {}};
  assume(s.before, needs, s.hypotheses);
  Stepped stepped = transition.step(s.before, s.arguments);
  s.after = stepped.after;
  s.hypotheses.push_back(weaken ? weaken(stepped.guard.term) : stepped.guard.term);
  s.hypotheses.push_back(stepped.owed.term);
  for (const Induction& induction : stepped.inductions) {
    s.hypotheses.push_back(every<Address>([&](const Address& a) {
                             return !not_above(induction.from, a) || !not_above(a, induction.to) || induction.holds(a);
                           }).term);
  }
  return s;
}

const std::vector<Obligation>& obligations() {
  static const std::vector<Obligation> all = build();
  return all;
}

std::vector<std::string> missing_obligations() {
  std::set<std::string> there;
  for (const Obligation& obligation : obligations()) there.insert(obligation.id);
  std::vector<std::string> missing;
  const auto expect = [&](const std::string& id) {
    if (!there.contains(id)) missing.push_back(id);
  };
  for (const char* invariant : expected_invariants) {
    expect(std::string("base.") + invariant);
    for (const char* name : expected_transitions) expect(std::string("step.") + invariant + "." + name);
  }
  for (const char* statement : expected_statements) {
    for (const char* name : expected_transitions) expect(std::string("statement.") + statement + "." + name);
  }
  for (const char* use : expected_uses) expect(std::string("use.") + use);
  for (const char* exact : expected_exact) {
    for (const char* name : expected_transitions) expect(fmt::format("use.{}-{}", exact, name));
  }
  for (const char* induction : expected_inductions) {
    expect(std::string("induction.") + induction + ".base");
    expect(std::string("induction.") + induction + ".step");
  }
  // What nothing expects is as suspicious as what is missing: the lists are then out of date.
  const std::size_t expected = std::size(expected_invariants) * (1 + std::size(expected_transitions)) +
                               std::size(expected_statements) * std::size(expected_transitions) +
                               std::size(expected_uses) + std::size(expected_exact) * std::size(expected_transitions) +
                               2 * std::size(expected_inductions);
  if (there.size() != expected) missing.push_back("the list of expected obligations is out of date");
  return missing;
}

const Theory& theory() {
  static const Theory instance = [] {
    Theory t;
    add_order(t.invariants, t.consequences);
    add_memory(t.invariants, t.consequences);
    add_accounting(t.invariants, t.steps, t.consequences);
    add_rules(t.steps, t.consequences);
    add_monitor(t.consequences);
    add_exact(t.consequences);
    add_exact_values(t.consequences);
    return t;
  }();
  return instance;
}

}  // namespace streampool::theorems
