// The registry: ids found by the compiler and at run time, families, and the numbers that the specification promises.
#include "spec/clauses.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace streampool::spec {
namespace {

using namespace literals;

bool modelled(const ClauseInfo& clause) { return clause.status == ClauseStatus::modelled; }

TEST(Clauses, LiteralNamesTheClause) {
  EXPECT_EQ(info("REUSE-UNSAFE"_clause).id, "REUSE-UNSAFE");
  EXPECT_EQ(info("REUSE-UNSAFE"_clause).kind, Kind::must_not);
  EXPECT_EQ(info("ATTR-READBACK-RELEASE_THRESHOLD"_clause).family, "ATTR-READBACK");
}

TEST(Clauses, FoundAtRunTimeAsByTheCompiler) {
  for (std::size_t i = 0; i < clause_count; ++i) {
    const auto found = find_clause(clauses()[i].id);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->index, i);
  }
  EXPECT_EQ(find_clause("REUSE-UNSAFE"), "REUSE-UNSAFE"_clause);
  EXPECT_FALSE(find_clause("REUSE-NONE"));
  EXPECT_FALSE(find_clause(""));
}

TEST(Clauses, FamilyGivesTheClauseOfAnAttribute) {
  EXPECT_EQ(attribute_clause("ATTR-READBACK"_family, 4), "ATTR-READBACK-RELEASE_THRESHOLD"_clause);
  EXPECT_EQ(attribute_clause("ATTR-RESET"_family, 8), "ATTR-RESET-USED_MEM_HIGH"_clause);
  EXPECT_FALSE(find_attribute_clause("ATTR-RESET"_family, 4));
  EXPECT_FALSE(find_attribute_clause("ATTR-RESET"_family, 0));
  EXPECT_FALSE(find_attribute_clause("ATTR-RESET"_family, 9));
}

TEST(Clauses, IdsAreUnique) {
  std::set<std::string_view> ids;
  for (const auto& clause : clauses()) EXPECT_TRUE(ids.insert(clause.id).second) << clause.id;
}

TEST(Clauses, BindingIdsAreThere) {
  for (const auto* id :
       {"REUSE-UNSAFE", "REUSE-DEPENDENCY-MISSING", "REUSE-POLICY-EVENT", "REUSE-POLICY-OPPORTUNISTIC", "ALLOC-OVERLAP",
        "ALLOC-ALIGNMENT", "ALLOC-CONTENT", "ORDER-EARLY", "ASYNC-BLOCKED", "PROGRAM-USE-BEFORE-ALLOC",
        "PROGRAM-USE-AFTER-FREE", "PROGRAM-FREE-UNORDERED", "PROGRAM-SYNC-FREE"}) {
    EXPECT_TRUE(find_clause(id)) << id;
  }
}

// A clause that is split by attribute counts once.
TEST(Clauses, SpecificationIsAsLargeAsItClaims) {
  std::set<std::string_view> all;
  std::set<std::string_view> outside_attributes;
  for (const auto& clause : clauses()) {
    if (!modelled(clause)) continue;
    all.insert(clause.family.empty() ? clause.id : clause.family);
    if (clause.chapter != "attributes") outside_attributes.insert(clause.id);
  }
  EXPECT_GE(all.size(), 90U);
  EXPECT_GE(outside_attributes.size(), 55U);
}

TEST(Clauses, EveryAttributeIsSpokenOfInEveryChapterItTouches) {
  const auto covered = [](std::string_view chapter, std::string_view attribute) {
    return std::ranges::any_of(clauses(), [&](const ClauseInfo& clause) {
      return clause.chapter == chapter && modelled(clause) &&
             std::ranges::find(clause.attributes, attribute) != clause.attributes.end();
    });
  };
  for (const auto* name :
       {"reuse_follow_event_dependencies", "reuse_allow_opportunistic", "reuse_allow_internal_dependencies"}) {
    EXPECT_TRUE(covered("attributes", name) && covered("reuse", name)) << name;
  }
  for (const auto* name : {"reserved_mem_current", "reserved_mem_high", "used_mem_current", "used_mem_high"}) {
    EXPECT_TRUE(covered("attributes", name) && covered("statistics", name)) << name;
  }
  for (const auto* name : {"release_threshold", "reserved_mem_current"}) EXPECT_TRUE(covered("release", name)) << name;
}

}  // namespace
}  // namespace streampool::spec
