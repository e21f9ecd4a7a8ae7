#include "ifd/profile/beta_posterior.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <string>

#include "ifd/error.h"

namespace ifd {

void BetaPosterior::refuse_counts() const {
  throw bad_input(std::to_string(correct_) + " right answers of " + std::to_string(answers_) +
                  "; expected no more than there are answers");
}

void BetaPosterior::refuse_to_forget() {
  throw Error(ErrorKind::kNotFound, "no such answer is counted; expected one that was observed");
}

void BetaPosterior::merge(const BetaPosterior& other) {
  if (prior_ != other.prior_) {
    throw Error(ErrorKind::kConflict, "two profiles with different priors cannot be merged");
  }
  answers_ += other.answers_;
  correct_ += other.correct_;
}

double BetaPosterior::mean() const { return alpha() / (alpha() + beta()); }

double BetaPosterior::variance() const {
  const double sum = alpha() + beta();
  return alpha() * beta() / (sum * sum * (sum + 1));
}

double BetaPosterior::map() const {
  const double a = alpha();
  const double b = beta();
  if (a > 1 && b > 1) return (a - 1) / (a + b - 2);
  if (a > 1 || (a == 1 && b < 1)) return 1;
  if (b > 1 || (b == 1 && a < 1)) return 0;
  return mean();
}

double BetaPosterior::quantile(double p) const {
  if (!(p >= 0 && p <= 1)) throw bad_input("a quantile's probability must lie in 0..1");
  return boost::math::ibeta_inv(alpha(), beta(), p);
}

double BetaPosterior::log_odds() const {
  return boost::math::digamma(alpha()) - boost::math::digamma(beta());
}

double BetaPosterior::lower_confidence_bound(double lcb_width) const {
  return std::max(0.0, mean() - lcb_width * std::sqrt(variance()));
}

}  // namespace ifd
