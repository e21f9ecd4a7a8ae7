#include "ifd/router/router_core.h"

#include <fmt/format.h>

#include <algorithm>

#include "ifd/data/utf8.h"
#include "ifd/profile/staff_prior.h"
#include "ifd/router/expected_classes.h"
#include "ifd/router/policy_lookup.h"

namespace ifd {
namespace {

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

}  // namespace

Router::Core::Core(RosterState state, RouterOptions options)
    : options_(std::move(options)),
      costs_(costs_of(options_, state)),
      source_(source_named(options_.policy, options_.policy_files, settings())),
      state_(std::move(state)) {
  if (options_.context_predictions) {
    check_classes(state_.classes(), *options_.context_predictions,
                  options_.context_predictions_name.c_str());
  }
  const Roster nobody;
  // Refuses what can only be evaluated, also while there is nobody to bind it to.
  const MethodNeeds& needs = source_.method().needs;
  if (needs.answers || needs.accuracies) source_.make({nobody});
  auto made = std::make_shared<RosterSnapshot>();
  calibrate(*made, CalibrationFit::kUnlessFittedBefore);
  labelled_cases_ = labelled_cases(source_, made->options_calibration, options_, state_);
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
  watch_ = begun_watch();
  snapshot_ = std::move(made);
  if (options_.unstated_priors == UnstatedPriors::kStaff) {
    newcomer_ =
        StaffPrior(state_.profiles()).of_newcomer(std::vector<ClassCount>(state_.classes().size()));
  }
}

std::unique_ptr<Router::Core> Router::Core::copy() const {
  const std::lock_guard lock(write_mutex_);
  return std::unique_ptr<Core>(new Core(*this));
}

SnapshotPointer Router::Core::snapshot() const {
  const std::lock_guard lock(snapshot_mutex_);
  return snapshot_;
}

DecisionScope Router::Core::scope(const RosterSnapshot& roster) const {
  return decision_scope(roster, classes(), source_, options_);
}

RosterState Router::Core::state() const {
  const std::lock_guard lock(write_mutex_);
  return state_;
}

Watch Router::Core::watch() const {
  const std::lock_guard lock(write_mutex_);
  if (!watch_) {
    throw Error(ErrorKind::kConflict,
                "the router watches nobody; expected RouterOptions::watch when it was made");
  }
  return *watch_;
}

std::pair<SnapshotPointer, RosterState> Router::Core::snapshot_with_state() const {
  const std::lock_guard lock(write_mutex_);
  return {snapshot(), state_};
}

void Router::Core::count(std::string_view name, const Observation& undated, Change change) {
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
      part.profiles[place.row].observe({.truth = observation.truth, .answer = observation.answer});
    } else {
      part.profiles[place.row].forget({.truth = observation.truth, .answer = observation.answer});
    }
    replace_page(made, place.page, std::move(part));
    SnapshotPointer next = std::make_shared<const RosterSnapshot>(std::move(made));
    if (watch_ && change == Change::kObserve) {
      watch_->observe(name, {.truth = observation.truth, .answer = observation.answer});
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

void Router::Core::add(std::string name, std::vector<BetaPrior> priors) {
  const std::lock_guard lock(write_mutex_);
  if (source_.method().needs.known_experts) {
    throw Error(ErrorKind::kConflict,
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

void Router::Core::remove(std::string_view name) {
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
  name_everybody(made, expert);
  SnapshotPointer next = std::make_shared<const RosterSnapshot>(std::move(made));
  // From here on nothing fails.
  state_.remove(expert);
  publish(std::move(next));
}

void Router::Core::set_on_duty(std::string_view name, bool on_duty) {
  const std::lock_guard lock(write_mutex_);
  const ExpertId expert = state_.at(name);
  RosterSnapshot made = *snapshot_;
  made.on_duty.set_on_duty(expert, on_duty);
  SnapshotPointer next = std::make_shared<const RosterSnapshot>(std::move(made));
  state_.set_on_duty(expert, on_duty);
  publish(std::move(next));
}

void Router::Core::recalibrate() {
  const std::lock_guard lock(write_mutex_);
  const auto made = std::make_shared<RosterSnapshot>(*snapshot_);
  calibrate(*made, CalibrationFit::kAnew);
  if (source_.method().needs.labelled_cases) learn_labelled_cases(*made);
  publish(made);
}

PolicySettings Router::Core::settings() const {
  return {options_.scale,  options_.ties, options_.seed,  options_.precision,
          options_.limits, costs_,        options_.answer};
}

Router::Core::Core(const Core& other)
    : options_(other.options_),
      costs_(other.costs_),
      source_(other.source_),
      state_(other.state_),
      watch_(other.watch_),
      labelled_cases_(other.labelled_cases_),
      newcomer_(other.newcomer_),
      snapshot_(other.snapshot_) {}

std::optional<Watch> Router::Core::begun_watch() const {
  if (options_.watch_so_far) {
    const std::size_t classes = options_.watch_so_far->classes();
    if (classes == state_.classes().size()) return *options_.watch_so_far;
    throw bad_input(
        fmt::format("a watch of {} classes; expected {}", classes, state_.classes().size()));
  }
  if (!options_.watch) return {};
  std::vector<OldAnswers> before;
  for (std::size_t j = 0; j < state_.size(); ++j) {
    before.push_back({state_.name(expert_id(j)), state_.answer_counts(expert_id(j))});
  }
  return Watch(state_.classes().size(), before, {}, *options_.watch);
}

void Router::Core::check_case(const Observation& observation) const {
  if (!encodes_cases() || !observation.case_name.empty()) return;
  throw bad_input(
      fmt::format("method '{}' encodes the cases that experts answered; expected the "
                  "case's name with the answer",
                  source_.method().name));
}

PagePointer Router::Core::page_of(Roster roster, const DeferralPolicy* previous) const {
  PolicyMaterials materials{roster};
  materials.previous = previous;
  std::vector<ExpertContext> contexts;
  if (source_.method().needs.context_cases) {
    for (const std::string& name : roster.names) {
      contexts.push_back(state_.context(state_.at(name)));
    }
  }
  materials.contexts = contexts;
  if (options_.context_predictions) materials.context_predictions = &*options_.context_predictions;
  if (labelled_cases_) materials.labelled_cases = &*labelled_cases_;
  std::shared_ptr<const DeferralPolicy> policy = source_.make(materials);
  return std::make_shared<const RosterPage>(std::move(roster), std::move(policy), options_.ties);
}

RosterSnapshot Router::Core::in_pages() const {
  RosterSnapshot made = *snapshot_;
  if (made.pages.size() != 1 || made.pages.front()->size() <= kExpertsPerPage) return made;
  const PagePointer all = made.pages.front();
  made.pages.clear();
  for (std::size_t first = 0; first < all->size(); first += kExpertsPerPage) {
    const auto part = [&](const auto& values) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(first);
      return std::remove_cvref_t<decltype(values)>(
          from, from + static_cast<std::ptrdiff_t>(std::min(kExpertsPerPage, all->size() - first)));
    };
    made.pages.push_back(
        page_of({part(all->roster().names), part(all->roster().profiles)}, all->policy().get()));
  }
  return made;
}

void Router::Core::replace_page(RosterSnapshot& made, std::size_t page, Roster roster) const {
  const DeferralPolicy* previous = made.pages[page] ? made.pages[page]->policy().get() : nullptr;
  made.pages[page] = page_of(std::move(roster), previous);
  made.policy = joined(made.pages);
}

std::shared_ptr<const DeferralPolicy> Router::Core::joined(
    const std::vector<PagePointer>& pages) const {
  std::vector<std::shared_ptr<const DeferralPolicy>> parts;
  parts.reserve(pages.size());
  for (const PagePointer& page : pages) parts.push_back(page->policy());
  return source_.join(std::move(parts));
}

void Router::Core::name_everybody(RosterSnapshot& made, std::optional<ExpertId> without) const {
  std::vector<std::string> names;
  std::vector<ExpertId> in_state;
  for (std::size_t j = 0; j < state_.size(); ++j) {
    if (expert_id(j) == without) continue;
    names.push_back(state_.name(expert_id(j)));
    in_state.push_back(expert_id(j));
  }
  made.names = std::make_shared<const std::vector<std::string>>(std::move(names));
  made.on_duty = Availability(in_state.size());
  auto number_of = std::make_shared<std::unordered_map<std::string_view, ExpertId>>();
  number_of->reserve(in_state.size());
  for (std::size_t j = 0; j < in_state.size(); ++j) {
    made.on_duty.set_on_duty(expert_id(j), state_.is_on_duty(in_state[j]));
    number_of->emplace((*made.names)[j], expert_id(j));
  }
  made.number_of = std::move(number_of);
}

void Router::Core::calibrate(RosterSnapshot& made, CalibrationFit fit) const {
  made.options_calibration = calibration_by_options(fit, options_, state_);
  made.own_calibration = own_calibration(source_, fit, options_, state_);
}

void Router::Core::learn_labelled_cases(RosterSnapshot& made) {
  auto before = labelled_cases(source_, made.options_calibration, options_, state_);
  std::swap(labelled_cases_, before);
  try {
    for (PagePointer& page : made.pages) page = page_of(page->roster(), nullptr);
    made.policy = joined(made.pages);
  } catch (...) {
    std::swap(labelled_cases_, before);
    throw;
  }
}

void Router::Core::publish(RosterSnapshot made) {
  publish(std::make_shared<const RosterSnapshot>(std::move(made)));
}

void Router::Core::publish(SnapshotPointer next) {
  const std::lock_guard lock(snapshot_mutex_);
  snapshot_.swap(next);
  // The one before goes when the last of its readers is done.
}

}  // namespace ifd
