#include "spec/theorems/dropped.hpp"

#include <chrono>
#include <functional>
#include <iterator>
#include <map>

#include "spec/theorems/discharge.hpp"

namespace streampool::theorems {
namespace {

// Walks the parts of a guard that stand positively; `visit` may replace one by `true`. A conjunction's members are
// parts; so are those below a disjunction or a quantifier, because dropping them weakens the whole.
Term walk(Term term, std::size_t& count, const std::function<bool(std::size_t, Term)>& drop) {
  switch (term->op) {
    case Op::all: {
      std::vector<Term> parts;
      for (const Term part : term->arguments) {
        if (drop(count++, part)) continue;
        parts.push_back(walk(part, count, drop));
      }
      return all_of(std::move(parts));
    }
    case Op::any: {
      std::vector<Term> parts;
      for (const Term part : term->arguments) parts.push_back(walk(part, count, drop));
      return any_of(std::move(parts));
    }
    case Op::forall: {
      const Term variable = term->arguments[0];
      const Term body = walk(term->arguments[1], count, drop);
      return for_all(variable->sort, [&](Term v) { return substitute(body, {{variable, v}}); });
    }
    default:
      return term;
  }
}

// Why nothing breaks without these: transition and place of the conjunct.
const std::map<std::string, std::string>& notes() {
  static const char* const life = "a rule of the life cycle; no theorem speaks of it";
  static const std::map<std::string, std::string> table = {
      {"free_sync.0", "the program owes the same (PROGRAM-FREE-SYNC)"},
      {"free_sync.1", "the program owes the same (PROGRAM-FREE-SYNC)"},
      {"plain_malloc.2",
       "keeps plain memory out of the pools' reservations; the theorems speak of owners, not of where plain memory "
       "lies"},
      {"reserve.1", "a malloc from a destroyed pool is refused already"},
      {"reserve.3", "no pool backs these bytes, so no pool's allocation lives there; only plain memory could"},
      {"destroy_pool.0", life},
      {"destroy_pool.1", life},
      {"name_stream.0", "identity 0 is never given"},
      {"name_stream.2", life},
      {"name_event.0", "identity 0 is never given"},
      {"name_event.1", "use.IDENTITY-EVENT rests on it; it is no step of an invariant"},
      {"name_event.2", life},
  };
  return table;
}

Term guarded(Term guard) { return guard->op == Op::all ? guard : all_of({guard, truth(true)}); }

std::string shorten(std::string text) {
  constexpr std::size_t most = 90;
  if (text.size() > most) text = text.substr(0, most) + "...";
  return text;
}

// Steps and statements of a transition: what may break.
struct Candidate {
  std::string id;
  std::function<std::vector<Term>(const std::function<Term(Term)>&)> assertions;
};

std::vector<Candidate> candidates(const Transition& transition) {
  std::vector<Candidate> all;
  const auto finish = [](StepSetting s, const Bool& goal, const Definitions& definitions) {
    std::ranges::copy(definitions.axioms(), std::back_inserter(s.hypotheses));
    s.hypotheses.push_back(negate(goal.term));
    return s.hypotheses;
  };
  for (const StepStatement& statement : theory().steps) {
    all.push_back({"statement." + statement.id, [&, finish](const std::function<Term(Term)>& weaken) {
                     const Definitions definitions;
                     StepSetting s = setting(transition, statement.needs, weaken);
                     const Bool goal = statement.holds(s.before, transition.name, s.arguments, s.after);
                     return finish(std::move(s), goal, definitions);
                   }});
  }
  for (const Invariant& invariant : theory().invariants) {
    all.push_back({"step." + invariant.id, [&, finish](const std::function<Term(Term)>& weaken) {
                     const Definitions definitions;
                     std::vector<std::string> needs = invariant.needs;
                     needs.push_back(invariant.id);
                     StepSetting s = setting(transition, needs, weaken);
                     if (invariant.known_after) {
                       s.hypotheses.push_back(
                           invariant.known_after(s.before, s.after, transition.name, s.arguments).term);
                     }
                     const Bool goal = invariant.holds(s.after);
                     return finish(std::move(s), goal, definitions);
                   }});
  }
  return all;
}

constexpr int few_rounds = 3;

bool breaks(const Candidate& candidate, const std::function<Term(Term)>& weaken, double timeout) {
  return discharge(candidate.assertions(weaken), {}, timeout, few_rounds).answer == Answer::sat;
}

}  // namespace

std::vector<Conjunct> conjuncts(Term guard) {
  std::vector<Conjunct> all;
  std::size_t count = 0;
  walk(guarded(guard), count, [&](std::size_t index, Term part) {
    all.push_back({index, shorten(describe(part))});
    return false;
  });
  return all;
}

Term without(Term guard, std::size_t index) {
  std::size_t count = 0;
  return walk(guarded(guard), count, [&](std::size_t i, Term) { return i == index; });
}

std::vector<std::string> transitions_with_guards() {
  std::vector<std::string> names;
  for (const Transition& t : transitions()) {
    const Definitions definitions;
    if (!is_true(t.step(any_world(), arguments("")).guard.term)) names.push_back(t.name);
  }
  return names;
}

std::vector<Drop> drop_each(const std::string& name, double timeout) {
  const Transition& t = transition(name);
  std::vector<Conjunct> parts;
  {
    const Definitions definitions;
    parts = conjuncts(t.step(any_world(), arguments("")).guard.term);
  }
  // Only what needs the guard at all can need a part of it.
  std::vector<Candidate> relevant;
  for (Candidate& candidate : candidates(t)) {
    if (breaks(
            candidate, [](Term) { return truth(true); }, timeout))
      relevant.push_back(std::move(candidate));
  }
  std::vector<Drop> drops;
  for (const Conjunct& part : parts) {
    const auto start = std::chrono::steady_clock::now();
    Drop drop{.transition = name, .conjunct = part, .broken = {}, .note = {}};
    for (const Candidate& candidate : relevant) {
      if (breaks(
              candidate, [&](Term guard) { return without(guard, part.index); }, timeout)) {
        drop.broken = candidate.id + "." + name;
        break;
      }
    }
    const std::string place = name + "." + std::to_string(part.index);
    if (const auto it = notes().find(place); drop.broken.empty() && it != notes().end()) drop.note = it->second;
    drop.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    drops.push_back(std::move(drop));
  }
  return drops;
}

}  // namespace streampool::theorems
