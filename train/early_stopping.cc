#include "train/early_stopping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "ifd/error.h"
#include "ifd/policy/scoring.h"

namespace ifd::train {
namespace {

// Margins that were worked out before.
class KnownMargins final : public DeferralPolicy {
 public:
  KnownMargins(std::span<const double> margins, std::size_t experts)
      : margins_(margins), experts_(experts) {}
  std::size_t experts() const override { return experts_; }
  void score(const Predictions&, CaseRange rows, std::span<double> margins) const override {
    std::copy_n(margins_.begin() + static_cast<std::ptrdiff_t>(rows.first * experts_),
                (rows.last - rows.first) * experts_, margins.begin());
  }

 private:
  std::span<const double> margins_;
  std::size_t experts_;
};

}  // namespace

bool EarlyStopping::improves(double score) {
  if (score > best_) {
    best_ = score;
    since_best_ = 0;
    return true;
  }
  ++since_best_;
  return false;
}

double expected_aursac(std::span<const double> margins, std::span<const double> model_right,
                       std::span<const double> expert_right) {
  const std::size_t n = margins.size();
  assert(n > 0 && model_right.size() == n && expert_right.size() == n);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return margins[a] > margins[b]; });
  double right = std::accumulate(model_right.begin(), model_right.end(), 0.0);
  double area = 0;
  for (std::size_t first = 0; first < n;) {
    std::size_t last = first;
    double gain = 0;
    for (; last < n && margins[order[last]] == margins[order[first]]; ++last) {
      gain += expert_right[order[last]] - model_right[order[last]];
    }
    area += static_cast<double>(last - first) * (right + gain / 2);
    right += gain;
    first = last;
  }
  return area / static_cast<double>(n) / static_cast<double>(n);
}

Validation::Validation(const Predictions& cases, std::vector<std::string> experts,
                       const std::string& place)
    : cases_(cases), experts_(std::move(experts)) {
  if (cases_.size() == 0) {
    throw bad_input(fmt::format("{}: no cases; expected one or more to validate on", place));
  }
  if (!cases_.has_labels()) {
    throw bad_input(fmt::format("{}: no labels; expected them to validate on", place));
  }
  expert_right_.resize(cases_.size() * experts_.size());
}

Validation Validation::from_answers(const Predictions& cases, const AnswerTable& answers,
                                    const std::string& place) {
  Validation made(cases, answers.expert_names(), place);
  made.knows_answers_ = true;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      const Answer answer = answers.at(case_id(i), expert_id(j));
      made.expert_right_[i * answers.experts() + j] = answer.is(cases.label(i)) ? 1 : 0;
      made.answers_ += answer.is_missing() ? 0 : 1;
    }
  }
  if (made.answers_ < cases.size() * answers.experts()) made.incomplete_ = answers;
  return made;
}

Validation Validation::from_profiles(const Predictions& cases, std::span<const std::string> experts,
                                     std::span<const ExpertProfile> profiles,
                                     const std::string& place) {
  assert(experts.size() == profiles.size());
  Validation made(cases, {experts.begin(), experts.end()}, place);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t j = 0; j < profiles.size(); ++j) {
      made.expert_right_[i * profiles.size() + j] = profiles[j].means()[index(cases.label(i))];
    }
  }
  return made;
}

Validation Validation::with_probabilities(std::vector<float> probabilities) const {
  Validation made = *this;
  made.cases_ = cases_.with_probabilities(std::move(probabilities));
  return made;
}

double Validation::aursac(std::span<const double> margins, std::uint64_t seed) const {
  Availability who(experts());
  if (incomplete_) who.require_answers(*incomplete_);
  const MarginTable table =
      winning_margins(KnownMargins(margins, experts()), cases_, experts_, who, {seed, 1});
  std::vector<double> model_right(cases_.size()), expert_right(cases_.size());
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    model_right[i] = top_class(cases_.probabilities(i)) == cases_.label(i) ? 1 : 0;
    const ExpertId expert = table.expert[i];
    expert_right[i] =
        expert == kNobody ? model_right[i] : expert_right_[i * experts() + index(expert)];
  }
  return expected_aursac(table.margin, model_right, expert_right);
}

}  // namespace ifd::train
