// When to stop, and by what score: AURSAC on the validation cases, with the experts' answers there
// or with what their contexts promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/profile/expert_profile.h"

namespace ifd::train {

// Remembers the best score and how long ago it was.
class EarlyStopping {
 public:
  explicit EarlyStopping(std::size_t patience) : patience_(patience) {}

  // True where the score is better than all before; the first always is.
  bool improves(double score);
  // No better score for `patience` calls in a row.
  bool exhausted() const { return since_best_ >= patience_; }
  double best() const { return best_; }

 private:
  std::size_t patience_;
  std::size_t since_best_ = 0;
  double best_ = -1;
};

// AURSAC where being right is a chance: the mean over budgets 0..1 of the expected system accuracy
// when cases are deferred from the largest margin down. Equal margins form a block, as in
// BudgetCurve, to which this is equal where all chances are 0 or 1.
double expected_aursac(std::span<const double> margins, std::span<const double> model_right,
                       std::span<const double> expert_right);

// The validation cases with each expert's chance of being right on each of them: 1 or 0 where the
// answers are known, otherwise mu_y, the posterior mean on the case's class y (context-only
// validation).
class Validation {
 public:
  // Error(kBadInput) where there is no case or no label. `place` is the file in the message. Who
  // has no answer on a case does not compete there, as in a replay; where nobody has, the case
  // stays with the model.
  static Validation from_answers(const Predictions& cases, const AnswerTable& answers,
                                 const std::string& place);
  static Validation from_profiles(const Predictions& cases, std::span<const std::string> experts,
                                  std::span<const ExpertProfile> profiles,
                                  const std::string& place);

  const Predictions& cases() const { return cases_; }
  // The same cases and experts with what another classifier says.
  Validation with_probabilities(std::vector<float> probabilities) const;
  std::size_t experts() const { return experts_.size(); }
  bool knows_answers() const { return knows_answers_; }
  // How many answers of experts it holds.
  std::size_t answers() const { return answers_; }

  // AURSAC of N x J margins. Experts with equal margins are drawn by name.
  double aursac(std::span<const double> margins, std::uint64_t seed) const;

 private:
  Validation(const Predictions& cases, std::vector<std::string> experts, const std::string& place);

  Predictions cases_;
  std::vector<std::string> experts_;
  std::vector<double> expert_right_;  // N x J
  bool knows_answers_ = false;
  std::size_t answers_ = 0;
  std::optional<AnswerTable> incomplete_;  // the answers, where some are missing
};

}  // namespace ifd::train
