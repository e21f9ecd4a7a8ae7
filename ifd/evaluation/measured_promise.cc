#include "ifd/evaluation/measured_promise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "ifd/evaluation/replay.h"
#include "ifd/policy/asking_gain.h"
#include "ifd/role/expected_accuracy.h"

namespace ifd {
namespace {

constexpr std::size_t kBins = 10;

// The standard error of a mean of terms that are alike within their groups: the terms of a group
// enter as one.
double standard_error(const std::map<std::size_t, double>& deviation_of_group, std::size_t terms) {
  const auto groups = static_cast<double>(deviation_of_group.size());
  if (groups < 2) return INFINITY;
  double sum = 0;
  for (const auto& [group, deviation] : deviation_of_group) sum += deviation * deviation;
  return std::sqrt(sum * groups / (groups - 1)) / static_cast<double>(terms);
}

}  // namespace

std::optional<Promise> measured_promise(const Replay& replayed, const Predictions& cases,
                                        std::span<const ExpertProfile> profiles,
                                        std::span<const std::uint32_t> groups,
                                        const AskingGain* combined) {
  struct Deferred {
    std::size_t group;
    double promised;
    double right;
  };
  std::vector<Deferred> deferred;
  SavingScratch scratch;
  for (std::size_t i = 0; i < replayed.margins.size(); ++i) {
    const ExpertId expert = replayed.margins.expert[i];
    if (expert == kNobody) continue;
    const auto probabilities = cases.probabilities(i);
    const bool asked = combined != nullptr ? combined->value(probabilities, expert, scratch) > 0
                                           : replayed.margins.margin[i] >= 0;
    if (!asked) continue;
    const double promised = combined != nullptr
                                ? combined->chance_of_right_label(probabilities, expert, scratch)
                                : expected_value(probabilities, profiles[index(expert)].means());
    deferred.push_back({groups.empty() ? i : groups[i], promised, replayed.expert_right[i]});
  }
  if (deferred.empty()) return {};

  const auto n = static_cast<double>(deferred.size());
  Promise told{deferred.size(), 0, 0, {0, 0}, {}};
  std::array<Promise::Bin, kBins> bins{};
  for (const Deferred& one : deferred) {
    told.promised += one.promised / n;
    told.realised += one.right / n;
    const auto bin = std::min(static_cast<std::size_t>(one.promised * kBins), kBins - 1);
    bins[bin].promised += one.promised;
    bins[bin].realised += one.right;
    ++bins[bin].cases;
  }
  for (Promise::Bin& bin : bins) {
    if (bin.cases == 0) continue;
    bin.promised /= static_cast<double>(bin.cases);
    bin.realised /= static_cast<double>(bin.cases);
    told.bins.push_back(bin);
  }
  const double shortfall = told.promised - told.realised;
  std::map<std::size_t, double> deviation_of_group;
  for (const Deferred& one : deferred) {
    deviation_of_group[one.group] += one.promised - one.right - shortfall;
  }
  const double reach = kTwoSided95 * standard_error(deviation_of_group, deferred.size());
  told.shortfall = {shortfall - reach, shortfall + reach};
  return told;
}

}  // namespace ifd
