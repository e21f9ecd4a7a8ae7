#include "ifd/policy/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ifd/error.h"

namespace ifd {
namespace {

// Stands in for a probability of zero, which has no logarithm. Far below what a file's digits tell.
constexpr double kLeastProbability = 1e-12;
constexpr double kLeastScale = 0x1p-10;
constexpr double kLargestScale = 0x1p10;
constexpr double kRidge = 1;

double floored_log(double p) { return std::log(std::max(p, kLeastProbability)); }

double sum_by_value(std::vector<double>& terms) {
  std::sort(terms.begin(), terms.end());
  double sum = 0;
  for (const double term : terms) sum += term;
  return sum;
}

// The log-probabilities and labels of the cases, and the softmax under a trial calibration.
class Problem {
 public:
  explicit Problem(const Predictions& labelled)
      : labelled_(labelled), classes_(labelled.classes().size()) {
    for (const float p : labelled.all_probabilities()) log_.push_back(floored_log(p));
  }

  std::size_t cases() const { return labelled_.size(); }
  std::size_t classes() const { return classes_; }

  // d log-loss / d scale, summed over cases: sum_k p_k l_k - l_y. Increases with the scale.
  double scale_slope(const Calibration& trial) {
    double slope = 0;
    for (std::size_t i = 0; i < cases(); ++i) {
      softmax(i, trial);
      const double* l = log_.data() + i * classes_;
      terms_.clear();
      for (std::size_t k = 0; k < classes_; ++k) terms_.push_back(p_[k] * l[k]);
      slope += sum_by_value(terms_) - l[index(labelled_.label(i))];
    }
    return slope;
  }

  // d log-loss / d bias, summed over cases: p_k - 1{y = k}.
  std::vector<double> bias_slope(const Calibration& trial) {
    std::vector<double> slope(classes_, 0.0);
    for (std::size_t i = 0; i < cases(); ++i) {
      softmax(i, trial);
      for (std::size_t k = 0; k < classes_; ++k) {
        slope[k] += p_[k] - (index(labelled_.label(i)) == k ? 1 : 0);
      }
    }
    return slope;
  }

 private:
  void softmax(std::size_t row, const Calibration& trial) {
    p_.resize(classes_);
    for (std::size_t k = 0; k < classes_; ++k) {
      p_[k] = trial.scale * log_[row * classes_ + k] + (trial.bias.empty() ? 0 : trial.bias[k]);
    }
    const double top = *std::max_element(p_.begin(), p_.end());
    for (double& value : p_) value = std::exp(value - top);
    terms_.assign(p_.begin(), p_.end());
    const double sum = sum_by_value(terms_);
    for (double& value : p_) value /= sum;
  }

  const Predictions& labelled_;
  std::size_t classes_;
  std::vector<double> log_;
  std::vector<double> p_;
  std::vector<double> terms_;
};

// The slope grows with the scale, so its root is found by halving on a logarithmic range; a slope
// without a root (every case right, or every one wrong) ends at the range's end.
double best_scale(Problem& problem, Calibration trial) {
  double low = std::log(kLeastScale);
  double high = std::log(kLargestScale);
  for (int step = 0; step < 60 && high - low > 1e-12; ++step) {
    const double middle = low + (high - low) / 2;
    trial.scale = std::exp(middle);
    (problem.scale_slope(trial) < 0 ? low : high) = middle;
  }
  return std::exp(low + (high - low) / 2);
}

// One step down the majoriser of Boehning and Lindsay (1988): the Hessian in the offsets is at most
// n/2 (I - 11'/K), and slopes and offsets sum to zero, so the bound's inverse is a division.
// Newton's own step would solve a system in class order and lose the exact symmetry.
double step_bias(Problem& problem, Calibration& trial) {
  const double bound = static_cast<double>(problem.cases()) / 2 + kRidge;
  const std::vector<double> slope = problem.bias_slope(trial);
  double largest = 0;
  for (std::size_t k = 0; k < slope.size(); ++k) {
    const double step = (slope[k] + kRidge * trial.bias[k]) / bound;
    trial.bias[k] -= step;
    largest = std::max(largest, std::abs(step));
  }
  return largest;
}

void check_labels(const Predictions& labelled) {
  if (!labelled.has_labels()) {
    throw bad_input("calibration: the predictions have no labels; expected one per case");
  }
}

}  // namespace

Calibration fit_calibration(const Predictions& labelled, CalibrationKind kind) {
  if (kind == CalibrationKind::kNone) return {};
  check_labels(labelled);
  if (labelled.size() == 0)
    throw bad_input("calibration needs at least one labelled case; found 0");
  Problem problem(labelled);
  Calibration trial;
  trial.scale = best_scale(problem, trial);
  if (kind == CalibrationKind::kTemperature) return trial;
  trial.bias.assign(problem.classes(), 0.0);
  // Alternating minimisation of a convex function: offsets until they rest, then the scale.
  for (int round = 0; round < 100; ++round) {
    for (int step = 0; step < 200; ++step) {
      if (step_bias(problem, trial) < 1e-7) break;
    }
    const double scale = best_scale(problem, trial);
    const bool rested = std::abs(scale - trial.scale) <= 1e-6 * scale;
    trial.scale = scale;
    if (rested) break;
  }
  return trial;
}

Predictions calibrated(const Predictions& predictions, const Calibration& calibration) {
  const std::size_t classes = predictions.classes().size();
  if (!calibration.bias.empty() && calibration.bias.size() != classes) {
    throw bad_input(fmt::format("calibration: {} offsets; expected one for each of the {} classes",
                                calibration.bias.size(), classes));
  }
  std::vector<double> logits;
  logits.reserve(predictions.size() * classes);
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    for (std::size_t k = 0; k < classes; ++k) {
      logits.push_back(calibration.scale * floored_log(predictions.probabilities(i)[k]) +
                       (calibration.bias.empty() ? 0 : calibration.bias[k]));
    }
  }
  return predictions.with_probabilities(Predictions::from_logits(logits, classes));
}

CalibrationQuality calibration_quality(const Predictions& labelled) {
  check_labels(labelled);
  constexpr std::size_t kBins = 15;
  std::array<double, kBins> confidence{};
  std::array<double, kBins> right{};
  double log_loss = 0;
  for (std::size_t i = 0; i < labelled.size(); ++i) {
    const auto p = labelled.probabilities(i);
    const ClassId top = top_class(p);
    const double c = p[index(top)];
    // Bins are open below and closed above, so that certainty falls in the last.
    const auto bin =
        static_cast<std::size_t>(std::clamp(std::ceil(c * kBins) - 1, 0.0, kBins - 1.0));
    confidence[bin] += c;
    right[bin] += top == labelled.label(i) ? 1 : 0;
    log_loss -= floored_log(p[index(labelled.label(i))]);
  }
  double error = 0;
  for (std::size_t b = 0; b < kBins; ++b) error += std::abs(confidence[b] - right[b]);
  const auto n = static_cast<double>(labelled.size());
  return {log_loss / n, error / n};
}

}  // namespace ifd
