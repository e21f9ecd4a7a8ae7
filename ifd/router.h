// The front door for programs that embed ifd: one object that knows the staff, decides who takes a
// case, and learns from every answer.
//
//   const auto cases = ifd::read_predictions("predictions.csv");
//   ifd::Router router(cases.classes(), ifd::read_contexts("context.csv", cases.classes()));
//   for (const auto& route : router.route(cases, ifd::Budget{0.2})) use(route);
//   router.observe("ann", {.answer = a, .truth = t});
//
// What is installed as a header is the public interface. Within one kApiVersion, programs that
// compile go on compiling, and mean the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/read_limits.h"
#include "ifd/decision/answer_use.h"
#include "ifd/decision/costs.h"
#include "ifd/error.h"
#include "ifd/evaluation/evaluation.h"
#include "ifd/long_work.h"
#include "ifd/network/precision.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/calibration_in_use.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/profile/prior_table.h"
#include "ifd/rejector/margin_scale.h"
#include "ifd/role/role_state.h"
#include "ifd/role/tie_rule.h"
#include "ifd/router/combination.h"
#include "ifd/router/deferral_rule.h"
#include "ifd/router/roster_state.h"
#include "ifd/router/routes.h"
#include "ifd/routing/margin_table.h"
#include "ifd/watch/watch.h"

namespace ifd {

inline constexpr int kApiVersion = 1;

struct PolicyFile;
// Policy files that are in memory, by the names that policies are asked for.
using PolicyFilesByName = std::map<std::string, std::shared_ptr<const PolicyFile>, std::less<>>;

struct RouterOptions {
  // The name of an untrained policy (plug-in, peak-rule, confidence, conformal, random), or the
  // path of a policy file, which is read once and decides with its own calibration and feature
  // scaling.
  std::string policy = "plug-in";
  // Names among these are looked up here, and nowhere else.
  PolicyFilesByName policy_files = {};
  MarginScale scale = MarginScale::kProbability;
  TieRule ties = TieRule::kByReadings;
  Precision precision = Precision::kFloat;
  // Recalibrates the classifier on the context's cases, unless the policy has a calibration of its
  // own.
  CalibrationKind calibrate = CalibrationKind::kNone;
  // The classifier on the context's cases: for a calibration on the context, and for policies that
  // encode the context's cases.
  std::optional<Predictions> context_predictions = {};
  std::string context_predictions_name = "the context's predictions";  // in messages
  // Router::calibrations() of another router, which this one begins as: a calibration on the
  // context is taken from here where it is there, and not fitted anew.
  std::vector<CalibrationInUse> fitted_calibrations = {};
  PriorTable priors = {};
  HalfLife half_life = {};                     // of a router that is made from contexts
  PriorOnly prior_only = PriorOnly::kLeftOut;  // those whom the priors name without a context
  // Where the priors say nothing. Learned once, when the router is made of contexts; a roster that
  // was kept has its priors. Who is added later without a prior gets the newcomer's.
  UnstatedPriors unstated_priors = UnstatedPriors::kUniform;
  std::uint64_t seed = 0;  // of the draws between experts with equal margins
  unsigned threads = 1;    // changes nothing but the time
  ReadLimits limits = {};  // of a policy file that is compressed
  // What mistakes and experts cost. Margins are then expected savings in the unit of the costs, and
  // the model answers what is expected to cost least. Only plug-in decides by costs:
  // Error(kConflict) for others and for margins on the logit scale, Error(kBadInput) for costs of
  // other classes and, where a router begins with contexts, for a fee of somebody who has none: a
  // roster that was kept may have lost somebody since.
  std::shared_ptr<const Costs> costs = {};
  // Watches the experts: answers that are there when the router is made are the old ones, those
  // that are observed are the new ones, in this order. See Router::watch().
  std::optional<WatchOptions> watch = {};
  // Goes on with this watch instead, such as one that was kept (ifd/watch/kept_watch.h).
  // Error(kBadInput) for one of another number of classes.
  std::shared_ptr<const Watch> watch_so_far = {};
  // kCombined: nobody is asked whose answer could not change the label, a budget is otherwise
  // filled, and evaluate() measures every policy both ways (oracle and ceiling, which order cases
  // by experts' own words, only as they are). Under costs the label is the one that is expected to
  // cost least after the answer, margins are what an answer is expected to save, less the fee, and
  // nobody is asked who is not expected to save anything; where every mistake costs the same and
  // nobody has a fee, everything but the unit is as without costs.
  AnswerUse answer = AnswerUse::kFinal;
};

// Why a case would go where: what is read of everyone, and the margins.
struct Explanation {
  struct Expert {
    std::string name;
    RoleState state;  // the six numbers
    double margin;
    bool on_duty;
  };
  ClassId prediction;  // the model's answer, by the costs where there are any
  std::optional<double> prediction_cost = {};  // what it is expected to cost, likewise
  std::vector<Expert> experts = {};
  std::optional<ExpertId> best = {};  // on duty, with the largest margin; its place in `experts`
};

// A method of somebody else: its margins on the cases to be evaluated, N x J, in the order of the
// cases and of the router's experts. Finite numbers.
struct ForeignMargins {
  std::string name;
  std::vector<double> margins;
};

// Under costs a policy of this name is plug-in as if there were none: every mistake as bad as any
// other, no fees, the most probable class for an answer. What it does is paid for as by the others.
inline constexpr std::string_view kCostBlind = "cost-blind";

struct RouterEvaluationOptions {
  // Policies to compare, by name or file; also 'oracle', and 'ceiling' where there are true
  // accuracies. Empty: the router's own. A name among `foreign` is that method, at this place;
  // those that are not named here come last.
  std::vector<std::string> policies = {};
  std::vector<ForeignMargins> foreign = {};
  PolicyFilesByName policy_files = {};  // beside those of the router
  // Whether an expert on duty without an answer on a case is an error, or does not compete there.
  enum class Missing { kError, kOffDuty };
  Missing missing = Missing::kError;
  // kBf16 tells what bf16 would change, kAmx also decides with it.
  std::optional<Precision> bf16 = {};
  EvaluationOptions measures = {};  // its seed, threads, profiles and costs are the router's
};

// Thread-safe: any number of threads may call anything at any time. Those that only read wait for
// a writer at most as long as it swaps a pointer, unless it is said that they wait: those that need
// every single answer, of which there is one copy. Each call sees one roster from beginning to end.
// Writers wait for each other. What a call returns belongs to the caller.
class Router {
 public:
  // Error where the policy is not known, its file cannot be read, or it lacks what it needs.
  Router(ClassNames classes, std::vector<ExpertContext> contexts, RouterOptions options = {});
  explicit Router(RosterState roster, RouterOptions options = {});
  ~Router();
  Router(Router&&) noexcept;
  Router& operator=(Router&&) noexcept;

  // Who takes each case. Error(kBadInput) for cases of other classes.
  Routes route(const Predictions& cases, const DeferralRule& rule, const LongWork& work = {}) const;
  // Everything that decides, except the cases, for certificates (ifd/router/certify.h).
  DecisionScope scope() const;
  // The classifier on the context's cases, where the options had it.
  std::optional<Predictions> context_predictions() const;
  Explanation explain(const Predictions& cases, std::size_t row) const;
  // What the answers that came back make of the cases, together with the model: `answers` has a row
  // for each case and columns by name, all of them of this roster (Error(kNotFound)). Who should
  // look as well is sought among those on duty who have not answered. Waits for a writer.
  Combination combine(const Predictions& cases, const AnswerTable& answers,
                      const AdviceOptions& advice = {}, const LongWork& work = {}) const;
  // Of each case before the answers: is that of the expert who gets it expected to settle it? A
  // case that the model keeps is never one for a second reader, since a budget may have decided.
  std::vector<SecondOpinion> advise(const Predictions& cases, const Routes& routes,
                                    const AdviceOptions& advice = {},
                                    const LongWork& work = {}) const;
  // What route() decides by: of each case the largest margin of those on duty, and whose it is.
  MarginTable best(const Predictions& cases, const LongWork& work = {}) const;
  // All margins, N x J in the order of the cases and of experts(); kNeverDefer for who is off duty.
  std::vector<double> margins(const Predictions& cases, const LongWork& work = {}) const;
  // `cases` carry labels, `answers` has a row for each of them; experts are matched by name, and
  // those without a column have no answers. Waits for a writer.
  Evaluation evaluate(const Predictions& cases, const AnswerTable& answers,
                      const RouterEvaluationOptions& options = {}) const;

  // Each is done whole or, with an Error, not at all; the next call sees it.
  //
  // Exact and order-free: any order of the same answers leads to the same decisions, bit for bit.
  // A policy that encodes cases wants to know which one it was, and its features among the
  // context's predictions.
  void observe(std::string_view expert, const Observation& observation);
  // Takes back an answer. Error(kNotFound) where it was never given.
  void forget(std::string_view expert, const Observation& observation);
  // Error(kConflict) under a policy that knows only the experts it was trained with.
  void add_expert(std::string name, std::vector<BetaPrior> priors = {});
  void remove_expert(std::string_view name);
  void set_on_duty(std::string_view expert, bool on_duty);
  // Fits anew a calibration on the context, which observations alone leave as it is.
  void recalibrate();

  const ClassNames& classes() const;
  // What becomes of experts' answers, by the options.
  AnswerUse answer_use() const;
  // Whether the policy's margins are expected gains: above 0 where the expert is likelier to be
  // right than the model. A budget then asks nobody below 0, unless it is to be filled.
  bool expects_gains() const;
  std::vector<std::string> experts() const;
  // Error(kNotFound) for somebody who is not on the roster.
  ExpertProfile profile(std::string_view expert) const;
  bool is_on_duty(std::string_view expert) const;
  // What the router's policy decides with: its own calibration, or that of the options.
  std::optional<CalibrationInUse> calibration() const;
  // That of the options, which policies without one of their own are evaluated with.
  std::optional<CalibrationInUse> options_calibration() const;
  // What mistakes and experts cost; null where nothing was said.
  std::shared_ptr<const Costs> costs() const;
  // Both, where they are there: what RouterOptions::fitted_calibrations takes.
  std::vector<CalibrationInUse> calibrations() const;
  // Whether answers count only with the cases that they were given on: see observe().
  bool encodes_cases() const;
  // Everything known of the roster, to be kept and read again. Waits for a writer.
  RosterState roster_state() const;
  // Has somebody changed? The watch as it stands; Error(kConflict) where the options ask for none.
  // Nothing is decided by it, and forget() takes nothing back in it: what was seen was seen. It is
  // no part of the roster's state: it begins with the router, or goes on from
  // RouterOptions::watch_so_far. Waits for a writer.
  Watch watch() const;
  // Another router that begins as this one is now, to try what would happen. Waits for a writer.
  Router copy() const;

 private:
  class Core;
  explicit Router(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace ifd
