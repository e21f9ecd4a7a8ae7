#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "cli/answer_options.h"
#include "cli/capacity_note.h"
#include "cli/command.h"
#include "cli/deferral_options.h"
#include "cli/policy_inputs.h"
#include "cli/run_summary.h"
#include "cli/today.h"
#include "command_line/csv_safe_flag.h"
#include "command_line/file_options.h"
#include "command_line/output.h"
#include "ifd/data/class_order.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/json_text.h"
#include "ifd/data/visible_text.h"
#include "ifd/decision/cost_unit.h"
#include "ifd/error.h"
#include "ifd/router.h"
#include "ifd/router/capacities_file.h"
#include "ifd/router/combination_document.h"
#include "ifd/router/experts_shown.h"
#include "ifd/router/routes_csv.h"

namespace ifd::cli {
namespace route_command {
namespace {

struct Options {
  PolicyInputs inputs;
  std::string policy = "plug-in";
  DeferralOptions deferral = {};
  std::filesystem::path calibration;
  std::optional<double> budget_confidence;
  std::optional<std::size_t> batch;
  std::filesystem::path certificate;
  std::filesystem::path capacity;
  std::string amx;
  AdviceInputs advice = {};
  bool explain = false;
  std::string format;
  SummaryOption summary;
  CsvText text = CsvText::kExact;
  std::filesystem::path output;
};

DeferralRule rule_of(const Options& options, const Router& router, const ClassNames& classes,
                     const ReadOptions& reading) {
  std::variant<Budget, Threshold, CalibratedBudget> within;
  const LeastMargin least = options.deferral.least_margin();
  if (!options.deferral.budget) {
    within = Threshold{*options.deferral.threshold};
  } else if (options.calibration.empty()) {
    within = Budget{*options.deferral.budget, least};
  } else {
    Predictions past = in_class_order(
        read_predictions(options.calibration, options.inputs.format.format(), reading), classes,
        source_name(options.calibration));
    within = CalibratedBudget{.share = *options.deferral.budget,
                              .past_cases = std::move(past),
                              .least_margin = least,
                              .budget_confidence = options.budget_confidence,
                              .batch = options.batch};
  }
  if (!options.capacity.empty()) {
    return Capacities{read_capacities(options.capacity, router.experts(), reading),
                      std::move(within)};
  }
  return std::visit([](auto& kind) { return DeferralRule(std::move(kind)); }, within);
}

nlohmann::ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json row_of(const Predictions& cases, const Routes& routes, std::size_t i,
                              std::span<const SecondOpinion> advice) {
  const Route& route = routes[i];
  const bool deferred = route.decision() == Decision::kExpert;
  nlohmann::ordered_json row = {{"case", cases.case_name(i)},
                                {"decision", deferred ? "expert" : "model"},
                                {"expert", nullptr},
                                {"prediction", cases.classes().name(routes.prediction(i))},
                                {"margin", finite_or_null(route.margin)}};
  if (deferred) row["expert"] = routes.expert_name(route);
  if (!advice.empty()) {
    row["advice"] = word_for(advice[i].advice);
    row["reader"] = nullptr;
    if (advice[i].reader) row["reader"] = routes.experts()[index(*advice[i].reader)];
  }
  return row;
}

// The row with every expert's part behind it. Each is made into text on its own: all of them as one
// JSON value would take many times the memory of the text.
std::string explained(const nlohmann::ordered_json& row, const Explanation& why,
                      const PriorAlone& prior_alone) {
  std::string line = json_text(row);
  line.back() = ',';
  line += "\"experts\":[";
  const char* separator = "";
  for (const Explanation::Expert& expert : why.experts) {
    line += separator;
    nlohmann::ordered_json part = {{"expert", expert.name},
                                   {"state", expert.state.numbers()},
                                   {"margin", expert.margin},
                                   {"available", expert.on_duty}};
    if (const auto known = prior_alone.known(expert.name); !known.empty()) part["known"] = known;
    line += json_text(part);
    separator = ",";
  }
  return line + "]}\n";
}

void write_jsonl(const std::filesystem::path& path, const Predictions& cases, const Routes& routes,
                 std::span<const SecondOpinion> advice) {
  Output output(path);
  for (std::size_t i = 0; i < routes.size(); ++i) {
    output.write(json_text(row_of(cases, routes, i, advice)) + "\n");
  }
  output.commit();
}

// Says beforehand how much it will be where that is much, and how far it is.
void write_explained(const std::filesystem::path& path, const Predictions& cases,
                     const Router& router, const Routes& routes, const PriorAlone& prior_alone,
                     std::span<const SecondOpinion> advice, const Terminal& terminal) {
  constexpr std::size_t kMuch = 100'000'000;
  Output output(path);
  for (std::size_t i = 0; i < routes.size(); ++i) {
    nlohmann::ordered_json row = row_of(cases, routes, i, advice);
    row["threshold"] = finite_or_null(routes.threshold().value_or(kNeverDefer));
    const std::string line = explained(row, router.explain(cases, i), prior_alone);
    if (line.size() > kMuch / routes.size()) {
      if (i == 0) {
        terminal.note(fmt::format("explaining {} cases by {} experts each: about {:.1f} GB",
                                  routes.size(), routes.experts().size(),
                                  1e-9 * static_cast<double>(line.size() * routes.size())));
      }
      terminal.progress(fmt::format("explained {} of {} cases", i, routes.size()));
    }
    output.write(line);
  }
  terminal.end_progress();
  output.commit();
}

// Says beforehand how much work an assignment is where that is much.
void note_assignment(const Options& options, const Predictions& cases, const Router& router,
                     const Terminal& terminal) {
  constexpr double kMuch = 1e7;
  const std::size_t experts = router.experts().size();
  const double margins = static_cast<double>(cases.size()) * static_cast<double>(experts);
  if (options.capacity.empty() || margins < kMuch) return;
  terminal.note(
      fmt::format("assigning {} cases to {} experts within their capacities: {:.0f} million "
                  "margins, up to {:.1f} GB of memory",
                  cases.size(), experts, 1e-6 * margins, 28e-9 * margins));
}

// A promise is for the threshold, the roster and the policy of the certificate, and for no others.
void check_certificate(const Options& options) {
  const auto refuse = [](std::string_view option, bool given) {
    if (!given) return;
    throw Error(ErrorKind::kUsage,
                fmt::format("--certificate holds without {}; expected one of them", option));
  };
  refuse("--budget", options.deferral.budget.has_value());
  refuse("--threshold", options.deferral.threshold.has_value());
  refuse("--capacity", !options.capacity.empty());
  refuse("--calibration", !options.calibration.empty());
  refuse("--off-duty", !options.inputs.off_duty.empty());
  refuse("--amx", !options.amx.empty());
}

void check_budget_confidence(const Options& options) {
  if (options.batch && !options.budget_confidence) {
    throw Error(ErrorKind::kUsage, "--batch goes with --budget-confidence");
  }
  if (!options.budget_confidence) return;
  if (options.calibration.empty()) {
    throw Error(ErrorKind::kUsage,
                "--budget-confidence needs past cases to rely on; expected --calibration too");
  }
  if (!(*options.budget_confidence > 0 && *options.budget_confidence < 1)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--budget-confidence {}: expected a number between 0 and 1, both out",
                            *options.budget_confidence));
  }
  if (options.batch && *options.batch == 0) {
    throw Error(ErrorKind::kUsage, "--batch 0: expected at least one case");
  }
}

void check(const Options& options) {
  if (!options.certificate.empty()) {
    check_certificate(options);
  } else if (!options.deferral.budget && !options.deferral.threshold) {
    throw Error(ErrorKind::kUsage, "route needs --budget, --threshold, both, or --certificate");
  }
  options.deferral.check();
  check_budget_confidence(options);
  if (options.advice.given() && answer_use(options.inputs.answer) == AnswerUse::kFinal) {
    throw Error(ErrorKind::kUsage,
                "--sure and --worth tell when somebody else should look at a combined answer; "
                "expected --answer combined");
  }
  if (!options.calibration.empty() && !options.deferral.budget) {
    throw Error(ErrorKind::kUsage, "--calibration sets the threshold from a --budget");
  }
  if (options.text != CsvText::kExact && (options.explain || options.format == "jsonl")) {
    throw Error(ErrorKind::kUsage, "--csv-safe is for CSV; JSON lines need nothing of the kind");
  }
  if (options.summary.path == "-" && (options.output.empty() || options.output == "-")) {
    throw Error(
        ErrorKind::kUsage,
        "--summary -: the routes go to stdout; expected a file, or --output for the routes");
  }
  if (options.explain && options.format == "csv") {
    throw Error(ErrorKind::kUsage, "--explain writes JSON lines; leave out --format csv");
  }
}

void note_calibrated_threshold(const Options& options, const Routes& routes,
                               const Terminal& terminal) {
  const auto& found = routes.calibrated();
  if (!found) return;
  if (options.budget_confidence) {
    terminal.note(fmt::format(
        "threshold {} from {} cases of {} for the experts on duty: it defers {:.1f} % of them, and "
        "at most {:.4g} % {} with {:.4g} % confidence",
        threshold_word(found->threshold), found->calibration_cases,
        source_name(options.calibration), 100 * found->rate, 100 * *options.deferral.budget,
        options.batch ? fmt::format("of {} cases to come", *options.batch) : "in the long run",
        100 * found->confidence));
    return;
  }
  terminal.note(fmt::format(
      "threshold {:.6g} from {} cases of {} for the experts on duty: expect {:.1f} % deferred, "
      "between {:.1f} % and {:.1f} % with 95 % confidence",
      found->threshold, found->calibration_cases, source_name(options.calibration),
      100 * found->rate, 100 * found->rate_low, 100 * found->rate_high));
}

// Where the cases, in their order, stop to look like the past ones.
void note_alarm(const Options& options, const Predictions& cases, const Routes& routes,
                const Terminal& terminal) {
  if (!routes.watch() || !routes.watch()->alarm_after) return;
  const std::size_t after = *routes.watch()->alarm_after;
  terminal.note(fmt::format(
      "warning: the first {} cases (up to '{}') do not look like those of {}, so what is expected "
      "of the threshold may not hold; a stream that is like them gives this alarm with a "
      "probability "
      "of at most {:.3g} %, however long it is",
      after, cases.case_name(after - 1), source_name(options.calibration),
      100 * routes.watch()->false_alarms));
}

struct Load {
  std::size_t deferred = 0;
  std::vector<std::size_t> of_experts;
};

Load load_of(const Routes& routes) {
  Load load{0, std::vector<std::size_t>(routes.experts().size(), 0)};
  for (const Route& route : routes) {
    if (route.decision() == Decision::kModel) continue;
    ++load.deferred;
    ++load.of_experts[index(route.expert)];
  }
  return load;
}

// What scripts ask for: how many cases went where, and by which threshold.
void summarise(const Options& options, const Routes& routes, nlohmann::ordered_json& summary) {
  const Load load = load_of(routes);
  summary["policy"] = options.policy;
  if (answer_use(options.inputs.answer) != AnswerUse::kFinal) {
    summary["answer"] = options.inputs.answer;
  }
  summary["cases"] = routes.size();
  summary["deferred"] = load.deferred;
  summary["budget"] = nullptr;
  if (options.deferral.budget) summary["budget"] = *options.deferral.budget;
  summary["threshold"] = finite_or_null(routes.threshold().value_or(kNeverDefer));
  summary["load"] = nlohmann::ordered_json::array();
  for (std::size_t j = 0; j < load.of_experts.size(); ++j) {
    summary["load"].push_back({{"expert", routes.experts()[j]}, {"cases", load.of_experts[j]}});
  }
}

// "12 of 40 cases go to an expert (threshold 0.1): ann 7, bob 5 (known from the prior alone)"
std::string summary_of(const Routes& routes, const PriorAlone& prior_alone) {
  const Load of_all = load_of(routes);
  const std::size_t deferred = of_all.deferred;
  const std::vector<std::size_t>& load = of_all.of_experts;
  std::string summary = fmt::format("{} of {} cases go to an expert", deferred, routes.size());
  if (routes.threshold() && std::isfinite(*routes.threshold())) {
    summary += fmt::format(" (threshold {:.6g})", *routes.threshold());
  }
  std::vector<std::size_t> asked;
  for (std::size_t j = 0; j < load.size(); ++j) {
    if (load[j] > 0) asked.push_back(j);
  }
  const std::size_t shown = rows_for(asked.size(), ExpertsShown::kMost);
  if (shown < asked.size()) {
    std::stable_sort(asked.begin(), asked.end(),
                     [&](std::size_t a, std::size_t b) { return load[a] > load[b]; });
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string& name = routes.experts()[asked[i]];
    summary += fmt::format("{} {} {}", i == 0 ? ":" : ",", name, load[asked[i]]);
    if (!prior_alone.known(name).empty()) summary += " (known from the prior alone)";
  }
  if (shown < asked.size()) {
    summary += fmt::format(" and {} more experts (--summary)", asked.size() - shown);
  }
  return summary;
}

// "2 cases want a second reader, 1 is beyond everybody on duty"
std::string summary_of(std::span<const SecondOpinion> advice) {
  const auto count = [&](Advice which) {
    return std::count_if(advice.begin(), advice.end(),
                         [&](const SecondOpinion& one) { return one.advice == which; });
  };
  return fmt::format("{} cases want a second reader, {} are to be escalated",
                     count(Advice::kSecondReader), count(Advice::kEscalate));
}

// Whether a budget was a cap or was filled, where the two differ.
std::string budget_note(const Options& options, const Router& router, const Routes& routes) {
  if (!options.deferral.budget || !options.calibration.empty()) return {};
  if (answer_use(options.inputs.answer) == AnswerUse::kCombined) {
    const std::size_t allowed = budget_cases(*options.deferral.budget, routes.size());
    const auto askable = static_cast<std::size_t>(std::count_if(
        routes.begin(), routes.end(), [](const Route& r) { return std::isfinite(r.margin); }));
    if (askable >= allowed || options.deferral.threshold) return {};
    return fmt::format(
        "note: the budget allows {} cases; on the others {}, so the model keeps them", allowed,
        router.costs() ? "nobody's answer is expected to save anything"
                       : "nobody's answer could change the label");
  }
  if (!routes.least_margin()) {
    return router.expects_gains()
               ? std::string()
               : fmt::format(
                     "note: the margins of {} only order the cases, so the budget is filled",
                     options.policy);
  }
  // Another threshold than the least margin was set by the budget itself.
  if (options.deferral.threshold || routes.threshold() != routes.least_margin()) return {};
  const std::size_t deferred = load_of(routes).deferred;
  const std::size_t allowed = budget_cases(*options.deferral.budget, routes.size());
  if (deferred >= allowed) return {};
  return fmt::format(
      "note: the budget allows {} cases; on the others no {} is expected of anybody, so the model "
      "keeps them (--fill-budget defers them too)",
      allowed, router.costs() ? "saving" : "gain");
}

// Where the budget has room that a block of equal margins is too large for.
std::string ties_note(const Options& options, const Routes& routes) {
  if (!options.deferral.budget || !options.calibration.empty() || !options.capacity.empty()) {
    return {};
  }
  std::vector<double> margins;
  for (const Route& route : routes) margins.push_back(route.margin);
  const auto block = block_left_out(margins, *options.deferral.budget);
  if (!block || block->margin < routes.least_margin().value_or(block->margin)) return {};
  const std::size_t with_it = block->before + block->cases;
  const double share = static_cast<double>(with_it) / static_cast<double>(routes.size());
  return fmt::format(
      "note: the budget allows {} cases and defers {}, since the next {} have one and the same "
      "margin ({:.6g}) and equal margins are never split; --budget {} includes them",
      budget_cases(*options.deferral.budget, routes.size()), block->before, block->cases,
      block->margin, std::ceil(1e4 * share) / 1e4);
}

// What asking is expected to save, where there are costs.
std::string saving_note(const Router& router, const Routes& routes) {
  const auto costs = router.costs();
  if (!costs) return {};
  // Margins then order the cases, and are not what combined answers save.
  if (router.answer_use() == AnswerUse::kCombined && costs->even_cost()) return {};
  double saving = 0;
  for (const Route& route : routes) {
    if (route.decision() == Decision::kExpert) saving += route.margin;
  }
  return fmt::format("expected to save {} in all, fees taken off", CostUnit(*costs).text(saving));
}

std::size_t count_changes(const Routes& before, const Routes& after) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    changed += before[i].expert != after[i].expert ? 1 : 0;
  }
  return changed;
}

// Who is off duty in the certificate. Those who are not on the roster at all are told of by the
// router, which compares it.
std::vector<std::string> off_duty_in(const Certificate& certificate,
                                     std::span<const ExpertContext> contexts) {
  std::unordered_set<std::string_view> known;
  for (const ExpertContext& context : contexts) known.insert(context.expert);
  std::vector<std::string> names;
  for (const DecisionScope::Member& member : certificate.scope.roster) {
    if (!member.on_duty && known.contains(member.expert)) names.push_back(member.expert);
  }
  return names;
}

int run(const Options& options, const Program& program, nlohmann::ordered_json& summary) {
  const auto bf16 = bf16_precision(options.amx);
  LoadedInputs loaded = load(options.inputs, {options.policy}, program);
  std::optional<Certificate> certificate;
  if (!options.certificate.empty()) {
    certificate = Certificate::read(options.certificate, program.limits);
    loaded.off_duty = off_duty_in(*certificate, loaded.contexts);
  }
  const Predictions& cases = loaded.predictions;
  Router router = loaded.take_router(options.policy);
  note_calibration(router, options.policy, program.terminal);
  const DeferralRule rule = certificate
                                ? DeferralRule(Certified{*certificate, today()})
                                : rule_of(options, router, cases.classes(), program.reading());
  note_assignment(options, cases, router, program.terminal);
  if (const auto* limited = std::get_if<Capacities>(&rule);
      limited != nullptr && options.deferral.budget) {
    const std::string note = capacity_note(limited->most_cases, router, cases.size(),
                                           std::span(&*options.deferral.budget, 1));
    if (!note.empty()) program.terminal.note(note);
  }
  LongWork work;
  work.progress = [&](std::string_view step) { program.terminal.progress(step); };
  Routes routes = router.route(cases, rule, work);
  program.terminal.end_progress();
  note_calibrated_threshold(options, routes, program.terminal);
  note_alarm(options, cases, routes, program.terminal);
  if (certificate) program.terminal.note(certificate_sentence(*certificate));
  if (bf16) {
    Router other = in_precision(router, loaded, options.policy, *bf16);
    Routes differently = other.route(cases, rule, work);
    program.terminal.end_progress();
    program.terminal.note(fmt::format("bf16 changes {} of {} routes",
                                      count_changes(routes, differently), routes.size()));
    if (*bf16 == Precision::kAmx) {
      router = std::move(other);
      routes = std::move(differently);
    }
  }
  std::vector<SecondOpinion> advice;
  if (options.advice.given()) advice = router.advise(cases, routes, options.advice.options());
  if (options.explain) {
    write_explained(options.output, cases, router, routes, loaded.prior_alone, advice,
                    program.terminal);
  } else if (options.format == "jsonl") {
    write_jsonl(options.output, cases, routes, advice);
  } else {
    Output output(options.output);
    const bool shown = is_terminal(options.output);
    write_routes_csv(
        [&](std::string_view row) { output.write(shown ? visible_csv(row) : std::string(row)); },
        cases, routes, options.text, advice);
    output.commit();
  }
  program.terminal.note(summary_of(routes, loaded.prior_alone));
  if (!advice.empty()) program.terminal.note(summary_of(advice));
  for (const std::string& note : {saving_note(router, routes), budget_note(options, router, routes),
                                  ties_note(options, routes)}) {
    if (!note.empty()) program.terminal.note(note);
  }
  summarise(options, routes, summary);
  return 0;
}

}  // namespace
}  // namespace route_command

void add_route_command(CLI::App& app, Program& program) {
  using namespace route_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_leaf(
      app, program, "route", "Decide for each case whether the model answers or which expert",
      "ifd route --predictions today.csv --context answers.csv --budget 0.2", [options, &program] {
        check(*options);
        return with_summary(
            options->summary, {options->policy}, program,
            [&](nlohmann::ordered_json& summary) { return run(*options, program, summary); });
      });
  add_policy_option(*command, options->policy);
  options->inputs.add_to(*command);
  add_paper_flag(*command);
  add_amx_option(*command, options->amx);
  options->deferral.add_to(*command);
  add_answer_option(*command, options->inputs.answer);
  options->advice.add_to(*command);
  command
      ->add_option(
          "--calibration", options->calibration,
          "Predictions of past cases: the budget's threshold comes from them, for a stream")
      ->type_name("FILE");
  command->add_option("--budget-confidence", options->budget_confidence,
                      "The share that is deferred stays within the --budget with this confidence, "
                      "on cases like those of --calibration");
  command
      ->add_option("--batch", options->batch,
                   "The budget is for so many cases to come instead of for the long run")
      ->type_name("CASES");
  command
      ->add_option("--certificate", options->certificate,
                   "The threshold of a certificate (ifd certify), for the roster and policy it "
                   "holds for")
      ->type_name("FILE");
  command
      ->add_option("--capacity", options->capacity,
                   "Most cases an expert takes, CSV expert,capacity")
      ->type_name("FILE");
  command->add_flag("--explain", options->explain,
                    "JSON lines with every expert's six numbers and margin");
  command->add_option("--format", options->format, "csv (default) or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}));
  add_csv_safe_flag(*command, options->text);
  options->summary.add_to(*command);
  command->add_option("-o,--output", options->output, "Write here instead of to stdout")
      ->type_name(kFileWritten);
}

}  // namespace ifd::cli
