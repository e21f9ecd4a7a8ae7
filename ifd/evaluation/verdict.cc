#include "ifd/evaluation/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ifd/error.h"
#include "ifd/evaluation/shown_measure.h"

namespace ifd {
namespace {

// An expected calibration error above this, and as much confidence above the accuracy, is worth a
// word.
constexpr double kNotableMiscalibration = .05;
// Promises broken by less than this are not worth a word, however sure that they are broken.
constexpr double kNotableShortfall = .02;
// With fewer answers per class the best-looking expert of many is partly the luckiest.
constexpr double kFewAnswers = 10;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// A number of percentage points with its sign; never a signed zero.
std::string points(double difference) {
  const std::string text = fmt::format("{:+.1f}", 100 * difference);
  return text == "-0.0" || text == "+0.0" ? "0.0" : text;
}

std::string range(const Interval& interval) {
  return fmt::format("{} to {}", points(interval.low), points(interval.high));
}

const PolicyEvaluation& policy_of_interest(const Evaluation& evaluation) {
  const auto usable = std::find_if(evaluation.policies.begin(), evaluation.policies.end(),
                                   [](const PolicyEvaluation& p) { return !p.is_reference; });
  return usable == evaluation.policies.end() ? evaluation.policies.front() : *usable;
}

const char* gain_word(const Evaluation& evaluation) {
  return evaluation.cost_unit ? "saving" : "gain";
}

std::string where_used(const PointOfUse& used, const Evaluation& evaluation) {
  const char* within = evaluation.total_capacity ? " within the capacities" : "";
  if (!used.budget) return fmt::format("where a {} is expected{}", gain_word(evaluation), within);
  return fmt::format("at the best of the asked budgets{}, {}", within, percent(*used.budget));
}

Verdict::Answer answer_of(const PointOfUse& used) {
  if (used.point->deferred == 0) return Verdict::Answer::kNothingDeferred;
  if (!used.estimate) return Verdict::Answer::kNotSure;
  if (used.estimate->gain.interval.low > 0) return Verdict::Answer::kHelps;
  return used.estimate->gain.interval.high < 0 ? Verdict::Answer::kHurts
                                               : Verdict::Answer::kNotSure;
}

// "Deferral helps", and what else there is to begin with.
const char* opening_of(Verdict::Answer answer, const PolicyEvaluation& policy) {
  return policy.is_reference                 ? "A bound, since this policy knows who is right"
         : answer == Verdict::Answer::kHelps ? "Deferral helps"
         : answer == Verdict::Answer::kHurts ? "Deferral hurts"
                                             : "Whether deferral helps is not sure";
}

std::string signed_amount(const CostUnit& unit, double amount) {
  return fmt::format("{}{}", amount > 0 ? "+" : "", unit.number(amount));
}

// "-0.75, 95 % interval -0.93 to -0.56", of a difference in shares; nothing after the first number
// where there is no interval.
std::string change_of_cost(const ShownMeasure& shown, double shares,
                           const std::optional<Estimate>& estimate) {
  std::string text = signed_amount(shown.unit(), shown.difference(shares));
  if (!estimate) return text;
  const Interval change = shown.difference(*estimate).interval;
  return text + fmt::format(", 95 % interval {} to {}", signed_amount(shown.unit(), change.low),
                            signed_amount(shown.unit(), change.high));
}

std::string cost_sentence(Verdict::Answer answer, const PolicyEvaluation& policy,
                          const PointOfUse& used, const Evaluation& evaluation) {
  const ShownMeasure shown(evaluation);
  const CostUnit& unit = shown.unit();
  const double alone = shown.value(model_share(evaluation, policy));
  if (answer == Verdict::Answer::kNothingDeferred) {
    return fmt::format(
        "Nobody is asked: on no case does '{}' expect asking an expert to cost less than the "
        "model's answer (whose answers cost {} per case).",
        policy.policy, unit.text(alone));
  }
  const double together = shown.value(used.accuracy);
  std::string sentence = fmt::format(
      "{}: '{}', {}, asks an expert on {} of the cases, and the cost per case goes from {} to {} "
      "({}",
      opening_of(answer, policy), policy.policy, where_used(used, evaluation),
      percent(used.point->deferral_rate), unit.text(alone), unit.text(together),
      signed_amount(unit, together - alone));
  if (!used.estimate) return sentence + "; no intervals, since there was no bootstrap).";
  const Interval change = shown.difference(used.estimate->gain).interval;
  return sentence + fmt::format(", 95 % interval {} to {}).", signed_amount(unit, change.low),
                                signed_amount(unit, change.high));
}

std::string main_sentence(Verdict::Answer answer, const PolicyEvaluation& policy,
                          const PointOfUse& used, const Evaluation& evaluation) {
  if (evaluation.cost_unit) return cost_sentence(answer, policy, used, evaluation);
  if (answer == Verdict::Answer::kNothingDeferred) {
    return fmt::format(
        "Nobody is asked: on no case does '{}' expect an expert to do better than what the model "
        "claims (on average {}; it is right on {}).",
        policy.policy, percent(evaluation.mean_confidence), percent(evaluation.model_accuracy));
  }
  std::string sentence = fmt::format(
      "{}: '{}', {}, asks an expert on {} of the cases, and accuracy goes from {} to {} ({} points",
      opening_of(answer, policy), policy.policy, where_used(used, evaluation),
      percent(used.point->deferral_rate), percent(evaluation.model_accuracy),
      percent(used.accuracy), points(used.accuracy - evaluation.model_accuracy));
  if (!used.estimate) return sentence + "; no intervals, since there was no bootstrap).";
  return sentence + fmt::format(", 95 % interval {}).", range(used.estimate->gain.interval));
}

// Up to which budget every case may be deferred with a gain that is sure.
std::string reach_sentence(const PolicyEvaluation& policy, const Evaluation& evaluation) {
  double reach = 0;
  for (const FilledBudget& filled : policy.filled) {
    if (filled.gain.interval.low > 0) reach = filled.budget;
  }
  if (policy.filled.empty()) return {};
  const bool capacities = evaluation.total_capacity.has_value();
  const char* gain = gain_word(evaluation);
  if (reach == 0) {
    return capacities
               ? fmt::format("Without capacities, at no budget is a {} sure if all of it is used.",
                             gain)
               : fmt::format("At no budget is a {} sure if all of the budget is used.", gain);
  }
  if (reach == 1) {
    return capacities
               ? fmt::format("Without capacities, the {} is sure even if every case is deferred.",
                             gain)
               : fmt::format("Even if every case is deferred, the {} is sure.", gain);
  }
  return fmt::format("{} all of a budget is used, the {} is sure up to {:.0f} %.",
                     capacities ? "Without capacities, if" : "If", gain, 100 * reach);
}

// "and are right on 93.0 % of what they get."
std::string worth_of_experts(const PointOfUse& used, const Evaluation& evaluation) {
  const double share = used.point->expert_accuracy.value_or(0);
  if (!evaluation.cost_unit) return fmt::format("are right on {} of what they get", percent(share));
  const ShownMeasure shown(evaluation);
  return fmt::format("what they get costs {} per case, fees included",
                     shown.unit().text(shown.value(share)));
}

std::string load_sentence(const PointOfUse& used, const Evaluation& evaluation) {
  const std::vector<std::string>& experts = evaluation.experts;
  constexpr std::size_t kNamed = 3;
  std::vector<std::size_t> order(experts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return used.point->load[a] > used.point->load[b];
  });
  std::vector<std::string> shares;
  const std::vector<double> share_of = shares_of_deferred(*used.point);
  for (const std::size_t j : order) {
    if (share_of[j] == 0 || shares.size() == kNamed) break;
    shares.push_back(fmt::format("{}{} {:.0f} %{}", experts[j], shares.empty() ? " takes" : "",
                                 100 * share_of[j],
                                 shares.empty() ? " of the deferred cases" : ""));
  }
  const auto asked = static_cast<std::size_t>(std::count_if(
      used.point->load.begin(), used.point->load.end(), [](double load) { return load > 0; }));
  return fmt::format("{}; {} of {} experts are asked, and {}.", fmt::join(shares, ", "), asked,
                     experts.size(), worth_of_experts(used, evaluation));
}

std::string overconfidence_warning(const Evaluation& evaluation, bool is_calibrated) {
  const double excess = evaluation.mean_confidence - evaluation.model_accuracy;
  if (evaluation.quality.expected_calibration_error < kNotableMiscalibration) return {};
  if (std::abs(excess) < kNotableMiscalibration) return {};
  // Few cases are right more or less often by chance: two standard errors of the accuracy.
  const auto cases = static_cast<double>(evaluation.cases);
  const double accuracy = (evaluation.model_accuracy * cases + 1) / (cases + 2);
  const double chance = 2 * std::sqrt(accuracy * (1 - accuracy) / cases);
  if (std::abs(excess) < chance) return {};
  return fmt::format(
      "The classifier is {}{}: it claims {} and is right on {} (expected calibration error "
      "{:.2f}), "
      "so that perhaps {}.{}",
      excess > 0 ? "overconfident" : "underconfident", is_calibrated ? " after calibration" : "",
      percent(evaluation.mean_confidence), percent(evaluation.model_accuracy),
      evaluation.quality.expected_calibration_error,
      excess > 0 ? "too few cases are deferred" : "too many cases are deferred",
      is_calibrated ? ""
                    : " Try --calibrate temperature, with --context-predictions FILE where the "
                      "context is about other cases.");
}

// The interval over groups knows only what so many of them show.
std::string few_groups_warning(const Evaluation& evaluation) {
  constexpr std::size_t kFewGroups = 10;
  if (evaluation.groups == 0 || evaluation.groups >= kFewGroups) return {};
  return fmt::format("The intervals are over {} groups alone, too few to trust their width.",
                     evaluation.groups);
}

std::string promise_warning(const PolicyEvaluation& policy, const Evaluation& evaluation) {
  if (!policy.promise) return {};
  const Promise& told = *policy.promise;
  const double shortfall = told.promised - told.realised;
  if (shortfall < kNotableShortfall || told.shortfall.low <= 0) return {};
  const std::string broken = fmt::format(
      "Experts do worse than their profiles promise: {} on the {} deferred cases, promised {} "
      "({} points, 95 % interval {}).",
      percent(told.realised), told.cases, percent(told.promised), points(-shortfall),
      range({-told.shortfall.high, -told.shortfall.low}));
  if (evaluation.answers_per_class >= kFewAnswers) {
    return broken +
           " The cases or the people are other than in the context: compare the two, or take newer "
           "answers.";
  }
  return broken + fmt::format(
                      " With {:.1f} answers per expert and class the profiles are thin, and the "
                      "best-looking of {} experts is partly the luckiest: collect more answers, or "
                      "say what is known beforehand with --prior.",
                      evaluation.answers_per_class, evaluation.experts.size());
}

std::string coverage_warning(const PolicyEvaluation& policy, const Evaluation& evaluation) {
  const std::size_t reachable = policy.curve.deferrable();
  if (reachable == evaluation.cases) return {};
  return fmt::format(
      "Somebody who could be asked answered {} of {} cases ({}); on the others the model decides "
      "at every budget, which holds the areas down{}.",
      reachable, evaluation.cases,
      percent(static_cast<double>(reachable) / static_cast<double>(evaluation.cases)),
      policy.reachable ? "; those over the answered cases alone stand beside them" : "");
}

std::string target_sentence(const PolicyEvaluation& policy, const Evaluation& evaluation,
                            double target) {
  const char* without = evaluation.total_capacity ? " (without capacities)" : "";
  const Reach reach = reach_of(policy.curve, target);
  if (reach.budget) {
    return fmt::format("{} is reached by deferring {} of the cases{}.", percent(target),
                       percent(*reach.budget), without);
  }
  return fmt::format("{} is not reached at any budget; the highest is {}, at {}{}.",
                     percent(target), percent(reach.highest), percent(reach.highest_at), without);
}

// What combining changes, beside the policy it is about.
std::string combined_sentence(const PolicyEvaluation& policy, const Evaluation& evaluation) {
  const auto beside = std::find_if(
      evaluation.policies.begin(), evaluation.policies.end(), [&](const PolicyEvaluation& other) {
        return other.answer == AnswerUse::kCombined && other.policy == policy.policy + ", combined";
      });
  if (beside == evaluation.policies.end()) return {};
  const bool is_first = &policy == &evaluation.policies.front();
  std::optional<Estimate> estimate;
  if (is_first && beside->difference) estimate = beside->difference->aursac;
  const double gained = beside->aursac - policy.aursac;
  std::string sentence =
      "Combined with the model's probabilities instead of taken as they are, the experts' answers ";
  const ShownMeasure shown(evaluation);
  if (shown.is_cost()) {
    return sentence + fmt::format("make the cost per case {} over all budgets, not {} ({}).",
                                  shown.unit().text(shown.value(beside->aursac)),
                                  shown.unit().text(shown.value(policy.aursac)),
                                  change_of_cost(shown, gained, estimate));
  }
  sentence += fmt::format("make accuracy {} over all budgets, not {} ({} points",
                          percent(beside->aursac), percent(policy.aursac), points(gained));
  if (!estimate) return sentence + ").";
  return sentence + fmt::format(", 95 % interval {}).", range(estimate->interval));
}

}  // namespace

PointOfUse point_of_use(const PolicyEvaluation& policy) {
  if (policy.expects_gains || policy.at_budgets.empty()) {
    return {{}, &policy.at_zero, policy.at_zero.system_accuracy, policy.zero_estimate};
  }
  const BudgetPoint& best = *std::max_element(
      policy.at_budgets.begin(), policy.at_budgets.end(),
      [](const BudgetPoint& a, const BudgetPoint& b) { return a.accuracy < b.accuracy; });
  return {best.budget, &best.point, best.accuracy, best.estimate};
}

std::vector<double> shares_of_deferred(const OperatingPoint& point) {
  if (point.deferred == 0) return {};
  std::vector<double> shares = point.load;
  for (double& share : shares) share /= point.deferral_rate;
  return shares;
}

Reach reach_of(const BudgetCurve& curve, double accuracy) {
  Reach reach{accuracy, {}, 0, 0};
  for (const CurvePoint& point : curve.points(curve.cases() + 1)) {
    if (!reach.budget && point.system_accuracy >= accuracy) reach.budget = point.budget;
    if (point.system_accuracy <= reach.highest) continue;
    reach.highest = point.system_accuracy;
    reach.highest_at = point.budget;
  }
  return reach;
}

std::optional<double> budget_to_reach(const BudgetCurve& curve, double accuracy) {
  return reach_of(curve, accuracy).budget;
}

Verdict verdict_on(const Evaluation& evaluation, const VerdictOptions& options) {
  if (options.target && evaluation.cost_unit) {
    throw Error(ErrorKind::kConflict,
                "a target is an accuracy, and an evaluation with costs has none; expected one of "
                "the two");
  }
  const PolicyEvaluation& policy = policy_of_interest(evaluation);
  const PointOfUse used = point_of_use(policy);
  Verdict verdict{answer_of(used), policy.policy, {}, {}, options.target};
  const auto say = [](std::vector<std::string>& to, std::string sentence) {
    if (!sentence.empty()) to.push_back(std::move(sentence));
  };
  say(verdict.sentences, main_sentence(verdict.answer, policy, used, evaluation));
  say(verdict.sentences, reach_sentence(policy, evaluation));
  if (used.point->deferred > 0) {
    say(verdict.sentences, load_sentence(used, evaluation));
  }
  say(verdict.sentences, combined_sentence(policy, evaluation));
  if (options.target) say(verdict.sentences, target_sentence(policy, evaluation, *options.target));
  say(verdict.warnings,
      overconfidence_warning(evaluation, options.is_calibrated || policy.calibration.has_value()));
  say(verdict.warnings, few_groups_warning(evaluation));
  say(verdict.warnings, promise_warning(policy, evaluation));
  say(verdict.warnings, coverage_warning(policy, evaluation));
  return verdict;
}

std::string computed_truths_warning(TruthKind kind) {
  if (!is_computed(kind)) return {};
  return fmt::format(
      "The context's truths are computed from the answers (--truth {}): profiles tell "
      "who agrees with {}, not who is right.",
      word_for(kind),
      kind == TruthKind::kDawidSkene ? "those who look reliable, if experts err independently"
                                     : "most");
}

}  // namespace ifd
