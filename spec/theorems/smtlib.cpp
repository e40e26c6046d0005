#include "spec/theorems/smtlib.hpp"

#include <map>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "fmt/format.h"

namespace streampool::theorems {
namespace {

const char* sort_name(Sort sort) { return sort == Sort::boolean ? "Bool" : "Int"; }

const char* operation(Op op) {
  switch (op) {
    case Op::negate:
      return "not";
    case Op::all:
      return "and";
    case Op::any:
      return "or";
    case Op::equal:
      return "=";
    case Op::less_equal:
      return "<=";
    case Op::plus:
      return "+";
    case Op::minus:
      return "-";
    case Op::choose:
      return "ite";
    default:
      return "";
  }
}

class Writer {
 public:
  void count(Term term) {
    if (++uses_[term.node()] > 1) return;
    for (const Term argument : term->arguments) count(argument);
  }

  // The text of a term; compound terms that occur more than once get a name first.
  std::string write(Term term) {
    if (const auto it = defined_.find(term.node()); it != defined_.end()) return it->second;
    if (term->op == Op::literal) {
      return term->sort == Sort::boolean ? (term->number == 1 ? "true" : "false") : std::to_string(term->number);
    }
    std::string text;
    if (term->op == Op::apply) {
      declare(term);
      if (term->arguments.empty()) return symbol(term->name);
      text = fmt::format("({}", symbol(term->name));
    } else {
      text = fmt::format("({}", operation(term->op));
    }
    for (const Term argument : term->arguments) {
      text += ' ';
      text += write(argument);
    }
    text += ')';
    if (term->op == Op::apply && term->sort == Sort::natural) naturals_.push_back(text);
    if (uses_[term.node()] < 2) return text;
    const std::string name = fmt::format("sp.t{}", defined_.size());
    // A constant with an equation: Z3 4.8.12 takes minutes over nested define-funs that this form answers at once.
    declarations_ += fmt::format("(declare-fun {} () {})\n", name, sort_name(term->sort));
    assert_text(fmt::format("(= {} {})", name, text));
    return defined_.emplace(term.node(), name).first->second;
  }

  void assert_text(const std::string& text) { body_ += fmt::format("(assert {})\n", text); }
  [[nodiscard]] const std::string& declarations() const { return declarations_; }
  [[nodiscard]] const std::string& body() const { return body_; }
  [[nodiscard]] const std::vector<std::string>& naturals() const { return naturals_; }

 private:
  void declare(Term term) {
    if (!declared_.insert(term->name).second) return;
    std::string arguments;
    for (const Term argument : term->arguments)
      arguments += fmt::format("{}{}", arguments.empty() ? "" : " ", sort_name(argument->sort));
    declarations_ += fmt::format("(declare-fun {} ({}) {})\n", symbol(term->name), arguments, sort_name(term->sort));
    if (term->arguments.empty() && term->sort == Sort::natural) naturals_.push_back(symbol(term->name));
  }

  std::unordered_map<const Node*, std::size_t> uses_;
  std::unordered_map<const Node*, std::string> defined_;
  std::unordered_set<std::string> declared_;
  std::string declarations_, body_;
  std::vector<std::string> naturals_;
};

}  // namespace

std::string describe(Term term) {
  switch (term->op) {
    case Op::literal:
      if (term->sort == Sort::boolean) return term->number == 1 ? "true" : "false";
      return std::to_string(term->number);
    case Op::variable:
      return fmt::format("v{}", term->number);
    case Op::apply:
      if (term->arguments.empty()) return term->name;
      break;
    default:
      break;
  }
  std::string text = fmt::format("({}", term->op == Op::apply    ? term->name
                                        : term->op == Op::forall ? "forall"
                                                                 : operation(term->op));
  for (const Term argument : term->arguments) text += fmt::format(" {}", describe(argument));
  return text + ")";
}

std::string symbol(const std::string& function) { return fmt::format("sp.{}", function); }

Script to_smtlib(const std::vector<Term>& assertions, const std::vector<std::string>& comments,
                 const std::string& expected) {
  Writer writer;
  for (const Term t : assertions) writer.count(t);
  for (const Term t : assertions) writer.assert_text(writer.write(t));
  for (const std::string& natural : writer.naturals()) writer.assert_text(fmt::format("(<= 0 {})", natural));
  Script script;
  script.assertions = assertions.size();
  for (const std::string& comment : comments) script.text += fmt::format("; {}\n", comment);
  script.text += "(set-logic QF_UFLIA)\n";
  if (!expected.empty()) script.text += fmt::format("(set-info :status {})\n", expected);
  script.text += writer.declarations() + writer.body() + "(check-sat)\n";
  return script;
}

}  // namespace streampool::theorems
