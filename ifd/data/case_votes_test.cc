#include "ifd/data/case_votes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// Every class counted anew, and no other class with as many.
std::optional<ClassId> by_brute_force(const std::vector<Answer>& answers, std::size_t classes) {
  std::vector<std::ptrdiff_t> votes;
  for (std::size_t k = 0; k < classes; ++k) {
    votes.push_back(std::count(answers.begin(), answers.end(), Answer(class_id(k))));
  }
  const auto most = std::max_element(votes.begin(), votes.end());
  if (*most == 0 || std::count(votes.begin(), votes.end(), *most) > 1) return {};
  return class_id(static_cast<std::size_t>(most - votes.begin()));
}

TEST(CaseVotes, AgreeWithCountingEveryClassAnew) {
  CaseVotes votes(4);  // one for all cases, so that nothing may stay of the case before
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    std::vector<Answer> answers;
    for (std::size_t j = 0; j < key.with("answers").below(8); ++j) {
      const std::size_t draw = key.with("answer").below(6, j);
      answers.push_back(draw == 5   ? Answer::missing()
                        : draw == 4 ? Answer::outside()
                                    : Answer(class_id(draw)));
    }
    votes.count(answers);
    EXPECT_EQ(votes.majority(), by_brute_force(answers, 4));
    for (std::size_t j = 0; j < answers.size(); ++j) {
      std::vector<Answer> others = answers;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
      EXPECT_EQ(votes.majority_without(answers[j]), by_brute_force(others, 4)) << j;
      const auto is_vote = [](Answer a) { return !a.is_missing() && !a.is_outside(); };
      EXPECT_EQ(votes.votes_without(answers[j]),
                static_cast<std::size_t>(std::count_if(others.begin(), others.end(), is_vote)));
    }
  }
}

}  // namespace
}  // namespace ifd
