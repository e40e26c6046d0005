// Profiles: the built-in ones say what they should, the loader refuses what is wrong and says where, and text reads
// back.
#include "model/profile/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "model/profile/diff.hpp"
#include "model/profile/load.hpp"
#include "model/profile/parameters.hpp"
#include "model/profile/text.hpp"

namespace streampool::model {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Profile load(std::string_view name) {
  auto profile = load_profile(name);
  EXPECT_TRUE(profile) << profile.error();
  return profile.value_or(Profile{});
}

// The text of `strict` with one piece replaced.
std::string strict_with(std::string_view from, std::string_view to) {
  std::string text = print_profile(load("strict"));
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(std::string_view text) {
  const auto profile = parse_profile(text, "own.toml");
  return profile ? "no error" : profile.error();
}

TEST(Profile, EveryFieldIsInTheListOfParameters) {
  std::size_t bytes = 0;
  std::set<std::string_view> names;
  for_each_parameter(Parameters{}, [&](std::string_view name, std::string_view meaning, const auto& parameter) {
    bytes += sizeof(parameter);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_FALSE(meaning.empty()) << name;
  });
  EXPECT_EQ(bytes, sizeof(Parameters));  // each holds a string, so there is no padding between them
}

TEST(Profile, BuiltInProfilesLoadUnderTheirNames) {
  EXPECT_EQ(builtin_profiles().size(), 8U);
  EXPECT_EQ(builtin_profiles().front(), "strict");
  for (const auto name : builtin_profiles()) {
    const Profile profile = load(name);
    EXPECT_EQ(profile.name, name);
    EXPECT_EQ(profile.hash.size(), 64U);
  }
}

TEST(Profile, StrictLeavesNothingOpen) {
  for_each_parameter(load("strict"), [](std::string_view name, std::string_view, const auto& parameter) {
    EXPECT_EQ(parameter.mark, Mark::documented) << name;
  });
}

TEST(Profile, StrictHoldsTheDecidedValues) {
  const Profile strict = load("strict");
  EXPECT_EQ(strict.alignment.value.count, 256U);
  EXPECT_EQ(strict.granted.value.kind, Granted::Kind::equal);
  EXPECT_EQ(strict.reserve_granule.value, (Granule{Granule::Kind::declared, 2U << 20U}));
  EXPECT_EQ(strict.release_rest.value, ReleaseRest::must);
  EXPECT_EQ(strict.release_slack.value, Slack{});
  EXPECT_FALSE(strict.release_calls.value.contains(ReleaseCall::free));
  EXPECT_TRUE(strict.observing_calls.value.contains(ObservingCall::query));
  EXPECT_EQ(strict.dead_handle.value, (StatusRule{StatusRule::Kind::exact, history::Status::invalid_handle}));
  EXPECT_EQ(strict.used_drops_at.value, UsedDropsAt::call);
}

TEST(Profile, VendorsDifferWhereTheirDocumentsDo) {
  EXPECT_EQ(load("ascend-9.1-beta-as-built").switch_defaults.value, (SwitchDefaults{false, false, false}));
  EXPECT_EQ(load("hip-2024-as-built").watermark_reset.value, WatermarkReset::zero);
  EXPECT_EQ(load("hip-2024-as-built").switch_other_values.value, SwitchOtherValues::lowest_bit);
  EXPECT_TRUE(load("hip-6").sync_free_waits.value);
  EXPECT_FALSE(load("hip-7-documented").sync_free_waits.value);
  EXPECT_EQ(load("cuda-13").double_free.mark, Mark::not_stated);
  EXPECT_FALSE(load("cuda-13").release_slack.binds());
  EXPECT_TRUE(load("ascend-9.1-beta-as-built").observing_calls.value.empty());
}

// HIP answers for a dead pool as for a wrong value, for a dead stream as for a wrong handle.
TEST(Profile, HipRefusesTheDeadWithMoreThanOneStatus) {
  for (const char* name : {"hip-6", "hip-7-documented"}) {
    EXPECT_TRUE(load(name).dead_handle.value.allows(history::Status::invalid_value)) << name;
    EXPECT_TRUE(load(name).dead_handle.value.allows(history::Status::invalid_handle)) << name;
    EXPECT_FALSE(load(name).dead_handle.value.allows(history::Status::ok)) << name;
  }
}

TEST(Profile, PrintedProfileReadsBackEqual) {
  for (const auto name : builtin_profiles()) {
    const Profile profile = load(name);
    const auto again = parse_profile(print_profile(profile), name);
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(static_cast<const Parameters&>(*again), static_cast<const Parameters&>(profile)) << name;
    EXPECT_EQ(again->about, profile.about);
  }
}

TEST(Profile, HashIsOfTheText) {
  const std::string text = print_profile(load("strict"));
  EXPECT_EQ(parse_profile(text, "a")->hash, parse_profile(text, "b")->hash);
  EXPECT_NE(parse_profile(text, "a")->hash, parse_profile(text + "# more\n", "a")->hash);
}

TEST(Profile, OwnProfileIsReadByPath) {
  const std::string path = ::testing::TempDir() + "own_profile_" + std::to_string(::getpid()) + ".toml";
  std::ofstream(path) << strict_with("name = \"strict\"", "name = \"mine\"");
  const auto profile = load_profile(path);
  std::remove(path.c_str());
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(profile->name, "mine");
}

TEST(Profile, UnknownNameListsTheBuiltInOnes) {
  const auto profile = load_profile("cuda-99");
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error(), HasSubstr("hip-7-documented"));
}

TEST(ProfileErrors, AreLocatedAndSayWhatWasExpected) {
  EXPECT_THAT(error_of(strict_with("\"256\"", "\"lots\"")),
              ::testing::AllOf(StartsWith("own.toml:"), HasSubstr("`alignment`"), HasSubstr("a size in bytes")));
  EXPECT_THAT(error_of("name = \"x\"\nabout = \"y\"\nalignment = 256\n"),
              HasSubstr("parameter `switch_defaults` is missing"));
  EXPECT_THAT(error_of("name = \n"), StartsWith("own.toml:1:"));
}

TEST(ProfileErrors, MissingAndUnknownKeysAreRefused) {
  EXPECT_THAT(error_of(strict_with("alignment = ", "alinment = ")), HasSubstr("parameter `alignment` is missing"));
  const std::string extra = print_profile(load("strict")) + "colour = { value = 1 }\n";
  EXPECT_THAT(error_of(extra), HasSubstr("unknown parameter `colour`"));
  EXPECT_THAT(error_of(strict_with("value = \"equal\", mark", "valeu = \"equal\", mark")),
              HasSubstr("unknown key `valeu`"));
  EXPECT_THAT(error_of(strict_with("value = \"equal\", ", "")), HasSubstr("`granted` has no value"));
  EXPECT_THAT(error_of(strict_with(", source = \"this specification\"", "")), HasSubstr("`source` is missing"));
}

TEST(ProfileErrors, AValueNeedsAMarkThatIsKnown) {
  EXPECT_THAT(error_of(strict_with("mark = \"documented\"", "mark = \"sworn\"")),
              HasSubstr("mark of `switch_defaults`"));
  EXPECT_THAT(error_of(strict_with("mark = \"documented\"", "mark = \"not stated\"")),
              HasSubstr("is not stated, so it has no value"));
}

TEST(ProfileText, SixtyFourBitValuesReadAsTexts) {
  EXPECT_EQ(from_text<Bytes>("max")->count, ~std::uint64_t{0});
  EXPECT_EQ(from_text<Bytes>("18446744073709551615")->count, ~std::uint64_t{0});
  EXPECT_EQ(from_text<Bytes>("2MiB")->count, 2U << 20U);
  EXPECT_FALSE(from_text<Bytes>("18446744073709551616"));
  EXPECT_FALSE(from_text<Bytes>("-1"));
}

TEST(ProfileText, WrongFormsAreRefused) {
  EXPECT_FALSE(from_text<SwitchDefaults>("1, 1"));
  EXPECT_FALSE(from_text<SwitchDefaults>("1, 1, 2"));
  EXPECT_FALSE(from_text<Granted>("next multiple of 0"));
  EXPECT_FALSE(from_text<Granule>("0"));
  EXPECT_FALSE(from_text<Set<ReleaseCall>>("stream_sync, sometimes"));
  EXPECT_FALSE(from_text<StatusRule>("fine"));
  EXPECT_FALSE(from_text<bool>("yes"));
}

TEST(ProfileValues, GrantedBoundsARequest) {
  const Granted rounded{Granted::Kind::next_multiple, 512};
  EXPECT_EQ(rounded.maximum(1), 512U);
  EXPECT_EQ(rounded.maximum(512), 512U);
  EXPECT_EQ(rounded.maximum(513), 1024U);
  EXPECT_EQ(rounded.maximum(~std::uint64_t{0} - 1), ~std::uint64_t{0});
  EXPECT_EQ((Granted{Granted::Kind::equal, 0}.maximum(7)), 7U);
  EXPECT_EQ(Granted{}.maximum(7), ~std::uint64_t{0});
}

TEST(ProfileValues, GranuleComesFromTheRuntimeWhereDeclared) {
  const Granule declared{Granule::Kind::declared, 2U << 20U};
  EXPECT_EQ(declared.unit(65536), 65536U);
  EXPECT_EQ(declared.unit(0), 2U << 20U);
  EXPECT_EQ((Granule{Granule::Kind::fixed, 4096}.unit(65536)), 4096U);
  EXPECT_EQ(Granule{}.unit(65536), 1U);
}

TEST(ProfileValues, StatusRuleSaysWhatItAllows) {
  using history::Status;
  const StatusRule exact{StatusRule::Kind::exact, Status::invalid_value};
  EXPECT_TRUE(exact.allows(Status::invalid_value));
  EXPECT_FALSE(exact.allows(Status::ok));
  const StatusRule error{StatusRule::Kind::any_error, {}};
  EXPECT_TRUE(error.allows(Status::internal));
  EXPECT_FALSE(error.allows(Status::ok));
  EXPECT_FALSE(error.allows(Status::crash));
  EXPECT_TRUE(StatusRule{}.allows(Status::ok));
}

TEST(ProfileDiff, ShowsWhatDiffersAndNothingElse) {
  EXPECT_TRUE(diff(load("strict"), load("strict")).empty());
  std::set<std::string_view> names;
  for (const auto& difference : diff(load("hip-6"), load("hip-7-documented"))) names.insert(difference.first.name);
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("alignment", "sync_free_waits", "free_null"));
}

}  // namespace
}  // namespace streampool::model
