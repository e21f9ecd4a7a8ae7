#include "ifd/router/roster_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/data/file_bytes.h"
#include "ifd/router.h"
#include "tests/generated_staff.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::HasSubstr;

RosterState some_state() {
  const GeneratedStaff staff = generated_staff(2, 3, 3, 5);
  RosterState state(staff.cases.classes(), staff.contexts);
  state.observe(expert_id(1), {ClassId{0}, ClassId{2}});
  state.observe(expert_id(1), {ClassId{0}, ClassId{2}});
  state.observe(expert_id(1), {Answer::outside(), ClassId{2}});
  state.add("known beforehand", {{2, 1}, {1.5, 3}, {1, 1}});
  state.set_on_duty(expert_id(2), false);
  return state;
}

TEST(RosterState, FileGivesTheSameState) {
  const ScratchDirectory folder;
  const RosterState state = some_state();
  state.write(folder / "staff.roster");
  const RosterState read = RosterState::read(folder / "staff.roster");
  EXPECT_EQ(read, state);
  EXPECT_EQ(read.to_bytes(), state.to_bytes());
  EXPECT_FALSE(read.is_on_duty(expert_id(2)));
  EXPECT_EQ(read.profile(expert_id(3)).at(ClassId{0}).alpha(), 2);
  for (std::size_t j = 0; j < state.size(); ++j) {
    EXPECT_EQ(read.profile(expert_id(j)), state.profile(expert_id(j)));
    EXPECT_EQ(read.profile(expert_id(j)).outside(), state.profile(expert_id(j)).outside());
  }
}

// The bytes as docs/roster-file.md describes them, by hand.
TEST(RosterState, BytesAreThoseOfTheDescription) {
  RosterState state(ClassNames({"a", "b"}));
  state.add("x");
  state.observe(expert_id(0), {ClassId{1}, ClassId{0}, "c"});
  state.observe(expert_id(0), {Answer::outside(), ClassId{1}});
  const auto u32 = [](std::uint32_t value) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 255));
    return bytes;
  };
  const std::string one("\0\0\0\0\0\0\xf0\x3f", 8);  // 1.0
  const std::string expected = "IFDROST1" + u32(1) + u32(2) + u32(1) + "a" + u32(1) + "b" + u32(1) +
                               u32(1) + "x" + u32(1) + one + one + one + one + u32(1) + u32(1) +
                               u32(0xffffffff) + u32(1) + u32(0) + u32(1) + u32(1) + "c" + u32(0) +
                               u32(1);
  const std::string bytes = state.to_bytes();
  EXPECT_EQ(bytes.substr(0, bytes.size() - 4), expected);
}

TEST(RosterState, RefusesChangedAndShortenedFiles) {
  const std::string bytes = some_state().to_bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_EQ(refusal_kind([&] { RosterState::from_bytes(bytes.substr(0, length), "r"); }),
              ErrorKind::kCorruptFile);
  }
  for (std::size_t at = 12; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_EQ(refusal_kind([&] { RosterState::from_bytes(changed, "r"); }),
              ErrorKind::kCorruptFile);
  }
  std::string newer = bytes;
  newer[8] = 3;
  EXPECT_EQ(refusal([&] { RosterState::from_bytes(newer, "r"); }),
            "r: a roster file of version 3; this program reads version 2");
  EXPECT_EQ(refusal([&] {
              RosterState::from_bytes(bytes, "r", {.max_expansion = 0, .always_allowed = 10'000});
            }),
            "");
  EXPECT_THAT(refusal([&] {
                RosterState::from_bytes(bytes, "r", {.max_expansion = 0, .always_allowed = 200});
              }),
              HasSubstr("bytes or more in memory; expected at most 200"));
  EXPECT_THAT(refusal([&] { RosterState::from_bytes("IFDPOLI1........", "r"); }),
              HasSubstr("not a roster file; expected it to begin with IFDROST1"));
}

TEST(RosterState, KnowsWhatWasGivenAndWhatNot) {
  RosterState state(ClassNames({"a", "b"}));
  const ExpertId ann = state.add("ann");
  state.observe(ann, {ClassId{0}, ClassId{0}, "one"});
  state.observe(ann, {ClassId{0}, ClassId{0}});
  const auto kind = [&](const Observation& o) {
    return refusal_kind([&] { state.forget(ann, o); });
  };
  EXPECT_EQ(kind({ClassId{1}, ClassId{0}}), ErrorKind::kNotFound);
  EXPECT_EQ(kind({ClassId{1}, ClassId{0}, "one"}), ErrorKind::kNotFound);
  EXPECT_EQ(kind({ClassId{0}, ClassId{0}, "two"}), ErrorKind::kNotFound);
  state.forget(ann, {ClassId{0}, ClassId{0}});
  EXPECT_EQ(kind({ClassId{0}, ClassId{0}}), ErrorKind::kNotFound);
  state.forget(ann, {ClassId{0}, ClassId{0}, "one"});
  RosterState fresh(ClassNames({"a", "b"}));
  fresh.add("ann");
  EXPECT_EQ(state, fresh);
  EXPECT_EQ(state.to_bytes(), fresh.to_bytes());
}

RosterState fading_state(std::span<const Observation> observations) {
  RosterState state(ClassNames({"a", "b"}), 20.0);
  const ExpertId ann = state.add("ann");
  for (const Observation& observation : observations) state.observe(ann, observation);
  return state;
}

// Dates are data: in whatever order the same dated answers come, the state, its bytes and the
// profile are the same, and the file brings all of it back.
TEST(RosterState, FadesByDatesInAnyOrder) {
  std::vector<Observation> observations;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const ClassId truth = class_id(i % 2);
    const Answer answer = i % 7 == 0 ? Answer::outside() : Answer(class_id(i % 3 == 0 ? 0 : 1));
    observations.push_back({answer, truth, i % 2 ? "case-" + std::to_string(i) : "", i / 3});
  }
  const RosterState state = fading_state(observations);
  std::ranges::reverse(observations);
  const RosterState reversed = fading_state(observations);
  EXPECT_EQ(reversed, state);
  EXPECT_EQ(reversed.to_bytes(), state.to_bytes());
  EXPECT_EQ(reversed.profile(expert_id(0)), state.profile(expert_id(0)));
  const RosterState again = RosterState::from_bytes(state.to_bytes(), "r");
  EXPECT_EQ(again, state);
  EXPECT_EQ(again.half_life(), 20.0);
  EXPECT_EQ(again.to_bytes(), state.to_bytes());
  const std::string bytes = state.to_bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_EQ(refusal_kind([&] { RosterState::from_bytes(bytes.substr(0, length), "r"); }),
              ErrorKind::kCorruptFile);
  }
}

// Without dates an answer comes after all before it, and what is forgotten was never there.
TEST(RosterState, FadesByTheOrderOfAnswersWithoutDates) {
  const Observation wrong{class_id(1), class_id(0)}, right{class_id(0), class_id(0)};
  std::vector<Observation> observations(40, wrong);
  observations.insert(observations.end(), 40, right);
  RosterState state = fading_state(observations);
  std::ranges::reverse(observations);
  // Half-life 20: 40 answers weigh 2^0 + ... + 2^(-39/20) = 22.0, and those before a fourth of it.
  EXPECT_NEAR(state.profile(expert_id(0)).means()[0], (1 + 22.02) / (2 + 22.02 * 1.25), .01);
  EXPECT_NEAR(fading_state(observations).profile(expert_id(0)).means()[0],
              (1 + 22.02 / 4) / (2 + 22.02 * 1.25), .01);
  const RosterState before = state;
  state.observe(expert_id(0), {class_id(1), class_id(0), "named"});
  state.observe(expert_id(0), wrong);
  state.forget(expert_id(0), wrong);
  state.forget(expert_id(0), {class_id(1), class_id(0), "named"});
  EXPECT_EQ(state, before);
  EXPECT_EQ(refusal_kind([&] {
              state.forget(expert_id(0), {class_id(0), class_id(0), "", 7});
            }),
            ErrorKind::kNotFound);
  EXPECT_EQ(refusal([] {
              RosterState(ClassNames({"a", "b"}), -1.0);
            }),
            "half-life -1; expected a positive number");
}

// As make_roster has it, whichever way the roster is made.
TEST(RosterState, ThoseKnownFromAPriorAloneJoinOnlyIfAsked) {
  const ClassNames classes({"cat", "dog"});
  const std::vector<ExpertContext> contexts = {{"bob", {{"x", ClassId{0}, Answer(ClassId{1})}}}};
  RouterOptions options;
  options.priors = PriorTable::from_bytes(
      "expert,class,mean,strength\nzoe,*,0.75,8\n*,cat,0.5,4\nbob,*,0.25,8\n", "p.csv", classes);
  const std::vector<std::string> bob = {"bob"}, both = {"bob", "zoe"}, named = {"zoe", "bob"};
  EXPECT_EQ(RosterState(classes, contexts, options.priors).names(), bob);
  EXPECT_EQ(Router(classes, contexts, options).experts(), bob);
  options.prior_only = PriorOnly::kJoins;
  EXPECT_EQ(RosterState(classes, contexts, options.priors, options.prior_only).names(), both);
  EXPECT_EQ(Router(classes, contexts, options).experts(), both);
  EXPECT_EQ(Router(classes, {}, options).experts(), named);
}

TEST(RosterState, RefusesASecondAnswerInAContext) {
  const std::vector<ExpertContext> contexts = {
      {"ann", {{"one", ClassId{0}, ClassId{0}}, {"one", ClassId{0}, ClassId{1}}}}};
  EXPECT_EQ(refusal([&] {
              RosterState(ClassNames({"a", "b"}), contexts);
            }),
            "expert 'ann' answers case 'one' a second time; expected one answer");
  // Cases without names are not known to be the same.
  const std::vector<ExpertContext> unnamed = {
      {"ann", {{"", ClassId{0}, ClassId{0}}, {"", ClassId{0}, ClassId{0}}}}};
  EXPECT_EQ(RosterState(ClassNames({"a", "b"}), unnamed).profile(expert_id(0)).answers(), 2u);
}

}  // namespace
}  // namespace ifd
