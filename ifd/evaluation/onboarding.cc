#include "ifd/evaluation/onboarding.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <string>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"
#include "ifd/shared_work.h"

namespace ifd {
namespace {

ClassId most_likely(std::span<const float> probabilities) {
  return class_id(static_cast<std::size_t>(
      std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin()));
}

double expected_accuracy(std::span<const float> probabilities, std::span<const double> accuracies) {
  double sum = 0;
  for (std::size_t k = 0; k < accuracies.size(); ++k) sum += probabilities[k] * accuracies[k];
  return sum;
}

std::vector<double> class_shares(const Predictions& mix) {
  std::vector<double> shares(mix.classes().size(), 0);
  for (std::size_t row = 0; row < mix.size(); ++row) {
    const auto probabilities = mix.probabilities(row);
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] += probabilities[k];
  }
  const double all = std::accumulate(shares.begin(), shares.end(), 0.);
  for (double& share : shares) share /= all;
  return shares;
}

// At most so many of the rows, in an order that their names alone decide.
std::vector<std::size_t> drawn_rows(const Predictions& cases, std::size_t most, const Key& key) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    order.emplace_back(key.with(cases.case_name(row)).bits(), row);
  }
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), most));
  std::vector<std::size_t> rows;
  for (const auto& [bits, row] : order) rows.push_back(row);
  return rows;
}

// Which class is asked for, one after the other.
class Chooser {
 public:
  Chooser(NextCases choice, std::span<const double> shares, std::span<const ClassCount> given,
          std::span<const BetaPrior> priors, const Key& key)
      : choice_(choice), shares_(shares), key_(key), open_(shares.size(), 1) {
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const BetaPosterior believed(priors[k], given[k].answers, given[k].correct);
      answers_.push_back(given[k].answers);
      variances_.push_back(believed.variance());
      strengths_.push_back(believed.alpha() + believed.beta());
    }
  }

  // None where every class is closed.
  std::optional<std::size_t> next() {
    const auto found = choice_ == NextCases::kAsTheyCome ? as_they_come() : by_need();
    if (!found) return {};
    ++asked_;
    ++answers_[*found];
    // What an answer leaves of the variance, on average.
    variances_[*found] *= strengths_[*found] / (strengths_[*found] + 1);
    ++strengths_[*found];
    return found;
  }
  // No case of this class is left.
  void close(std::size_t class_index) { open_[class_index] = 0; }

 private:
  std::optional<std::size_t> as_they_come() const {
    double all = 0;
    for (std::size_t k = 0; k < shares_.size(); ++k) all += open_[k] ? shares_[k] : 0;
    double left = key_.uniform(asked_) * all;
    std::optional<std::size_t> found;
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      if (!open_[k] || shares_[k] == 0) continue;
      found = k;
      left -= shares_[k];
      if (left < 0) break;
    }
    return found;
  }

  // Among equals the more frequent class, then the first.
  std::optional<std::size_t> by_need() const {
    const auto need = [&](std::size_t k) {
      return choice_ == NextCases::kBalanced ? -static_cast<double>(answers_[k])
                                             : shares_[k] * std::sqrt(variances_[k]);
    };
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      if (!open_[k] || shares_[k] == 0) continue;
      if (!best || std::pair(need(k), shares_[k]) > std::pair(need(*best), shares_[*best]))
        best = k;
    }
    return best;
  }

  NextCases choice_;
  std::span<const double> shares_;
  Key key_;
  std::vector<char> open_;
  std::vector<std::uint64_t> answers_;
  std::vector<double> variances_;
  std::vector<double> strengths_;
  std::uint64_t asked_ = 0;
};

// Today's cases, and what is expected of them without the new expert.
class Mix {
 public:
  Mix(const Predictions& cases, std::vector<std::size_t> rows,
      std::span<const ExpertProfile> colleagues)
      : cases_(cases), rows_(std::move(rows)) {
    for (const std::size_t row : rows_) {
      const auto probabilities = cases.probabilities(row);
      model_.push_back(*std::max_element(probabilities.begin(), probabilities.end()));
      double best = kNobodyElse;
      for (const ExpertProfile& one : colleagues) {
        best = std::max(best, expected_accuracy(probabilities, one.means()));
      }
      others_.push_back(best);
    }
  }

  // The expected area where the expert is believed to have the accuracies `believed`, and has
  // `true_ones`; none of both: where there is no such expert.
  double area(std::span<const double> believed, std::span<const double> true_ones) const {
    struct Case {
      double margin;
      double gain;
    };
    std::vector<Case> order;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto probabilities = cases_.probabilities(rows_[i]);
      const double promised =
          believed.empty() ? kNobodyElse : expected_accuracy(probabilities, believed);
      const bool asked = promised > others_[i];
      const double best = asked ? promised : others_[i];
      const double right = asked ? expected_accuracy(probabilities, true_ones) : others_[i];
      // Where there is nobody at all the model keeps its cases.
      if (best == kNobodyElse) return mean_confidence();
      order.push_back({best - model_[i], right - model_[i]});
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Case& a, const Case& b) { return a.margin > b.margin; });
    const auto cases = static_cast<double>(order.size());
    double sum = 0, area = 0;
    for (const Case& one : order) {
      area += sum + one.gain / 2;
      sum += one.gain;
    }
    return mean_confidence() + area / (cases * cases);
  }

 private:
  static constexpr double kNobodyElse = -1;

  double mean_confidence() const {
    return std::accumulate(model_.begin(), model_.end(), 0.) / static_cast<double>(model_.size());
  }

  const Predictions& cases_;
  std::vector<std::size_t> rows_;
  std::vector<double> model_;   // what the model expects to be right
  std::vector<double> others_;  // the best of the colleagues
};

std::vector<double> believed_accuracies(const StaffPrior& prior,
                                        std::span<const ClassCount> counts) {
  const std::vector<BetaPrior> priors = prior.of_newcomer(counts);
  std::vector<double> means;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    means.push_back(BetaPosterior(priors[k], counts[k].answers, counts[k].correct).mean());
  }
  return means;
}

// The regret of one expert who was drawn, by size.
std::vector<double> regrets(const Mix& mix, const StaffPrior& prior,
                            std::span<const double> accuracies, std::span<const ClassCount> given,
                            Chooser chooser, const std::vector<std::uint64_t>& sizes,
                            const Key& luck) {
  const double known = mix.area(accuracies, accuracies);
  std::vector<ClassCount> counts(given.begin(), given.end());
  std::vector<double> found;
  std::uint64_t answers = 0;
  for (const std::uint64_t size : sizes) {
    for (; answers < size; ++answers) {
      const std::size_t k = *chooser.next();
      // The n-th answer to a class is the same whoever asks for it, and when.
      const bool right = luck.with(k).uniform(counts[k].answers) < accuracies[k];
      ++counts[k].answers;
      counts[k].correct += right ? 1 : 0;
    }
    found.push_back(known - mix.area(believed_accuracies(prior, counts), accuracies));
  }
  return found;
}

OnboardingPlan::Regret summary_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() < 2 ? 0 : std::sqrt(squares / (count - 1) / count)};
}

// The same answers on top of other priors.
ExpertProfile with_priors(const ExpertProfile& profile, const std::vector<BetaPrior>& priors) {
  ExpertProfile made(priors);
  for (std::size_t k = 0; k < profile.classes(); ++k) {
    const BetaPosterior& here = profile.at(class_id(k));
    made.observe({.truth = class_id(k), .answer = class_id(k), .count = here.correct()});
    made.observe({.truth = class_id(k),
                  .answer = Answer::outside(),
                  .count = here.answers() - here.correct()});
  }
  return made;
}

void check(const Predictions& mix, std::span<const ClassCount> given,
           const OnboardingOptions& options) {
  if (!(options.tolerance > 0 && options.tolerance < 1)) {
    throw bad_input(
        fmt::format("tolerance {}: expected more than 0, less than 1", options.tolerance));
  }
  if (options.draws == 0 || options.draws > kMostOnboardingDraws) {
    throw bad_input(fmt::format("{} draws; expected 1..{}", options.draws, kMostOnboardingDraws));
  }
  if (options.sizes.empty() || !std::is_sorted(options.sizes.begin(), options.sizes.end()) ||
      options.sizes.back() > kMostOnboardingAnswers) {
    throw bad_input(fmt::format("sizes: expected numbers of answers up to {}, the smallest first",
                                kMostOnboardingAnswers));
  }
  if (mix.size() == 0 || given.size() != mix.classes().size()) {
    throw bad_input("the mix has no cases, or other classes; expected the classes of the staff");
  }
}

}  // namespace

std::string_view word_for(NextCases choice) {
  switch (choice) {
    case NextCases::kBalanced:
      return "balanced";
    case NextCases::kVariance:
      return "variance";
    case NextCases::kAsTheyCome:
      break;
  }
  return "as-they-come";
}

OnboardingStaff OnboardingStaff::around(const std::string& expert, const Roster& roster,
                                        std::size_t classes,
                                        std::span<const std::string> off_duty) {
  for (const std::string& name : off_duty) {
    if (std::find(roster.names.begin(), roster.names.end(), name) == roster.names.end()) {
      throw unknown_expert(name, roster.names);
    }
  }
  std::vector<ClassCount> given(classes);
  std::vector<ExpertProfile> others;
  std::vector<bool> on_duty;
  for (std::size_t j = 0; j < roster.size(); ++j) {
    if (roster.names[j] == expert) {
      given = class_counts(roster.profiles[j]);
      continue;
    }
    others.push_back(roster.profiles[j]);
    on_duty.push_back(std::find(off_duty.begin(), off_duty.end(), roster.names[j]) ==
                      off_duty.end());
  }
  const auto priors = staff_priors(others);
  OnboardingStaff staff{StaffPrior(others), {}, std::move(given)};
  for (std::size_t j = 0; j < others.size(); ++j) {
    if (on_duty[j]) staff.colleagues.push_back(with_priors(others[j], priors[j]));
  }
  return staff;
}

OnboardingPlan plan_onboarding(const Predictions& mix, const OnboardingStaff& staff,
                               const OnboardingOptions& options) {
  const std::span<const ClassCount> given = staff.given;
  const StaffPrior& prior = staff.prior;
  check(mix, given, options);
  const Key key = Key(options.seed).with("onboarding");
  OnboardingPlan plan;
  plan.shares = class_shares(mix);
  const Mix today(mix, drawn_rows(mix, options.most_cases, key.with("cases")), staff.colleagues);
  plan.cases = std::min(mix.size(), options.most_cases);
  const std::vector<BetaPrior> priors = prior.of_newcomer(given);
  const auto people = prior.draw_newcomers(given, options.draws, key.with("expert"));
  // By choice, size and draw.
  std::array<std::vector<std::vector<double>>, kNextCases.size()> found;
  for (auto& by_size : found) {
    by_size.assign(options.sizes.size(), std::vector<double>(options.draws));
  }
  std::vector<double> worth(options.draws);
  std::atomic<std::size_t> next{0};
  share_work(options.threads, [&] {
    for (std::size_t draw; (draw = next++) < options.draws;) {
      worth[draw] = today.area(people[draw], people[draw]) - today.area({}, {});
      for (std::size_t c = 0; c < kNextCases.size(); ++c) {
        const Chooser chooser(kNextCases[c], plan.shares, given, priors,
                              key.with("class").with(draw));
        const std::vector<double> by_size = regrets(today, prior, people[draw], given, chooser,
                                                    options.sizes, key.with("answer").with(draw));
        for (std::size_t s = 0; s < by_size.size(); ++s) found[c][s][draw] = by_size[s];
      }
    }
  });
  plan.worth = summary_of(worth).mean;
  for (std::size_t s = 0; s < options.sizes.size(); ++s) {
    OnboardingPlan::Size size{options.sizes[s], {}};
    for (std::size_t c = 0; c < kNextCases.size(); ++c) size.regret[c] = summary_of(found[c][s]);
    plan.sizes.push_back(size);
  }
  for (std::size_t c = 0; c < kNextCases.size(); ++c) {
    for (std::size_t s = plan.sizes.size(); s-- > 0;) {
      if (plan.sizes[s].regret[c].mean > options.tolerance) break;
      plan.enough[c] = plan.sizes[s].answers;
    }
  }
  return plan;
}

std::vector<std::uint64_t> OnboardingPlan::by_class(std::uint64_t answers, NextCases choice,
                                                    const OnboardingStaff& staff) const {
  std::vector<std::uint64_t> counts(shares.size(), 0);
  if (choice == NextCases::kAsTheyCome) {
    for (std::size_t k = 0; k < shares.size(); ++k) {
      counts[k] =
          static_cast<std::uint64_t>(std::nearbyint(shares[k] * static_cast<double>(answers)));
    }
    return counts;
  }
  const std::vector<BetaPrior> priors = staff.prior.of_newcomer(staff.given);
  Chooser chooser(choice, shares, staff.given, priors, Key(0));
  for (std::uint64_t i = 0; i < answers; ++i) ++counts[*chooser.next()];
  return counts;
}

OnboardingPlan::Gain OnboardingPlan::largest_gain() const {
  Gain gain{0, 0, NextCases::kAsTheyCome};
  for (const Size& size : sizes) {
    for (std::size_t c = 1; c < kNextCases.size() && size.answers > 0; ++c) {
      const double saved = size.regret[0].mean - size.regret[c].mean;
      if (saved > gain.regret) gain = {saved, size.answers, kNextCases[c]};
    }
  }
  return gain;
}

std::vector<std::size_t> next_cases(const Predictions& pool, const OnboardingStaff& staff,
                                    NextCases choice, std::size_t count,
                                    const std::unordered_set<std::string>& answered,
                                    std::uint64_t seed) {
  const Key key = Key(seed).with("next cases");
  std::vector<std::vector<std::size_t>> waiting(
      staff.given.size());  // by class, the first one last
  std::vector<std::size_t> order = drawn_rows(pool, pool.size(), key.with("cases"));
  std::reverse(order.begin(), order.end());
  for (const std::size_t row : order) {
    if (answered.contains(pool.case_name(row))) continue;
    const ClassId id = pool.has_labels() ? pool.label(row) : most_likely(pool.probabilities(row));
    waiting[index(id)].push_back(row);
  }
  const std::vector<double> shares = class_shares(pool);
  const std::vector<BetaPrior> priors = staff.prior.of_newcomer(staff.given);
  Chooser chooser(choice, shares, staff.given, priors, key.with("class"));
  for (std::size_t k = 0; k < waiting.size(); ++k) {
    if (waiting[k].empty()) chooser.close(k);
  }
  std::vector<std::size_t> rows;
  while (rows.size() < count) {
    const auto k = chooser.next();
    if (!k) break;
    rows.push_back(waiting[*k].back());
    waiting[*k].pop_back();
    if (waiting[*k].empty()) chooser.close(*k);
  }
  return rows;
}

}  // namespace ifd
