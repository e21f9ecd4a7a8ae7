#include "ifd/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "ifd/certificate/budget_confidence.h"
#include "ifd/certificate/exchangeability_watch.h"
#include "ifd/data/utf8.h"
#include "ifd/decision/combined_answer.h"
#include "ifd/policy/asking_gain.h"
#include "ifd/policy/assignment.h"
#include "ifd/policy/given_margins.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/scoring.h"
#include "ifd/policy/untrained.h"
#include "ifd/profile/staff_prior.h"
#include "ifd/random/keyed_random.h"
#include "ifd/router/decision_scope.h"
#include "ifd/router/roster_snapshot.h"
#include "ifd/router/second_opinion.h"

namespace ifd {
namespace {

using SnapshotPointer = std::shared_ptr<const RosterSnapshot>;
using PagePointer = std::shared_ptr<const RosterPage>;

// Cases of the context that a calibration can be fitted on.
Predictions cases_to_calibrate_on(const RouterOptions& options, const RosterState& state) {
  if (!options.context_predictions) {
    throw Error(ErrorKind::kUsage,
                "a calibration on the context needs the classifier's predictions for its cases");
  }
  const Predictions cases = context_cases(*options.context_predictions, state.contexts());
  if (cases.size() == 0) {
    throw bad_input(fmt::format(
        "{}: none of the context's cases is there, so there is nothing to calibrate on; "
        "expected them in --context-predictions",
        options.context_predictions_name));
  }
  return cases;
}

CalibrationInUse fitted(CalibrationInUse::Origin origin, CalibrationKind kind,
                        const Predictions& cases) {
  CalibrationInUse made{origin, kind, fit_calibration(cases, kind), cases.size()};
  made.before = calibration_quality(cases);
  made.after = calibration_quality(calibrated(cases, made.calibration));
  return made;
}

// A calibration on the context that was fitted before; nothing where it was not.
std::optional<CalibrationInUse> fitted_before(CalibrationInUse::Origin origin, CalibrationKind kind,
                                              const RouterOptions& options,
                                              const RosterState& state) {
  for (const CalibrationInUse& known : options.fitted_calibrations) {
    if (known.origin != origin || known.kind != kind) continue;
    const std::size_t offsets = known.calibration.bias.size();
    if (offsets != 0 && offsets != state.classes().size()) {
      throw bad_input(fmt::format("a fitted calibration has {} offsets; expected {}, one per class",
                                  offsets, state.classes().size()));
    }
    return known;
  }
  return {};
}

// Whether a calibration that was fitted before will do.
enum class Fit { kUnlessFittedBefore, kAnew };

CalibrationInUse on_context(CalibrationInUse::Origin origin, CalibrationKind kind, Fit fit,
                            const RouterOptions& options, const RosterState& state) {
  if (fit == Fit::kUnlessFittedBefore) {
    if (auto known = fitted_before(origin, kind, options, state)) return *std::move(known);
  }
  return fitted(origin, kind, cases_to_calibrate_on(options, state));
}

std::optional<CalibrationInUse> own_calibration(const PolicySource& source, Fit fit,
                                                const RouterOptions& options,
                                                const RosterState& state) {
  const auto& wanted = source.calibration();
  if (!wanted) return {};
  if (wanted->source == CalibrationSource::kContext) {
    return on_context(CalibrationInUse::Origin::kPolicyContext, wanted->kind, fit, options, state);
  }
  return CalibrationInUse{CalibrationInUse::Origin::kPolicyTraining, wanted->kind,
                          stored_calibration(*wanted, state.classes(), source.name()),
                          wanted->cases};
}

void check_classes(const ClassNames& classes, const Predictions& cases, const char* what) {
  if (cases.classes() == classes) return;
  throw bad_input(fmt::format("{}: the classes are {}; expected {}", what,
                              cases.classes().allowed(), classes.allowed()));
}

using CostsPointer = std::shared_ptr<const ExpectedCosts>;

// Null without costs.
CostsPointer costs_of(const RouterOptions& options, const RosterState& state) {
  if (!options.costs) return {};
  const Costs& costs = *options.costs;
  if (!(costs.classes() == state.classes())) {
    throw bad_input(fmt::format("the costs: the classes are {}; expected {}",
                                costs.classes().allowed(), state.classes().allowed()));
  }
  return std::make_shared<const ExpectedCosts>(options.costs);
}

ExpertId expert_named(const RosterSnapshot& roster, std::string_view name) {
  const auto found = std::ranges::find(*roster.names, name);
  if (found == roster.names->end()) throw unknown_expert(name, *roster.names);
  return expert_id(static_cast<std::size_t>(found - roster.names->begin()));
}

PolicySource source_named(const std::string& name, const PolicyFilesByName& files,
                          const PolicySettings& settings) {
  const auto found = files.find(name);
  return found == files.end() ? PolicySource::named(name, settings)
                              : PolicySource::from_file(*found->second, settings);
}

// Null where none has that name.
const ForeignMargins* foreign_named(const RouterEvaluationOptions& options, std::string_view name) {
  const auto found = std::ranges::find(options.foreign, name, &ForeignMargins::name);
  return found == options.foreign.end() ? nullptr : &*found;
}

// What to expect of a stream whose rate stays within the budget with a confidence of its own.
CalibratedThreshold confident(const CalibratedBudget& budget, std::span<const double> past,
                              double least_margin) {
  const ConfidentThreshold found =
      confident_threshold(past, budget.share, *budget.budget_confidence, budget.batch);
  const double threshold = std::max(found.threshold, least_margin);
  const auto deferred = static_cast<std::size_t>(
      std::ranges::count_if(past, [&](double margin) { return margin >= threshold; }));
  return {threshold,
          past.size(),
          deferred,
          static_cast<double>(deferred) / static_cast<double>(past.size()),
          0,
          budget.share,
          *budget.budget_confidence};
}

// Compares the cases in their order with the past ones.
StreamWatch watched(std::span<const double> past, const Predictions& cases,
                    std::span<const double> margins, double false_alarms, std::uint64_t seed) {
  ExchangeabilityWatch watch(past, false_alarms);
  const Key key = Key(seed).with("exchangeability");
  for (std::size_t row = 0; row < margins.size(); ++row) {
    if (watch.add(margins[row], key.with(cases.case_name(row)).uniform())) break;
  }
  return {watch.alarm(), false_alarms};
}

// Each policy, and beside it the same one with answers combined. References know whose word is
// right, and order cases by that.
std::vector<ComparedPolicy> both_ways(std::vector<ComparedPolicy> policies) {
  std::vector<ComparedPolicy> both;
  for (ComparedPolicy& policy : policies) {
    both.push_back(policy);
    if (policy.is_reference) continue;
    policy.name += ", combined";
    policy.answer = AnswerUse::kCombined;
    both.push_back(std::move(policy));
  }
  return both;
}

// What asking gains under this snapshot, where answers are combined.
std::optional<AskingGain> asking_gain(const RosterSnapshot& roster, AnswerUse answer) {
  if (answer == AnswerUse::kFinal) return {};
  std::vector<std::span<const double>> means;
  for (const PagePointer& page : roster.pages) {
    for (const ExpertProfile& profile : page->roster().profiles) means.push_back(profile.means());
  }
  return AskingGain(std::move(means));
}

// `cases` are as the policy reads them.
MarginTable best_margins(const RosterSnapshot& roster, const Predictions& cases, AnswerUse answer,
                         const ScoringOptions& scoring) {
  MarginTable table =
      winning_margins(*roster.policy, cases, *roster.names, roster.on_duty, scoring);
  if (const auto gain = asking_gain(roster, answer)) gain->drop_pointless(cases, table);
  return table;
}

// Everybody on duty, but for those who have been asked.
std::vector<Reader> readers_beside(const RosterSnapshot& roster,
                                   std::span<const std::pair<ExpertId, Answer>> given) {
  std::vector<bool> asked(roster.names->size(), false);
  for (const auto& [expert, answer] : given) asked[index(expert)] = true;
  std::vector<Reader> readers;
  std::size_t j = 0;
  for (const PagePointer& page : roster.pages) {
    for (const ExpertProfile& profile : page->roster().profiles) {
      if (!asked[j] && roster.on_duty.is_on_duty(expert_id(j))) {
        readers.push_back({expert_id(j), profile.means()});
      }
      ++j;
    }
  }
  return readers;
}

// Routes under one snapshot.
class Routing {
 public:
  Routing(const RosterSnapshot& roster, const ClassNames& classes, MarginMeaning meaning,
          const RouterOptions& options, const ExpectedCosts* costs, const LongWork& work)
      : roster_(roster),
        classes_(classes),
        meaning_(meaning),
        costs_(costs),
        answer_(options.answer),
        scoring_{options.seed, options.threads, {work.cancellation, {}}},
        work_(work) {}

  Routes operator()(const Predictions& cases, const DeferralRule& rule) {
    check_classes(classes_, cases, "the cases");
    cases_ = roster_.as_read(cases);
    return std::visit([&](const auto& kind) { return route(kind); }, rule);
  }

 private:
  // A threshold, or a share of the cases and the margin that they must have at least.
  struct Limit {
    std::optional<double> threshold;
    double share = 1;
    double least_margin = kFillBudget;
  };

  double least_margin(const LeastMargin& asked) {
    const bool by_margin = meaning_ == MarginMeaning::kExpectedGain && answer_ == AnswerUse::kFinal;
    const double least = asked.value_or(by_margin ? 0 : kFillBudget);
    if (std::isnan(least)) throw bad_input("the least margin is NaN; expected a number");
    if (least != kFillBudget) least_margin_ = least;
    return least;
  }

  MarginTable margins(const Predictions& cases) const {
    return best_margins(roster_, cases, answer_, scoring_);
  }

  Limit limit(const Budget& budget) {
    return {{}, budget.share, least_margin(budget.least_margin)};
  }
  Limit limit(const Threshold& threshold) {
    if (std::isnan(threshold.margin)) throw bad_input("the threshold is NaN; expected a number");
    return {threshold.margin};
  }
  Limit limit(const CalibratedBudget& budget) {
    check_classes(classes_, budget.past_cases, "the past cases");
    past_ = margins(roster_.as_read(budget.past_cases)).margin;
    const double least = least_margin(budget.least_margin);
    calibrated_ = budget.budget_confidence
                      ? confident(budget, past_, least)
                      : calibrate_threshold(past_, budget.share, budget.confidence, least);
    false_alarms_ = budget.false_alarms;
    return {calibrated_->threshold};
  }
  Limit limit(const Certified& certified) { return {certified.certificate.threshold}; }

  template <class Rule>
  Routes route(const Rule& rule) {
    const Limit limited = limit(rule);
    const MarginTable table = margins(*cases_);
    const double threshold =
        limited.threshold
            ? *limited.threshold
            : std::max(threshold_for_budget(table.margin, limited.share), limited.least_margin);
    if (!past_.empty()) {
      watch_ = watched(past_, *cases_, table.margin, false_alarms_, scoring_.seed);
    }
    return finish(route_by_threshold(table, threshold), threshold);
  }

  Routes route(const Capacities& capacities) {
    const Limit limited =
        std::visit([&](const auto& kind) { return limit(kind); }, capacities.within);
    const DeferralLimit most{budget_cases(limited.share, cases_->size()),
                             limited.threshold.value_or(limited.least_margin)};
    const auto gain = asking_gain(roster_, answer_);
    const WithinCapacities assignment(*roster_.policy, *cases_, *roster_.names, roster_.on_duty,
                                      capacities.most_cases, scoring_.seed, work_,
                                      gain ? &*gain : nullptr);
    return finish(assignment.routes(most), limited.threshold);
  }

  Routes finish(std::vector<Route> routes, std::optional<double> threshold) const {
    return {std::move(routes),
            answers_of_model(*cases_, costs_),
            roster_.names,
            threshold,
            least_margin_,
            calibrated_,
            watch_};
  }

  const RosterSnapshot& roster_;
  const ClassNames& classes_;
  MarginMeaning meaning_;
  const ExpectedCosts* costs_;  // null without costs
  AnswerUse answer_;
  ScoringOptions scoring_;
  const LongWork& work_;
  std::optional<Predictions> cases_;  // as the policy reads them
  std::optional<double> least_margin_;
  std::optional<CalibratedThreshold> calibrated_;
  std::vector<double> past_;  // margins that the threshold was calibrated on
  double false_alarms_ = 0;
  std::optional<StreamWatch> watch_;
};

}  // namespace

class Router::Core {
 public:
  Core(RosterState state, RouterOptions options)
      : options_(std::move(options)),
        costs_(costs_of(options_, state)),
        source_(source_named(options_.policy, options_.policy_files, settings())),
        state_(std::move(state)) {
    if (options_.costs && options_.answer == AnswerUse::kCombined) {
      throw Error(ErrorKind::kConflict,
                  "combined answers and costs of mistakes: expected one of them, since what is "
                  "combined is the most probable label, not the cheapest");
    }
    if (options_.context_predictions) {
      check_classes(state_.classes(), *options_.context_predictions,
                    options_.context_predictions_name.c_str());
    }
    const Roster nobody;
    // Refuses what can only be evaluated, also while there is nobody to bind it to.
    const MethodNeeds& needs = source_.method().needs;
    if (needs.answers || needs.accuracies) source_.make({nobody});
    auto made = std::make_shared<RosterSnapshot>();
    if (state_.size() > 0) {
      Roster everybody;
      for (std::size_t j = 0; j < state_.size(); ++j) {
        everybody.names.push_back(state_.name(expert_id(j)));
        everybody.profiles.push_back(state_.profile(expert_id(j)));
      }
      made->pages.push_back(page_of(std::move(everybody), nullptr));
    }
    made->policy = joined(made->pages);
    name_everybody(*made);
    calibrate(*made, Fit::kUnlessFittedBefore);
    if (options_.watch) watch_ = begun_watch();
    snapshot_ = std::move(made);
    if (options_.unstated_priors == UnstatedPriors::kStaff) {
      newcomer_ = StaffPrior(state_.profiles())
                      .of_newcomer(std::vector<ClassCount>(state_.classes().size()));
    }
  }

  std::unique_ptr<Core> copy() const {
    const std::lock_guard lock(write_mutex_);
    return std::unique_ptr<Core>(new Core(*this));
  }

  SnapshotPointer snapshot() const {
    const std::lock_guard lock(snapshot_mutex_);
    return snapshot_;
  }

  const RouterOptions& options() const { return options_; }
  const ExpectedCosts* costs() const { return costs_.get(); }
  const CostsPointer& expected_costs() const { return costs_; }
  DecisionScope scope(const RosterSnapshot& roster) const {
    return decision_scope(roster, classes(), source_, options_);
  }
  const ClassNames& classes() const { return state_.classes(); }
  MarginMeaning margins() const { return source_.margins(); }
  bool encodes_cases() const { return source_.method().needs.context_cases; }

  RosterState state() const {
    const std::lock_guard lock(write_mutex_);
    return state_;
  }

  Watch watch() const {
    const std::lock_guard lock(write_mutex_);
    if (!watch_) {
      throw Error(ErrorKind::kConflict,
                  "the router watches nobody; expected RouterOptions::watch when it was made");
    }
    return *watch_;
  }

  // A snapshot with the contexts that belong to it.
  std::pair<SnapshotPointer, RosterState> snapshot_with_state() const {
    const std::lock_guard lock(write_mutex_);
    return {snapshot(), state_};
  }

  enum class Change { kObserve, kForget };
  void count(std::string_view name, const Observation& undated, Change change) {
    const std::lock_guard lock(write_mutex_);
    check_case(undated);
    const ExpertId expert = state_.at(name);
    const Observation observation = change == Change::kObserve
                                        ? state_.dated(expert, undated)
                                        : state_.dated_as_given(expert, undated);
    // The state refuses what makes no sense before anything has changed.
    if (change == Change::kObserve) {
      state_.observe(expert, observation);
    } else {
      state_.forget(expert, observation);
    }
    try {
      RosterSnapshot made = in_pages();
      const auto place = made.place_of(expert);
      Roster part = made.pages[place.page]->roster();
      if (state_.half_life()) {
        part.profiles[place.row] = state_.profile(expert);
      } else if (change == Change::kObserve) {
        part.profiles[place.row].observe(observation.truth, observation.answer);
      } else {
        part.profiles[place.row].forget(observation.truth, observation.answer);
      }
      replace_page(made, place.page, std::move(part));
      SnapshotPointer next = std::make_shared<const RosterSnapshot>(std::move(made));
      if (watch_ && change == Change::kObserve) {
        watch_->observe(name, observation.truth, observation.answer);
      }
      publish(std::move(next));
    } catch (...) {
      if (change == Change::kObserve) {
        state_.forget(expert, observation);
      } else {
        state_.observe(expert, observation);
      }
      throw;
    }
  }

  void add(std::string name, std::vector<BetaPrior> priors) {
    const std::lock_guard lock(write_mutex_);
    if (source_.method().needs.known_experts) {
      throw Error(
          ErrorKind::kConflict,
          fmt::format("{}: method '{}' knows only the experts it was trained with; expected "
                      "a policy that works for anybody, or to train it again with '{}'",
                      source_.name(), source_.method().name, excerpt(name)));
    }
    const ExpertId expert =
        state_.add(std::move(name), priors.empty() ? newcomer_ : std::move(priors));
    try {
      RosterSnapshot made = in_pages();
      if (made.pages.empty() || made.pages.back()->size() >= kExpertsPerPage) {
        made.pages.push_back(nullptr);
      }
      Roster part = made.pages.back() ? made.pages.back()->roster() : Roster();
      part.names.push_back(state_.name(expert));
      part.profiles.push_back(state_.profile(expert));
      replace_page(made, made.pages.size() - 1, std::move(part));
      name_everybody(made);
      publish(std::move(made));
    } catch (...) {
      state_.remove(expert);
      throw;
    }
  }

  void remove(std::string_view name) {
    const std::lock_guard lock(write_mutex_);
    const ExpertId expert = state_.at(name);
    RosterSnapshot made = in_pages();
    const auto place = made.place_of(expert);
    Roster part = made.pages[place.page]->roster();
    part.names.erase(part.names.begin() + static_cast<std::ptrdiff_t>(place.row));
    part.profiles.erase(part.profiles.begin() + static_cast<std::ptrdiff_t>(place.row));
    if (part.size() == 0) {
      made.pages.erase(made.pages.begin() + static_cast<std::ptrdiff_t>(place.page));
      made.policy = joined(made.pages);
    } else {
      replace_page(made, place.page, std::move(part));
    }
    state_.remove(expert);
    name_everybody(made);
    publish(std::move(made));
  }

  void set_on_duty(std::string_view name, bool on_duty) {
    const std::lock_guard lock(write_mutex_);
    const ExpertId expert = state_.at(name);
    RosterSnapshot made = *snapshot_;
    made.on_duty.set_on_duty(expert, on_duty);
    state_.set_on_duty(expert, on_duty);
    publish(std::move(made));
  }

  void recalibrate() {
    const std::lock_guard lock(write_mutex_);
    RosterSnapshot made = *snapshot_;
    calibrate(made, Fit::kAnew);
    publish(std::move(made));
  }

  PolicySettings settings() const {
    return {options_.scale,     options_.ties,   options_.seed,
            options_.precision, options_.limits, costs_};
  }

 private:
  // The snapshot never changes and is shared. Under the write lock of the other.
  Core(const Core& other)
      : options_(other.options_),
        costs_(other.costs_),
        source_(other.source_),
        state_(other.state_),
        watch_(other.watch_),
        newcomer_(other.newcomer_),
        snapshot_(other.snapshot_) {}

  Watch begun_watch() const {
    std::vector<OldAnswers> before;
    for (std::size_t j = 0; j < state_.size(); ++j) {
      before.push_back({state_.name(expert_id(j)), state_.answer_counts(expert_id(j))});
    }
    return Watch(state_.classes().size(), before, {}, *options_.watch);
  }

  void check_case(const Observation& observation) const {
    if (!encodes_cases() || !observation.case_name.empty()) return;
    throw bad_input(
        fmt::format("method '{}' encodes the cases that experts answered; expected the "
                    "case's name with the answer",
                    source_.method().name));
  }

  PagePointer page_of(Roster roster, const DeferralPolicy* previous) const {
    PolicyMaterials materials{roster};
    materials.previous = previous;
    std::vector<ExpertContext> contexts;
    if (source_.method().needs.context_cases) {
      for (const std::string& name : roster.names) {
        contexts.push_back(state_.context(state_.at(name)));
      }
    }
    materials.contexts = contexts;
    if (options_.context_predictions)
      materials.context_predictions = &*options_.context_predictions;
    std::shared_ptr<const DeferralPolicy> policy = source_.make(materials);
    return std::make_shared<const RosterPage>(std::move(roster), std::move(policy), options_.ties);
  }

  // The snapshot as a change begins from it: in pages.
  RosterSnapshot in_pages() const {
    RosterSnapshot made = *snapshot_;
    if (made.pages.size() != 1 || made.pages.front()->size() <= kExpertsPerPage) return made;
    const PagePointer all = made.pages.front();
    made.pages.clear();
    for (std::size_t first = 0; first < all->size(); first += kExpertsPerPage) {
      const auto part = [&](const auto& values) {
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(first);
        return std::remove_cvref_t<decltype(values)>(
            from,
            from + static_cast<std::ptrdiff_t>(std::min(kExpertsPerPage, all->size() - first)));
      };
      made.pages.push_back(
          page_of({part(all->roster().names), part(all->roster().profiles)}, all->policy().get()));
    }
    return made;
  }

  void replace_page(RosterSnapshot& made, std::size_t page, Roster roster) const {
    const DeferralPolicy* previous = made.pages[page] ? made.pages[page]->policy().get() : nullptr;
    made.pages[page] = page_of(std::move(roster), previous);
    made.policy = joined(made.pages);
  }

  std::shared_ptr<const DeferralPolicy> joined(const std::vector<PagePointer>& pages) const {
    std::vector<std::shared_ptr<const DeferralPolicy>> parts;
    parts.reserve(pages.size());
    for (const PagePointer& page : pages) parts.push_back(page->policy());
    return source_.join(std::move(parts));
  }

  // Names and duty, from the state.
  void name_everybody(RosterSnapshot& made) const {
    made.names = std::make_shared<const std::vector<std::string>>(state_.names());
    made.on_duty = Availability(state_.size());
    for (std::size_t j = 0; j < state_.size(); ++j) {
      made.on_duty.set_on_duty(expert_id(j), state_.is_on_duty(expert_id(j)));
    }
  }

  void calibrate(RosterSnapshot& made, Fit fit) const {
    if (options_.calibrate != CalibrationKind::kNone) {
      made.options_calibration =
          on_context(CalibrationInUse::Origin::kOptions, options_.calibrate, fit, options_, state_);
    }
    made.own_calibration = own_calibration(source_, fit, options_, state_);
  }

  void publish(RosterSnapshot made) {
    publish(std::make_shared<const RosterSnapshot>(std::move(made)));
  }
  void publish(SnapshotPointer next) {
    const std::lock_guard lock(snapshot_mutex_);
    snapshot_.swap(next);
    // The one before goes when the last of its readers is done.
  }

  const RouterOptions options_;
  const CostsPointer costs_;  // null without costs
  const PolicySource source_;
  mutable std::mutex write_mutex_;  // held by a writer from beginning to end
  RosterState state_;
  std::optional<Watch> watch_;
  std::vector<BetaPrior> newcomer_;    // by class, of who comes without a prior; empty: uniform
  mutable std::mutex snapshot_mutex_;  // held while the pointer is read or swapped
  SnapshotPointer snapshot_;
};

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
  return Routing(*roster, core_->classes(), core_->margins(), core_->options(), core_->costs(),
                 work)(cases, rule);
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
  for (std::size_t j = 0; j < margins.size(); ++j) {
    why.experts.push_back(
        {(*roster->names)[j], states[j], margins[j], roster->on_duty.is_on_duty(expert_id(j))});
  }
  const MarginTable table = winning_margins(*roster->policy, here, *roster->names, roster->on_duty,
                                            {core_->options().seed, 1, {}});
  if (table.expert[0] != kNobody) why.best = table.expert[0];
  return why;
}

MarginTable Router::best(const Predictions& cases, const LongWork& work) const {
  check_classes(core_->classes(), cases, "the cases");
  const SnapshotPointer roster = core_->snapshot();
  return best_margins(*roster, roster->as_read(cases), core_->options().answer,
                      {core_->options().seed, core_->options().threads, work});
}

std::vector<double> Router::margins(const Predictions& cases, const LongWork& work) const {
  check_classes(core_->classes(), cases, "the cases");
  const SnapshotPointer roster = core_->snapshot();
  const Predictions read = roster->as_read(cases);
  std::vector<double> margins = all_margins(*roster->policy, read, roster->on_duty, work);
  if (const auto gain = asking_gain(*roster, core_->options().answer)) {
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
    column_of.push_back(expert_named(*roster, name));
  }
  const Predictions read = roster->as_read(cases);
  Combination made{{}, roster->names, shared_errors(state.contexts())};
  std::vector<GivenAnswer> given;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    work.check();
    CombinedCase here{top_class(read.probabilities(row)), {}, 0, {}};
    given.clear();
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      const Answer answer = answers.at(case_id(row), expert_id(j));
      if (answer.is_missing()) continue;
      here.given.emplace_back(column_of[j], answer);
      if (!answer.is_outside()) given.push_back({&roster->profile(column_of[j]), answer});
    }
    const CombinedAnswer combined = ifd::combine(
        read.probabilities(row), given, weight_of_answers(given.size(), made.shared.correlation));
    here.label = combined.label;
    here.probability = combined.probability();
    here.second =
        second_opinion(combined.posterior, {}, readers_beside(*roster, here.given), advice);
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
  const Predictions read = roster->as_read(cases);
  std::vector<SecondOpinion> found;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    work.check();
    const auto probabilities = read.probabilities(row);
    const std::vector<double> belief(probabilities.begin(), probabilities.end());
    if (routes[row].decision() == Decision::kModel) {
      found.push_back(second_opinion(belief, {}, readers_beside(*roster, {}), advice));
      if (found.back().advice == Advice::kSecondReader) found.back() = {};
      continue;
    }
    const std::pair<ExpertId, Answer> asked{routes[row].expert, Answer::missing()};
    found.push_back(second_opinion(belief, roster->profile(routes[row].expert).means(),
                                   readers_beside(*roster, std::span(&asked, 1)), advice));
  }
  return found;
}

Evaluation Router::evaluate(const Predictions& cases, const AnswerTable& answers,
                            const RouterEvaluationOptions& options) const {
  check_classes(core_->classes(), cases, "the cases");
  const auto [roster, state] = core_->snapshot_with_state();
  const RouterOptions& router = core_->options();
  const AnswerTable aligned = columns_of(answers, *roster->names);
  if (options.missing == RouterEvaluationOptions::Missing::kError) {
    if (const auto missing = missing_answers(aligned, roster->on_duty)) {
      throw bad_input(
          fmt::format("{}; expected one of every expert on duty on every one of the {} "
                      "cases, or missing ones to be allowed",
                      *missing, aligned.cases()));
    }
  }
  const Predictions as_asked = roster->options_calibration
                                   ? calibrated(cases, roster->options_calibration->calibration)
                                   : cases;
  const Roster everybody = roster->roster();
  const std::vector<ExpertContext> contexts = state.contexts();
  PolicyMaterials materials{everybody};
  materials.answers = &aligned;
  materials.accuracies = options.measures.accuracies;
  materials.contexts = contexts;
  if (router.context_predictions) materials.context_predictions = &*router.context_predictions;

  PolicyFilesByName files = options.policy_files;
  files.insert(router.policy_files.begin(), router.policy_files.end());
  std::vector<ComparedPolicy> compared;
  const std::vector<std::string> own = {router.policy};
  for (const std::string& name : options.policies.empty() ? own : options.policies) {
    if (const ForeignMargins* const foreign = foreign_named(options, name)) {
      compared.push_back({name, given_margins(foreign->margins, everybody.size())});
      continue;
    }
    PolicySettings settings = core_->settings();
    if (core_->costs() != nullptr && name == kCostBlind) {
      ComparedPolicy blind{name, plug_in_policy(everybody, MarginScale::kProbability)};
      blind.expects_gains = true;
      blind.is_blind_to_costs = true;
      compared.push_back(std::move(blind));
      continue;
    }
    const PolicySource source = source_named(name, files, settings);
    ComparedPolicy policy{name, source.make(materials)};
    policy.expects_gains = source.margins() == MarginMeaning::kExpectedGain;
    policy.is_reference = source.method().needs.answers || source.method().needs.accuracies;
    policy.calibration = own_calibration(source, Fit::kAnew, router, state);
    if (policy.calibration) policy.cases = calibrated(cases, policy.calibration->calibration);
    if (options.bf16) {
      settings.precision = *options.bf16;
      policy.in_bf16 = source_named(name, files, settings).make(materials);
      policy.decide_in_bf16 = *options.bf16 == Precision::kAmx;
    }
    compared.push_back(std::move(policy));
  }
  for (const ForeignMargins& foreign : options.foreign) {
    if (std::ranges::count(options.policies, foreign.name) > 0) continue;
    compared.push_back({foreign.name, given_margins(foreign.margins, everybody.size())});
  }
  if (router.answer == AnswerUse::kCombined) compared = both_ways(std::move(compared));
  EvaluationOptions measures = options.measures;
  measures.profiles = everybody.profiles;
  measures.seed = router.seed;
  measures.threads = router.threads;
  measures.costs = core_->expected_costs();
  return ifd::evaluate(compared, as_asked, aligned, roster->on_duty, measures);
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
  return roster->profile(expert_named(*roster, expert));
}

bool Router::is_on_duty(std::string_view expert) const {
  const SnapshotPointer roster = core_->snapshot();
  return roster->on_duty.is_on_duty(expert_named(*roster, expert));
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
