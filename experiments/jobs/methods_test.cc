#include "experiments/jobs/methods.h"

#include <gtest/gtest.h>

namespace ifd::experiments {
namespace {

TEST(Methods, ThePapersSettingsAreThePapers) {
  const Method method = method_named("ifd-peak");
  EXPECT_EQ(method.identity_free.objective, train::Objective::kPeak);
  EXPECT_EQ(method.identity_free.trust, train::Trust::kOne);
  EXPECT_EQ(method.identity_free.state, StateSet::kPaper);
  EXPECT_EQ(method.identity_free.head, Head::kPlain);
  EXPECT_EQ(method.identity_free.width, 256U);
  EXPECT_EQ(method.identity_free.context_size, 35U);
}

}  // namespace
}  // namespace ifd::experiments
