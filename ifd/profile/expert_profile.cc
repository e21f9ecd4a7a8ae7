#include "ifd/profile/expert_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "ifd/error.h"

namespace ifd {

ExpertProfile::ExpertProfile(std::size_t classes)
    : ExpertProfile(std::vector<BetaPrior>(classes)) {}

ExpertProfile::ExpertProfile(const std::vector<BetaPrior>& priors)
    : means_(priors.size()), variances_(priors.size()) {
  for (const BetaPrior& prior : priors) posteriors_.emplace_back(prior);
  for (std::size_t k = 0; k < posteriors_.size(); ++k) refresh(k);
  refresh_best();
}

void ExpertProfile::check(ClassId truth, Answer answer) const {
  if (index(truth) < classes() && !answer.is_missing()) return;
  throw bad_input(
      fmt::format("truth {} with {} answer; expected a class number below {} and an "
                  "answer that was given",
                  static_cast<std::int32_t>(truth), answer.is_missing() ? "no" : "an", classes()));
}

void ExpertProfile::observe(const AnswerCount& given) {
  const auto& [truth, answer, count] = given;
  check(truth, answer);
  posteriors_[index(truth)].observe(answer.is(truth), count);
  outside_ += answer.is_outside() ? count : 0;
  refresh(index(truth));
  refresh_best();
}

void ExpertProfile::forget(const AnswerCount& given) {
  const auto& [truth, answer, count] = given;
  check(truth, answer);
  BetaPosterior& posterior = posteriors_[index(truth)];
  const std::uint64_t alike =
      answer.is(truth) ? posterior.correct() : posterior.answers() - posterior.correct();
  if (alike < count || (answer.is_outside() && outside_ < count)) {
    throw Error(ErrorKind::kNotFound, "no such answer is counted; expected one that was observed");
  }
  posterior.forget(answer.is(truth), count);
  outside_ -= answer.is_outside() ? count : 0;
  refresh(index(truth));
  refresh_best();
}

void ExpertProfile::observe(std::span<const ContextRow> rows) {
  for (const ContextRow& row : rows) check(row.truth, row.answer);
  for (const ContextRow& row : rows) {
    posteriors_[index(row.truth)].observe(row.answer.is(row.truth));
    outside_ += row.answer.is_outside() ? 1 : 0;
  }
  for (std::size_t k = 0; k < classes(); ++k) refresh(k);
  refresh_best();
}

void ExpertProfile::merge(const ExpertProfile& other) {
  if (classes() != other.classes()) {
    throw Error(ErrorKind::kConflict, "two profiles over different classes cannot be merged");
  }
  for (std::size_t k = 0; k < classes(); ++k) posteriors_[k].merge(other.posteriors_[k]);
  for (std::size_t k = 0; k < classes(); ++k) refresh(k);
  outside_ += other.outside_;
  refresh_best();
}

std::uint64_t ExpertProfile::answers() const {
  std::uint64_t sum = 0;
  for (const BetaPosterior& posterior : posteriors_) sum += posterior.answers();
  return sum;
}

double ExpertProfile::average_mean() const {
  // In the order of the values: the same bits whatever the classes are called.
  std::vector<double> ordered = means_;
  std::sort(ordered.begin(), ordered.end());
  double sum = 0;
  for (const double mean : ordered) sum += mean;
  return sum / static_cast<double>(classes());
}

void ExpertProfile::refresh(std::size_t class_index) {
  means_[class_index] = posteriors_[class_index].mean();
  variances_[class_index] = posteriors_[class_index].variance();
}

void ExpertProfile::refresh_best() {
  best_.clear();
  for (std::size_t k = 0; k < classes(); ++k) {
    if (!best_.empty()) {
      const std::size_t leader = index(best_.front());
      if (means_[k] < means_[leader]) continue;
      if (means_[k] == means_[leader]) {
        if (variances_[k] > variances_[leader]) continue;
        if (variances_[k] == variances_[leader]) {
          best_.push_back(class_id(k));
          continue;
        }
      }
      best_.clear();
    }
    best_.push_back(class_id(k));
  }
}

}  // namespace ifd
