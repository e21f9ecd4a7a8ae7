// Simulated experts: what they are good at, as data, and the answers they give.
//
// On case x of class y an expert is right when u < A(x | E, y); u is the expert's luck on the case,
// of which a part is shared by all experts, so that hard cases are hard for everybody. A wrong
// answer is drawn per expert from softmax(-||F(x) - c_j||) over the wrong classes. Every draw is
// keyed by names (seed, purpose, split, case, expert): the order of cases or experts changes
// nothing, and case "7" of one split shares no draw with case "7" of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/experts/accuracy_curve.h"
#include "ifd/experts/prototypicality.h"
#include "ifd/ids.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

// Every wrong answer on a case of class `truth` is `answer`.
struct FixedMistake {
  ClassId truth;
  ClassId answer;

  bool operator==(const FixedMistake&) const = default;
};

struct SimulatedExpert {
  std::string name;
  std::vector<AccuracyCurve> curve_by_class;
  // u = Phi(sqrt(r) s + sqrt(1 - r) e) with s the case's, shared by all experts, and e of the
  // expert's own, both standard normal; r is here. With 1 hard cases are hard for everybody alike,
  // with 0 errors are independent given the case.
  double shared_luck = 1;
  std::vector<FixedMistake> fixed_mistakes = {};

  bool operator==(const SimulatedExpert&) const = default;
};

struct SpecialistCurves {
  AccuracyCurve specialty;
  AccuracyCurve elsewhere;
};
SpecialistCurves variable_curves();  // .99/.50 on the specialty, .80/.20 elsewhere
SpecialistCurves stable_curves();    // .99/.85 on the specialty, .85/.70 elsewhere

// Somebody of the population around an archetype: each of the four accuracies, on easy and on hard
// cases of the specialty and elsewhere, moved by N(0, spread^2) on the logit scale.
SpecialistCurves drawn_around(const SpecialistCurves& archetype, double spread, const Key& key);

SimulatedExpert specialist(std::string name, std::size_t classes, ClassId specialty,
                           const SpecialistCurves& curves);
// The paper's two archetypes.
SimulatedExpert variable_specialist(std::string name, std::size_t classes, ClassId specialty);
SimulatedExpert stable_specialist(std::string name, std::size_t classes, ClassId specialty);

// One curve for all classes.
SimulatedExpert generalist(std::string name, std::size_t classes, const AccuracyCurve& curve);

// Several specialties of different strength.
struct Strength {
  ClassId specialty;
  AccuracyCurve curve;
};
SimulatedExpert multi_strength_specialist(std::string name, std::size_t classes,
                                          std::span<const Strength> strengths,
                                          const AccuracyCurve& elsewhere);

// Confidently wrong on one class: 95 % of its cases, easy or hard, get the same wrong answer.
SimulatedExpert anti_expert(std::string name, std::size_t classes, const FixedMistake& mistake,
                            const AccuracyCurve& elsewhere);

// The same expert with so much of the luck shared. Error(kBadInput) outside [0, 1].
SimulatedExpert with_shared_luck(SimulatedExpert expert, double share);
// The same expert with nothing but luck of their own.
SimulatedExpert independent_noise(SimulatedExpert expert);

// Flat curves: P(answer = y | y) = accuracies[y] whatever the case, as for the toy's .90/.50.
SimulatedExpert class_conditional(std::string name, std::span<const double> accuracies);

// Whether any curve depends on how typical a case is, for which cases need features.
bool needs_features(const SimulatedExpert& expert);

struct SimulationOptions {
  std::uint64_t seed = 0;
  std::string split;
};

// The answers of all experts on all cases. The cases need labels, and features of the space's
// width. Two experts of one name, or an expert whose curves do not match the classes, are an Error.
AnswerTable simulate_answers(const FeatureSpace& space, const Predictions& cases,
                             std::span<const SimulatedExpert> experts,
                             const SimulationOptions& options);
// Without features: every curve must be flat, and wrong answers are uniform over the wrong classes.
AnswerTable simulate_answers(const Predictions& cases, std::span<const SimulatedExpert> experts,
                             const SimulationOptions& options);

// A(x | E, y) for every case, expert and class y, the prototypicality taken as if y were the truth:
// what a policy could know that knew the experts perfectly but not the outcome.
struct TrueAccuracies {
  std::size_t experts;
  std::size_t classes;
  std::vector<float> values;  // N x J x K

  float at(CaseId row, ExpertId expert, ClassId truth) const {
    return values[(index(row) * experts + index(expert)) * classes + index(truth)];
  }
};
TrueAccuracies true_accuracies(const FeatureSpace& space, const Predictions& cases,
                               std::span<const SimulatedExpert> experts);
TrueAccuracies true_accuracies(const Predictions& cases, std::span<const SimulatedExpert> experts);

// All that a group of experts does on the cases, and on the training cases, from which contexts are
// drawn.
struct Simulation {
  AnswerTable answers;
  TrueAccuracies accuracies;     // on the cases
  AnswerTable training_answers;  // split "train"
};

// Where both files have features, in the feature space of the training cases; without features
// otherwise. `options` is for the cases.
Simulation simulate_experts(const Predictions& training, const Predictions& cases,
                            std::span<const SimulatedExpert> experts,
                            const SimulationOptions& options);

// What came out beside what was asked for. A target is the mean of A(x | E, y) at the true y over
// the same cases. What has no cases has no value.
struct SimulationReport {
  struct Realised {
    std::size_t cases = 0;
    std::optional<double> accuracy;
    std::optional<double> target;
  };
  struct Expert {
    std::string name;
    Realised overall;
    std::vector<Realised> by_class;
  };
  struct Pair {
    std::size_t first, second;
    // Phi coefficient of "wrong"; none where one of the two is always right or always wrong.
    std::optional<double> error_correlation;
    std::size_t both_wrong = 0;
    std::optional<double> same_answer_when_both_wrong;
  };
  std::vector<Expert> experts;
  std::vector<Pair> pairs;  // first < second
};
SimulationReport report_simulation(const Predictions& cases, const AnswerTable& answers,
                                   const TrueAccuracies& accuracies);

}  // namespace ifd
