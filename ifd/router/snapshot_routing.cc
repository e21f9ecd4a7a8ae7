#include "ifd/router/snapshot_routing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ifd/certificate/budget_confidence.h"
#include "ifd/certificate/exchangeability_watch.h"
#include "ifd/policy/assignment.h"
#include "ifd/random/keyed_random.h"
#include "ifd/router/expected_classes.h"

namespace ifd {

std::optional<AskingGain> asking_gain(const RosterSnapshot& roster, AnswerUse answer,
                                      const ExpectedCosts* costs) {
  if (answer == AnswerUse::kFinal) return {};
  std::vector<std::span<const double>> means;
  for (const PagePointer& page : roster.pages) {
    for (const ExpertProfile& profile : page->roster().profiles) means.push_back(profile.means());
  }
  return AskingGain(std::move(means), costs, *roster.names);
}

MarginTable best_margins(const RosterSnapshot& roster, const Predictions& cases, AnswerUse answer,
                         const ExpectedCosts* costs, ScoringOptions scoring) {
  const auto gain = asking_gain(roster, answer, costs);
  scoring.gain = gain ? &*gain : nullptr;
  return winning_margins(*roster.policy, cases, *roster.names, roster.on_duty, scoring);
}

namespace {

// What to expect of a stream whose rate stays within the budget with a confidence of its own.
CalibratedThreshold confident(const CalibratedBudget& budget, std::span<const double> past,
                              double least_margin) {
  const ConfidentThreshold found =
      confident_threshold(past, budget.share, *budget.budget_confidence, budget.batch);
  const double threshold = std::max(found.threshold, least_margin);
  const auto deferred = static_cast<std::size_t>(
      std::ranges::count_if(past, [&](double margin) { return margin >= threshold; }));
  return {threshold,
          past.size(),
          deferred,
          static_cast<double>(deferred) / static_cast<double>(past.size()),
          0,
          budget.share,
          *budget.budget_confidence};
}

// Compares the cases in their order with the past ones.
StreamWatch watched(std::span<const double> past, const Predictions& cases,
                    std::span<const double> margins, double false_alarms, std::uint64_t seed) {
  ExchangeabilityWatch watch(past, false_alarms);
  const Key key = Key(seed).with("exchangeability");
  for (std::size_t row = 0; row < margins.size(); ++row) {
    if (watch.add(margins[row], key.with(cases.case_name(row)).uniform())) break;
  }
  return {watch.alarm(), false_alarms};
}

// Routes under one snapshot.
class Routing {
 public:
  Routing(const RosterSnapshot& roster, const RoutingTerms& terms, const LongWork& work)
      : roster_(roster),
        terms_(terms),
        answer_(terms.options.answer),
        scoring_{terms.options.seed, terms.options.threads, {work.cancellation, {}}},
        work_(work) {}

  Routes operator()(const Predictions& cases, const DeferralRule& rule) {
    check_classes(terms_.classes, cases, "the cases");
    cases_ = roster_.as_read(cases);
    return std::visit([&](const auto& kind) { return route(kind); }, rule);
  }

 private:
  // A threshold, or a share of the cases and the margin that they must have at least.
  struct Limit {
    std::optional<double> threshold;
    double share = 1;
    double least_margin = kFillBudget;
  };

  double least_margin(const LeastMargin& asked) {
    const bool by_margin =
        terms_.meaning == MarginMeaning::kExpectedGain && answer_ == AnswerUse::kFinal;
    const double least = asked.value_or(by_margin ? 0 : kFillBudget);
    if (std::isnan(least)) throw bad_input("the least margin is NaN; expected a number");
    if (least != kFillBudget) least_margin_ = least;
    return least;
  }

  MarginTable margins(const Predictions& cases) const {
    return best_margins(roster_, cases, answer_, terms_.costs, scoring_);
  }

  Limit limit(const Budget& budget) {
    return {{}, budget.share, least_margin(budget.least_margin)};
  }
  Limit limit(const Threshold& threshold) {
    if (std::isnan(threshold.margin)) throw bad_input("the threshold is NaN; expected a number");
    return {threshold.margin};
  }
  Limit limit(const CalibratedBudget& budget) {
    check_classes(terms_.classes, budget.past_cases, "the past cases");
    past_ = margins(roster_.as_read(budget.past_cases)).margin;
    const double least = least_margin(budget.least_margin);
    calibrated_ = budget.budget_confidence
                      ? confident(budget, past_, least)
                      : calibrate_threshold(past_, budget.share, budget.confidence, least);
    false_alarms_ = budget.false_alarms;
    return {calibrated_->threshold};
  }
  Limit limit(const Certified& certified) { return {certified.certificate.threshold}; }

  template <class Rule>
  Routes route(const Rule& rule) {
    const Limit limited = limit(rule);
    const MarginTable table = margins(*cases_);
    const double threshold =
        limited.threshold
            ? *limited.threshold
            : std::max(threshold_for_budget(table.margin, limited.share), limited.least_margin);
    if (!past_.empty()) {
      watch_ = watched(past_, *cases_, table.margin, false_alarms_, scoring_.seed);
    }
    return finish(route_by_threshold(table, threshold), threshold);
  }

  Routes route(const Capacities& capacities) {
    const Limit limited =
        std::visit([&](const auto& kind) { return limit(kind); }, capacities.within);
    const DeferralLimit most{budget_cases(limited.share, cases_->size()),
                             limited.threshold.value_or(limited.least_margin)};
    const auto gain = asking_gain(roster_, answer_, terms_.costs);
    const WithinCapacities assignment(*roster_.policy, *cases_, *roster_.names, roster_.on_duty,
                                      capacities.most_cases, scoring_.seed, work_,
                                      gain ? &*gain : nullptr);
    return finish(assignment.routes(most), limited.threshold);
  }

  Routes finish(std::vector<Route> routes, std::optional<double> threshold) const {
    return {std::move(routes),
            answers_of_model(*cases_, terms_.costs),
            roster_.names,
            threshold,
            least_margin_,
            calibrated_,
            watch_};
  }

  const RosterSnapshot& roster_;
  const RoutingTerms terms_;
  AnswerUse answer_;
  ScoringOptions scoring_;
  const LongWork& work_;
  std::optional<Predictions> cases_;  // as the policy reads them
  std::optional<double> least_margin_;
  std::optional<CalibratedThreshold> calibrated_;
  std::vector<double> past_;  // margins that the threshold was calibrated on
  double false_alarms_ = 0;
  std::optional<StreamWatch> watch_;
};

}  // namespace

Routes route_under(const RosterSnapshot& roster, const RoutingTerms& terms,
                   const Predictions& cases, const DeferralRule& rule, const LongWork& work) {
  return Routing(roster, terms, work)(cases, rule);
}

}  // namespace ifd
