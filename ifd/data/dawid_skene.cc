#include "ifd/data/dawid_skene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ifd/error.h"
#include "ifd/exact_grid.h"

namespace ifd {
namespace {

// Grids on which sums over experts, cases and classes are exact: see on_grid.
constexpr double kLogSteps = 0x1p24;     // logarithms of one case, up to 2^29
constexpr double kShareSteps = 0x1p26;   // probabilities of up to 2^27 answers
constexpr double kWeightSteps = 0x1p36;  // probabilities of up to 2^17 classes
constexpr double kTotalSteps = 0x1p20;   // the log-likelihood of everything, up to 2^33

// The probabilities of the classes from their logarithms but for a constant; returns the logarithm
// of what they add up to.
double to_probabilities(std::vector<double>& logarithms) {
  const double most = *std::max_element(logarithms.begin(), logarithms.end());
  double sum = 0;
  for (double& value : logarithms) {
    value = on_grid(std::exp(value - most), kWeightSteps);
    sum += value;
  }
  for (double& value : logarithms) value = on_grid(value / sum, kShareSteps);
  return most + std::log(sum);
}

class DawidSkene {
 public:
  DawidSkene(std::span<const ContextAnswer> answers, std::size_t cases, std::size_t classes,
             const DawidSkeneOptions& options)
      : answers_(answers), classes_(classes), first_(cases + 1, 0), order_(answers.size()) {
    sort_by_case(cases);
    find_kinds(options);
    const std::size_t experts = answered_by_.size();
    logs_.resize(kinds_.size() * classes);
    counts_.resize(logs_.size());
    totals_.resize(experts * classes);
    shares_.resize(classes);
    log_shares_.resize(classes);
  }

  // As if the truth of a case were drawn from the answers on it.
  void begin_with_votes() {
    clear();
    std::vector<double> votes(classes_);
    for (std::size_t c = 0; c + 1 < first_.size(); ++c) {
      const auto here = on_case(c);
      if (here.empty()) continue;
      std::fill(votes.begin(), votes.end(), 0);
      double all = 0;
      for (const std::size_t place : here) {
        if (answers_[place].answer.is_outside()) continue;
        ++votes[index(answers_[place].answer.as_class())];
        ++all;
      }
      for (double& vote : votes) {
        vote = on_grid(all > 0 ? vote / all : 1 / static_cast<double>(classes_), kShareSteps);
      }
      count(here, votes);
    }
    settle();
  }

  // Returns the log-likelihood, with the added answers, of what was believed before.
  double iterate() {
    const double penalty = added_answers();
    clear();
    double sum = 0;
    std::vector<double> scores(classes_);
    for (std::size_t c = 0; c + 1 < first_.size(); ++c) {
      const auto here = on_case(c);
      if (here.empty()) continue;
      score(here, scores);
      sum += on_grid(to_probabilities(scores), kTotalSteps);
      count(here, scores);
    }
    settle();
    return sum + penalty;
  }

  // By the answers of the others on each answer's case.
  std::vector<std::optional<ClassId>> truths() const {
    std::vector<std::optional<ClassId>> found(answers_.size());
    std::vector<double> scores(classes_);
    for (std::size_t c = 0; c + 1 < first_.size(); ++c) {
      const auto here = on_case(c);
      if (here.size() < 2) continue;
      score(here, scores);
      for (const std::size_t place : here) found[place] = without(scores, kind_of_[place]);
    }
    return found;
  }

 private:
  // What one expert answered one time or more: a class, or outside all of them.
  struct AnswerKind {
    std::size_t expert;
    std::size_t answer;  // a class, or the number of classes
  };

  void sort_by_case(std::size_t cases) {
    for (const ContextAnswer& answer : answers_) ++first_[answer.case_number + 1];
    for (std::size_t c = 0; c < cases; ++c) first_[c + 1] += first_[c];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < answers_.size(); ++i) order_[next[answers_[i].case_number]++] = i;
  }

  void find_kinds(const DawidSkeneOptions& options) {
    std::unordered_map<std::size_t, std::size_t> experts;
    std::unordered_map<std::size_t, std::size_t> known;
    for (const ContextAnswer& one : answers_) {
      const std::size_t expert = experts.emplace(one.expert_number, experts.size()).first->second;
      if (expert == answered_by_.size()) answered_by_.push_back(0);
      ++answered_by_[expert];
      const std::size_t answer = one.answer.is_outside() ? classes_ : index(one.answer.as_class());
      const auto [found, is_new] = known.emplace(expert * (classes_ + 1) + answer, kinds_.size());
      if (is_new) kinds_.push_back({expert, answer});
      kind_of_.push_back(found->second);
    }
    if (std::max(kinds_.size(), answered_by_.size()) <= options.most_cells / classes_) return;
    throw bad_input(fmt::format(
        "--truth dawid-skene: {} kinds of answers x {} classes are too many to estimate; expected "
        "at most {} in all, or --truth others or majority",
        kinds_.size(), classes_, options.most_cells));
  }

  std::span<const std::size_t> on_case(std::size_t number) const {
    return std::span(order_).subspan(first_[number], first_[number + 1] - first_[number]);
  }

  void clear() {
    std::fill(counts_.begin(), counts_.end(), 0);
    std::fill(totals_.begin(), totals_.end(), 0);
    std::fill(shares_.begin(), shares_.end(), 0);
  }

  // The logarithm of each class's share times the probability of the answers on a case.
  void score(std::span<const std::size_t> here, std::vector<double>& scores) const {
    scores = log_shares_;
    for (const std::size_t place : here) {
      const double* const logs = &logs_[kind_of_[place] * classes_];
      for (std::size_t y = 0; y < classes_; ++y) scores[y] += logs[y];
    }
  }

  void count(std::span<const std::size_t> here, const std::vector<double>& probabilities) {
    for (std::size_t y = 0; y < classes_; ++y) shares_[y] += probabilities[y];
    for (const std::size_t place : here) {
      const std::size_t kind = kind_of_[place];
      double* const counts = &counts_[kind * classes_];
      double* const totals = &totals_[kinds_[kind].expert * classes_];
      for (std::size_t y = 0; y < classes_; ++y) {
        counts[y] += probabilities[y];
        totals[y] += probabilities[y];
      }
    }
  }

  // How many answers m to y are added: one in all to m = y, one in all to what is wrong (the other
  // classes and outside).
  double added(std::size_t answer, std::size_t truth) const {
    return answer == truth ? 1 : 1 / static_cast<double>(classes_);
  }

  // What was counted becomes what is believed.
  void settle() {
    double cases = 0;
    for (const double share : shares_) cases += share;
    for (std::size_t y = 0; y < classes_; ++y) {
      log_shares_[y] =
          on_grid(std::log((shares_[y] + 1) / (cases + static_cast<double>(classes_))), kLogSteps);
    }
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      const double* const totals = &totals_[kinds_[kind].expert * classes_];
      for (std::size_t y = 0; y < classes_; ++y) {
        const double part = counts_[kind * classes_ + y] + added(kinds_[kind].answer, y);
        logs_[kind * classes_ + y] = on_grid(std::log(part / (totals[y] + 2)), kLogSteps);
      }
    }
  }

  // The log-likelihood of the added answers, under what is believed.
  double added_answers() const {
    double sum = 0;
    for (const double log_share : log_shares_) sum += on_grid(log_share, kTotalSteps);
    // As if nobody had answered anything but what was added; then each kind of answer that was.
    const double wrong = 1 / static_cast<double>(classes_);
    for (const double total : totals_) {
      sum += on_grid(std::log(wrong) - 2 * std::log(total + 2), kTotalSteps);
    }
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      const double* const totals = &totals_[kinds_[kind].expert * classes_];
      for (std::size_t y = 0; y < classes_; ++y) {
        const double part = added(kinds_[kind].answer, y);
        sum += on_grid(part * (logs_[kind * classes_ + y] - std::log(part / (totals[y] + 2))),
                       kTotalSteps);
      }
    }
    return sum;
  }

  std::optional<ClassId> without(const std::vector<double>& scores, std::size_t kind) const {
    const double* const own = &logs_[kind * classes_];
    std::size_t best = 0;
    bool tie = false;
    for (std::size_t y = 1; y < classes_; ++y) {
      const double here = scores[y] - own[y], most = scores[best] - own[best];
      if (here > most) best = y;
      tie = here > most ? false : tie || here == most;
    }
    return tie ? std::nullopt : std::optional(class_id(best));
  }

  std::span<const ContextAnswer> answers_;
  std::size_t classes_;
  std::vector<std::size_t> first_;        // the places of the answers on case c are
  std::vector<std::size_t> order_;        // order_[first_[c]] .. order_[first_[c + 1] - 1]
  std::vector<std::size_t> answered_by_;  // by expert
  std::vector<AnswerKind> kinds_;
  std::vector<std::size_t> kind_of_;  // by answer
  std::vector<double> logs_;          // kind x class: log c_j(m | y)
  std::vector<double> counts_;        // kind x class: answers expected
  std::vector<double> totals_;        // expert x class
  std::vector<double> shares_;        // by class: cases expected
  std::vector<double> log_shares_;
};

}  // namespace

DawidSkeneFit fit_dawid_skene(std::span<const ContextAnswer> answers, std::size_t cases,
                              std::size_t classes, const DawidSkeneOptions& options) {
  DawidSkeneFit fit;
  if (answers.empty()) {
    fit.settled = true;
    return fit;
  }
  if (answers.size() > options.most_steps / classes) {
    throw bad_input(fmt::format(
        "--truth dawid-skene: {} answers x {} classes are too many to estimate; expected at most "
        "{} in all, or --truth others or majority",
        answers.size(), classes, options.most_steps));
  }
  DawidSkene model(answers, cases, classes, options);
  model.begin_with_votes();
  const double enough = options.tolerance * static_cast<double>(answers.size());
  while (fit.iterations < options.most_iterations && !fit.settled) {
    fit.log_likelihood.push_back(model.iterate());
    ++fit.iterations;
    const std::size_t last = fit.iterations - 1;
    fit.settled = last > 0 && fit.log_likelihood[last] - fit.log_likelihood[last - 1] < enough;
  }
  fit.truths = model.truths();
  return fit;
}

}  // namespace ifd
