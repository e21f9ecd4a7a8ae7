#include "ifd/evaluation/credit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ifd/error.h"

namespace ifd {
namespace {

TEST(Credit, LabelsThatShareAnAnswerShareItExactly) {
  for (std::size_t labels = 1; labels <= 16; ++labels) {
    SCOPED_TRACE(testing::Message() << labels << " labels");
    CreditTotal total;
    for (std::size_t i = 0; i < labels; ++i) total.add(shared_credit(labels));
    EXPECT_EQ(total.right_answers(), 1);
  }
  EXPECT_EQ(shared_credit(1), credit_if(true));
  EXPECT_NEAR(share(shared_credit(17)), 1.0 / 17, 1e-9);
}

// Whatever was computed from a count of right answers comes out as before, bit for bit.
TEST(Credit, WholeAnswersAreCountedExactly) {
  for (std::uint64_t count = 0; count <= UINT32_MAX; count = count * 3 + 1) {
    CreditTotal total;
    total.add(credit_if(true), count);
    total.add(credit_if(false), 17);
    EXPECT_EQ(total.right_answers(), static_cast<double>(count));
  }
}

TEST(Credit, OfAShareIsTheNearest) {
  EXPECT_EQ(credit_of(0), credit_if(false));
  EXPECT_EQ(credit_of(1), credit_if(true));
  EXPECT_EQ(credit_of(.25), shared_credit(4));
  EXPECT_NEAR(share(credit_of(.123456789)), .123456789, .5 / kWholeCredit);
  EXPECT_THROW(credit_of(-1e-9), Error);
  EXPECT_THROW(credit_of(1.5), Error);
  EXPECT_THROW(credit_of(NAN), Error);
}

}  // namespace
}  // namespace ifd
