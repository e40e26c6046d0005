// Terms: what a rule becomes when it runs on the symbolic carrier, and what is written out as SMT-LIB.
//
// Terms are shared: equal terms are the same node, so comparing is comparing pointers. Nodes live until the process
// ends; a proof run makes a few million at most. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace streampool::theorems {

// In SMT-LIB every sort but `boolean` is Int. They are kept apart here so that quantifiers are instantiated with terms
// of their own kind.
enum class Sort : std::uint8_t { boolean, natural, stream, event, address, allocation, pool, gate, handle };
inline constexpr std::size_t sort_count = 9;

enum class Op : std::uint8_t {
  literal,   // a number or a truth value
  variable,  // bound by the quantifier around it
  apply,     // an uninterpreted function; a constant has no arguments
  negate,
  all,
  any,
  equal,
  less_equal,
  plus,
  minus,
  choose,
  forall,  // arguments: the variable, the body
};

struct Node;

class Term {
 public:
  Term() = default;
  explicit Term(const Node* node) : node_(node) {}
  const Node& operator*() const { return *node_; }
  const Node* operator->() const { return node_; }
  bool operator==(const Term&) const = default;
  [[nodiscard]] const Node* node() const { return node_; }

 private:
  const Node* node_ = nullptr;
};

struct Node {
  Op op;
  Sort sort;
  std::uint64_t number = 0;  // literal: the value; variable, forall: its id
  std::string name{};        // apply: the function
  std::vector<Term> arguments{};
  std::vector<std::uint64_t> free{};  // ids of the variables that no quantifier inside binds, ascending
  bool quantified = false;            // a quantifier occurs
  std::size_t id = 0;                 // counts nodes in order of their making
};

struct TermHash {
  std::size_t operator()(Term term) const { return std::hash<const Node*>{}(term.node()); }
};
template <class Value>
using TermMap = std::unordered_map<Term, Value, TermHash>;

// Builders. They simplify what is plain to see (literals, equal branches), nothing else.
Term literal(Sort sort, std::uint64_t value);
Term truth(bool value);
Term application(Sort sort, std::string_view function, std::vector<Term> arguments = {});
Term fresh(Sort sort, std::string_view hint);  // a constant that nothing else uses
std::string fresh_name(std::string_view hint);
Term negate(Term a);
Term all_of(std::vector<Term> terms);
Term any_of(std::vector<Term> terms);
Term implies(Term a, Term b);
Term equal(Term a, Term b);
Term less_equal(Term a, Term b);
Term plus(Term a, Term b);
Term minus(Term a, Term b);  // of integers: may be negative
Term choose(Term condition, Term yes, Term no);

// Every value of a sort; some value of it.
Term for_all(Sort sort, const std::function<Term(Term)>& body);
Term exists(Sort sort, const std::function<Term(Term)>& body);

// The same operation on other arguments.
Term rebuild(Term term, std::vector<Term> arguments);
Term substitute(Term term, const TermMap<Term>& replacement);

[[nodiscard]] inline bool is_true(Term t) { return t->op == Op::literal && t->sort == Sort::boolean && t->number == 1; }
[[nodiscard]] inline bool is_false(Term t) {
  return t->op == Op::literal && t->sort == Sort::boolean && t->number == 0;
}

}  // namespace streampool::theorems
