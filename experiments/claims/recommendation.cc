#include "experiments/claims/recommendation.h"

#include <algorithm>
#include <array>

namespace ifd::experiments {
namespace {

constexpr double kWorthwhile = 0.001;
constexpr double kEnough = 0.005;
constexpr std::array<const char*, 5> kCandidates = {"plug-in", "plug-in-context-calibrated",
                                                    "ifd-peak", "ifd-expected", "ifd-residual"};

enum class Where { kSimulated, kPeople, kBoth };

// The cells of plug-in that count, with the method put in.
std::vector<Cell> cells_of(const Summary& summary, Where where, const std::string& method,
                           const std::optional<std::string>& group = {}) {
  std::vector<Cell> cells;
  const auto add = [&](const char* experiment, const std::optional<std::string>& experts) {
    CellFilter filter;
    filter.experiment = experiment;
    filter.experts = experts;
    filter.method = "plug-in";
    filter.group = group;
    filter.scale = "probability";
    filter.measure = "aursac";
    for (Cell cell : summary.cells(filter)) {
      if (cell.group == "seen" || cell.setting.starts_with("low=")) continue;
      cell.method = method;
      cells.push_back(std::move(cell));
    }
  };
  if (where != Where::kPeople) add("table1", {});
  if (where != Where::kSimulated) add("imagenet16h", "2 people");
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

struct Difference {
  Cell upper, lower;
};

std::optional<PairedDifference> mean_difference(const Summary& summary,
                                                const std::vector<Difference>& pairs) {
  std::map<int, std::vector<double>> by_cohort;
  std::size_t measured = 0;
  for (const auto& [upper, lower] : pairs) {
    const auto& above = summary.values(upper);
    const auto& below = summary.values(lower);
    bool any = false;
    for (const auto& [cohort, value] : above) {
      const auto other = below.find(cohort);
      if (other == below.end()) continue;
      by_cohort[cohort].push_back(value - other->second);
      any = true;
    }
    measured += any ? 1 : 0;
  }
  std::vector<double> means;
  PairedDifference result;
  for (const auto& [cohort, differences] : by_cohort) {
    if (differences.size() != measured) continue;
    means.push_back(mean_of(differences)->value);
    result.won += means.back() > 0 ? 1 : 0;
    result.tied += means.back() == 0 ? 1 : 0;
  }
  const auto mean = mean_of(means);
  if (!mean) return std::nullopt;
  result.mean = *mean;
  return result;
}

std::optional<PairedDifference> between(const Summary& summary, Where where,
                                        const std::string& upper, const std::string& lower) {
  std::vector<Difference> pairs;
  for (const Cell& cell : cells_of(summary, where, upper)) {
    Cell other = cell;
    other.method = lower;
    pairs.push_back({cell, other});
  }
  return mean_difference(summary, pairs);
}

// One cohort has no interval and so proves nothing. A gain in one place does not pay for a loss in
// another: nobody knows beforehand in which they are.
bool earns_its_place(const Summary& summary, const std::string& candidate,
                     const std::string& present) {
  const auto ahead = between(summary, Where::kBoth, candidate, present);
  if (!ahead || ahead->mean.value <= kWorthwhile || !ahead->mean.interval ||
      ahead->mean.interval->low <= 0) {
    return false;
  }
  return std::ranges::none_of(std::array{Where::kSimulated, Where::kPeople}, [&](Where where) {
    const auto there = between(summary, where, candidate, present);
    return there && there->mean.value < -kWorthwhile;
  });
}

// Mean over ID and OOD at each context size; a trained policy with the paper's largest training
// subset.
void find_enough_answers(const Summary& summary, Recommendation& result) {
  for (const std::string& method : {result.policy, std::string("plug-in")}) {
    CellFilter filter;
    filter.experiment = "context";
    filter.method = method;
    filter.measure = "aursac";
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
    return;
  }
}

}  // namespace

const Standing& Recommendation::of(const std::string& method) const {
  return *std::ranges::find(standings, method, &Standing::method);
}

Recommendation recommend(const Summary& summary) {
  Recommendation result;
  if (cells_of(summary, Where::kBoth, "plug-in").empty()) return result;
  result.policy = "plug-in";
  for (const std::string candidate : kCandidates) {
    Standing standing;
    standing.method = candidate;
    standing.simulated_id =
        mean_over(summary, cells_of(summary, Where::kSimulated, candidate, "id"));
    standing.simulated_ood =
        mean_over(summary, cells_of(summary, Where::kSimulated, candidate, "ood"));
    standing.people_id = mean_over(summary, cells_of(summary, Where::kPeople, candidate, "id"));
    standing.people_ood = mean_over(summary, cells_of(summary, Where::kPeople, candidate, "ood"));
    if (candidate != "plug-in") {
      standing.against_plug_in = between(summary, Where::kBoth, candidate, "plug-in");
      if (!standing.against_plug_in) continue;
      if (earns_its_place(summary, candidate, result.policy)) result.policy = candidate;
      if (!training_of(candidate).empty() &&
          (result.best_trained.empty() ||
           standing.against_plug_in->mean.value >
               result.of(result.best_trained).against_plug_in->mean.value)) {
        result.best_trained = candidate;
      }
    }
    result.standings.push_back(std::move(standing));
  }
  if (result.policy != "ifd-peak") {
    result.against_peak = between(summary, Where::kBoth, result.policy, "ifd-peak");
  }
  result.calibration_simulated =
      between(summary, Where::kSimulated, "plug-in-context-calibrated", "plug-in");
  result.calibration_people =
      between(summary, Where::kPeople, "plug-in-context-calibrated", "plug-in");
  std::vector<Difference> scales;
  for (const Cell& cell : cells_of(summary, Where::kBoth, result.policy)) {
    Cell logit = cell;
    logit.scale = "logit";
    scales.push_back({cell, logit});
  }
  result.probability_minus_logit = mean_difference(summary, scales);
  const bool logit = result.probability_minus_logit &&
                     result.probability_minus_logit->mean.interval &&
                     result.probability_minus_logit->mean.interval->high < 0;
  result.scale = logit ? "logit" : "probability";
  find_enough_answers(summary, result);
  return result;
}

std::string training_of(const std::string& policy) {
  if (policy == "ifd-peak") return "state paper, objective peak, plain head";
  if (policy == "ifd-expected") return "state paper, objective expected, plain head";
  if (policy == "ifd-residual") return "state extended, objective expected, residual head";
  return "";
}

}  // namespace ifd::experiments
