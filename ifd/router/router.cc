#include "ifd/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ifd/decision/combined_answer.h"
#include "ifd/policy/scoring.h"
#include "ifd/router/expected_classes.h"
#include "ifd/router/policy_comparison.h"
#include "ifd/router/roster_snapshot.h"
#include "ifd/router/router_core.h"
#include "ifd/router/second_opinion.h"
#include "ifd/router/snapshot_routing.h"

namespace ifd {
namespace {

// Everybody on duty, but for those who have been asked.
std::vector<Reader> readers_beside(const RosterSnapshot& roster,
                                   std::span<const std::pair<ExpertId, Answer>> given,
                                   const ExpectedCosts* costs) {
  std::vector<bool> asked(roster.names->size(), false);
  for (const auto& [expert, answer] : given) asked[index(expert)] = true;
  std::vector<Reader> readers;
  std::size_t j = 0;
  for (const PagePointer& page : roster.pages) {
    for (const ExpertProfile& profile : page->roster().profiles) {
      if (!asked[j] && roster.on_duty.is_on_duty(expert_id(j))) {
        readers.push_back({expert_id(j), profile.means(),
                           costs == nullptr ? 0 : costs->costs().fee((*roster.names)[j])});
      }
      ++j;
    }
  }
  return readers;
}

}  // namespace

Router::Router(ClassNames classes, std::vector<ExpertContext> contexts, RouterOptions options) {
  RosterState state(std::move(classes), std::move(contexts), options.priors, options.prior_only,
                    options.half_life, options.unstated_priors);
  if (options.costs) options.costs->check_fees(state.names());
  core_ = std::make_unique<Core>(std::move(state), std::move(options));
}

Router::Router(RosterState roster, RouterOptions options)
    : core_(std::make_unique<Core>(std::move(roster), std::move(options))) {}

Router::Router(std::unique_ptr<Core> core) : core_(std::move(core)) {}

Router::~Router() = default;
Router::Router(Router&&) noexcept = default;
Router& Router::operator=(Router&&) noexcept = default;

Routes Router::route(const Predictions& cases, const DeferralRule& rule,
                     const LongWork& work) const {
  const SnapshotPointer roster = core_->snapshot();
  if (const auto* certified = std::get_if<Certified>(&rule)) {
    require_in_force(certified->certificate, certified->today);
    require_scope(certified->certificate, core_->scope(*roster));
  }
  return route_under(*roster,
                     {core_->classes(), core_->margins(), core_->options(), core_->costs()}, cases,
                     rule, work);
}

DecisionScope Router::scope() const { return core_->scope(*core_->snapshot()); }

std::optional<Predictions> Router::context_predictions() const {
  return core_->options().context_predictions;
}

Explanation Router::explain(const Predictions& cases, std::size_t row) const {
  check_classes(core_->classes(), cases, "the cases");
  if (row >= cases.size()) {
    throw bad_input(fmt::format("row {}; expected one of the {} cases, from 0", row, cases.size()));
  }
  const SnapshotPointer roster = core_->snapshot();
  const Predictions here = roster->as_read(cases.subset(std::span(&row, 1)));
  const auto probabilities = here.probabilities(0);
  std::vector<double> margins(roster->names->size());
  roster->policy->score(here, {0, 1}, margins);
  std::vector<RoleState> states;
  for (const PagePointer& page : roster->pages) {
    const std::size_t first = states.size();
    states.resize(first + page->size());
    RosterReader(page->readings()).states(probabilities, std::span(states).subspan(first));
  }
  Explanation why{top_class(probabilities)};
  if (core_->costs() != nullptr) {
    ExpectedCosts::Scratch scratch;
    const auto answer = core_->costs()->model_answer(probabilities, scratch);
    why.prediction = answer.label;
    why.prediction_cost = answer.cost;
  }
  if (const auto gain = asking_gain(*roster, core_->options().answer, core_->costs())) {
    gain->drop_pointless(here, margins);
  }
  for (std::size_t j = 0; j < margins.size(); ++j) {
    why.experts.push_back(
        {(*roster->names)[j], states[j], margins[j], roster->on_duty.is_on_duty(expert_id(j))});
  }
  const MarginTable table = best_margins(*roster, here, core_->options().answer, core_->costs(),
                                         {core_->options().seed, 1, {}});
  // Where the answer of whom the policy would ask is pointless, nobody is asked.
  if (table.expert[0] != kNobody && table.margin[0] != kNeverDefer) why.best = table.expert[0];
  return why;
}

MarginTable Router::best(const Predictions& cases, const LongWork& work) const {
  check_classes(core_->classes(), cases, "the cases");
  const SnapshotPointer roster = core_->snapshot();
  return best_margins(*roster, roster->as_read(cases), core_->options().answer, core_->costs(),
                      {core_->options().seed, core_->options().threads, work});
}

std::vector<double> Router::margins(const Predictions& cases, const LongWork& work) const {
  check_classes(core_->classes(), cases, "the cases");
  const SnapshotPointer roster = core_->snapshot();
  const Predictions read = roster->as_read(cases);
  std::vector<double> margins = all_margins(*roster->policy, read, roster->on_duty, work);
  if (const auto gain = asking_gain(*roster, core_->options().answer, core_->costs())) {
    gain->drop_pointless(read, margins);
  }
  return margins;
}

Combination Router::combine(const Predictions& cases, const AnswerTable& answers,
                            const AdviceOptions& advice, const LongWork& work) const {
  check(advice);
  check_classes(core_->classes(), cases, "the cases");
  if (answers.cases() != cases.size()) {
    throw bad_input(fmt::format("answers on {} cases; expected a row for each of the {}",
                                answers.cases(), cases.size()));
  }
  const auto [roster, state] = core_->snapshot_with_state();
  std::vector<ExpertId> column_of;
  for (const std::string& name : answers.expert_names()) {
    column_of.push_back(roster->expert_named(name));
  }
  const Predictions read = roster->as_read(cases);
  const ExpectedCosts* const costs = core_->costs();
  Combination made{{}, roster->names, shared_errors(state.contexts())};
  if (costs != nullptr) made.cost_unit = CostUnit(costs->costs());
  const std::vector<ClassId> predictions = answers_of_model(read, costs);
  std::vector<GivenAnswer> given;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    work.check();
    CombinedCase here{predictions[row], {}, 0, {}};
    given.clear();
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      const Answer answer = answers.at(case_id(row), expert_id(j));
      if (answer.is_missing()) continue;
      here.given.emplace_back(column_of[j], answer);
      if (!answer.is_outside()) given.push_back({&roster->profile(column_of[j]), answer});
    }
    const CombinedAnswer combined =
        ifd::combine(read.probabilities(row), given,
                     weight_of_answers(given.size(), made.shared.correlation), costs);
    here.label = combined.label;
    here.probability = combined.probability();
    here.cost = combined.cost;
    here.second = second_opinion(combined.posterior, {}, readers_beside(*roster, here.given, costs),
                                 advice, costs);
    made.cases.push_back(std::move(here));
  }
  return made;
}

std::vector<SecondOpinion> Router::advise(const Predictions& cases, const Routes& routes,
                                          const AdviceOptions& advice, const LongWork& work) const {
  check(advice);
  check_classes(core_->classes(), cases, "the cases");
  const SnapshotPointer roster = core_->snapshot();
  if (routes.size() != cases.size() || routes.experts() != *roster->names) {
    throw bad_input("routes of other cases or another roster; expected those of this router");
  }
  const ExpectedCosts* const costs = core_->costs();
  check_second_answers(costs);
  const Predictions read = roster->as_read(cases);
  std::vector<SecondOpinion> found;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    work.check();
    const auto probabilities = read.probabilities(row);
    const std::vector<double> belief(probabilities.begin(), probabilities.end());
    if (routes[row].decision() == Decision::kModel) {
      found.push_back(
          second_opinion(belief, {}, readers_beside(*roster, {}, costs), advice, costs));
      if (found.back().advice == Advice::kSecondReader) found.back() = {};
      continue;
    }
    const std::pair<ExpertId, Answer> asked{routes[row].expert, Answer::missing()};
    found.push_back(second_opinion(belief, roster->profile(routes[row].expert).means(),
                                   readers_beside(*roster, std::span(&asked, 1), costs), advice,
                                   costs));
  }
  return found;
}

Evaluation Router::evaluate(const Predictions& cases, const AnswerTable& answers,
                            const RouterEvaluationOptions& options) const {
  const auto [roster, state] = core_->snapshot_with_state();
  return compare_policies({*roster, state, core_->options(), core_->settings()}, cases, answers,
                          options);
}

void Router::observe(std::string_view expert, const Observation& observation) {
  core_->count(expert, observation, Core::Change::kObserve);
}
void Router::forget(std::string_view expert, const Observation& observation) {
  core_->count(expert, observation, Core::Change::kForget);
}
void Router::add_expert(std::string name, std::vector<BetaPrior> priors) {
  core_->add(std::move(name), std::move(priors));
}
void Router::remove_expert(std::string_view name) { core_->remove(name); }
void Router::set_on_duty(std::string_view expert, bool on_duty) {
  core_->set_on_duty(expert, on_duty);
}
void Router::recalibrate() { core_->recalibrate(); }

const ClassNames& Router::classes() const { return core_->classes(); }
AnswerUse Router::answer_use() const { return core_->options().answer; }
bool Router::expects_gains() const { return core_->margins() == MarginMeaning::kExpectedGain; }
std::vector<std::string> Router::experts() const { return *core_->snapshot()->names; }

ExpertProfile Router::profile(std::string_view expert) const {
  const SnapshotPointer roster = core_->snapshot();
  return roster->profile(roster->expert_named(expert));
}

bool Router::is_on_duty(std::string_view expert) const {
  const SnapshotPointer roster = core_->snapshot();
  return roster->on_duty.is_on_duty(roster->expert_named(expert));
}

std::optional<CalibrationInUse> Router::calibration() const {
  return core_->snapshot()->calibration();
}
std::optional<CalibrationInUse> Router::options_calibration() const {
  return core_->snapshot()->options_calibration;
}
std::shared_ptr<const Costs> Router::costs() const { return core_->options().costs; }
std::vector<CalibrationInUse> Router::calibrations() const {
  const SnapshotPointer roster = core_->snapshot();
  std::vector<CalibrationInUse> both;
  for (const auto& one : {roster->options_calibration, roster->own_calibration}) {
    if (one) both.push_back(*one);
  }
  return both;
}
bool Router::encodes_cases() const { return core_->encodes_cases(); }
RosterState Router::roster_state() const { return core_->state(); }
Watch Router::watch() const { return core_->watch(); }
Router Router::copy() const { return Router(core_->copy()); }

}  // namespace ifd
