#include "ifd/watch/visible_fall.h"

#include <algorithm>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "ifd/watch/expert_watch.h"

namespace ifd {
namespace {

constexpr std::uint64_t kTrials = 20;
constexpr std::uint64_t kSeenInFourOfFive = 16;
constexpr std::size_t kMostTried = 500;

class FallTrial {
 public:
  FallTrial(std::span<const AnswerCount> before, std::span<const ClassId> truths,
            const WatchSize& size, const WatchOptions& options)
      : truths_(truths.first(std::min(truths.size(), kMostTried))),
        begun_(size.classes, options.false_alarms, share_of_each(size.experts),
               Key(options.seed).with("visible fall")),
        accuracy_(size.classes),
        key_(Key(options.seed).with("visible fall answers")) {
    std::vector<RightAnswers> counts(size.classes);
    for (const AnswerCount& answers : before) {
      begun_.count_before(answers);
      RightAnswers& on_class = counts[index(answers.truth)];
      on_class.of += answers.count;
      on_class.right += answers.answer.is(answers.truth) ? answers.count : 0;
    }
    for (std::size_t k = 0; k < size.classes; ++k) {
      accuracy_[k] =
          static_cast<double>(counts[k].right + 1) / static_cast<double>(counts[k].of + 2);
    }
  }

  bool is_seen(double fall) const {
    std::uint64_t seen = 0;
    for (std::uint64_t trial = 0; trial < kTrials; ++trial) seen += is_seen(fall, trial) ? 1 : 0;
    return seen >= kSeenInFourOfFive;
  }

 private:
  // Who falls below 0 is wrong always. Wrong answers name no class: only drift is looked for.
  bool is_seen(double fall, std::uint64_t trial) const {
    ExpertWatch watch = begun_;
    for (std::size_t i = 0; i < truths_.size(); ++i) {
      const bool right = key_.with(trial).uniform(i) < accuracy_[index(truths_[i])] - fall;
      if (watch.observe(truths_[i], right ? Answer(truths_[i]) : Answer::outside()) == 0) continue;
      if (watch.findings().back().kind != FindingKind::kCoin) return true;
    }
    return false;
  }

  std::span<const ClassId> truths_;
  ExpertWatch begun_;
  std::vector<double> accuracy_;
  Key key_;
};

}  // namespace

std::optional<double> visible_fall(std::span<const AnswerCount> before,
                                   std::span<const ClassId> truths, const WatchSize& size,
                                   const WatchOptions& options) {
  const FallTrial trial(before, truths, size, options);
  if (!trial.is_seen(.9)) return {};
  int low = 0, high = 9;  // tenths: not seen, seen
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (trial.is_seen(.1 * middle) ? high : low) = middle;
  }
  return .1 * high;
}

}  // namespace ifd
