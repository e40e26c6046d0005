#include "spec/theorems/term.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace streampool::theorems {
namespace {

std::size_t mix(std::size_t seed, std::size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

struct NodeHash {
  std::size_t operator()(const Node* node) const {
    std::size_t seed = mix(static_cast<std::size_t>(node->op), static_cast<std::size_t>(node->sort));
    seed = mix(seed, node->number);
    seed = mix(seed, std::hash<std::string>{}(node->name));
    for (const Term argument : node->arguments) seed = mix(seed, TermHash{}(argument));
    return seed;
  }
};

struct NodeEqual {
  bool operator()(const Node* a, const Node* b) const {
    return a->op == b->op && a->sort == b->sort && a->number == b->number && a->name == b->name &&
           a->arguments == b->arguments;
  }
};

struct Store {
  std::deque<Node> nodes;
  std::unordered_set<const Node*, NodeHash, NodeEqual> known;
  std::uint64_t names = 0;
  std::uint64_t variables = 0;
};

Store& store() {
  static Store instance;
  return instance;
}

void note_parts(Node& node) {
  for (const Term argument : node.arguments) {
    node.quantified |= argument->quantified;
    std::vector<std::uint64_t> both;
    std::ranges::set_union(node.free, argument->free, std::back_inserter(both));
    node.free = std::move(both);
  }
  if (node.op == Op::variable) node.free = {node.number};
  if (node.op == Op::forall) {
    node.quantified = true;
    std::erase(node.free, node.number);
  }
}

Term make(Node node) {
  Store& s = store();
  if (const auto it = s.known.find(&node); it != s.known.end()) return Term(*it);
  note_parts(node);
  node.id = s.nodes.size();
  s.nodes.push_back(std::move(node));
  s.known.insert(&s.nodes.back());
  return Term(&s.nodes.back());
}

bool is_literal(Term t) { return t->op == Op::literal; }

// Flattens, drops the neutral value, stops at the absorbing one, and removes doubles.
Term connect(Op op, const std::vector<Term>& terms) {
  const bool neutral = op == Op::all;
  std::vector<Term> flat;
  std::unordered_set<const Node*> seen;
  const auto add = [&](Term t) {
    if (seen.insert(t.node()).second) flat.push_back(t);
  };
  for (const Term t : terms) {
    if (is_literal(t)) {
      if ((t->number == 1) != neutral) return truth(!neutral);
    } else if (t->op == op) {
      std::ranges::for_each(t->arguments, add);
    } else {
      add(t);
    }
  }
  for (const Term t : flat) {
    if (t->op == Op::negate && seen.contains(t->arguments[0].node())) return truth(!neutral);
  }
  if (flat.empty()) return truth(neutral);
  if (flat.size() == 1) return flat[0];
  return make({.op = op, .sort = Sort::boolean, .arguments = std::move(flat)});
}

Term bind(Term variable, Term body) {
  if (is_literal(body)) return body;
  return make({.op = Op::forall, .sort = Sort::boolean, .number = variable->number, .arguments = {variable, body}});
}

Term substitute_in(Term term, const TermMap<Term>& replacement, TermMap<Term>& done) {
  if (term->free.empty()) return term;
  if (const auto it = replacement.find(term); it != replacement.end()) return it->second;
  if (const auto it = done.find(term); it != done.end()) return it->second;
  std::vector<Term> arguments;
  arguments.reserve(term->arguments.size());
  for (const Term argument : term->arguments) arguments.push_back(substitute_in(argument, replacement, done));
  const Term result = rebuild(term, std::move(arguments));
  done.emplace(term, result);
  return result;
}

}  // namespace

Term literal(Sort sort, std::uint64_t value) { return make({.op = Op::literal, .sort = sort, .number = value}); }
Term truth(bool value) { return literal(Sort::boolean, value ? 1 : 0); }

Term application(Sort sort, std::string_view function, std::vector<Term> arguments) {
  return make({.op = Op::apply, .sort = sort, .name = std::string(function), .arguments = std::move(arguments)});
}

std::string fresh_name(std::string_view hint) { return std::string(hint) + "!" + std::to_string(store().names++); }
Term fresh(Sort sort, std::string_view hint) { return application(sort, fresh_name(hint)); }

Term negate(Term a) {
  if (is_literal(a)) return truth(a->number == 0);
  if (a->op == Op::negate) return a->arguments[0];
  return make({.op = Op::negate, .sort = Sort::boolean, .arguments = {a}});
}

Term all_of(std::vector<Term> terms) { return connect(Op::all, terms); }
Term any_of(std::vector<Term> terms) { return connect(Op::any, terms); }
Term implies(Term a, Term b) { return any_of({negate(a), b}); }

Term equal(Term a, Term b) {
  if (a == b) return truth(true);
  if (is_literal(a) && is_literal(b)) return truth(a->number == b->number);
  if (a->sort == Sort::boolean) {
    if (is_literal(b)) std::swap(a, b);
    if (is_literal(a)) return a->number == 1 ? b : negate(b);
  }
  // A choice between literals against a literal: decided by its condition.
  if (is_literal(a)) std::swap(a, b);
  if (is_literal(b) && a->op == Op::choose && (is_literal(a->arguments[1]) || is_literal(a->arguments[2]))) {
    const Term condition = a->arguments[0];
    return any_of(
        {all_of({condition, equal(a->arguments[1], b)}), all_of({negate(condition), equal(a->arguments[2], b)})});
  }
  if (a->id > b->id) std::swap(a, b);
  return make({.op = Op::equal, .sort = Sort::boolean, .arguments = {a, b}});
}

Term less_equal(Term a, Term b) {
  if (a == b) return truth(true);
  if (is_literal(a) && is_literal(b)) return truth(a->number <= b->number);
  if (is_literal(a) && a->number == 0 && b->op == Op::apply && b->sort == Sort::natural) return truth(true);
  return make({.op = Op::less_equal, .sort = Sort::boolean, .arguments = {a, b}});
}

Term plus(Term a, Term b) {
  if (is_literal(a) && is_literal(b)) return literal(a->sort, a->number + b->number);
  if (is_literal(a) && a->number == 0 && a->sort == b->sort) return b;
  if (is_literal(b) && b->number == 0) return a;
  return make({.op = Op::plus, .sort = a->sort, .arguments = {a, b}});
}

Term minus(Term a, Term b) {
  if (is_literal(a) && is_literal(b) && a->number >= b->number) return literal(a->sort, a->number - b->number);
  if (is_literal(b) && b->number == 0) return a;
  return make({.op = Op::minus, .sort = a->sort, .arguments = {a, b}});
}

Term choose(Term condition, Term yes, Term no) {
  if (is_literal(condition)) return condition->number == 1 ? yes : no;
  if (yes == no) return yes;
  if (condition->op == Op::negate) return choose(condition->arguments[0], no, yes);
  if (yes->op == Op::choose && yes->arguments[0] == condition) yes = yes->arguments[1];
  if (no->op == Op::choose && no->arguments[0] == condition) no = no->arguments[2];
  if (yes->sort == Sort::boolean) {
    return any_of({all_of({condition, yes}), all_of({negate(condition), no})});
  }
  return make({.op = Op::choose, .sort = yes->sort, .arguments = {condition, yes, no}});
}

Term for_all(Sort sort, const std::function<Term(Term)>& body) {
  const Term variable = make({.op = Op::variable, .sort = sort, .number = store().variables++});
  return bind(variable, body(variable));
}

Term exists(Sort sort, const std::function<Term(Term)>& body) {
  return negate(for_all(sort, [&](Term value) { return negate(body(value)); }));
}

Term rebuild(Term t, std::vector<Term> arguments) {
  switch (t->op) {
    case Op::literal:
    case Op::variable:
      return t;
    case Op::apply:
      return application(t->sort, t->name, std::move(arguments));
    case Op::negate:
      return negate(arguments[0]);
    case Op::all:
      return all_of(std::move(arguments));
    case Op::any:
      return any_of(std::move(arguments));
    case Op::equal:
      return equal(arguments[0], arguments[1]);
    case Op::less_equal:
      return less_equal(arguments[0], arguments[1]);
    case Op::plus:
      return plus(arguments[0], arguments[1]);
    case Op::minus:
      return minus(arguments[0], arguments[1]);
    case Op::choose:
      return choose(arguments[0], arguments[1], arguments[2]);
    // Its own variable stays: ids are never given twice, so no other quantifier is caught.
    case Op::forall:
      return bind(arguments[0], arguments[1]);
  }
  return t;  // not reached: every operation is listed
}

Term substitute(Term term, const TermMap<Term>& replacement) {
  TermMap<Term> done;
  return substitute_in(term, replacement, done);
}

}  // namespace streampool::theorems
