#include "experiments/claims/recommendation.h"

#include <algorithm>
#include <array>

#include "experiments/claims/named_cells.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

constexpr double kWorthwhile = 0.001;
constexpr double kEnough = 0.005;
const std::array<MethodName, 4> kCandidates = {kPlugIn, kIfdPeak, kIfdExpected, kIfdResidual};

enum class Where { kSimulated, kPeople, kBoth };

// The cells of plug-in that count, with the method put in.
std::vector<Cell> cells_of(const Summary& summary, Where where, const MethodName& method,
                           const std::optional<GroupName>& group = {}) {
  std::vector<Cell> cells;
  const auto unseen_people = experiments::unseen_people(summary);
  const auto add = [&](const ExperimentName& experiment,
                       const std::optional<ExpertsName>& experts) {
    for (Cell cell : summary.cells({.experiment = experiment,
                     .experts = experts,
                     .group = group,
                     .method = kPlugIn,
                     .scale = kProbability,
                     .measure = kAursac})) {
      const bool raw = cell.setting.empty() || is_reported_noise(cell.setting);
      const bool met = experiment == kTable1 ? cell.group == kSeen
                                             : std::ranges::count(unseen_people, cell.group) == 0;
      if (met || !raw) continue;
      cell.method = method;
      cells.push_back(std::move(cell));
    }
  };
  if (where != Where::kPeople) add(kTable1, {});
  if (where != Where::kSimulated) add(kImageNet16H, kTwoPeople);
  return cells;
}

// Only where every cell was measured: means over different cells do not compare.
std::optional<double> mean_over(const Summary& summary, const std::vector<Cell>& cells) {
  std::vector<double> means;
  for (const Cell& cell : cells) {
    const auto mean = summary.mean(cell);
    if (!mean) return std::nullopt;
    means.push_back(mean->value);
  }
  const auto mean = mean_of(means);
  return mean ? std::optional(mean->value) : std::nullopt;
}

std::optional<PairedDifference> between(const Summary& summary, Where where,
                                        const MethodName& upper, const MethodName& lower) {
  std::vector<CellPair> pairs;
  for (const Cell& cell : cells_of(summary, where, upper)) {
    Cell other = cell;
    other.method = lower;
    pairs.push_back({cell, other});
  }
  return summary.mean_difference(pairs);
}

// One cohort has no interval and so proves nothing.
bool is_worthwhile(const std::optional<PairedDifference>& ahead) {
  return ahead && ahead->mean.value > kWorthwhile && ahead->mean.interval &&
         ahead->mean.interval->low > 0;
}

// A gain in one place does not pay for a loss in
// another: nobody knows beforehand in which they are.
bool earns_its_place(const Summary& summary, const MethodName& candidate,
                     const MethodName& present) {
  if (!is_worthwhile(between(summary, Where::kBoth, candidate, present))) return false;
  return std::ranges::none_of(std::array{Where::kSimulated, Where::kPeople}, [&](Where where) {
    const auto there = between(summary, where, candidate, present);
    return there && there->mean.value < -kWorthwhile;
  });
}

// Mean over ID and OOD at each context size; a trained policy with the paper's largest training
// subset.
void find_enough_answers(const Summary& summary, Recommendation& result) {
  for (const MethodName& method : {result.policy, kPlugIn}) {
    CellFilter filter{.experiment = kContextScaling, .method = method, .measure = kAursac};
    const auto settings = summary.distinct(filter, &Cell::setting);
    if (settings.empty()) continue;
    filter.setting = settings.back();
    std::map<double, std::vector<double>> at;
    for (const Cell& cell : summary.cells(filter)) at[cell.x].push_back(summary.mean(cell)->value);
    const double most = mean_of(at.rbegin()->second)->value;
    for (auto size = at.rbegin(); size != at.rend(); ++size) {
      if (mean_of(size->second)->value < most - kEnough) break;
      result.enough_answers = size->first;
    }
    result.enough_answers_of = method;
    filter.x = at.rbegin()->first;
    std::vector<CellPair> pairs;
    for (const Cell& largest : summary.cells(filter)) {
      result.enough_answers_on = largest.data;
      pairs.push_back({largest, largest});
      pairs.back().upper.x = *result.enough_answers;
    }
    result.enough_minus_most = summary.mean_difference(pairs);
    return;
  }
}

Standing standing_of(const Summary& summary, const MethodName& candidate) {
  const auto mean = [&](Where where, const GroupName& group) {
    return mean_over(summary, cells_of(summary, where, candidate, group));
  };
  Standing standing;
  standing.method = candidate;
  standing.simulated_id = mean(Where::kSimulated, kId);
  standing.simulated_ood = mean(Where::kSimulated, kOod);
  standing.people_id = mean(Where::kPeople, kId);
  standing.people_ood = mean(Where::kPeople, kOod);
  if (candidate != kPlugIn) {
    standing.against_plug_in = between(summary, Where::kBoth, candidate, kPlugIn);
  }
  return standing;
}

// Policy, best trained policy, and where every candidate stands.
void compare_candidates(const Summary& summary, Recommendation& result) {
  result.policy = kPlugIn;
  for (const MethodName& candidate : kCandidates) {
    Standing standing = standing_of(summary, candidate);
    if (candidate != kPlugIn) {
      if (!standing.against_plug_in) continue;
      if (earns_its_place(summary, candidate, result.policy)) result.policy = candidate;
      const bool best_yet = result.best_trained.empty() ||
                            standing.against_plug_in->mean.value >
                                result.of(result.best_trained).against_plug_in->mean.value;
      if (!training_of(candidate).empty() && best_yet) result.best_trained = candidate;
    }
    result.standings.push_back(std::move(standing));
  }
}

CalibrationAdvice advice_on(std::vector<CalibrationGain> gains) {
  const auto best = [&](std::optional<PairedDifference> CalibrationGain::*part) {
    std::optional<std::size_t> at;
    for (std::size_t i = 0; i < gains.size(); ++i) {
      const auto& gain = gains[i].*part;
      if (is_worthwhile(gain) && (!at || gain->mean.value > (gains[*at].*part)->mean.value)) at = i;
    }
    return at;
  };
  const auto for_deferral = best(&CalibrationGain::of_deferral);
  const auto for_accuracy = best(&CalibrationGain::whole);
  return {std::move(gains), for_deferral, for_accuracy};
}

void choose_scale(const Summary& summary, Recommendation& result) {
  std::vector<CellPair> scales;
  for (const Cell& cell : cells_of(summary, Where::kBoth, result.policy)) {
    Cell logit = cell;
    logit.scale = kLogit;
    scales.push_back({cell, logit});
  }
  const auto ahead = summary.mean_difference(scales);
  const bool logit = ahead && ahead->mean.interval && ahead->mean.interval->high < 0;
  result.probability_minus_logit = ahead;
  result.scale = logit ? kLogit : kProbability;
}

}  // namespace

const Standing& Recommendation::of(const MethodName& method) const {
  return *std::ranges::find(standings, method, &Standing::method);
}

Recommendation recommend(const Summary& summary) {
  Recommendation result;
  result.at_home = advice_on(gains_at_home(summary));
  result.under_shift = advice_on(gains_under_shift(summary));
  if (cells_of(summary, Where::kBoth, kPlugIn).empty()) return result;
  compare_candidates(summary, result);
  if (result.policy != kIfdPeak) {
    result.against_peak = between(summary, Where::kBoth, result.policy, kIfdPeak);
  }
  choose_scale(summary, result);
  find_enough_answers(summary, result);
  return result;
}

std::string training_of(const MethodName& policy) {
  if (policy == kIfdPeak) return "state paper, objective peak, plain head";
  if (policy == kIfdExpected) return "state paper, objective expected, plain head";
  if (policy == kIfdResidual) return "state extended, objective expected, residual head";
  return "";
}

}  // namespace ifd::experiments
