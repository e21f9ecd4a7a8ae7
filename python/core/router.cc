#include "python/core/router.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "ifd/error.h"
#include "ifd/policy/policy_calibration.h"
#include "ifd/policy/policy_catalogue.h"
#include "python/core/arrays.h"
#include "python/core/costs.h"
#include "python/core/long_call.h"
#include "python/core/names.h"
#include "python/core/numbers.h"
#include "python/core/policy.h"
#include "python/core/profile.h"
#include "python/core/routes.h"
#include "python/core/staff.h"

namespace ifd::python {
namespace {

using Handle = std::shared_ptr<RouterHandle>;

constexpr unsigned kMostThreads = 1024;

// A word for one of a few things; Error(kBadInput) that lists them.
template <typename Meaning>
Meaning meant(const std::string& word, const char* argument,
              std::initializer_list<std::pair<const char*, Meaning>> words) {
  std::string allowed;
  for (const auto& [name, meaning] : words) {
    if (word == name) return meaning;
    if (!allowed.empty()) allowed += ", ";
    allowed += name;
  }
  throw bad_input(fmt::format("{}: '{}'; expected one of {}", argument, word, allowed));
}

CalibrationKind calibration_kind(const py::object& word) {
  return meant<CalibrationKind>(word.is_none() ? "none" : name_of(word), "calibrate",
                                {{"none", CalibrationKind::kNone},
                                 {"temperature", CalibrationKind::kTemperature},
                                 {"bias", CalibrationKind::kBias}});
}

AnswerUse answer_use(const std::string& word) {
  if (const auto use = answer_use_named(word)) return *use;
  throw bad_input(fmt::format("answer: '{}'; expected one of {}, {}", word,
                              word_for(AnswerUse::kFinal), word_for(AnswerUse::kCombined)));
}

struct Settings {
  std::string scale;
  std::string ties;
  std::string precision;
  std::string answer;
};

// A policy by its name, from a file, or a Policy. A file is read once and kept, so that a pickle of
// the router carries it along.
void take_policy(const py::object& policy, RouterOptions& options) {
  if (py::isinstance<Policy>(policy)) {
    const auto& given = policy.cast<const Policy&>();
    options.policy = given.name();
    options.policy_files[given.name()] = given.file;
    return;
  }
  if (!py::isinstance<py::str>(policy) && !py::hasattr(policy, "__fspath__")) {
    throw bad_input("policy: expected a name, the path of a policy file, or a Policy");
  }
  options.policy = py::module_::import("os").attr("fspath")(policy).cast<std::string>();
  if (names_policy_file(options.policy)) {
    options.policy_files[options.policy] =
        std::make_shared<const PolicyFile>(PolicyFile::read(options.policy));
  }
}

RouterOptions options_of(const py::object& policy, const Settings& settings,
                         const py::object& calibrate, const py::object& context_predictions,
                         std::uint64_t seed, unsigned threads) {
  RouterOptions options;
  take_policy(policy, options);
  options.scale = meant<MarginScale>(
      settings.scale, "scale",
      {{"probability", MarginScale::kProbability}, {"logit", MarginScale::kLogit}});
  options.ties = meant<TieRule>(
      settings.ties, "ties",
      {{"by-readings", TieRule::kByReadings}, {"lowest-index", TieRule::kLowestIndex}});
  options.precision = meant<Precision>(
      settings.precision, "precision",
      {{"float", Precision::kFloat}, {"bf16", Precision::kBf16}, {"amx", Precision::kAmx}});
  options.answer = answer_use(settings.answer);
  options.calibrate = calibration_kind(calibrate);
  if (!context_predictions.is_none()) {
    if (!py::isinstance<Predictions>(context_predictions)) {
      throw bad_input("context_predictions: expected Predictions");
    }
    options.context_predictions = context_predictions.cast<Predictions>();
  }
  options.seed = seed;
  options.threads = std::clamp(threads, 1U, kMostThreads);
  return options;
}

// Who is there, as a router that is made of `staff` begins.
struct Today {
  MostCasesByName capacity;
  std::optional<std::vector<std::string>> on_duty;
};

Handle made_of(const std::shared_ptr<Staff>& staff, Today today, const RouterOptions& options) {
  const py::gil_scoped_release release;
  RosterState state = staff->copy();
  for (const auto& [name, cases] : today.capacity) state.at(name);  // refuses who is not there
  if (today.on_duty) {
    for (std::size_t j = 0; j < state.size(); ++j) state.set_on_duty(expert_id(j), false);
    for (const std::string& name : *today.on_duty) state.set_on_duty(state.at(name), true);
  }
  Router made(std::move(state), options);
  auto handle = std::make_shared<RouterHandle>(std::move(made), options, std::move(today.capacity));
  handle->truth = staff->truth();
  return handle;
}

void take_costs(const py::object& costs, const py::object& fees, const Staff& staff,
                RouterOptions& options) {
  if (costs.is_none() && fees.is_none()) return;
  const RosterState known = staff.copy();
  options.costs = costs_of(costs, fees, known.classes(), known.names());
}

Handle router(const py::object& policy, const std::shared_ptr<Staff>& staff,
              const py::object& on_duty, const py::object& capacity, const py::object& calibrate,
              const py::object& context_predictions, std::uint64_t seed, unsigned threads,
              const std::string& scale, const std::string& ties, const std::string& precision,
              const py::object& costs, const py::object& fees, const std::string& answer) {
  RouterOptions options = options_of(policy, {scale, ties, precision, answer}, calibrate,
                                     context_predictions, seed, threads);
  take_costs(costs, fees, *staff, options);
  Today today{most_cases_of(capacity), {}};
  if (!on_duty.is_none()) today.on_duty = names_of(on_duty, "on_duty");
  return made_of(staff, std::move(today), options);
}

// Python lets None stand for any pointer, also for `self` of a method that is called by its class.
void require(const Handle& self) {
  if (!self) throw py::type_error("expected a Router");
}

// How many cases may go to experts, as route() is told.
struct Limits {
  const py::object& budget;
  const py::object& threshold;
  bool fill_budget;
  const py::object& calibration;
  double confidence;
  const py::object& budget_confidence;
  const py::object& batch;
};

// The certificate's threshold, today; nothing else may set one.
Certified certified(const Limits& limits, const Certificate& certificate,
                    const MostCasesByName& most) {
  if (!limits.budget.is_none() || !limits.threshold.is_none() || limits.fill_budget ||
      !limits.calibration.is_none() || !most.empty()) {
    throw bad_input(
        "a certificate holds without budget, threshold, calibration or capacity; expected one of "
        "them");
  }
  const py::object today = py::module_::import("datetime").attr("date").attr("today")();
  return {certificate, CalendarDate::parse(today.attr("isoformat")().cast<std::string>())};
}

std::variant<Budget, Threshold, CalibratedBudget> within(const Limits& limits) {
  LeastMargin least;
  if (!limits.threshold.is_none()) least = number_of(limits.threshold, "threshold");
  if (limits.fill_budget) {
    if (least) throw bad_input("fill_budget and threshold: expected one of them");
    least = kFillBudget;
  }
  if (limits.budget.is_none()) {
    if (limits.threshold.is_none()) {
      throw bad_input("route needs a budget, a threshold, both, or a certificate");
    }
    if (!limits.calibration.is_none()) {
      throw bad_input("calibration sets the threshold from a budget; expected one");
    }
    return Threshold{*least};
  }
  const double share = number_of(limits.budget, "budget");
  if (!(share >= 0 && share <= 1)) {
    throw bad_input(fmt::format("budget: {}; expected a share of the cases, 0..1", share));
  }
  if (limits.calibration.is_none()) {
    if (!limits.budget_confidence.is_none()) {
      throw bad_input("budget_confidence needs past cases to rely on; expected a calibration");
    }
    return Budget{share, least};
  }
  if (!py::isinstance<Predictions>(limits.calibration)) {
    throw bad_input("calibration: expected Predictions of past cases");
  }
  CalibratedBudget made{share, limits.calibration.cast<Predictions>(), limits.confidence, least};
  made.budget_confidence = number_or_none(limits.budget_confidence, "budget_confidence");
  if (const auto cases = number_or_none(limits.batch, "batch")) {
    if (!(*cases >= 1 && *cases <= 1e15)) {
      throw bad_input(fmt::format("batch: {}; expected a number of cases", *cases));
    }
    made.batch = static_cast<std::size_t>(*cases);
  }
  return made;
}

DeferralRule rule_of(const Limits& limits, const MostCasesByName& most) {
  auto inside = within(limits);
  if (!most.empty()) return Capacities{most, std::move(inside)};
  return std::visit([](auto& kind) { return DeferralRule(std::move(kind)); }, inside);
}

RoutesHandle route(const Handle& self, const Predictions& cases, const py::object& budget,
                   const py::object& threshold, bool fill_budget, const py::object& calibration,
                   double confidence, const py::object& budget_confidence, const py::object& batch,
                   const Certificate* certificate, const py::object& capacity,
                   const py::object& progress) {
  require(self);
  const Limits limits{budget,     threshold,         fill_budget, calibration,
                      confidence, budget_confidence, batch};
  const MostCasesByName most = capacity.is_none() ? self->capacity : most_cases_of(capacity);
  const DeferralRule rule = certificate == nullptr
                                ? rule_of(limits, most)
                                : DeferralRule(certified(limits, *certificate, most));
  const std::uint64_t changes = self->changes;
  std::optional<Routes> routes;
  const std::size_t steps = cases.size() * self->router.classes().size();
  long_call(calibration.is_none() ? steps : kShortWork, progress,
            [&](const LongWork& work) { routes = self->router.route(cases, rule, work); });
  return {std::move(*routes), cases, self, changes, number_or_none(budget, "budget")};
}

void learn(RouterHandle& self, const std::string& name, const py::object& answer,
           const py::object& truth, const py::object& case_name) {
  const Observation seen = observation_of(self.router.classes(), answer, truth, case_name);
  const py::gil_scoped_release release;
  self.router.observe(name, seen);
  ++self.changes;
}

void unlearn(RouterHandle& self, const std::string& name, const py::object& answer,
             const py::object& truth, const py::object& case_name) {
  const Observation seen = observation_of(self.router.classes(), answer, truth, case_name);
  const py::gil_scoped_release release;
  self.router.forget(name, seen);
  ++self.changes;
}

Handle copy(const RouterHandle& self) {
  const py::gil_scoped_release release;
  auto made = std::make_shared<RouterHandle>(self.router.copy(), self.options, self.capacity);
  made->truth = self.truth;
  return made;
}

py::tuple best(const RouterHandle& self, const Predictions& cases, const py::object& progress) {
  MarginTable table;
  long_call(cases.size() * self.router.classes().size(), progress,
            [&](const LongWork& work) { table = self.router.best(cases, work); });
  std::vector<std::int32_t> experts(table.size());
  std::ranges::transform(table.expert, experts.begin(),
                         [](ExpertId id) { return static_cast<std::int32_t>(id); });
  return py::make_tuple(as_array(std::move(table.margin)), as_array(std::move(experts)));
}

py::array_t<double> margins(const RouterHandle& self, const Predictions& cases,
                            const py::object& progress) {
  std::vector<double> all;
  long_call(cases.size() * self.router.classes().size(), progress,
            [&](const LongWork& work) { all = self.router.margins(cases, work); });
  const std::size_t experts =
      cases.size() == 0 ? self.router.experts().size() : all.size() / cases.size();
  return as_matrix(std::move(all), cases.size(), experts);
}

py::object calibration_of(const RouterHandle& self) {
  const auto in_use = self.router.calibration();
  if (!in_use) return py::none();
  return py::cast(in_use->calibration);
}

const char* word_of(CalibrationKind kind) {
  return kind == CalibrationKind::kNone ? "none" : word_for(kind);
}

// What was fitted on the context is kept: to fit it anew would also count what was learnt since.
py::list fitted_state(const Router& router) {
  py::list kept;
  for (const CalibrationInUse& one : router.calibrations()) {
    const auto quality = [](const std::optional<CalibrationQuality>& known) -> py::object {
      if (!known) return py::none();
      return py::make_tuple(known->log_loss, known->expected_calibration_error);
    };
    kept.append(py::make_tuple(static_cast<int>(one.origin), word_of(one.kind), one.calibration,
                               one.cases, quality(one.before), quality(one.after)));
  }
  return kept;
}

std::vector<CalibrationInUse> fitted_from(const py::list& kept) {
  std::vector<CalibrationInUse> made;
  for (const py::handle item : kept) {
    const auto one = item.cast<py::tuple>();
    if (one.size() != 6) throw bad_input("this is no pickled router");
    const auto quality = [](const py::object& known) -> std::optional<CalibrationQuality> {
      if (known.is_none()) return {};
      const auto [log_loss, error] = known.cast<std::pair<double, double>>();
      return CalibrationQuality{log_loss, error};
    };
    made.push_back({static_cast<CalibrationInUse::Origin>(one[0].cast<int>()),
                    calibration_kind(one[1]), one[2].cast<Calibration>(),
                    one[3].cast<std::size_t>(), quality(one[4]), quality(one[5])});
  }
  return made;
}

// What a router of the same decisions is made of again.
py::tuple router_state(const RouterHandle& self) {
  const RouterOptions& options = self.options;
  const auto file = options.policy_files.find(options.policy);
  const Router now = [&] {
    const py::gil_scoped_release release;
    return self.router.copy();
  }();
  return py::make_tuple(
      file == options.policy_files.end() ? py::object(py::str(options.policy))
                                         : py::cast(Policy{file->second}),
      std::make_shared<Staff>(now.roster_state(), self.truth), self.capacity,
      word_of(options.calibrate),
      options.context_predictions ? py::cast(*options.context_predictions) : py::object(py::none()),
      options.seed, options.threads, options.scale == MarginScale::kLogit ? "logit" : "probability",
      options.ties == TieRule::kLowestIndex ? "lowest-index" : "by-readings",
      options.precision == Precision::kBf16  ? "bf16"
      : options.precision == Precision::kAmx ? "amx"
                                             : "float",
      costs_bytes(options.costs.get()), fees_bytes(options.costs.get(), now.experts()),
      word_for(options.answer), fitted_state(now));
}

Handle router_from_state(const py::tuple& state) {
  if (state.size() != 14) throw bad_input("this is no pickled router");
  RouterOptions options =
      options_of(state[0],
                 {state[7].cast<std::string>(), state[8].cast<std::string>(),
                  state[9].cast<std::string>(), state[12].cast<std::string>()},
                 state[3], state[4], state[5].cast<std::uint64_t>(), state[6].cast<unsigned>());
  options.fitted_calibrations = fitted_from(state[13]);
  const auto staff = state[1].cast<std::shared_ptr<Staff>>();
  if (!staff) throw bad_input("this is no pickled router");
  take_costs(state[10], state[11], *staff, options);
  return made_of(staff, {most_cases_of(state[2]), {}}, options);
}

bool same_cases(const std::optional<Predictions>& a, const std::optional<Predictions>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  if (a->all_probabilities().data() == b->all_probabilities().data()) return true;
  return std::ranges::equal(a->all_probabilities(), b->all_probabilities()) &&
         std::ranges::equal(a->all_features(), b->all_features()) &&
         a->case_names() == b->case_names();
}

// Whether two routers differ in nothing but their policies.
bool same_but_policy(const RouterHandle& a, const RouterHandle& b) {
  const auto fitted = [](const std::optional<CalibrationInUse>& in_use) {
    return in_use ? in_use->calibration : Calibration();
  };
  if (!same_costs(a.options.costs.get(), b.options.costs.get())) return false;
  const py::gil_scoped_release release;
  return a.options.scale == b.options.scale && a.options.ties == b.options.ties &&
         a.options.precision == b.options.precision && a.options.calibrate == b.options.calibrate &&
         same_cases(a.options.context_predictions, b.options.context_predictions) &&
         a.options.seed == b.options.seed &&
         fitted(a.router.options_calibration()) == fitted(b.router.options_calibration()) &&
         a.router.roster_state() == b.router.roster_state();
}

py::object policy_of(const RouterHandle& self) {
  const auto file = self.options.policy_files.find(self.options.policy);
  if (file == self.options.policy_files.end()) return py::str(self.options.policy);
  return py::cast(Policy{file->second});
}

// The same router, or one like it with another seed, number of threads or use of answers.
Handle with_options(const Handle& self, const std::optional<std::uint64_t>& seed,
                    const std::optional<unsigned>& threads,
                    const std::optional<std::string>& answer) {
  require(self);
  RouterOptions options = self->options;
  if (answer) options.answer = answer_use(*answer);
  options.seed = seed.value_or(options.seed);
  options.threads = std::clamp(threads.value_or(options.threads), 1U, kMostThreads);
  if (options.seed == self->options.seed && options.threads == self->options.threads &&
      options.answer == self->options.answer) {
    return self;
  }
  const py::gil_scoped_release release;
  const Router now = self->router.copy();
  options.fitted_calibrations = now.calibrations();
  Router made(now.roster_state(), options);
  auto handle = std::make_shared<RouterHandle>(std::move(made), options, self->capacity);
  handle->truth = self->truth;
  return handle;
}

}  // namespace

MostCasesByName most_cases_of(const py::object& capacity) {
  if (capacity.is_none()) return {};
  MostCasesByName most;
  const py::dict given = py::isinstance<py::dict>(capacity)
                             ? py::reinterpret_borrow<py::dict>(capacity)
                             : py::dict(capacity);
  for (const auto& [name, cases] : given) {
    const auto count = py::reinterpret_steal<py::object>(PyNumber_Index(cases.ptr()));
    if (!count) {
      PyErr_Clear();
      throw bad_input(fmt::format("capacity: '{}' is no number of cases", name_of(cases)));
    }
    const long long value = PyLong_AsLongLong(count.ptr());
    if (value < 0) {
      PyErr_Clear();
      throw bad_input(
          fmt::format("capacity: '{}'; expected a number of cases, 0 or more", name_of(cases)));
    }
    most[name_of(name)] = static_cast<std::size_t>(value);
  }
  return most;
}

namespace {

using RouterType = py::class_<RouterHandle, Handle>;

// What changes the roster; the next call knows.
void bind_changes(RouterType& type) {
  type.def("observe", &learn, py::arg("name"), py::kw_only(), py::arg("answer"), py::arg("truth"),
           py::arg("case") = py::none(), "Counts an answer; the next call knows.")
      .def("forget", &unlearn, py::arg("name"), py::kw_only(), py::arg("answer"), py::arg("truth"),
           py::arg("case") = py::none(), "Takes back an answer.")
      .def(
          "add_expert",
          [](RouterHandle& self, const std::string& name, const py::object& prior) {
            auto priors = priors_of(prior, self.router.roster_state());
            const py::gil_scoped_release release;
            self.router.add_expert(name, std::move(priors));
            ++self.changes;
          },
          py::arg("name"), py::kw_only(), py::arg("prior") = py::none())
      .def(
          "remove_expert",
          [](RouterHandle& self, const std::string& name) {
            const py::gil_scoped_release release;
            self.router.remove_expert(name);
            ++self.changes;
          },
          py::arg("name"))
      .def(
          "set_on_duty",
          [](RouterHandle& self, const std::string& name, bool on_duty) {
            const py::gil_scoped_release release;
            self.router.set_on_duty(name, on_duty);
            ++self.changes;
          },
          py::arg("name"), py::arg("on_duty"))
      .def(
          "recalibrate",
          [](RouterHandle& self) {
            const py::gil_scoped_release release;
            self.router.recalibrate();
            ++self.changes;
          },
          "Fits a calibration on the context anew.");
}

// What decides, and what is known.
void bind_margins(RouterType& type) {
  type.def("best", &best, py::arg("cases"), py::kw_only(), py::arg("progress") = py::none(),
           "(margin, expert): of each case the largest margin and whose it is, which route() "
           "decides by.")
      .def("margins", &margins, py::arg("cases"), py::kw_only(), py::arg("progress") = py::none(),
           "All margins, N x J; -inf for who is off duty.")
      .def_property_readonly("policy", &policy_of, "The name of the policy, or the Policy.")
      .def_property_readonly("policy_name",
                             [](const RouterHandle& self) { return self.options.policy; })
      .def_property_readonly("calibration", &calibration_of,
                             "What the policy decides with, or None.")
      .def_property_readonly("seed", [](const RouterHandle& self) { return self.options.seed; })
      .def_property_readonly("threads",
                             [](const RouterHandle& self) { return self.options.threads; })
      .def_property_readonly("capacity", [](const RouterHandle& self) { return self.capacity; })
      .def_property_readonly(
          "costs", [](const RouterHandle& self) { return costs_dict(self.options.costs.get()); },
          "A dict from (truth, label) to the cost, or None.")
      .def_property_readonly(
          "fees", [](const RouterHandle& self) { return fees_dict(self.options.costs.get()); },
          "A dict from expert to the fee per case, or None without costs.")
      .def(
          "is_on_duty",
          [](const RouterHandle& self, const std::string& name) {
            return self.router.is_on_duty(name);
          },
          py::arg("name"))
      .def(
          "profile",
          [](const RouterHandle& self, const std::string& name) {
            return Profile{name, self.router.classes(), self.router.profile(name),
                           self.router.is_on_duty(name)};
          },
          py::arg("name"), "What is known of one expert.")
      .def("same_but_policy", &same_but_policy, py::arg("other"),
           "Whether another router differs in nothing but its policy.")
      .def_property_readonly("classes",
                             [](const RouterHandle& self) { return self.router.classes().names(); })
      .def_property_readonly("experts",
                             [](const RouterHandle& self) { return self.router.experts(); })
      .def_property_readonly(
          "expects_gains", [](const RouterHandle& self) { return self.router.expects_gains(); },
          "Whether a margin above 0 means that the expert is likelier to be "
          "right than the model.")
      .def_property_readonly(
          "staff",
          [](const RouterHandle& self) {
            const py::gil_scoped_release release;
            return std::make_shared<Staff>(self.router.roster_state(), self.truth);
          },
          "A copy of what is known of everybody.");
}

// Copies, equality, pickles.
void bind_router_copies(RouterType& type) {
  type.def("with_options", &with_options, py::kw_only(), py::arg("seed") = py::none(),
           py::arg("threads") = py::none(), py::arg("answer") = py::none(),
           "The same staff and policy with these instead.")
      .def("copy", &copy, "Another router that begins as this one is now.")
      .def("__copy__", &copy)
      .def(
          "__deepcopy__", [](const RouterHandle& self, const py::dict&) { return copy(self); },
          py::arg("memo"))
      .def(
          "__eq__",
          [](const RouterHandle& a, const RouterHandle& b) {
            return &a == &b || (policy_of(a).equal(policy_of(b)) && a.capacity == b.capacity &&
                                a.options.answer == b.options.answer && same_but_policy(a, b));
          },
          py::is_operator())
      .def(py::pickle(&router_state, &router_from_state))
      .def("__repr__", [](const RouterHandle& self) {
        return fmt::format("<ifd.Router: {}, {} experts, classes {}>", self.options.policy,
                           self.router.experts().size(), self.router.classes().allowed());
      });
}

}  // namespace

void bind_router(py::module_& module) {
  RouterType type(module, "Router",
                  R"(Decides who takes a case, and learns from every answer.

policy: "plug-in", "peak-rule", "confidence", "conformal" (needs context_predictions), "random", the path of a policy file, or a Policy.
costs: what mistakes cost, a dict from (truth, label) to the cost with "*" for all that are not
named, a table with columns truth, label, cost, or the path of such a file; a column "cost [EUR]"
names the unit. fees: what asking costs per case, a dict from expert to fee, or a table or file with
columns expert, fee. Margins are then expected savings, and the model answers what is expected to
cost least; only plug-in decides by costs.
answer: "final", or "combined": nobody is asked whose answer could not change the label that it
makes together with the model's probabilities (see combine), and evaluate() measures both. Under
costs the label is the one that is expected to cost least, margins are what an answer is expected to
save beyond its fee, and nobody is asked who is not expected to save anything.

>>> staff = Staff.from_answers([("ann", str(i), "cat", "cat") for i in range(9)],
...                            classes=["cat", "dog"])
>>> router = Router("plug-in", staff)
>>> router.route(Predictions([[.6, .4], [.1, .9]], classes=["cat", "dog"]), budget=.5).expert
array([ 0, -1], dtype=int32))");
  type.def(py::init(&router), py::arg("policy"), py::arg("staff").none(false), py::kw_only(),
           py::arg("on_duty") = py::none(), py::arg("capacity") = py::none(),
           py::arg("calibrate") = py::none(), py::arg("context_predictions") = py::none(),
           py::arg("seed") = 0, py::arg("threads") = 1, py::arg("scale") = "probability",
           py::arg("ties") = "by-readings", py::arg("precision") = "float",
           py::arg("costs") = py::none(), py::arg("fees") = py::none(), py::arg("answer") = "final")
      .def("route", &route, py::arg("cases"), py::kw_only(), py::arg("budget") = py::none(),
           py::arg("threshold") = py::none(), py::arg("fill_budget") = false,
           py::arg("calibration") = py::none(), py::arg("confidence") = .95,
           py::arg("budget_confidence") = py::none(), py::arg("batch") = py::none(),
           py::arg("certificate") = py::none(), py::arg("capacity") = py::none(),
           py::arg("progress") = py::none(),
           R"(Who takes each case.

budget: at most this share of the cases goes to experts, where a gain is expected (fill_budget:
anyhow). threshold: those with at least this margin. calibration: Predictions of past cases, which
set the threshold of the budget for a stream. budget_confidence: the share that is deferred stays
within the budget with this confidence, in the long run or for a batch of so many cases.
certificate: the threshold of ifd.certify(), for the staff and policy it holds for. capacity: the most cases of each expert by name.
progress: called with what is being done.)");
  bind_changes(type);
  bind_margins(type);
  bind_router_copies(type);
}

}  // namespace ifd::python
