#include "ifd/evaluation/promise.h"

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
constexpr double kTwoSided95 = 1.959963984540054;

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

std::optional<Promise> promise(const Replay& replayed, const Predictions& cases,
                               std::span<const ExpertProfile> profiles,
                               std::span<const std::uint32_t> groups, const AskingGain* combined) {
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

std::vector<Promise::Bin> joined_bins(std::span<const Promise::Bin> bins, std::size_t least) {
  std::vector<Promise::Bin> joined;
  const auto join = [](Promise::Bin& to, const Promise::Bin& bin) {
    const auto a = static_cast<double>(to.cases), b = static_cast<double>(bin.cases);
    to.promised = (a * to.promised + b * bin.promised) / (a + b);
    to.realised = (a * to.realised + b * bin.realised) / (a + b);
    to.cases += bin.cases;
  };
  for (const Promise::Bin& bin : bins) {
    if (joined.empty() || joined.back().cases >= least) {
      joined.push_back(bin);
    } else {
      join(joined.back(), bin);
    }
  }
  if (joined.size() > 1 && joined.back().cases < least) {
    join(joined[joined.size() - 2], joined.back());
    joined.pop_back();
  }
  return joined;
}

Interval realised_interval(const Promise::Bin& bin) {
  const auto n = static_cast<double>(bin.cases);
  const double p = bin.realised;
  const double z2 = kTwoSided95 * kTwoSided95;
  const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double reach = kTwoSided95 * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  return {std::clamp(centre - reach, 0.0, p), std::clamp(centre + reach, p, 1.0)};
}

}  // namespace ifd
