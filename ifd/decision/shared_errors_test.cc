#include "ifd/decision/shared_errors.h"

#include <gtest/gtest.h>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// Two experts who are wrong on 30 % of the cases; on a share of them for a reason in common.
std::vector<ExpertContext> two_experts(const Key& key, double in_common) {
  std::vector<ExpertContext> contexts = {{"ann", {}}, {"bob", {}}};
  for (std::size_t i = 0; i < 4000; ++i) {
    const bool same = key.with("same").uniform(i) < in_common;
    for (std::size_t j = 0; j < 2; ++j) {
      const double luck = same ? key.with("common").uniform(i) : key.with(j).uniform(i);
      const ClassId truth = class_id(i % 2);
      contexts[j].rows.push_back({"c" + std::to_string(i), truth,
                                  luck < .3 ? Answer(class_id(1 - i % 2)) : Answer(truth)});
    }
  }
  return contexts;
}

TEST(SharedErrors, FindTheCorrelationThatWasPutIn) {
  for (const double in_common : {0.0, .3, .8, 1.0}) {
    const SharedErrors found = shared_errors(two_experts(Key(5), in_common));
    EXPECT_EQ(found.cases, 4000u);
    EXPECT_NEAR(found.correlation, in_common, .04);
  }
}

// Being bad at the same class is in both profiles already, and no error in common.
TEST(SharedErrors, KnowThatClassesDiffer) {
  std::vector<ExpertContext> contexts = {{"ann", {}}, {"bob", {}}};
  const Key key(8);
  for (std::size_t i = 0; i < 4000; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      const bool right = key.with(j).uniform(i) < (i % 2 == 0 ? .95 : .2);
      contexts[j].rows.push_back({"c" + std::to_string(i), class_id(i % 2),
                                  right ? Answer(class_id(i % 2)) : Answer::outside()});
    }
  }
  EXPECT_LT(shared_errors(contexts).correlation, .04);
}

TEST(SharedErrors, NeedCasesInCommon) {
  std::vector<ExpertContext> contexts = two_experts(Key(5), 1);
  for (ContextRow& row : contexts[1].rows) row.case_name += "x";
  EXPECT_EQ(shared_errors(contexts).correlation, 0);
  EXPECT_EQ(shared_errors(contexts).cases, 0u);
  EXPECT_EQ(shared_errors({}).correlation, 0);
}

TEST(SharedErrors, WeighAnswersThatAreOneAsOne) {
  EXPECT_EQ(weight_of_answers(1, .7), 1);
  EXPECT_EQ(weight_of_answers(5, 0), 1);
  EXPECT_EQ(weight_of_answers(4, 1), .25);
}

}  // namespace
}  // namespace ifd
