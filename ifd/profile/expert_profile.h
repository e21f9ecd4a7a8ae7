// One expert's competence: a Beta posterior for every class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ifd/checked_place.h"
#include "ifd/data/answer_count.h"
#include "ifd/data/expert_context.h"
#include "ifd/ids.h"
#include "ifd/profile/beta_posterior.h"

namespace ifd {

// Class-indexed; the readings a policy needs (means, variances, the best classes) are kept up to
// date with every answer, so that reading is free and thread-safe between updates. They refer to
// this profile while it lives; of one that is about to go, the same members give copies.
class ExpertProfile {
 public:
  // Knows nothing about any class.
  explicit ExpertProfile(std::size_t classes);
  explicit ExpertProfile(const std::vector<BetaPrior>& priors);

  // Counts answers. One outside the classes counts as wrong. Order-free and exact.
  // Error(kBadInput) for a truth that is not a class or a missing answer.
  void observe(const AnswerCount& given);
  // Takes answers back. Error(kNotFound) where not as many like them are counted.
  void forget(const AnswerCount& given);
  void observe(const ExpertContext& context) { observe(std::span(context.rows)); }
  void observe(std::span<const ContextRow> rows);
  // Adds what another profile of the same expert has counted; the priors must agree.
  void merge(const ExpertProfile& other);

  std::size_t classes() const { return posteriors_.size(); }
  // Error(kNotFound) for a class that is none of them.
  const BetaPosterior& at(ClassId id) const& {
    return posteriors_[checked_place("class", index(id), classes())];
  }
  BetaPosterior at(ClassId id) const&& { return at(id); }
  std::uint64_t answers() const;
  // How many of the answers were outside the classes.
  std::uint64_t outside() const { return outside_; }

  std::span<const double> means() const& { return means_; }
  std::vector<double> means() const&& { return means_; }
  std::span<const double> variances() const& { return variances_; }
  std::vector<double> variances() const&& { return variances_; }
  // T: the classes that share the best (mean, -variance), in increasing order; never empty.
  std::span<const ClassId> best_classes() const& { return best_; }
  std::vector<ClassId> best_classes() const&& { return best_; }
  // The mean over classes of the posterior means.
  double average_mean() const;

  bool operator==(const ExpertProfile& other) const { return posteriors_ == other.posteriors_; }

 private:
  void check(ClassId truth, Answer answer) const;
  void refresh(std::size_t class_index);
  void refresh_best();

  std::vector<BetaPosterior> posteriors_;
  std::vector<double> means_;
  std::vector<double> variances_;
  std::vector<ClassId> best_;
  std::uint64_t outside_ = 0;
};

}  // namespace ifd
