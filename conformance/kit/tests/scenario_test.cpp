#include "conformance/kit/scenario.hpp"

#include <gtest/gtest.h>

namespace streampool::kit {
namespace {

constexpr Quantities known{.granule = 100, .alignment = 8, .memory = 5000};

TEST(Substitute, SumsOfProducts) {
  EXPECT_EQ(substitute("malloc a {granule} p s", known).value(), "malloc a 100 p s");
  EXPECT_EQ(substitute("{2*granule+1} {granule-alignment} {memory}", known).value(), "201 92 5000");
  EXPECT_EQ(substitute("no braces", known).value(), "no braces");
}

TEST(Substitute, SaysWhatIsWrong) {
  EXPECT_FALSE(substitute("{granule", known).has_value());
  EXPECT_EQ(substitute("x {bananas}", known).error(), "{bananas} has no value here");
  EXPECT_FALSE(substitute("{}", known).has_value());
  EXPECT_FALSE(substitute("{2**3}", known).has_value());
  EXPECT_FALSE(substitute("{memory}", Quantities{.granule = 1, .alignment = 1, .memory = 0}).has_value());
}

TEST(QuantitiesOf, ProfileFirstThenTheRuntime) {
  model::Profile profile;
  profile.reserve_granule = {{model::Granule::Kind::declared, 2u << 20}, model::Mark::documented, ""};
  profile.alignment = {{256}, model::Mark::documented, ""};
  EXPECT_EQ(quantities(profile, {}).granule, 2u << 20);
  EXPECT_EQ(quantities(profile, Description{.reserve_granule = 4096}).granule, 4096u);
  EXPECT_EQ(quantities(profile, Description{.alignment = 512}).alignment, 256u);
  profile.alignment.mark = model::Mark::not_stated;
  EXPECT_EQ(quantities(profile, Description{.alignment = 512}).alignment, 512u);
}

}  // namespace
}  // namespace streampool::kit
