#include "ifd/evaluation/evaluation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "ifd/data/accuracy.h"
#include "ifd/error.h"
#include "ifd/evaluation/answer_worth.h"
#include "ifd/evaluation/assigned_points.h"
#include "ifd/evaluation/bootstrap.h"
#include "ifd/evaluation/combined_replay.h"
#include "ifd/evaluation/coverage.h"
#include "ifd/evaluation/measured_promise.h"
#include "ifd/evaluation/regret.h"
#include "ifd/evaluation/replay.h"
#include "ifd/policy/asking_gain.h"
#include "ifd/random/keyed_random.h"
#include "ifd/routing/budget.h"

namespace ifd {
namespace {

double mean_regret_at_zero(const MarginTable& table, const Predictions& predictions,
                           const EvaluationOptions& options, std::size_t experts) {
  const std::size_t k = predictions.classes().size();
  double sum = 0;
  std::vector<double> eta(k), theta(experts * k);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto truth = options.true_probabilities->probabilities(i);
    std::copy(truth.begin(), truth.end(), eta.begin());
    std::copy_n(options.accuracies.begin() + static_cast<std::ptrdiff_t>(i * experts * k),
                experts * k, theta.begin());
    const Action action = table.margin[i] >= 0 ? Action(table.expert[i])
                                               : Action(top_class(predictions.probabilities(i)));
    sum += regret({eta, theta}, action);
  }
  return sum / static_cast<double>(table.size());
}

PrecisionChange change(const MarginTable& before, const MarginTable& after) {
  PrecisionChange found;
  for (std::size_t i = 0; i < before.size(); ++i) {
    found.cases += before.expert[i] != after.expert[i] ? 1 : 0;
    if (before.expert[i] == kNobody) continue;
    found.margin = std::max(found.margin, std::abs(before.margin[i] - after.margin[i]));
  }
  return found;
}

void check_fit(const ComparedPolicy& policy, const Predictions& cases, const AnswerTable& answers) {
  if (policy.rule == nullptr || policy.rule->experts() != answers.experts()) {
    throw bad_input(fmt::format(
        "policy '{}' decides among {} experts; expected the {} of the answers", policy.name,
        policy.rule == nullptr ? 0 : policy.rule->experts(), answers.experts()));
  }
  if (policy.cases && (policy.cases->size() != cases.size() || !policy.cases->has_labels() ||
                       !(policy.cases->classes() == cases.classes()))) {
    throw bad_input(
        fmt::format("policy '{}' reads other cases or classes; expected those to be "
                    "scored, with their labels",
                    policy.name));
  }
}

void check_fit(const Predictions& cases, const AnswerTable& answers, const Availability& on_duty,
               const EvaluationOptions& options) {
  const std::size_t cells = cases.size() * answers.experts() * cases.classes().size();
  if (answers.cases() != cases.size()) {
    throw bad_input(fmt::format("answers on {} cases; expected a row for each of the {}",
                                answers.cases(), cases.size()));
  }
  if (on_duty.experts() != answers.experts()) {
    throw bad_input(fmt::format("{} experts on duty or off; expected the {} of the answers",
                                on_duty.experts(), answers.experts()));
  }
  if (!options.accuracies.empty() && options.accuracies.size() != cells) {
    throw bad_input(fmt::format("{} true accuracies; expected {} x {} x {}",
                                options.accuracies.size(), cases.size(), answers.experts(),
                                cases.classes().size()));
  }
  if (options.threshold && std::isnan(*options.threshold)) {
    throw bad_input("the threshold is NaN; expected a number");
  }
  if (!options.groups.empty() && options.groups.size() != cases.size()) {
    throw bad_input(
        fmt::format("{} cases have a group; expected all {}", options.groups.size(), cases.size()));
  }
  if (!options.groups.empty() && std::all_of(options.groups.begin(), options.groups.end(),
                                             [](std::uint32_t group) { return group == 0; })) {
    throw bad_input("all cases are in one group; expected at least two for intervals over groups");
  }
  if (!options.profiles.empty() && options.profiles.size() != answers.experts()) {
    throw bad_input(fmt::format("{} profiles; expected those of the {} experts",
                                options.profiles.size(), answers.experts()));
  }
  if (!options.true_probabilities) return;
  if (options.costs) {
    throw Error(ErrorKind::kConflict,
                "the regret is about right and wrong; expected true probabilities or costs, not "
                "both");
  }
  if (options.accuracies.empty()) {
    throw Error(ErrorKind::kUsage, "true probabilities go with true accuracies; give both");
  }
  if (options.true_probabilities->size() != cases.size() ||
      !(options.true_probabilities->classes() == cases.classes())) {
    throw bad_input("true probabilities of other cases or classes; expected those to be scored");
  }
}

std::vector<double> accuracies_of(const AnswerTable& answers, const Predictions& cases) {
  std::vector<double> accuracies;
  for (std::size_t j = 0; j < answers.experts(); ++j) {
    std::size_t given = 0, right = 0;
    for (std::size_t i = 0; i < answers.cases(); ++i) {
      const Answer answer = answers.at(case_id(i), expert_id(j));
      given += answer.is_missing() ? 0 : 1;
      right += answer.is(cases.label(i)) ? 1 : 0;
    }
    accuracies.push_back(given == 0 ? NAN
                                    : static_cast<double>(right) / static_cast<double>(given));
  }
  return accuracies;
}

std::size_t count_outside(const AnswerTable& answers) {
  std::size_t outside = 0;
  for (std::size_t i = 0; i < answers.cases(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      outside += answers.at(case_id(i), expert_id(j)).is_outside() ? 1 : 0;
    }
  }
  return outside;
}

// Everything about one policy that needs no other.
// `capped` is the table as budgets are taken from it.
PolicyEvaluation measure(const ComparedPolicy& policy, const Replay& replayed,
                         const MarginTable& capped, std::size_t experts,
                         const EvaluationOptions& options) {
  const MarginTable& table = replayed.margins;
  const BudgetCurve curve = replayed.curve();
  const BudgetCurve capped_curve(capped.margin, replayed.outcomes);
  const bool combined = policy.answer == AnswerUse::kCombined;
  const double zero = combined && policy.expects_gains ? kNeverDefer : 0;
  PolicyEvaluation measured{policy.name,
                            curve,
                            curve.aursac(options.d_min, options.d_max),
                            curve.aurdac(options.d_min, options.d_max),
                            {},
                            {},
                            std::vector<double>(experts, 0.0),
                            operating_point(capped, replayed.outcomes, zero, experts),
                            {}};
  for (const ExpertId expert : table.expert) {
    if (expert != kNobody) measured.share[index(expert)] += 1 / static_cast<double>(table.size());
  }
  measured.expects_gains = policy.expects_gains;
  measured.is_reference = policy.is_reference;
  measured.answer = policy.answer;
  measured.zero_threshold = zero;
  const double least =
      options.least_margin.value_or(policy.expects_gains && !combined ? 0 : kNeverDefer);
  if (least != kNeverDefer) measured.least_margin = least;
  for (const double budget : options.budgets) {
    const double threshold = std::max(threshold_for_budget(capped.margin, budget), least);
    measured.at_budgets.push_back({budget, threshold,
                                   operating_point(capped, replayed.outcomes, threshold, experts),
                                   capped_curve.system_accuracy(budget, least)});
  }
  if (options.threshold) {
    measured.at_threshold = {*options.threshold, operating_point(capped, replayed.outcomes,
                                                                 *options.threshold, experts)};
  }
  return measured;
}

// Threshold 0, the asked budgets as they are capped, the asked threshold, then evenly spaced
// budgets that are filled.
constexpr std::size_t kFilledBudgets = 50;

// `fixed` are the operating points within capacities, where there are any.
PolicyResult result_of(const Replay& replayed, const MarginTable& capped,
                       const PolicyEvaluation& measured, std::vector<std::vector<Credit>> fixed) {
  PolicyResult result{replayed.margins.margin, replayed.outcomes, {}, std::move(fixed)};
  const bool combined = measured.answer == AnswerUse::kCombined;
  std::vector<CappedBudget>& asked = combined ? result.capped_budgets : result.budgets;
  if (combined) result.capped_margins = capped.margin;
  if (result.fixed.empty()) {
    asked.push_back({1, measured.zero_threshold});
    for (const BudgetPoint& point : measured.at_budgets) {
      asked.push_back({point.budget, measured.least_margin.value_or(kNeverDefer)});
    }
    if (measured.at_threshold) asked.push_back({1, measured.at_threshold->threshold});
  }
  for (std::size_t i = 1; i <= kFilledBudgets; ++i) {
    result.budgets.push_back({static_cast<double>(i) / static_cast<double>(kFilledBudgets)});
  }
  return result;
}

void take_estimates(PolicyEvaluation& measured, CurveEstimates estimates) {
  auto next = estimates.at_budgets.begin();
  measured.zero_estimate = *next++;
  for (BudgetPoint& point : measured.at_budgets) point.estimate = *next++;
  if (measured.at_threshold) measured.at_threshold->estimate = *next++;
  for (std::size_t i = 1; i <= kFilledBudgets; ++i) {
    measured.filled.push_back(
        {static_cast<double>(i) / static_cast<double>(kFilledBudgets), (next++)->gain});
  }
  measured.intervals = std::move(estimates);
}

double mean_confidence(const Predictions& cases) {
  double sum = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto p = cases.probabilities(i);
    sum += *std::max_element(p.begin(), p.end());
  }
  return sum / static_cast<double>(cases.size());
}

double answers_per_class(std::span<const ExpertProfile> profiles) {
  double sum = 0;
  for (const ExpertProfile& profile : profiles) {
    sum += static_cast<double>(profile.answers()) / static_cast<double>(profile.classes());
  }
  return sum / static_cast<double>(profiles.size());
}

// What does not depend on a policy.
Evaluation overview(const Predictions& cases, const AnswerTable& answers,
                    const Availability& on_duty, const EvaluationOptions& options) {
  const std::size_t groups = dense_groups(options.groups).count;
  Evaluation result{cases.size(),
                    accuracy(cases),
                    answers.expert_names(),
                    accuracies_of(answers, cases),
                    count_outside(answers),
                    calibration_quality(cases),
                    mean_confidence(cases),
                    groups,
                    answers_per_class(options.profiles),
                    {}};
  Coverage reached = coverage(answers, on_duty);
  result.reachable_cases = reached.reachable_cases;
  result.expert_coverage = std::move(reached.of_experts);
  if (options.capacities) {
    result.total_capacity =
        total_capacity(*options.capacities, answers.expert_names(), on_duty, cases.size());
  }
  return result;
}

// The policy's operating points become those within the capacities, if there are any.
std::vector<std::vector<Credit>> keep_within_capacities(
    PolicyEvaluation& measured, const ComparedPolicy& policy, const Predictions& cases,
    const AnswerTable& answers, Availability on_duty, const AnswerWorth& worth,
    const EvaluationOptions& options) {
  if (!options.capacities) return {};
  options.work.tell(fmt::format("assigning within capacities, by {}", policy.name));
  on_duty.require_answers(answers);
  const bool in_bf16 = policy.in_bf16 && policy.decide_in_bf16;
  const bool combined = policy.answer == AnswerUse::kCombined;
  const AskingGain gain(options.profiles, worth.deciding_costs(), answers.expert_names());
  const WithinCapacities assignment(in_bf16 ? *policy.in_bf16 : *policy.rule, cases,
                                    answers.expert_names(), on_duty, *options.capacities,
                                    options.seed, options.work, combined ? &gain : nullptr);
  return assign_operating_points(measured, assignment, cases, answers, worth,
                                 combined ? options.profiles : std::span<const ExpertProfile>());
}

AnswerWorth worth_under(const ComparedPolicy& policy, const AnswerTable& answers,
                        const EvaluationOptions& options) {
  return {options.costs, answers.expert_names(),
          policy.is_blind_to_costs ? ModelAnswers::kMostProbable : ModelAnswers::kByCosts};
}

// What comes of the cases of each class where everything is deferred that reaches the threshold.
std::vector<TruthOutcome> outcomes_by_truth(const Replay& replayed, const MarginTable& capped,
                                            double threshold, const Predictions& cases,
                                            const AnswerWorth& worth) {
  std::vector<TruthOutcome> of(cases.classes().size());
  std::vector<double> wrong(of.size(), 0.0);  // labels that share an answer are wrong in part
  const std::vector<ClassId> labels = worth.model_labels(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ClassId truth = cases.label(i);
    TruthOutcome& outcome = of[index(truth)];
    const bool deferred = capped.expert[i] != kNobody && capped.margin[i] != kNeverDefer &&
                          capped.margin[i] >= threshold;
    ++outcome.cases;
    outcome.deferred += deferred ? 1 : 0;
    wrong[index(truth)] += 1 - (deferred ? replayed.expert_right[i] : labels[i] == truth ? 1. : 0.);
    outcome.cost += deferred ? replayed.expert_cost[i] : worth.model_cost(labels[i], truth);
  }
  for (std::size_t y = 0; y < of.size(); ++y) {
    of[y].wrong = static_cast<std::size_t>(std::lround(wrong[y]));
  }
  return of;
}

// The margins as budgets are taken from them: where answers are combined, without the cases on
// which asking is pointless.
MarginTable capped_margins(const AskingGain* gain, MarginTable table, const Predictions& cases) {
  if (gain != nullptr) gain->drop_pointless(cases, table);
  return table;
}

// What came of a policy, and what bf16 would change.
struct Scored {
  Replay replayed;
  std::optional<PrecisionChange> in_bf16;
};

Scored scored(const ComparedPolicy& policy, const Predictions& cases, const AnswerTable& answers,
              const Availability& on_duty, const AnswerWorth& worth,
              const EvaluationOptions& options) {
  const ScoringOptions scoring{options.seed, options.threads, {options.work.cancellation, {}}};
  Scored found{replay(*policy.rule, cases, answers, on_duty, scoring, worth), {}};
  if (policy.in_bf16) {
    Replay rounded = replay(*policy.in_bf16, cases, answers, on_duty, scoring, worth);
    found.in_bf16 = change(found.replayed.margins, rounded.margins);
    if (policy.decide_in_bf16) found.replayed = std::move(rounded);
  }
  if (policy.answer == AnswerUse::kCombined) {
    combine_answers(found.replayed, cases, answers, options.profiles, worth);
  }
  return found;
}

}  // namespace

Evaluation evaluate(std::span<const ComparedPolicy> policies, const Predictions& cases,
                    const AnswerTable& answers, const Availability& on_duty,
                    const EvaluationOptions& options) {
  check_fit(cases, answers, on_duty, options);
  if (!cases.has_labels()) throw bad_input("the cases have no labels; expected the truth of each");
  for (const ComparedPolicy& policy : policies) check_fit(policy, cases, answers);
  if (options.profiles.empty() && std::any_of(policies.begin(), policies.end(), [](const auto& p) {
        return p.answer == AnswerUse::kCombined;
      })) {
    throw bad_input("combined answers without profiles; expected those of the experts");
  }
  Evaluation result = overview(cases, answers, on_duty, options);
  if (options.costs) result.cost_unit = CostUnit(options.costs->costs());
  const Key key = Key(options.seed).with("bootstrap");
  const BootstrapOptions resampling{options.bootstrap, .95,
                                    options.d_min,     options.d_max,
                                    options.groups,    options.work.cancellation};
  std::vector<Replay> replays;
  replays.reserve(policies.size());  // the first result points into the first of them
  std::vector<MarginTable> capped;
  capped.reserve(policies.size());
  std::optional<PolicyResult> first;
  for (const ComparedPolicy& policy : policies) {
    options.work.tell(fmt::format("scoring with {}", policy.name));
    const Predictions& read = policy.cases ? *policy.cases : cases;
    const AnswerWorth worth = worth_under(policy, answers, options);
    Scored found = scored(policy, read, answers, on_duty, worth, options);
    replays.push_back(std::move(found.replayed));
    const Replay& replayed = replays.back();
    std::optional<AskingGain> gain;
    if (policy.answer == AnswerUse::kCombined) {
      gain.emplace(options.profiles, worth.deciding_costs(), answers.expert_names());
    }
    capped.push_back(capped_margins(gain ? &*gain : nullptr, replayed.margins, read));
    PolicyEvaluation measured =
        measure(policy, replayed, capped.back(), answers.experts(), options);
    measured.bf16 = found.in_bf16;
    measured.calibration = policy.calibration;
    std::vector<std::vector<Credit>> fixed =
        keep_within_capacities(measured, policy, read, answers, on_duty, worth, options);
    if (options.costs && !options.capacities) {
      measured.by_truth =
          outcomes_by_truth(replayed, capped.back(), measured.zero_threshold, read, worth);
    }
    if (options.bootstrap > 0) {
      options.work.tell(fmt::format("bootstrap of {}", policy.name));
      PolicyResult own = result_of(replayed, capped.back(), measured, std::move(fixed));
      take_estimates(measured, bootstrap(own, key, resampling));
      if (first) {
        measured.difference = bootstrap_difference(own, *first, key, resampling);
      } else {
        first = std::move(own);
      }
    }
    measured.reachable = reachable_areas(replayed, key, resampling);
    if (!options.profiles.empty()) {
      measured.promise = measured_promise(replayed, read, options.profiles, options.groups,
                                          gain ? &*gain : nullptr);
    }
    if (options.true_probabilities && policy.answer == AnswerUse::kFinal) {
      measured.regret = mean_regret_at_zero(replayed.margins, read, options, answers.experts());
    }
    result.policies.push_back(std::move(measured));
  }
  return result;
}

std::optional<std::string> missing_answers(const AnswerTable& answers,
                                           const Availability& on_duty) {
  std::size_t missing = 0;
  std::vector<std::string> who;
  for (std::size_t j = 0; j < answers.experts(); ++j) {
    std::size_t here = 0;
    for (std::size_t i = 0; i < answers.cases(); ++i) {
      here += on_duty.may_take(case_id(i), expert_id(j)) &&
                      answers.at(case_id(i), expert_id(j)).is_missing()
                  ? 1
                  : 0;
    }
    missing += here;
    if (here > 0) who.push_back(fmt::format("{}: {}", answers.expert_names()[j], here));
  }
  if (missing == 0) return {};
  constexpr std::size_t kShown = 8;
  const std::size_t more = who.size() > kShown ? who.size() - kShown : 0;
  who.resize(who.size() - more);
  return fmt::format(
      "{} missing ({}{})", missing == 1 ? "1 answer is" : fmt::format("{} answers are", missing),
      fmt::join(who, ", "), more > 0 ? fmt::format(" and {} more experts", more) : "");
}

AnswerTable columns_of(const AnswerTable& answers, std::span<const std::string> experts) {
  std::unordered_map<std::string_view, ExpertId> column_of;
  for (std::size_t j = 0; j < answers.experts(); ++j) {
    column_of.emplace(answers.expert_names()[j], expert_id(j));
  }
  AnswerTable ordered({experts.begin(), experts.end()}, answers.cases());
  for (std::size_t j = 0; j < experts.size(); ++j) {
    const auto column = column_of.find(experts[j]);
    if (column == column_of.end()) continue;
    for (std::size_t i = 0; i < answers.cases(); ++i) {
      ordered.set(case_id(i), expert_id(j), answers.at(case_id(i), column->second));
    }
  }
  return ordered;
}

}  // namespace ifd
