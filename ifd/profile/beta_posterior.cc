#include "ifd/profile/beta_posterior.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <string>

#include "ifd/error.h"

namespace ifd {
namespace {

// Above this in both parameters, Boost's search for a quantile takes ever longer and fails, and the
// normal distribution with a correction for the skew (Cornish and Fisher) is right to a 1e-7 of the
// standard deviation: what it leaves out falls with the smaller parameter.
constexpr double kNearlyNormal = 1e8;

double nearly_normal_quantile(double alpha, double beta, double p) {
  const double sum = alpha + beta;
  const double deviation = std::sqrt(alpha * beta / (sum + 1)) / sum;
  const double skew =
      2 * (beta - alpha) * std::sqrt(sum + 1) / ((sum + 2) * std::sqrt(alpha * beta));
  const double z = -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p);
  return std::clamp(alpha / sum + deviation * (z + skew * (z * z - 1) / 6), 0.0, 1.0);
}

}  // namespace

bool is_usable(const BetaPrior& prior) {
  const auto is_within = [](double parameter) {
    return parameter >= kLeastPriorParameter && parameter <= kMostPriorParameter;
  };
  return is_within(prior.alpha) && is_within(prior.beta);
}

void BetaPosterior::refuse_prior() const {
  throw bad_input(fmt::format("prior Beta({}, {}); expected both from {} to {}", prior_.alpha,
                              prior_.beta, kLeastPriorParameter, kMostPriorParameter));
}

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
  if (p == 0 || p == 1) return p;
  const double a = alpha(), b = beta();
  return std::min(a, b) > kNearlyNormal ? nearly_normal_quantile(a, b, p)
                                        : boost::math::ibeta_inv(a, b, p);
}

std::pair<double, double> BetaPosterior::central_interval(double mass) const {
  if (!(mass > 0 && mass <= kMostIntervalMass)) {
    throw bad_input(
        fmt::format("interval: {}; expected more than 0, at most {}", mass, kMostIntervalMass));
  }
  return {quantile((1 - mass) / 2), quantile((1 + mass) / 2)};
}

double BetaPosterior::log_odds() const {
  return boost::math::digamma(alpha()) - boost::math::digamma(beta());
}

double BetaPosterior::lower_confidence_bound(double lcb_width) const {
  return std::max(0.0, mean() - lcb_width * std::sqrt(variance()));
}

}  // namespace ifd
