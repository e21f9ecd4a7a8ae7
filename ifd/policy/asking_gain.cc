#include "ifd/policy/asking_gain.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "ifd/decision/value_of_information.h"

namespace ifd {
namespace {

std::vector<std::span<const double>> means_of_profiles(std::span<const ExpertProfile> profiles) {
  std::vector<std::span<const double>> means;
  means.reserve(profiles.size());
  for (const ExpertProfile& profile : profiles) means.push_back(profile.means());
  return means;
}

// Some cases in a row: who would be asked on each, and whether that can change the
// label.
struct LabelBlock {
  static constexpr std::size_t kMost = 256;
  std::array<AskedExpert, kMost> asked;
  std::array<std::uint8_t, kMost> can;

  void find(const Predictions& cases, CaseRange block) {
    const std::size_t count = block.last - block.first, classes = cases.classes().size();
    can_change_labels(cases.all_probabilities().subspan(block.first * classes, count * classes),
                      std::span<const AskedExpert>(asked).first(count),
                      std::span(can).first(count));
  }
};

template <typename Each>
void for_blocks(CaseRange rows, Each each) {
  LabelBlock labels;
  for (std::size_t first = rows.first; first < rows.last; first += LabelBlock::kMost) {
    each(CaseRange{first, std::min(rows.last, first + LabelBlock::kMost)}, labels);
  }
}

}  // namespace

AskingGain::AskingGain(std::vector<std::span<const double>> means, const ExpectedCosts* costs,
                       std::span<const std::string> experts)
    : means_(std::move(means)), costs_(costs) {
  asked_.reserve(means_.size());
  for (const auto& of : means_) asked_.emplace_back(of);
  if (costs_ != nullptr) fees_ = costs_->costs().fees_of(experts);
}

AskingGain::AskingGain(std::span<const ExpertProfile> profiles, const ExpectedCosts* costs,
                       std::span<const std::string> experts)
    : AskingGain(means_of_profiles(profiles), costs, experts) {}

double AskingGain::value(std::span<const float> probabilities, ExpertId expert,
                         SavingScratch& scratch) const {
  const auto means = means_[index(expert)];
  if (costs_ == nullptr) return value_of_information(probabilities, means);
  return expected_saving(*costs_, probabilities, means, scratch) - fees_[index(expert)];
}

double AskingGain::chance_of_right_label(std::span<const float> probabilities, ExpertId expert,
                                         SavingScratch& scratch) const {
  const auto means = means_[index(expert)];
  if (costs_ != nullptr) return ifd::chance_of_right_label(*costs_, probabilities, means, scratch);
  return *std::max_element(probabilities.begin(), probabilities.end()) +
         value_of_information(probabilities, means);
}

void AskingGain::drop_pointless(const Predictions& cases, MarginTable& table) const {
  drop_pointless(cases, {0, table.size()}, table);
}

void AskingGain::drop_pointless(const Predictions& cases, CaseRange rows,
                                MarginTable& table) const {
  if (means_.empty()) return;
  if (!counts_labels()) {
    SavingScratch scratch;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      if (table.expert[row] == kNobody) continue;
      if (value(cases.probabilities(row), table.expert[row], scratch) > 0) continue;
      table.margin[row] = kNeverDefer;
    }
    return;
  }
  for_blocks(rows, [&](CaseRange block, LabelBlock& labels) {
    for (std::size_t row = block.first; row < block.last; ++row) {
      // Where there is nobody to ask, anybody's means will do: the margin is kNeverDefer already.
      const ExpertId expert = table.expert[row];
      labels.asked[row - block.first] = asked_[expert == kNobody ? 0 : index(expert)];
    }
    labels.find(cases, block);
    for (std::size_t row = block.first; row < block.last; ++row) {
      const bool can = labels.can[row - block.first] != 0;
      table.margin[row] = can ? table.margin[row] : kNeverDefer;
    }
  });
}

void AskingGain::drop_pointless(const Predictions& cases, std::span<double> margins) const {
  const std::size_t experts = means_.size();
  if (!counts_labels()) {
    SavingScratch scratch;
    for (std::size_t row = 0; row < cases.size(); ++row) {
      for (std::size_t j = 0; j < experts; ++j) {
        if (value(cases.probabilities(row), expert_id(j), scratch) > 0) continue;
        margins[row * experts + j] = kNeverDefer;
      }
    }
    return;
  }
  for_blocks({0, cases.size()}, [&](CaseRange block, LabelBlock& labels) {
    for (std::size_t j = 0; j < experts; ++j) {
      labels.asked.fill(asked_[j]);
      labels.find(cases, block);
      for (std::size_t row = block.first; row < block.last; ++row) {
        if (labels.can[row - block.first] == 0) margins[row * experts + j] = kNeverDefer;
      }
    }
  });
}

}  // namespace ifd
