// The machinery of the proofs, and the theorems that every change of a rule should meet at once.
#include <gtest/gtest.h>

#include <set>

#include "spec/theorems/bounded.hpp"
#include "spec/theorems/certificate.hpp"
#include "spec/theorems/discharge.hpp"
#include "spec/theorems/dropped.hpp"
#include "spec/theorems/overflow.hpp"
#include "spec/theorems/prove.hpp"

namespace streampool::theorems {
namespace {

constexpr double seconds = 60;

Bool p(const Stream& s) { return unknown<Map<Stream, Bool>>("p")(s); }

TEST(Terms, EqualTermsAreOneNode) {
  const Term a = application(Sort::natural, "a");
  EXPECT_EQ(plus(a, literal(Sort::natural, 1)), plus(a, literal(Sort::natural, 1)));
  EXPECT_FALSE(application(Sort::natural, "a") == application(Sort::natural, "b"));
}

TEST(Terms, SubstitutionStopsAtWhatIsBound) {
  const Bool all{for_all(Sort::stream, [](Term s) { return p(Stream{s}).term; })};
  EXPECT_TRUE(all.term->free.empty());
  EXPECT_EQ(all.term->arguments[1]->free.size(), 1U);
}

TEST(Grounding, ProvesByInstances) {
  const Stream a = unknown<Stream>("a");
  const Bool all{for_all(Sort::stream, [](Term s) { return p(Stream{s}).term; })};
  EXPECT_EQ(discharge({all.term, (!p(a)).term}, {}, seconds).answer, Answer::unsat);
  EXPECT_EQ(discharge({p(a).term, negate(all.term)}, {}, seconds).answer, Answer::sat);
}

TEST(Grounding, WitnessesOfDeniedQuantifiersAreInstances) {
  const Bool all{for_all(Sort::stream, [](Term s) { return p(Stream{s}).term; })};
  const Bool some{exists(Sort::stream, [](Term s) { return (!p(Stream{s})).term; })};
  EXPECT_EQ(discharge({all.term, some.term}, {}, seconds).answer, Answer::unsat);
}

TEST(Obligations, NoneIsMissingAndNoIdIsTwice) {
  EXPECT_EQ(missing_obligations(), std::vector<std::string>{});
  std::set<std::string> ids;
  for (const Obligation& o : obligations()) EXPECT_TRUE(ids.insert(o.id).second) << o.id;
}

// An obligation that holds for want of a consistent hypothesis would hold of `false` too.
TEST(Obligations, HypothesesAreConsistent) {
  const Definitions definitions;
  StepSetting s =
      setting(transition("malloc"), {"RUN", "CLOSED", "REUSED", "OWNED", "NEWEST-CUT", "FREE-ITEM"}, nullptr);
  s.hypotheses.insert(s.hypotheses.end(), definitions.axioms().begin(), definitions.axioms().end());
  EXPECT_EQ(discharge(s.hypotheses, {}, seconds, 2).answer, Answer::sat);
}

class Quick : public testing::TestWithParam<const char*> {};
TEST_P(Quick, Theorem) {
  const Report report = prove({.theorem = GetParam(), .quick = true});
  for (const Result& r : report.results) EXPECT_TRUE(r.ok) << r.id << ": " << r.answer << " " << r.note;
  EXPECT_GT(report.results.size(), 0U);
}
INSTANTIATE_TEST_SUITE_P(, Quick,
                         testing::Values("EXACT-OFF", "EXACT-STEP", "PERMITTED", "MONOTONE", "NO-OVERLAP", "THRESHOLD",
                                         "FRAME", "IDENTITY", "OVERFLOW"));

TEST(Dropped, EveryConjunctIsReached) {
  const Bool a = unknown<Bool>("a"), b = unknown<Bool>("b");
  const Bool guard =
      a && Bool{for_all(Sort::stream, [&](Term s) { return (!p(Stream{s}) || (b && p(Stream{s}))).term; })};
  const auto parts = conjuncts(guard.term);
  ASSERT_EQ(parts.size(), 4U);  // a, the quantifier, b, p
  EXPECT_EQ(without(guard.term, 1), a.term);
}

TEST(Certificate, HashIsTheStandardOne) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace streampool::theorems
