#include "ifd/experts/expert_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/error.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const ClassNames kClasses({"mel", "nv", "bcc"});

SimulatedExpert expert(const std::string& word) { return parse_expert(word, kClasses); }

TEST(ExpertSpec, NamesEveryArchetype) {
  const ClassId nv = class_id(1), bcc = class_id(2);
  EXPECT_EQ(expert("ann=variable:nv"), variable_specialist("ann", 3, nv));
  EXPECT_EQ(expert("ann=stable:bcc"), stable_specialist("ann", 3, bcc));
  EXPECT_EQ(expert("ann=independent:nv"), independent_noise(variable_specialist("ann", 3, nv)));
  EXPECT_EQ(expert("ann=generalist:.9/.6"),
            generalist("ann", 3, AccuracyCurve::from_targets(.9, .6)));
  EXPECT_EQ(expert("ann=anti:nv>bcc"), anti_expert("ann", 3, {nv, bcc}, stable_curves().elsewhere));
  EXPECT_EQ(expert("ann=flat:.9/.5/.25"),
            class_conditional("ann", std::vector<double>{.9, .5, .25}));
  const std::vector<Strength> strengths = {
      {nv, AccuracyCurve::from_targets(.99, .99 - .14)},
      {bcc, AccuracyCurve::from_targets(.99 - .04, .99 - .04 - .14)}};
  EXPECT_EQ(expert("ann=multi:nv+bcc"),
            multi_strength_specialist("ann", 3, strengths, variable_curves().elsewhere));
}

TEST(ExpertSpec, SaysWhatIsWrongWithTheWord) {
  const auto said = [](const std::string& word) { return refusal([&] { expert(word); }); };
  EXPECT_THAT(said("ann"), StartsWith("--expert ann: not a simulated expert; expected NAME="));
  EXPECT_THAT(said("=variable:nv"), HasSubstr("not a simulated expert"));
  EXPECT_THAT(said("ann=wizard:nv"), HasSubstr("'wizard' is not an archetype"));
  EXPECT_EQ(said("ann=variable:cow"),
            "--expert ann=variable:cow: 'cow' is not a class; expected mel, nv, bcc");
  EXPECT_THAT(said("ann=flat:.9"), HasSubstr("1 accuracies for 3 classes"));
  EXPECT_THAT(said("ann=flat:a/.5/.5"), HasSubstr("'a' is not a number"));
  EXPECT_THAT(said("ann=generalist:.9"), HasSubstr("takes two accuracies"));
  EXPECT_THAT(said("ann=anti:nv"), HasSubstr("takes TRUTH>ANSWER"));
  EXPECT_THAT(said("ann=flat:2/.5/.5"), StartsWith("--expert ann=flat:2/.5/.5: "));
}

}  // namespace
}  // namespace ifd
