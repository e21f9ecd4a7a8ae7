#include "ifd/router/certify.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ifd/certificate/certified_thresholds.h"
#include "ifd/data/name_groups.h"
#include "ifd/data/near_names.h"
#include "ifd/data/utf8.h"
#include "ifd/decision/cost_unit.h"
#include "ifd/error.h"
#include "ifd/evaluation/evaluation.h"
#include "ifd/fnv_hash.h"
#include "ifd/random/keyed_random.h"
#include "ifd/router.h"
#include "ifd/router/case_losses.h"

namespace ifd {
namespace {

using PromiseKind = CertifiedPromise::Kind;

constexpr std::size_t kPartSetAside = 5;  // one in so many
constexpr std::size_t kFewestUnits = 2;

// A promise as it was asked for.
struct AskedPromise {
  PromiseKind kind;
  std::string name;
  double limit;                   // of the losses
  std::vector<std::size_t> rows;  // of the calibration cases that it is about
  double unit = 1;                // what a loss of 1 stands for: the most that a case can cost
};

// The cases on which tests are planned, or made, with their losses.
struct LossTable {
  std::vector<LossCase> cases;
  std::vector<RiskLimit> limits;  // one per promise
};

void check_open_share(std::string_view what, double value) {
  if (value > 0 && value < 1) return;
  throw bad_input(fmt::format("{}: {} is not possible; expected a number between 0 and 1, both out",
                              what, value));
}

void check_cost(const CertificateRequest& request, const Costs* costs) {
  if (request.error || !request.class_errors.empty() || request.subgroup_error) {
    throw bad_input("a cost is promised by itself; expected no error beside it");
  }
  if (costs == nullptr) {
    throw bad_input("a cost is to be promised, and nothing is known of costs; expected --costs");
  }
  if (*request.cost > 0 && *request.cost < costs->largest_total()) return;
  throw bad_input(fmt::format("cost: {} is not possible; expected more than 0 and less than {}",
                              *request.cost, costs->largest_total()));
}

void check_request(const CertificateRequest& request, const Predictions& cases,
                   const Costs* costs) {
  if (request.cost) {
    check_cost(request, costs);
  } else if (!request.error && request.class_errors.empty() && !request.subgroup_error) {
    throw bad_input(
        "nothing is to be promised; expected an error of all cases, of a class or of subgroups, or "
        "a cost");
  }
  check_open_share("confidence", request.confidence);
  if (request.error) check_open_share("error", *request.error);
  for (const auto& [name, limit] : request.class_errors) {
    check_open_share(fmt::format("error of class '{}'", excerpt(name)), limit);
    if (!cases.classes().find(name)) {
      throw bad_input(fmt::format("'{}' is not a class; expected {}", excerpt(name),
                                  cases.classes().allowed()));
    }
  }
  if (request.subgroup_error) check_open_share("error of subgroups", *request.subgroup_error);
  if (request.subgroup_error.has_value() != request.subgroups.has_value()) {
    throw bad_input("a promise for subgroups needs both an error and the subgroups");
  }
  if (request.most_deferred && !(*request.most_deferred >= 0 && *request.most_deferred <= 1)) {
    throw bad_input(fmt::format("most deferred: {} is not a share of the cases; expected 0..1",
                                *request.most_deferred));
  }
  if (!cases.has_labels()) {
    throw bad_input("the calibration cases have no labels; expected the truth of each");
  }
  if (cases.size() == 0) throw bad_input("there are no calibration cases; expected some");
}

void check_sizes(const CertificateRequest& request, const Predictions& cases,
                 const AnswerTable& answers) {
  const auto check = [&](std::string_view what, std::size_t rows) {
    if (rows == cases.size()) return;
    throw bad_input(fmt::format("{} {} for {} calibration cases; expected one for each", rows, what,
                                cases.size()));
  };
  check("rows of answers", answers.cases());
  if (!request.groups.empty()) check("groups", request.groups.size());
  if (!request.subgroups) return;
  check("subgroups", request.subgroups->of_case.size());
  for (const std::uint32_t subgroup : request.subgroups->of_case) {
    if (subgroup < request.subgroups->names.size()) continue;
    throw bad_input(fmt::format("subgroup {}; expected one of the {} named ones", subgroup,
                                request.subgroups->names.size()));
  }
}

// A promise measured on what the profiles were made from would be too good.
void refuse_context_cases(std::span<const ExpertContext> contexts, const Predictions& cases) {
  if (cases.numbers_its_cases()) return;
  std::unordered_set<std::string> known;
  for (const ExpertContext& context : contexts) {
    for (const ContextRow& row : context.rows) known.insert(row.case_name);
  }
  std::size_t shared = 0;
  std::string example;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    if (!known.contains(cases.case_name(row))) continue;
    if (shared++ == 0) example = cases.case_name(row);
  }
  if (shared == 0) return;
  throw Error(ErrorKind::kConflict,
              fmt::format("{} of the {} calibration cases are in the context too, such as '{}'; "
                          "expected cases that no profile was made from",
                          shared, cases.size(), excerpt(example)));
}

void refuse_grouped_names(const CertificateRequest& request, const Predictions& cases) {
  if (!request.groups.empty() || request.independent_cases || cases.numbers_its_cases()) return;
  const auto found = groups_in_names(cases.case_names());
  if (!found) return;
  throw Error(
      ErrorKind::kConflict,
      fmt::format("case names look grouped, by what stands before the last '{}' ({} groups such "
                  "as '{}'), and cases of one group are not independent; expected --group, or "
                  "--independent-cases where they are",
                  found->separator, found->groups, excerpt(found->example)));
}

std::vector<AskedPromise> asked_promises(const CertificateRequest& request,
                                         const Predictions& cases, const Costs* costs) {
  std::vector<AskedPromise> asked;
  std::vector<std::size_t> all(cases.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (request.cost) {
    const double most = costs->largest_total();
    asked.push_back({PromiseKind::kCost, costs->unit(), *request.cost / most, all, most});
  }
  if (request.error) {
    asked.push_back({PromiseKind::kError, {}, *request.error, all});
  }
  for (const auto& [name, limit] : request.class_errors) {
    const ClassId id = *cases.classes().find(name);
    AskedPromise promise{PromiseKind::kClassError, name, limit, {}};
    std::ranges::copy_if(all, std::back_inserter(promise.rows),
                         [&](std::size_t row) { return cases.label(row) == id; });
    asked.push_back(std::move(promise));
  }
  if (!request.subgroups) return asked;
  const std::size_t first = asked.size();
  for (const std::string& name : request.subgroups->names) {
    asked.push_back({PromiseKind::kSubgroupError, name, *request.subgroup_error, {}});
  }
  for (const std::size_t row : all) {
    asked[first + request.subgroups->of_case[row]].rows.push_back(row);
  }
  return asked;
}

std::string words_for(const AskedPromise& promise) {
  switch (promise.kind) {
    case PromiseKind::kClassError:
      return fmt::format("the share of missed '{}'", excerpt(promise.name));
    case PromiseKind::kSubgroupError:
      return fmt::format("the error of '{}'", excerpt(promise.name));
    case PromiseKind::kCost:
      return "the mean cost";
    case PromiseKind::kError:
      break;
  }
  return "the system's error";
}

LossKind kind_of_losses(const AskedPromise& promise) {
  return promise.kind == PromiseKind::kCost ? LossKind::kBetween : LossKind::kRightOrWrong;
}

// "6.1 %", or "3.20 EUR" of a cost.
std::string told_loss(const AskedPromise& promise, double loss) {
  if (promise.kind != PromiseKind::kCost) return fmt::format("{:.3g} %", 100 * loss);
  return fmt::format("{:.6g}{}{}", loss * promise.unit, promise.name.empty() ? "" : " ",
                     excerpt(promise.name));
}

template <typename Value>
std::vector<Value> rows_of(std::span<const Value> values, std::span<const std::size_t> rows) {
  std::vector<Value> chosen;
  chosen.reserve(rows.size());
  for (const std::size_t row : rows) chosen.push_back(values[row]);
  return chosen;
}

// What the units of the promises are among these rows.
std::vector<RiskLimit> limits_on(std::span<const AskedPromise> asked,
                                 std::span<const std::uint32_t> groups,
                                 std::span<const std::size_t> rows) {
  const std::size_t cases = rows.empty() ? 0 : *std::ranges::max_element(rows) + 1;
  std::vector<std::size_t> place_of(cases, rows.size());  // among the rows, where it is one
  for (std::size_t place = 0; place < rows.size(); ++place) place_of[rows[place]] = place;
  std::vector<std::uint32_t> group_of;
  if (!groups.empty()) group_of = rows_of<std::uint32_t>(groups, rows);
  std::vector<RiskLimit> limits;
  for (const AskedPromise& promise : asked) {
    std::vector<std::size_t> places;
    for (const std::size_t row : promise.rows) {
      if (row < cases && place_of[row] < rows.size()) places.push_back(place_of[row]);
    }
    limits.push_back(
        {words_for(promise), promise.limit, kind_of_losses(promise),
         groups.empty() ? RiskUnits::of_some(places) : RiskUnits::of_groups(group_of, places)});
  }
  return limits;
}

// A key for each case; those of one group share the key of its first name in the alphabet.
std::vector<std::uint64_t> keys_of(const Predictions& cases,
                                   std::span<const std::uint32_t> groups) {
  std::unordered_map<std::uint32_t, std::string> first_name;
  if (!groups.empty()) {
    for (std::size_t row = 0; row < cases.size(); ++row) {
      std::string name = cases.case_name(row);
      const auto [found, is_new] = first_name.emplace(groups[row], name);
      if (!is_new && name < found->second) found->second = std::move(name);
    }
  }
  const Key key = Key(0).with("set aside by a certificate");
  std::vector<std::uint64_t> keys;
  keys.reserve(cases.size());
  for (std::size_t row = 0; row < cases.size(); ++row) {
    keys.push_back(
        key.with(groups.empty() ? cases.case_name(row) : first_name.at(groups[row])).bits());
  }
  return keys;
}

struct CalibrationSplit {
  std::vector<std::size_t> outside;
  std::vector<std::size_t> calibration;
};

// A fifth of the cases or groups, those with the smallest keys.
CalibrationSplit set_aside(const Predictions& cases, std::span<const std::uint32_t> groups) {
  const std::vector<std::uint64_t> keys = keys_of(cases, groups);
  std::vector<std::uint64_t> units = keys;
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  if (units.size() < kFewestUnits) {
    throw bad_input(fmt::format("there is {} {} to calibrate on; expected at least {}",
                                units.size(), groups.empty() ? "case" : "group", kFewestUnits));
  }
  const std::uint64_t last = units[std::max<std::size_t>(1, units.size() / kPartSetAside) - 1];
  CalibrationSplit split;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    (keys[row] <= last ? split.outside : split.calibration).push_back(row);
  }
  return split;
}

// The context's cases that have predictions, with their truths.
Predictions labelled_context(const Predictions& predictions,
                             std::span<const ExpertContext> contexts) {
  std::unordered_map<std::string, ClassId> truths;
  for (const ExpertContext& context : contexts) {
    for (const ContextRow& row : context.rows) truths.emplace(row.case_name, row.truth);
  }
  std::vector<std::size_t> rows;
  std::vector<ClassId> labels;
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    const auto found = truths.find(predictions.case_name(row));
    if (found == truths.end()) continue;
    rows.push_back(row);
    labels.push_back(found->second);
  }
  return predictions.subset(rows).with_labels(std::move(labels));
}

// The same for any order of cases and experts.
std::string hash_of_calibration(const Predictions& cases, const AnswerTable& answers) {
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    FnvHash of_case;
    of_case.add(cases.case_name(row));
    of_case.add(cases.classes().name(cases.label(row)));
    std::uint64_t of_parts = 0;
    for (std::size_t k = 0; k < cases.classes().size(); ++k) {
      FnvHash part;
      part.add(cases.classes().name(class_id(k)));
      part.add(std::uint64_t{std::bit_cast<std::uint32_t>(cases.probabilities(row)[k])});
      of_parts += part.value();
    }
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      const Answer answer = answers.at(case_id(row), expert_id(j));
      if (answer.is_missing()) continue;
      FnvHash part;
      part.add(answers.expert_names()[j]);
      part.add(answer.is_outside() ? std::string_view() : cases.classes().name(answer.as_class()));
      of_parts += part.value();
    }
    of_case.add(of_parts);
    sum += of_case.value();
  }
  FnvHash whole;
  whole.add(sum);
  return whole.hex();
}

// Everything about one request while it is worked on.
class Certifying {
 public:
  Certifying(const Router& router, const Predictions& cases, const AnswerTable& answers,
             const CertificateRequest& request, const LongWork& work)
      : router_(router.copy()),
        cases_(cases),
        answers_(columns_of(answers, router_.experts())),
        request_(request),
        work_(work) {}

  Certification operator()() {
    check_request(request_, cases_, router_.costs().get());
    check_sizes(request_, cases_, answers_);
    const std::vector<ExpertContext> contexts = router_.roster_state().contexts();
    refuse_context_cases(contexts, cases_);
    refuse_grouped_names(request_, cases_);
    if (cases_.numbers_its_cases()) {
      result_.notes.emplace_back(
          "the calibration cases have no names, so whether they are in the context too is not "
          "known");
    }
    asked_ = asked_promises(request_, cases_, router_.costs().get());
    prepare(contexts);
    for (std::size_t k = 0; k < asked_.size(); ++k) {
      if (calibration_.limits[k].units.count() > 0) continue;
      result_.why = fmt::format("no calibration case tells anything of {}; it takes some",
                                calibration_.limits[k].what);
      return std::move(result_);
    }
    decide();
    return std::move(result_);
  }

 private:
  double error_rate() const { return 1 - request_.confidence; }

  // Where the tests are planned, and where they are made.
  void prepare(std::span<const ExpertContext> contexts) {
    const Routes everything = router_.route(cases_, Threshold{kDeferAll}, work_);
    const std::shared_ptr<const Costs> known = request_.cost ? router_.costs() : nullptr;
    const Costs* const costs = known.get();
    const std::vector<LossCase> losses =
        measured_losses(cases_, everything, answers_, router_, costs);
    std::vector<std::size_t> rows(cases_.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (const auto predictions = router_.context_predictions()) {
      const Predictions context = labelled_context(*predictions, contexts);
      if (context.size() > 0) {
        outside_.cases = predicted_losses(
            context, router_.route(context, Threshold{kDeferAll}, work_), router_, costs);
        outside_.limits = context_limits(context);
        calibration_ = {losses, limits_on(asked_, request_.groups, rows)};
        return;
      }
    }
    const CalibrationSplit split = set_aside(cases_, request_.groups);
    set_aside_ = true;
    outside_ = {rows_of<LossCase>(losses, split.outside),
                limits_on(asked_, request_.groups, split.outside)};
    calibration_ = {rows_of<LossCase>(losses, split.calibration),
                    limits_on(asked_, request_.groups, split.calibration)};
    result_.notes.push_back(fmt::format(
        "{} of {} calibration cases are set aside to plan the tests; predictions for the "
        "context's cases (--context-predictions) would leave all of them for the promise",
        split.outside.size(), cases_.size()));
  }

  // The same promises on the context's cases. What is not known of them (subgroups) concerns all,
  // for all subgroups with one limit.
  std::vector<RiskLimit> context_limits(const Predictions& context) const {
    std::vector<RiskLimit> limits;
    for (const AskedPromise& promise : asked_) {
      std::vector<std::size_t> rows;
      const std::optional<ClassId> only = promise.kind == PromiseKind::kClassError
                                              ? context.classes().find(promise.name)
                                              : std::nullopt;
      for (std::size_t row = 0; row < context.size(); ++row) {
        if (!only || context.label(row) == *only) rows.push_back(row);
      }
      limits.push_back(
          {words_for(promise), promise.limit, LossKind::kBetween, RiskUnits::of_some(rows)});
      if (promise.kind == PromiseKind::kSubgroupError) break;  // subgroups come last
    }
    return limits;
  }

  void decide() {
    plan_ = plan_tests(outside_.cases, outside_.limits);
    const std::vector<TestedThreshold> tested =
        run_tests(plan_, calibration_.cases, calibration_.limits, error_rate());
    deferral_ = deferral_at(calibration_.cases, all_units(), plan_.thresholds);
    std::optional<std::size_t> best;
    std::optional<std::size_t> beyond_capacity;
    for (std::size_t k = 0; k < tested.size(); ++k) {
      if (!tested[k].certified) continue;
      (deferral_[k] <= request_.most_deferred.value_or(1) ? best : beyond_capacity) = k;
    }
    if (best) {
      result_.certificate = certificate_at(*best);
    } else {
      result_.why = beyond_capacity ? more_capacity(*beyond_capacity) : more_cases_or_skill();
    }
  }

  // All calibration cases or groups, whatever the promises are about.
  RiskUnits all_units() const {
    const std::size_t cases = calibration_.cases.size();
    if (request_.groups.empty()) return RiskUnits::of_cases(cases);
    std::vector<std::size_t> all(cases);
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (!set_aside_) return RiskUnits::of_groups(request_.groups, all);
    const CalibrationSplit split = set_aside(cases_, request_.groups);
    const auto groups = rows_of<std::uint32_t>(request_.groups, split.calibration);
    return RiskUnits::of_groups(groups, all);
  }

  std::vector<double> measured_at(std::size_t promise, std::span<const double> thresholds) const {
    return risks_at(calibration_.cases, calibration_.limits[promise].units, thresholds);
  }

  Certificate certificate_at(std::size_t k) const {
    const double threshold = plan_.thresholds[k];
    const double half_width =
        deferral_half_width(all_units(), plan_.thresholds.size(), error_rate());
    Certificate made{};
    made.threshold = threshold;
    made.confidence = request_.confidence;
    for (std::size_t p = 0; p < asked_.size(); ++p) {
      const double measured = measured_at(p, std::span(&threshold, 1)).front();
      made.promises.push_back({asked_[p].kind, asked_[p].name,
                               request_.cost.value_or(asked_[p].limit), asked_[p].unit * measured,
                               calibration_.limits[p].units.count()});
    }
    made.deferral = deferral_[k];
    made.deferral_low = std::max(0., deferral_[k] - half_width);
    made.deferral_high = std::min(1., deferral_[k] + half_width);
    if (threshold == kDeferNone) made.deferral_low = made.deferral_high = 0;
    made.cases = calibration_.cases.size();
    made.unit = request_.groups.empty() ? "case" : "group";
    made.answer = word_for(router_.answer_use());
    made.scope = router_.scope();
    made.calibration = hash_of_calibration(cases_, answers_);
    made.date = request_.date;
    made.expires = request_.expires;
    return made;
  }

  std::string more_capacity(std::size_t k) const {
    return fmt::format(
        "the promise takes {:.1f} % of the cases deferred, and at most {:.1f} % are "
        "allowed; it takes more capacity, or a higher limit",
        100 * deferral_[k], 100 * *request_.most_deferred);
  }

  // How far above its limit the worst of all promises is measured, at each threshold.
  std::vector<double> against_limits(std::span<const double> thresholds) const {
    std::vector<double> worst(thresholds.size(), 0);
    for (std::size_t p = 0; p < asked_.size(); ++p) {
      const std::vector<double> risks = measured_at(p, thresholds);
      for (std::size_t k = 0; k < risks.size(); ++k) {
        worst[k] = std::max(worst[k], risks[k] / asked_[p].limit);
      }
    }
    return worst;
  }

  std::string more_cases_or_skill() const {
    std::vector<double> thresholds = {kDeferAll};
    thresholds.insert(thresholds.end(), plan_.thresholds.begin(), plan_.thresholds.end());
    const std::vector<double> worst = against_limits(thresholds);
    const std::size_t best =
        static_cast<std::size_t>(std::min_element(worst.begin(), worst.end()) - worst.begin());
    if (worst[best] >= 1) return more_skill(thresholds[best]);
    std::vector<double> starts;
    for (const std::size_t start : plan_.starts) starts.push_back(plan_.thresholds[start]);
    const std::vector<double> at_starts = against_limits(starts);
    const auto start = std::min_element(at_starts.begin(), at_starts.end()) - at_starts.begin();
    return more_cases(at_starts[static_cast<std::size_t>(start)] < 1
                          ? starts[static_cast<std::size_t>(start)]
                          : thresholds[best]);
  }

  // The promise that is worst off at the threshold.
  std::size_t hardest_promise(double threshold) const {
    std::size_t hardest = 0;
    double worst = -1;
    for (std::size_t p = 0; p < asked_.size(); ++p) {
      const double ratio = measured_at(p, std::span(&threshold, 1)).front() / asked_[p].limit;
      if (ratio > worst) {
        hardest = p;
        worst = ratio;
      }
    }
    return hardest;
  }

  std::string more_skill(double threshold) const {
    const std::size_t p = hardest_promise(threshold);
    const double asked[] = {threshold, kDeferNone, kDeferAll};
    const std::vector<double> risks = measured_at(p, asked);
    const AskedPromise& asked_for = asked_[p];
    return fmt::format(
        "{} is {} at best, above {}: {} where the model keeps every case, {} where even everything "
        "is deferred; it takes better experts or a better model",
        calibration_.limits[p].what, told_loss(asked_for, risks[0]),
        told_loss(asked_for, asked_for.limit), told_loss(asked_for, risks[1]),
        told_loss(asked_for, risks[2]));
  }

  std::string more_cases(double threshold) const {
    const double level = error_rate() / static_cast<double>(plan_.starts.size());
    std::size_t p = hardest_promise(threshold);
    double times = 0;  // as many units as there are
    for (std::size_t k = 0; k < asked_.size(); ++k) {
      const double risk = measured_at(k, std::span(&threshold, 1)).front();
      const double needed = static_cast<double>(units_needed(risk, calibration_.limits[k], level)) /
                            static_cast<double>(calibration_.limits[k].units.count());
      if (needed > times) {
        times = needed;
        p = k;
      }
    }
    const RiskLimit& limit = calibration_.limits[p];
    const double risk = measured_at(p, std::span(&threshold, 1)).front();
    const double whole = static_cast<double>(limit.units.count()) *
                         (set_aside_ ? kPartSetAside / (kPartSetAside - 1.) : 1);
    const double enough = std::max(whole + 1, std::ceil(times * whole));
    std::string of_what = request_.groups.empty() ? "cases" : "groups";
    if (asked_[p].kind == PromiseKind::kClassError ||
        asked_[p].kind == PromiseKind::kSubgroupError) {
      of_what += fmt::format(" of '{}'", excerpt(asked_[p].name));
    }
    return fmt::format(
        "{} is {} where it is best, and {} {} are too few to promise {} with {:.3g} % confidence; "
        "about {:.0f} in all would be enough",
        limit.what, told_loss(asked_[p], risk), limit.units.count(), of_what,
        told_loss(asked_[p], limit.limit), 100 * request_.confidence, enough);
  }

  const Router router_;  // as it was when asked
  const Predictions& cases_;
  const AnswerTable answers_;
  const CertificateRequest& request_;
  const LongWork& work_;
  std::vector<AskedPromise> asked_;
  LossTable outside_;
  LossTable calibration_;
  bool set_aside_ = false;
  TestPlan plan_;
  std::vector<double> deferral_;  // at the thresholds of the plan
  Certification result_;
};

}  // namespace

Certification certify(const Router& router, const Predictions& cases, const AnswerTable& answers,
                      const CertificateRequest& request, const LongWork& work) {
  return Certifying(router, cases, answers, request, work)();
}

}  // namespace ifd
