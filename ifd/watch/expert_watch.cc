#include "ifd/watch/expert_watch.h"

#include <algorithm>
#include <array>

namespace ifd {
namespace {

// A fourth of the false alarms for each kind of test: drift over all classes, drift by class, coin,
// exchanged names.
constexpr double kKinds = 4;

// Bets on the error rate: from c to c', with r times the odds.
constexpr std::array<double, 4> kErrorRates = {.05, .15, .35, .65};
constexpr std::array<double, 6> kOddsRatios = {2, 4, 8, .5, .25, .125};
constexpr std::size_t kDriftWays = kErrorRates.size() * kOddsRatios.size();

constexpr bool bets_on_worse(std::size_t way) { return kOddsRatios[way % kOddsRatios.size()] > 1; }

constexpr std::array<double, 3> kCoinStakes = {.25, .5, .9};
constexpr std::array<double, 2> kOtherName = {.7, .9};
constexpr double kExchangedBefore = .5;
// Exchanges tested per class, so that a file full of odd answers takes no more than its time.
constexpr std::size_t kMostExchanges = 64;

using DriftPayoffs = std::array<double, kDriftWays>;

struct DriftTable {
  DriftPayoffs threshold, below, above;
};

DriftTable make_drift_table() {
  DriftTable table;
  std::size_t way = 0;
  for (const double c : kErrorRates) {
    for (const double r : kOddsRatios) {
      const double then = r * c / (1 - c + r * c);
      table.threshold[way] = c;
      table.below[way] = std::log(then / c);
      table.above[way] = std::log((1 - then) / (1 - c));
      ++way;
    }
  }
  return table;
}

DriftPayoffs drift_payoffs(double p) {
  static const DriftTable kTable = make_drift_table();
  DriftPayoffs payoffs;
  for (std::size_t way = 0; way < kDriftWays; ++way) {
    payoffs[way] = p < kTable.threshold[way] ? kTable.below[way] : kTable.above[way];
  }
  return payoffs;
}

std::array<double, kOtherName.size()> name_payoffs(std::uint64_t others, std::uint64_t own) {
  std::array<double, kOtherName.size()> payoffs;
  for (std::size_t way = 0; way < payoffs.size(); ++way) {
    payoffs[way] = static_cast<double>(others) * std::log(2 * kOtherName[way]) +
                   static_cast<double>(own) * std::log(2 * (1 - kOtherName[way]));
  }
  return payoffs;
}

RightAnswers sum(const RightAnswers& a, const RightAnswers& b) {
  return {a.right + b.right, a.of + b.of};
}

}  // namespace

ExpertWatch::ExpertWatch(std::size_t classes, double false_alarms, double share, const Key& draws)
    : false_alarms_(false_alarms),
      share_(share / kKinds),
      draws_(draws),
      tallies_(classes),
      drift_{{std::log(share_)}, Bets(kDriftWays)},
      coin_{{std::log(share_)}, Bets(kCoinStakes.size())} {}

void ExpertWatch::count_before(const AnswerCount& answers) {
  Tally& tally = tallies_[index(answers.truth)];
  const bool right = answers.answer.is(answers.truth);
  if (!right && !answers.answer.is_outside()) {
    tally.called[answers.answer.as_class()] += answers.count;
  }
  for (RightAnswers* const counts : {&tally.before, &before_}) {
    counts->of += answers.count;
    counts->right += right ? answers.count : 0;
  }
}

void ExpertWatch::begin() {
  for (std::size_t k = 0; k < tallies_.size(); ++k) {
    // Those that it was called most often; a tie at the limit is left for new answers to settle.
    std::vector<std::uint64_t> counts;
    for (const auto& [other, count] : tallies_[k].called) counts.push_back(count);
    std::ranges::sort(counts, std::greater());
    const std::uint64_t least = counts.size() > kMostExchanges ? counts[kMostExchanges] + 1 : 1;
    const auto called = tallies_[k].called;
    for (const auto& [other, count] : called) {
      if (count >= least) test_exchange(class_id(k), other);
    }
  }
  for (auto& [pair, exchange] : exchanges_) look_at(pair, exchange);
}

std::vector<AnswerCount> ExpertWatch::old_answers() const {
  std::vector<AnswerCount> all;
  for (std::size_t k = 0; k < tallies_.size(); ++k) {
    const Tally& tally = tallies_[k];
    const ClassId truth = class_id(k);
    std::uint64_t outside = tally.before.of - tally.before.right;
    if (tally.before.right > 0) all.push_back({truth, Answer(truth), tally.before.right});
    for (const auto& [other, count] : tally.called) {
      all.push_back({truth, Answer(other), count});
      outside -= count;
    }
    if (outside > 0) all.push_back({truth, Answer::outside(), outside});
  }
  return all;
}

double ExpertWatch::p() const {
  double least = std::min(drift_.evidence.p(), coin_.evidence.p());
  for (const auto& [id, test] : class_drift_) least = std::min(least, test.evidence.p());
  for (const auto& [pair, test] : exchanges_) least = std::min(least, test.evidence.p());
  return least;
}

std::size_t ExpertWatch::observe(ClassId truth, Answer answer) {
  // What takes memory comes first.
  test_class(truth);
  const std::size_t known = findings_.size();
  const std::size_t most = known + 3 + tallies_[index(truth)].exchanges.size();
  if (findings_.capacity() < most) findings_.reserve(2 * most);
  const bool confused = !answer.is(truth) && !answer.is_outside();
  // An exchange is tested from the answer on that follows the first confusion: a bet on that one
  // itself would be placed with the outcome known.
  const bool new_exchange =
      confused && !exchanges_.contains(Pair(std::minmax(truth, answer.as_class())));
  if (new_exchange) test_exchange(truth, answer.as_class());

  const Step step = count(truth, answer);
  step_drift(step);
  step_coin(step);
  if (!new_exchange) step_exchanges(step);
  return findings_.size() - known;
}

ExpertWatch::Step ExpertWatch::count(ClassId truth, Answer answer) {
  RightAnswers& on_class = tallies_[index(truth)].after;
  const Step step{truth,
                  answer,
                  {after_.of, after_.of, after_.right},
                  {after_.of, on_class.of, on_class.right}};
  on_class.count(step.right());
  after_.count(step.right());
  return step;
}

template <class Tell>
void ExpertWatch::look(Evidence& evidence, double log_capital, Tell tell) {
  evidence.log_most = std::max(evidence.log_most, log_capital);
  if (!evidence.finding && evidence.p() <= false_alarms_) {
    evidence.finding = findings_.size();
    findings_.push_back(tell());
  }
  if (evidence.finding) findings_[*evidence.finding].p = evidence.p();
}

Finding ExpertWatch::drift_found(const Bets& bets, const RightAnswers& before,
                                 const RightAnswers& after) const {
  const std::size_t way = bets.best_way();
  const StreamMark& mark = bets.since(way);
  Finding found;
  found.kind = bets_on_worse(way) ? FindingKind::kWorse : FindingKind::kBetter;
  found.since = mark.answers + 1;
  found.found_at = after_.of;
  found.before = {before.right + mark.right, before.of + mark.judged};
  found.after = {after.right - mark.right, after.of - mark.judged};
  return found;
}

void ExpertWatch::test_class(ClassId truth) {
  if (class_drift_.contains(truth)) return;
  const double share = share_ / static_cast<double>(tallies_.size());
  class_drift_.emplace(truth, Test{{std::log(share)}, Bets(kDriftWays)});
}

void ExpertWatch::step_drift(const Step& step) {
  const Tally& tally = tallies_[index(step.truth)];
  const RightAnswers all = sum(tally.before, tally.after);
  const auto n = static_cast<double>(all.of), wrong = static_cast<double>(all.of - all.right);
  const double u = draws_.uniform(step.overall.answers);
  const DriftPayoffs payoffs =
      drift_payoffs((step.right() ? wrong + u * (n - wrong) : u * wrong) / n);
  drift_.bets.step(payoffs, step.overall);
  look(drift_.evidence, drift_.bets.log_capital(),
       [&] { return drift_found(drift_.bets, before_, after_); });
  Test& test = class_drift_.at(step.truth);
  test.bets.step(payoffs, step.on_class);
  look(test.evidence, test.bets.log_capital(), [&] {
    Finding found = drift_found(test.bets, tally.before, tally.after);
    found.class_id = step.truth;
    return found;
  });
}

void ExpertWatch::step_coin(const Step& step) {
  if (!unpaired_ || unpaired_->truth == step.truth) {
    unpaired_ = step;
    return;
  }
  const Step other = *unpaired_;
  unpaired_.reset();
  const int hits = (step.right() ? 1 : 0) + (other.right() ? 1 : 0) -
                   (step.answer.is(other.truth) ? 1 : 0) - (other.answer.is(step.truth) ? 1 : 0);
  std::array<double, kCoinStakes.size()> payoffs;
  for (std::size_t way = 0; way < payoffs.size(); ++way) {
    payoffs[way] = std::log(1 + kCoinStakes[way] * (kCoinMargin - .5 * hits));
  }
  coin_.bets.step(payoffs, other.overall);
  look(coin_.evidence, coin_.bets.log_capital(), [&] {
    Finding found = drift_found(coin_.bets, before_, after_);
    found.kind = FindingKind::kCoin;
    return found;
  });
}

void ExpertWatch::test_exchange(ClassId one, ClassId other) {
  const Pair pair = std::minmax(one, other);
  Tally& first = tallies_[index(pair.first)];
  Tally& second = tallies_[index(pair.second)];
  if (exchanges_.contains(pair) || first.exchanges.size() >= kMostExchanges ||
      second.exchanges.size() >= kMostExchanges) {
    return;
  }
  const auto k = static_cast<double>(tallies_.size());
  Exchange made{{std::log(share_ / (k * (k - 1) / 2))},
                Bets(kOtherName.size(), kExchangedBefore),
                Bets(kOtherName.size(), kExchangedBefore)};
  const auto called = [](const Tally& tally, ClassId name) {
    const auto found = tally.called.find(name);
    return found == tally.called.end() ? 0 : found->second;
  };
  made.first.settle_before(name_payoffs(called(first, pair.second), first.before.right));
  made.second.settle_before(name_payoffs(called(second, pair.first), second.before.right));
  first.exchanges.reserve(first.exchanges.size() + 1);
  second.exchanges.reserve(second.exchanges.size() + 1);
  exchanges_.emplace(pair, std::move(made));
  first.exchanges.push_back(pair.second);
  second.exchanges.push_back(pair.first);
}

void ExpertWatch::step_exchanges(const Step& step) {
  if (step.answer.is_outside()) return;
  const auto payoffs = step.right() ? name_payoffs(0, 1) : name_payoffs(1, 0);
  for (const ClassId other : tallies_[index(step.truth)].exchanges) {
    if (!step.right() && !step.answer.is(other)) continue;
    const Pair pair = std::minmax(step.truth, other);
    Exchange& exchange = exchanges_.at(pair);
    (step.truth == pair.first ? exchange.first : exchange.second).step(payoffs, step.on_class);
    look_at(pair, exchange);
  }
}

void ExpertWatch::look_at(Pair pair, Exchange& exchange) {
  const double capital = std::min(exchange.first.log_capital(), exchange.second.log_capital());
  look(exchange.evidence, capital, [&] {
    const std::size_t one = exchange.first.best_way(), two = exchange.second.best_way();
    const bool old = exchange.first.earned_before(one) && exchange.second.earned_before(two);
    const StreamMark none;
    const StreamMark& from = old ? none : exchange.first.since(one);
    const StreamMark& also = old ? none : exchange.second.since(two);
    const Tally& first = tallies_[index(pair.first)];
    const Tally& second = tallies_[index(pair.second)];
    Finding found;
    found.kind = FindingKind::kExchanged;
    found.class_id = pair.first;
    found.other = pair.second;
    found.since = old ? 0 : std::max(from.answers, also.answers) + 1;
    found.found_at = after_.of;
    const RightAnswers before = sum(first.before, second.before);
    const RightAnswers after = sum(first.after, second.after);
    found.before = old ? RightAnswers()
                       : RightAnswers{before.right + from.right + also.right,
                                      before.of + from.judged + also.judged};
    found.after = {before.right + after.right - found.before.right,
                   before.of + after.of - found.before.of};
    return found;
  });
}

}  // namespace ifd
