#include "ifd/experts/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_set>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

void check_class(const std::string& expert, std::size_t classes, ClassId id) {
  if (index(id) >= classes) {
    throw bad_input(fmt::format("expert '{}': {} is not a class; expected 0..{}", expert,
                                static_cast<std::int32_t>(id), classes - 1));
  }
}

void check_experts(std::span<const SimulatedExpert> experts, std::size_t classes) {
  std::unordered_set<std::string_view> names;
  for (const SimulatedExpert& expert : experts) {
    if (!names.insert(expert.name).second) {
      throw bad_input(
          fmt::format("two experts are named '{}'; expected distinct names", expert.name));
    }
    if (expert.curve_by_class.size() != classes) {
      throw bad_input(fmt::format("expert '{}' has {} accuracy curves; expected one per class, {}",
                                  expert.name, expert.curve_by_class.size(), classes));
    }
    for (const FixedMistake& mistake : expert.fixed_mistakes) {
      check_class(expert.name, classes, mistake.truth);
      check_class(expert.name, classes, mistake.answer);
      if (mistake.truth == mistake.answer) {
        throw bad_input(
            fmt::format("expert '{}': the mistake on class {} is no mistake; expected "
                        "another class",
                        expert.name, index(mistake.truth)));
      }
    }
  }
}

void check_flat(std::span<const SimulatedExpert> experts) {
  for (const SimulatedExpert& expert : experts) {
    if (needs_features(expert)) {
      throw bad_input(
          fmt::format("expert '{}' depends on the prototypicality of a case; without "
                      "features expected flat curves",
                      expert.name));
    }
  }
}

void check_cases(const FeatureSpace& space, const Predictions& cases) {
  if (cases.classes().size() != space.classes()) {
    throw bad_input(fmt::format("the cases have {} classes; expected the feature space's {}",
                                cases.classes().size(), space.classes()));
  }
}

// Nothing is known of the distances: every class is equally near, and flat curves ignore p.
struct NoFeatures {
  std::size_t classes;
  std::vector<double> distances(std::span<const float>) const {
    return std::vector<double>(classes, 0);
  }
  std::vector<double> prototypicalities(std::span<const double>) const {
    return std::vector<double>(classes, 0);
  }
};

// Draws from softmax(-distance) over the classes other than the truth: the class that minimises
// distance + log(exponential draw) (the Gumbel-max form). The draws are keyed by class name, so
// the order in which classes are stored does not decide.
ClassId draw_wrong_class(std::span<const double> distances, const ClassNames& classes,
                         ClassId truth, const Key& key) {
  double least = std::numeric_limits<double>::infinity();
  ClassId drawn = truth;
  for (std::size_t k = 0; k < distances.size(); ++k) {
    if (class_id(k) == truth) continue;
    const double exponential = -std::log1p(-key.with(classes.name(class_id(k))).uniform());
    const double score = distances[k] + std::log(exponential);
    if (drawn == truth || score < least) {
      least = score;
      drawn = class_id(k);
    }
  }
  return drawn;
}

ClassId wrong_answer(const SimulatedExpert& expert, std::span<const double> distances,
                     const ClassNames& classes, ClassId truth, const Key& key) {
  for (const FixedMistake& mistake : expert.fixed_mistakes) {
    if (mistake.truth == truth) return mistake.answer;
  }
  return draw_wrong_class(distances, classes, truth, key);
}

double normal_quantile(double level) {
  // A draw may be 0, which lies below the least normal number that is ever drawn.
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * std::max(level, 0x1p-54));
}

double normal_distribution(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// u = Phi(sqrt(r) s + sqrt(1 - r) e), without rounding where only one of them counts.
double luck_of(const SimulatedExpert& expert, double shared_draw, const Key& own) {
  const double r = expert.shared_luck;
  if (r == 1) return shared_draw;
  const double own_draw = own.uniform();
  if (r == 0) return own_draw;
  return normal_distribution(std::sqrt(r) * normal_quantile(shared_draw) +
                             std::sqrt(1 - r) * normal_quantile(own_draw));
}

template <typename Space>
AnswerTable simulate(const Space& space, const Predictions& cases,
                     std::span<const SimulatedExpert> experts, const SimulationOptions& options) {
  check_experts(experts, cases.classes().size());
  if (cases.size() > 0 && !cases.has_labels()) {
    throw bad_input("the cases have no labels; expected them, experts answer by the truth");
  }
  std::vector<std::string> names;
  for (const SimulatedExpert& expert : experts) names.push_back(expert.name);
  AnswerTable answers(std::move(names), cases.size());
  const Key solvability = Key(options.seed).with("solvability").with(options.split);
  const Key mistakes = Key(options.seed).with("wrong answer").with(options.split);
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const ClassId truth = cases.label(row);
    const std::vector<double> distances = space.distances(cases.features(row));
    const double prototypicality = space.prototypicalities(distances)[index(truth)];
    const Key shared = solvability.with(cases.case_name(row));
    const double shared_draw = shared.uniform();
    for (std::size_t j = 0; j < experts.size(); ++j) {
      const SimulatedExpert& expert = experts[j];
      const double luck = luck_of(expert, shared_draw, shared.with(expert.name));
      if (luck < expert.curve_by_class[index(truth)].at(prototypicality)) {
        answers.set(case_id(row), expert_id(j), truth);
      } else {
        answers.set(case_id(row), expert_id(j),
                    wrong_answer(expert, distances, cases.classes(), truth,
                                 mistakes.with(cases.case_name(row)).with(expert.name)));
      }
    }
  }
  return answers;
}

template <typename Space>
TrueAccuracies accuracies(const Space& space, const Predictions& cases,
                          std::span<const SimulatedExpert> experts) {
  const std::size_t classes = cases.classes().size();
  check_experts(experts, classes);
  TrueAccuracies result{experts.size(), classes, {}};
  result.values.reserve(cases.size() * experts.size() * classes);
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const auto prototypicality = space.prototypicalities(space.distances(cases.features(row)));
    for (const SimulatedExpert& expert : experts) {
      for (std::size_t k = 0; k < classes; ++k) {
        result.values.push_back(
            static_cast<float>(expert.curve_by_class[k].at(prototypicality[k])));
      }
    }
  }
  return result;
}

class Tally {
 public:
  void add(bool right, double target) {
    ++cases_;
    right_ += right;
    target_ += target;
  }
  SimulationReport::Realised realised() const {
    if (cases_ == 0) return {};
    const auto n = static_cast<double>(cases_);
    return {cases_, static_cast<double>(right_) / n, target_ / n};
  }

 private:
  std::size_t cases_ = 0, right_ = 0;
  double target_ = 0;
};

SimulationReport::Pair compare(const Predictions& cases, const AnswerTable& answers,
                               std::size_t first, std::size_t second) {
  SimulationReport::Pair pair{first, second, {}, 0, {}};
  double wrong_first = 0, wrong_second = 0;
  std::size_t same = 0;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const Answer a = answers.at(case_id(row), expert_id(first)),
                 b = answers.at(case_id(row), expert_id(second));
    const bool a_wrong = !a.is(cases.label(row)), b_wrong = !b.is(cases.label(row));
    wrong_first += a_wrong;
    wrong_second += b_wrong;
    pair.both_wrong += a_wrong && b_wrong;
    same += a_wrong && b_wrong && a == b;
  }
  const auto n = static_cast<double>(cases.size());
  const auto both = static_cast<double>(pair.both_wrong);
  // phi = (n n11 - n1. n.1) / sqrt(n1. n0. n.1 n.0)
  const double spread = wrong_first * (n - wrong_first) * wrong_second * (n - wrong_second);
  if (spread > 0) {
    pair.error_correlation = (n * both - wrong_first * wrong_second) / std::sqrt(spread);
  }
  if (pair.both_wrong > 0) {
    pair.same_answer_when_both_wrong = static_cast<double>(same) / both;
  }
  return pair;
}

}  // namespace

SpecialistCurves variable_curves() {
  return {AccuracyCurve::from_targets(0.99, 0.50), AccuracyCurve::from_targets(0.80, 0.20)};
}

SpecialistCurves stable_curves() {
  return {AccuracyCurve::from_targets(0.99, 0.85), AccuracyCurve::from_targets(0.85, 0.70)};
}

SimulatedExpert specialist(std::string name, std::size_t classes, ClassId specialty,
                           const SpecialistCurves& curves) {
  const Strength strength{specialty, curves.specialty};
  return multi_strength_specialist(std::move(name), classes, {&strength, 1}, curves.elsewhere);
}

SimulatedExpert variable_specialist(std::string name, std::size_t classes, ClassId specialty) {
  return specialist(std::move(name), classes, specialty, variable_curves());
}

SimulatedExpert stable_specialist(std::string name, std::size_t classes, ClassId specialty) {
  return specialist(std::move(name), classes, specialty, stable_curves());
}

SimulatedExpert generalist(std::string name, std::size_t classes, const AccuracyCurve& curve) {
  return {std::move(name), std::vector<AccuracyCurve>(classes, curve)};
}

SimulatedExpert multi_strength_specialist(std::string name, std::size_t classes,
                                          std::span<const Strength> strengths,
                                          const AccuracyCurve& elsewhere) {
  SimulatedExpert expert = generalist(std::move(name), classes, elsewhere);
  for (const Strength& strength : strengths) {
    check_class(expert.name, classes, strength.specialty);
    expert.curve_by_class[index(strength.specialty)] = strength.curve;
  }
  return expert;
}

SimulatedExpert anti_expert(std::string name, std::size_t classes, const FixedMistake& mistake,
                            const AccuracyCurve& elsewhere) {
  SimulatedExpert expert =
      specialist(std::move(name), classes, mistake.truth, {AccuracyCurve::flat(0.05), elsewhere});
  expert.fixed_mistakes.push_back(mistake);
  return expert;
}

SpecialistCurves drawn_around(const SpecialistCurves& archetype, double spread, const Key& key) {
  // A curve's logit is beta on the hardest cases and alpha + beta on the easiest.
  const auto moved = [&](const AccuracyCurve& curve, const char* part) {
    const double easy = curve.alpha + curve.beta + spread * key.with(part).normal(0);
    const double hard = curve.beta + spread * key.with(part).normal(1);
    return AccuracyCurve{easy - hard, hard};
  };
  return {moved(archetype.specialty, "specialty"), moved(archetype.elsewhere, "elsewhere")};
}

SimulatedExpert with_shared_luck(SimulatedExpert expert, double share) {
  if (!(share >= 0 && share <= 1)) {
    throw bad_input(fmt::format("expert '{}': the share {} of luck is shared; expected 0 to 1",
                                expert.name, share));
  }
  expert.shared_luck = share;
  return expert;
}

SimulatedExpert independent_noise(SimulatedExpert expert) {
  return with_shared_luck(std::move(expert), 0);
}

SimulatedExpert class_conditional(std::string name, std::span<const double> accuracies) {
  SimulatedExpert expert{std::move(name), {}};
  for (const double accuracy : accuracies) {
    expert.curve_by_class.push_back(AccuracyCurve::flat(accuracy));
  }
  return expert;
}

bool needs_features(const SimulatedExpert& expert) {
  return !std::all_of(expert.curve_by_class.begin(), expert.curve_by_class.end(),
                      [](const AccuracyCurve& curve) { return curve.is_flat(); });
}

AnswerTable simulate_answers(const FeatureSpace& space, const Predictions& cases,
                             std::span<const SimulatedExpert> experts,
                             const SimulationOptions& options) {
  check_cases(space, cases);
  return simulate(space, cases, experts, options);
}

AnswerTable simulate_answers(const Predictions& cases, std::span<const SimulatedExpert> experts,
                             const SimulationOptions& options) {
  check_flat(experts);
  return simulate(NoFeatures{cases.classes().size()}, cases, experts, options);
}

TrueAccuracies true_accuracies(const FeatureSpace& space, const Predictions& cases,
                               std::span<const SimulatedExpert> experts) {
  check_cases(space, cases);
  return accuracies(space, cases, experts);
}

TrueAccuracies true_accuracies(const Predictions& cases, std::span<const SimulatedExpert> experts) {
  check_flat(experts);
  return accuracies(NoFeatures{cases.classes().size()}, cases, experts);
}

Simulation simulate_experts(const Predictions& training, const Predictions& cases,
                            std::span<const SimulatedExpert> experts,
                            const SimulationOptions& options) {
  const SimulationOptions for_training{options.seed, "train"};
  if (training.feature_width() == 0 || cases.feature_width() == 0) {
    return {simulate_answers(cases, experts, options), true_accuracies(cases, experts),
            simulate_answers(training, experts, for_training)};
  }
  const FeatureSpace space = FeatureSpace::fit(training);
  return {simulate_answers(space, cases, experts, options), true_accuracies(space, cases, experts),
          simulate_answers(space, training, experts, for_training)};
}

SimulationReport report_simulation(const Predictions& cases, const AnswerTable& answers,
                                   const TrueAccuracies& accuracies) {
  if (answers.cases() != cases.size() || answers.experts() != accuracies.experts ||
      cases.labels().size() != cases.size()) {
    throw bad_input(fmt::format("{} answers by {} experts; expected {} labelled cases and {}",
                                answers.cases(), answers.experts(), cases.size(),
                                accuracies.experts));
  }
  SimulationReport report;
  for (std::size_t j = 0; j < answers.experts(); ++j) {
    Tally overall;
    std::vector<Tally> by_class(cases.classes().size());
    for (std::size_t row = 0; row < cases.size(); ++row) {
      const ClassId truth = cases.label(row);
      const bool right = answers.at(case_id(row), expert_id(j)).is(truth);
      overall.add(right, accuracies.at(case_id(row), expert_id(j), truth));
      by_class[index(truth)].add(right, accuracies.at(case_id(row), expert_id(j), truth));
    }
    report.experts.push_back({answers.expert_names()[j], overall.realised(), {}});
    for (const Tally& tally : by_class) report.experts[j].by_class.push_back(tally.realised());
    for (std::size_t i = 0; i < j; ++i) report.pairs.push_back(compare(cases, answers, i, j));
  }
  return report;
}

}  // namespace ifd
