#include "ifd/evaluation/evaluation.h"

#include <gtest/gtest.h>

#include "ifd/policy/given_margins.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

// Three cases, of which the model is right on two. Ann always errs, bob never does, and the policy
// prefers bob to ann and to the model.
struct ThreeCases {
  ThreeCases() {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      answers.set(case_id(i), expert_id(0), Answer::outside());
      answers.set(case_id(i), expert_id(1), cases.label(i));
    }
  }

  Evaluation evaluated() const {
    EvaluationOptions options;
    options.bootstrap = 0;
    return evaluate(std::span(&policy, 1), cases, answers, on_duty, options);
  }

  Predictions cases{Predictions::Parts{ClassNames({"a", "b"}),
                                       {"x", "y", "z"},
                                       {.9F, .1F, .6F, .4F, .2F, .8F},
                                       {ClassId{0}, ClassId{1}, ClassId{1}},
                                       {},
                                       0}};
  AnswerTable answers{std::vector<std::string>{"ann", "bob"}, 3};
  ComparedPolicy policy{"mine", given_margins({-.1, .2, -.1, .1, -.3, .1}, 2)};
  Availability on_duty{2};
};

TEST(Evaluate, HandExample) {
  const Evaluation evaluation = ThreeCases().evaluated();
  EXPECT_DOUBLE_EQ(evaluation.model_accuracy, 2.0 / 3);
  EXPECT_EQ(evaluation.expert_accuracy, (std::vector<double>{0, 1}));
  EXPECT_EQ(evaluation.outside, 3u);
  ASSERT_EQ(evaluation.policies.size(), 1u);
  EXPECT_EQ(evaluation.policies[0].at_zero.deferred, 3u);
  EXPECT_EQ(evaluation.policies[0].at_zero.system_accuracy, 1);
  EXPECT_EQ(evaluation.policies[0].share[0], 0);
  EXPECT_DOUBLE_EQ(evaluation.policies[0].share[1], 1);
}

TEST(Evaluate, RefusesWhatDoesNotFitTogether) {
  const auto refused = [](auto change) {
    ThreeCases three;
    change(three);
    return refusal([&] { three.evaluated(); });
  };
  EXPECT_EQ(refused([](ThreeCases&) {}), "");
  EXPECT_EQ(refused([](ThreeCases& three) {
              three.answers = AnswerTable(three.answers.expert_names(), 4);
            }),
            "answers on 4 cases; expected a row for each of the 3");
  EXPECT_EQ(refused([](ThreeCases& three) { three.on_duty = Availability(3); }),
            "3 experts on duty or off; expected the 2 of the answers");
  EXPECT_EQ(refused([](ThreeCases& three) {
              three.policy.rule = given_margins(std::vector<double>(9, .1), 3);
            }),
            "policy 'mine' decides among 3 experts; expected the 2 of the answers");
  EXPECT_EQ(refused([](ThreeCases& three) { three.policy.rule = nullptr; }),
            "policy 'mine' decides among 0 experts; expected the 2 of the answers");
  EXPECT_EQ(refused([](ThreeCases& three) {
              three.policy.cases = three.cases.subset(std::vector<std::size_t>{0, 1});
            }),
            "policy 'mine' reads other cases or classes; expected those to be scored, with their "
            "labels");
}

}  // namespace
}  // namespace ifd
