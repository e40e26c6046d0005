#include "spec/theorems/ground.hpp"

#include <algorithm>

namespace streampool::theorems {
namespace {

// The applications in a body that have a variable of the law as a direct argument, and mention no other variable.
void find_applications(Term term, const std::vector<Term>& variables, std::unordered_set<const Node*>& seen,
                       std::vector<Term>& found) {
  if (term->free.empty() || !seen.insert(term.node()).second) return;
  for (const Term argument : term->arguments) find_applications(argument, variables, seen, found);
  if (term->op != Op::apply) return;
  const auto is_variable = [&](Term t) { return std::ranges::find(variables, t) != variables.end(); };
  if (std::ranges::none_of(term->arguments, is_variable)) return;
  // Compound arguments with variables would need arithmetic to match; nested applications are fine.
  for (const Term argument : term->arguments) {
    if (!argument->free.empty() && argument->op != Op::variable && argument->op != Op::apply) return;
  }
  for (const std::uint64_t id : term->free) {
    if (std::ranges::none_of(variables, [&](Term v) { return v->number == id; })) return;
  }
  found.push_back(term);
}

std::set<std::uint64_t> united(const std::vector<Term>& terms) {
  std::set<std::uint64_t> ids;
  for (const Term t : terms) ids.insert(t->free.begin(), t->free.end());
  return ids;
}

std::vector<std::vector<Term>> widest_alone(const std::vector<Term>& applications) {
  std::vector<std::vector<Term>> result;
  std::size_t widest = 0;
  for (const Term a : applications) widest = std::max(widest, a->free.size());
  std::set<std::vector<std::uint64_t>> mentioned;  // one application for each set of variables is enough
  for (const Term a : applications) {
    if (a->free.size() == widest && mentioned.insert(a->free).second) result.push_back({a});
  }
  if (result.empty()) result.push_back({});
  return result;
}

// Single applications that mention everything; else pairs that do; none where neither exists.
std::vector<std::vector<Term>> full_patterns(const std::vector<Term>& applications, std::size_t variables) {
  std::vector<std::vector<Term>> result;
  for (const Term a : applications) {
    if (a->free.size() == variables) result.push_back({a});
  }
  if (!result.empty()) return result;
  for (std::size_t i = 0; i < applications.size(); ++i) {
    for (std::size_t j = i + 1; j < applications.size(); ++j) {
      if (united({applications[i], applications[j]}).size() == variables)
        result.push_back({applications[i], applications[j]});
    }
  }
  return result;
}

}  // namespace

Grounder::Grounder(const std::vector<Term>& assertions) : by_sort_(sort_count) {
  for (const Term t : assertions) assert_term(t);
  initial_ = arguments_;
}

void Grounder::assert_term(Term term) {
  if (term->op == Op::all) {
    for (const Term part : term->arguments) assert_term(part);
    return;
  }
  if (term->op == Op::forall) {
    add_law(truth(true), term);
    return;
  }
  if (is_true(term) || !asserted_.insert(term.node()).second) return;
  const Term plain = strip(term, true);
  if (is_true(plain)) return;
  ground_.push_back(plain);
  collect(plain);
}

Term Grounder::strip(Term term, bool positive) {
  if (!term->quantified) return term;
  switch (term->op) {
    case Op::negate:
      return negate(strip(term->arguments[0], !positive));
    case Op::all:
    case Op::any: {
      std::vector<Term> parts;
      for (const Term part : term->arguments) parts.push_back(strip(part, positive));
      return term->op == Op::all ? all_of(std::move(parts)) : any_of(std::move(parts));
    }
    case Op::equal: {  // of truth values: both ways
      const Term a = term->arguments[0], b = term->arguments[1];
      return strip(all_of({implies(a, b), implies(b, a)}), positive);
    }
    case Op::forall:
      if (positive) {
        if (const auto it = proxies_.find(term); it != proxies_.end()) return it->second;
        const Term proxy = fresh(Sort::boolean, "holds");
        proxies_.emplace(term, proxy);
        add_law(proxy, term);
        return proxy;
      } else {
        auto it = witnesses_.find(term);
        if (it == witnesses_.end()) it = witnesses_.emplace(term, fresh(term->arguments[0]->sort, "some")).first;
        return strip(substitute(term->arguments[1], {{term->arguments[0], it->second}}), false);
      }
    default:
      return term;  // not reached: quantifiers stand under connectives only
  }
}

void Grounder::add_law(Term guard, Term forall) {
  Law law{.guard = guard, .variables = {}, .body = forall};
  while (law.body->op == Op::forall) {
    law.variables.push_back(law.body->arguments[0]);
    law.body = law.body->arguments[1];
  }
  if (law.body->op == Op::all) {  // one law a part: smaller patterns
    for (const Term part : law.body->arguments) {
      Term rest = part;
      for (auto it = law.variables.rbegin(); it != law.variables.rend(); ++it) {
        if (std::ranges::binary_search(rest->free, (*it)->number)) {
          const Term variable = *it;
          rest = for_all(variable->sort, [&](Term fresh_variable) {
            return substitute(rest, {{variable, fresh_variable}});
          });
        }
      }
      if (rest->op == Op::forall)
        add_law(guard, rest);
      else
        assert_term(implies(guard, rest));
    }
    return;
  }
  std::erase_if(law.variables, [&](Term v) { return !std::ranges::binary_search(law.body->free, v->number); });
  std::vector<Term> applications;
  std::unordered_set<const Node*> seen;
  find_applications(law.body, law.variables, seen, applications);
  law.patterns = full_patterns(applications, law.variables.size());
  law.fallback = widest_alone(applications);
  laws_.push_back(std::move(law));
}

void Grounder::collect(Term term) {
  if (!collected_.insert(term.node()).second) return;
  for (const Term argument : term->arguments) collect(argument);
  if (term->op != Op::apply) return;
  generation_.emplace(term, round_);
  if (term->arguments.empty() && term->sort != Sort::boolean && arguments_.insert(term.node()).second) {
    by_sort_[static_cast<std::size_t>(term->sort)].push_back(term);
  }
  applications_[term->name].push_back(term);
  for (const Term argument : term->arguments) {
    if (arguments_.insert(argument.node()).second)
      by_sort_[static_cast<std::size_t>(argument->sort)].push_back(argument);
  }
}

bool Grounder::unify(Term pattern, Term ground, TermMap<Term>& binding) {
  if (pattern->free.empty()) return pattern == ground;
  if (pattern->op == Op::variable) {
    if (pattern->sort != ground->sort) return false;
    const auto [it, added] = binding.emplace(pattern, ground);
    return added || it->second == ground;
  }
  if (pattern->op != ground->op || pattern->name != ground->name ||
      pattern->arguments.size() != ground->arguments.size())
    return false;
  for (std::size_t i = 0; i < pattern->arguments.size(); ++i) {
    if (!unify(pattern->arguments[i], ground->arguments[i], binding)) return false;
  }
  return true;
}

void Grounder::match(const Law& law, const std::vector<Term>& pattern, std::size_t index, TermMap<Term>& binding,
                     std::vector<TermMap<Term>>& found) const {
  if (index < pattern.size()) {
    const auto it = applications_.find(pattern[index]->name);
    if (it == applications_.end()) return;
    for (const Term candidate : it->second) {
      // A law that brings witnesses would feed on them: it looks only at what was there at first.
      if (law.body->quantified && generation_.at(candidate) > 0) continue;
      TermMap<Term> longer = binding;
      if (unify(pattern[index], candidate, longer)) match(law, pattern, index + 1, longer, found);
    }
    return;
  }
  for (const Term variable : law.variables) {
    if (binding.contains(variable)) continue;
    for (const Term candidate : by_sort_[static_cast<std::size_t>(variable->sort)]) {
      // Without a pattern: only terms that were there at first.
      if (!initial_.contains(candidate.node())) continue;
      TermMap<Term> longer = binding;
      longer.emplace(variable, candidate);
      match(law, pattern, index, longer, found);
    }
    return;
  }
  found.push_back(binding);
}

bool Grounder::round(std::size_t most) {
  const std::size_t before = ground_.size();
  ++round_;
  // Laws that instances bring in wait for the next round.
  const std::size_t laws = laws_.size();
  std::vector<Term> instances;
  for (std::size_t i = 0; i < laws; ++i) {
    const Law& law = laws_[i];
    std::vector<TermMap<Term>> found;
    const auto match_all = [&](const std::vector<std::vector<Term>>& patterns) {
      for (const auto& pattern : patterns) {
        TermMap<Term> binding;
        match(law, pattern, 0, binding, found);
      }
    };
    match_all(law.patterns);
    if (found.empty()) match_all(law.fallback);
    if (found.empty()) match_all({{}});
    for (const auto& one : found) instances.push_back(implies(law.guard, substitute(law.body, one)));
  }
  for (const Term instance : instances) {
    if (ground_.size() >= before + most) break;
    assert_term(instance);
  }
  return ground_.size() > before || laws_.size() > laws;
}

}  // namespace streampool::theorems
