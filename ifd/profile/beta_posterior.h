// What is believed of one expert on one class: a Beta prior and the answers counted on top of it.
#pragma once

#include <cstdint>
#include <utility>

namespace ifd {

// Between these, a prior has quantiles that can be computed and an answer on top still counts:
// beyond 2^53 a double is the same with one answer more.
inline constexpr double kLeastPriorParameter = 1e-9;
inline constexpr double kMostPriorParameter = 0x1p53;
// What somebody may state beforehand, in answers: nobody has seen more of one expert and class.
inline constexpr double kMostPriorStrength = 1e9;
// Nearer to 1, the tails outside an interval are lost in the rounding of its mass.
inline constexpr double kMostIntervalMass = 1 - 1e-9;

// Beta(alpha, beta) with both from kLeastPriorParameter to kMostPriorParameter; the default knows
// nothing.
struct BetaPrior {
  double alpha = 1;
  double beta = 1;
  bool operator==(const BetaPrior&) const = default;
};

bool is_usable(const BetaPrior& prior);

// theta | D ~ Beta(alpha + t, beta + n - t) after n answers, t of them right (paper, Section 4.1).
//
// The counts stay integers beside the prior, so observing is exact and order-free: any split of
// the same answers into updates gives the same bits.
class BetaPosterior {
 public:
  BetaPosterior() = default;
  // Error(kBadInput) for more right answers than answers, and for a prior that is not usable.
  explicit BetaPosterior(BetaPrior prior, std::uint64_t answers = 0, std::uint64_t correct = 0)
      : prior_(prior), answers_(answers), correct_(correct) {
    if (correct > answers) refuse_counts();
    if (!is_usable(prior)) refuse_prior();
  }

  void observe(bool correct, std::uint64_t count = 1) {
    answers_ += count;
    correct_ += correct ? count : 0;
  }
  // Takes answers back. Error(kNotFound) where not as many like them are counted.
  void forget(bool correct, std::uint64_t count = 1) {
    if ((correct ? correct_ : answers_ - correct_) < count) refuse_to_forget();
    answers_ -= count;
    correct_ -= correct ? count : 0;
  }
  // Adds the answers of `other`, which must have the same prior.
  void merge(const BetaPosterior& other);

  const BetaPrior& prior() const& { return prior_; }
  BetaPrior prior() const&& { return prior_; }
  std::uint64_t answers() const { return answers_; }
  std::uint64_t correct() const { return correct_; }
  double alpha() const { return prior_.alpha + static_cast<double>(correct_); }
  double beta() const { return prior_.beta + static_cast<double>(answers_ - correct_); }

  double mean() const;
  double variance() const;
  // The most probable accuracy. Where the density has no inner peak: 0 or 1 if it piles up at one
  // end, the mean if it is flat or piles up at both.
  double map() const;
  // The accuracy that is exceeded with probability 1 - p; 0 <= p <= 1.
  double quantile(double p) const;
  // The accuracies between which it is with probability `mass`, and outside with equal ones; mass
  // is more than 0, at most kMostIntervalMass.
  std::pair<double, double> central_interval(double mass) const;
  // E[log(theta / (1 - theta))] = digamma(alpha) - digamma(beta).
  double log_odds() const;
  // L = [mean - lcb_width * standard deviation]_+ (paper, Section 4.3, where lcb_width is alpha).
  double lower_confidence_bound(double lcb_width = 1) const;

  bool operator==(const BetaPosterior&) const = default;

 private:
  [[noreturn]] void refuse_counts() const;
  [[noreturn]] void refuse_prior() const;
  [[noreturn]] static void refuse_to_forget();

  BetaPrior prior_;
  std::uint64_t answers_ = 0;
  std::uint64_t correct_ = 0;
};

}  // namespace ifd
