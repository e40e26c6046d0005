// The theorems speak of integers without bound, the model computes with 64 bits. These obligations say when that is the
// same, on bit vectors: what the concrete carrier does in round_up and minus, and the sums that the rules build.
#include "spec/theorems/overflow.hpp"

#include "fmt/format.h"

namespace streampool::theorems {
namespace {

// `n` and `unit` are given; `rounded` as the concrete carrier computes it, with `unit` a power of two.
constexpr const char* rounding = R"((declare-fun sp.n () (_ BitVec 64))
(declare-fun sp.unit () (_ BitVec 64))
(define-fun sp.one () (_ BitVec 64) (_ bv1 64))
(define-fun sp.max () (_ BitVec 64) (bvnot (_ bv0 64)))
(define-fun sp.mask () (_ BitVec 64) (bvsub sp.unit sp.one))
(define-fun sp.rest () (_ BitVec 64) (bvand sp.n sp.mask))
(define-fun sp.below () (_ BitVec 64) (bvsub sp.n sp.rest))
(define-fun sp.fits () Bool (or (= sp.rest (_ bv0 64)) (bvule sp.below (bvsub sp.max sp.unit))))
(define-fun sp.rounded () (_ BitVec 64) (ite (= sp.rest (_ bv0 64)) sp.n (ite sp.fits (bvadd sp.below sp.unit) (bvsub sp.max sp.mask))))
(assert (and (not (= sp.unit (_ bv0 64))) (= (bvand sp.unit sp.mask) (_ bv0 64))))
)";

constexpr const char* sums = R"((declare-fun sp.reserved () (_ BitVec 64))
(declare-fun sp.size () (_ BitVec 64))
(declare-fun sp.cap () (_ BitVec 64))
(define-fun sp.sum () (_ BitVec 64) (bvadd sp.reserved sp.size))
(define-fun sp.wide () (_ BitVec 65) (bvadd ((_ zero_extend 1) sp.reserved) ((_ zero_extend 1) sp.size)))
)";

std::string script(const std::string& id, const char* setting, const std::string& denied) {
  return fmt::format(
      "; streampool: overflow.{}\n; the denied goal: unsat means proved\n(set-logic QF_BV)\n(set-info :status "
      "unsat)\n{}(assert (not {}))\n"
      "(check-sat)\n",
      id, setting, denied);
}

}  // namespace

std::vector<OverflowObligation> overflow_obligations() {
  const auto one = [](const std::string& id, const char* setting, const std::string& goal, const char* says) {
    return OverflowObligation{"overflow." + id, script(id, setting, goal), says};
  };
  return {
      one("round_up.bounds", rounding,
          "(=> sp.fits (and (bvule sp.n sp.rounded) (bvult (bvsub sp.rounded sp.n) sp.unit)))",
          "where it fits, rounding up adds less than a unit and never wraps"),
      one("round_up.multiple", rounding, "(= (bvand sp.rounded sp.mask) (_ bv0 64))",
          "the result is a multiple, also where it does not fit"),
      one("round_up.stays", rounding, "(=> (not sp.fits) (bvuge sp.n sp.rounded))",
          "what does not fit stays at the largest multiple, below the size asked for"),
      one("round_up.monotone", rounding, "(bvule sp.below sp.n)", "what is left below the last multiple never wraps"),
      one("sum.wraps", sums, "(= (bvult sp.sum sp.reserved) (= ((_ extract 64 64) sp.wide) (_ bv1 1)))",
          "a sum has wrapped exactly when it is below what was added to"),
      one("sum.capped", sums,
          "(=> (bvule sp.reserved sp.cap) (= (bvule sp.size (bvsub sp.cap sp.reserved)) (bvule sp.wide ((_ zero_extend "
          "1) sp.cap))))",
          "asking for the room that is left is the comparison over integers"),
      one("minus.exact", sums,
          "(=> (bvule sp.size sp.reserved) (= (bvadd (bvsub sp.reserved sp.size) sp.size) sp.reserved))",
          "a difference that is not cut off is exact"),
      one("position.step", sums, "(=> (bvult sp.reserved sp.cap) (bvugt (bvadd sp.reserved (_ bv1 64)) sp.reserved))",
          "a position below any bound has a successor"),
  };
}

}  // namespace streampool::theorems
