#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "cli/answer_options.h"
#include "cli/capacity_note.h"
#include "cli/command.h"
#include "cli/evaluation_text.h"
#include "cli/experts_shown_flag.h"
#include "cli/policy_inputs.h"
#include "cli/run_summary.h"
#include "command_line/csv_safe_flag.h"
#include "command_line/file_options.h"
#include "command_line/typed_command.h"
#include "ifd/data/case_expert_array.h"
#include "ifd/data/class_order.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/groups_file.h"
#include "ifd/data/name_groups.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/evaluation/evaluated_answers.h"
#include "ifd/evaluation/shown_measure.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/router.h"
#include "ifd/router/capacities_file.h"
#include "ifd/router/evaluation_document.h"
#include "ifd/router/evaluation_page.h"
#include "ifd/router/evaluation_words.h"

namespace ifd::cli {
namespace evaluate_command {
namespace {

constexpr std::size_t kMostResamples = 1'000'000;

using nlohmann::ordered_json;

struct Options {
  PolicyInputs inputs;
  std::vector<std::string> policies = {"plug-in"};
  const CLI::Option* policies_given = nullptr;  // the option itself
  std::vector<std::string> margins;             // NAME=FILE
  std::filesystem::path answers;
  std::string missing = "error";
  std::vector<double> range = {0, 1};
  std::vector<double> budgets = {.1, .2, .5};
  bool fill_budget = false;
  std::optional<double> threshold;
  std::filesystem::path capacity;
  std::optional<double> target;
  std::filesystem::path groups;
  std::size_t bootstrap = 1000;
  std::filesystem::path accuracies;          // A(x | E, y), for ceiling and regret
  std::filesystem::path true_probabilities;  // eta(x), for regret
  std::filesystem::path curve;
  std::filesystem::path report;
  SummaryOption summary;
  std::string amx;
  bool json = false;
  bool csv = false;
  ExpertsShown experts = ExpertsShown::kMost;
  CsvText text = CsvText::kExact;
};

// Where nobody named policies, what the costs change is shown.
void compare_with_blind(Options& options) {
  if (options.inputs.costs.costs.empty() || options.policies_given->count() > 0) return;
  options.policies.emplace_back(kCostBlind);
}

void check(const Options& options) {
  if (options.json && options.csv) {
    throw Error(ErrorKind::kUsage, "evaluate prints either --json or --csv");
  }
  if (!options.groups.empty() && !options.inputs.format.group.empty()) {
    throw Error(ErrorKind::kUsage,
                "--group names a column of the predictions, --groups a file; expected one of them");
  }
  for (const auto& [option, path] :
       {std::pair("--curve", &options.curve), std::pair("--report", &options.report),
        std::pair("--summary", &options.summary.path)}) {
    if (*path == "-") {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{} -: the result itself goes to stdout; expected a file", option));
    }
  }
  if (options.text != CsvText::kExact && !options.csv && options.curve.empty()) {
    throw Error(ErrorKind::kUsage, "--csv-safe is for --csv and --curve");
  }
  if (options.range.size() != 2) {
    throw Error(ErrorKind::kUsage, "--range takes two numbers, as in --range 0,0.5");
  }
  if (!(options.range[0] >= 0 && options.range[0] < options.range[1] && options.range[1] <= 1)) {
    throw Error(ErrorKind::kUsage, fmt::format("--range {},{}: expected 0 <= low < high <= 1",
                                               options.range[0], options.range[1]));
  }
  if (options.bootstrap > kMostResamples) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--bootstrap {}: expected 0..{}", options.bootstrap, kMostResamples));
  }
  if (options.threshold && std::isnan(*options.threshold)) {
    throw Error(ErrorKind::kUsage, "--threshold nan: expected a number");
  }
  if (options.target && !(*options.target > 0 && *options.target <= 1)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--target {}: expected an accuracy above 0, up to 1", *options.target));
  }
  if (options.target && !options.inputs.costs.costs.empty()) {
    throw Error(ErrorKind::kUsage,
                "--target is an accuracy, and with --costs there is none; expected one of them");
  }
  if (!options.true_probabilities.empty() && options.accuracies.empty()) {
    throw Error(ErrorKind::kUsage, "--true-probabilities needs --accuracies as well");
  }
}

AnswersFormat format_of_answers(const Options& options) {
  const AnswersFormat format = options.inputs.answers_format();
  return options.missing == "off-duty" ? blanks_are_missing(format) : format;
}

// The cases with their truths, which may come with the answers.
Predictions with_truths(const Predictions& cases, const AnswersFile& answers,
                        const Options& options) {
  if (cases.has_labels()) return cases;
  if (answers.truths.empty()) {
    throw bad_input(
        fmt::format("{}: the truth of some cases is not known; expected a 'truth' for every case "
                    "to be scored, or labels in the predictions",
                    source_name(options.answers)));
  }
  return cases.with_labels(answers.truths);
}

// Cases to be scored with a name that the context has too.
std::size_t count_in_context(const LoadedInputs& loaded) {
  std::unordered_set<std::string_view> in_context;
  for (const ExpertContext& context : loaded.contexts) {
    for (const ContextRow& row : context.rows) in_context.insert(row.case_name);
  }
  std::size_t shared = 0;
  for (std::size_t i = 0; i < loaded.predictions.size(); ++i) {
    shared += in_context.contains(loaded.predictions.case_name(i)) ? 1 : 0;
  }
  return shared;
}

// What to say of cases that are in the context too; nothing where there are none.
std::string shared_cases_note(const LoadedInputs& loaded, const Options& options) {
  const std::size_t shared = count_in_context(loaded);
  if (shared == 0) return {};
  if (!loaded.predictions.numbers_its_cases()) {
    return fmt::format(
        "note: {} of the cases to be scored are in the context too; scores on them flatter the "
        "profiles",
        shared);
  }
  // Row numbers are not names: with predictions of its own, the context is about other rows.
  if (!options.inputs.context_predictions.empty()) return {};
  return fmt::format(
      "note: the cases to be scored have no names, so whether they are in the context too is not "
      "known; give {}",
      kWaysToTellCasesApart);
}

void note_oddities(const AnswersFile& answers, const std::string& about_shared_cases,
                   const Router& router, const Terminal& terminal) {
  if (answers.unused > 0) {
    terminal.note(
        fmt::format("note: {} answers are on cases that the predictions lack; not used: {}",
                    answers.unused, answers.unused_hint));
  }
  if (!about_shared_cases.empty()) terminal.note(about_shared_cases);
  note_strangers(answers.table, router, "", terminal);
}

// --margins NAME=FILE
ForeignMargins foreign_margins(const std::string& word, const Predictions& cases,
                               const std::vector<std::string>& experts, const ReadLimits& limits) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--margins '{}': expected NAME=FILE.npz, as in --margins mine=m.npz",
                            excerpt(word)));
  }
  return {word.substr(0, equals), read_margins(word.substr(equals + 1), cases, experts, limits)};
}

void refuse_missing(const Options& options, const AnswerTable& answers, const Router& router) {
  if (options.missing != "error") return;
  const AnswerTable of_roster = columns_of(answers, router.experts());
  if (const auto missing = missing_answers(of_roster, on_duty_at(router))) {
    throw bad_input(
        fmt::format("{}: {}; expected one of every expert on duty on every one of the "
                    "{} cases, or --missing off-duty",
                    source_name(options.answers), *missing, answers.cases()));
  }
}

Predictions read_true_probabilities(const Options& options, const Predictions& cases,
                                    const ReadOptions& reading) {
  PredictionsFormat format = options.inputs.format.format();
  format.scores = ScoreKind::kProbabilities;
  Predictions truth = in_class_order(read_predictions(options.true_probabilities, format, reading),
                                     cases.classes(), source_name(options.true_probabilities));
  if (truth.case_names() != cases.case_names()) {
    throw bad_input(fmt::format("{}: expected the cases of the predictions, in their order",
                                source_name(options.true_probabilities)));
  }
  return truth;
}

// How the groups file is made where names tell the groups; empty where they do not.
std::string suggested_groups(const Options& options, const LoadedInputs& loaded) {
  if (options.bootstrap == 0 || !options.groups.empty() || !options.inputs.format.group.empty())
    return {};
  if (loaded.predictions.numbers_its_cases()) return {};
  const auto found = groups_in_names(loaded.predictions.case_names());
  if (!found) return {};
  return fmt::format(
      "note: case names look grouped, by what stands before the last '{0}' ({1} groups such as "
      "'{2}'); --groups FILE (case,group) or --group COLUMN gives intervals over groups",
      found->separator, found->groups, excerpt(found->example));
}

RouterEvaluationOptions evaluation_options(const Options& options, const LoadedInputs& loaded,
                                           const Predictions& cases, const Router& router,
                                           const Program& program) {
  const Terminal& terminal = program.terminal;
  RouterEvaluationOptions made;
  made.policies = options.policies;
  made.missing = options.missing == "off-duty" ? RouterEvaluationOptions::Missing::kOffDuty
                                               : RouterEvaluationOptions::Missing::kError;
  made.bf16 = bf16_precision(options.amx);
  made.measures.d_min = options.range[0];
  made.measures.d_max = options.range[1];
  made.measures.budgets = options.budgets;
  if (options.fill_budget) made.measures.least_margin = kFillBudget;
  made.measures.threshold = options.threshold;
  if (!options.groups.empty()) {
    made.measures.groups = read_groups(options.groups, cases, program.reading());
  }
  if (!loaded.groups.empty()) made.measures.groups = loaded.groups;
  made.measures.bootstrap = options.bootstrap;
  made.measures.work.progress = [&terminal](std::string_view step) {
    terminal.progress(fmt::format("{} ...", step));
  };
  const std::vector<std::string> experts = router.experts();
  if (!options.capacity.empty()) {
    made.measures.capacities = read_capacities(options.capacity, experts, program.reading());
  }
  if (!options.accuracies.empty()) {
    made.measures.accuracies = read_accuracies(options.accuracies, cases, experts, program.limits);
  }
  if (!options.true_probabilities.empty()) {
    made.measures.true_probabilities = read_true_probabilities(options, cases, program.reading());
  }
  for (const std::string& word : options.margins) {
    made.foreign.push_back(foreign_margins(word, cases, experts, program.limits));
    const std::string& name = made.foreign.back().name;
    const auto same = [&](const ForeignMargins& other) { return other.name == name; };
    if (std::count_if(made.foreign.begin(), made.foreign.end(), same) > 1 ||
        std::count(options.policies.begin(), options.policies.end(), name) > 0) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--margins {}: the name is taken; expected another", excerpt(name)));
    }
  }
  return made;
}

void note_policies(const Evaluation& evaluation, const Terminal& terminal) {
  for (const PolicyEvaluation& policy : evaluation.policies) {
    if (policy.calibration) note_own_calibration(policy.policy, *policy.calibration, terminal);
    if (!policy.bf16) continue;
    terminal.note(fmt::format(
        "{}: bf16 changes the best expert of {} of {} cases, and margins by up to {:.2g}",
        policy.policy, policy.bf16->cases, evaluation.cases, policy.bf16->margin));
  }
}

// What scripts ask for: of each policy what it does where, and what is thought of it.
void summarise(const Evaluation& evaluation, const Verdict& verdict, ordered_json& summary) {
  const ShownMeasure shown(evaluation);
  const auto point = [&](const OperatingPoint& at) {
    ordered_json load = ordered_json::array();
    for (std::size_t j = 0; j < evaluation.experts.size(); ++j) {
      load.push_back({{"expert", evaluation.experts[j]}, {"share", at.load[j]}});
    }
    return ordered_json{{"deferred", at.deferred},
                        {shown.key("accuracy"), shown.value(at.system_accuracy)},
                        {"load", load}};
  };
  summary["cases"] = evaluation.cases;
  summary[shown.key("model_accuracy")] =
      shown.value(model_share(evaluation, evaluation.policies.front()));
  summary["answer"] = verdict_word(verdict.answer);
  summary["warnings"] = verdict.warnings;
  summary["policies"] = ordered_json::array();
  for (const PolicyEvaluation& policy : evaluation.policies) {
    ordered_json entry = {{"policy", policy.policy},
                          {shown.key("aursac"), shown.value(policy.aursac)},
                          {"at_zero", point(policy.at_zero)},
                          {"at_budgets", ordered_json::array()}};
    for (const BudgetPoint& at : policy.at_budgets) {
      ordered_json budget = {{"budget", at.budget}, {"threshold", nullptr}};
      if (at.threshold && std::isfinite(*at.threshold)) budget["threshold"] = *at.threshold;
      budget.update(point(at.point));
      entry["at_budgets"].push_back(std::move(budget));
    }
    if (policy.at_threshold) entry["at_threshold"] = point(policy.at_threshold->point);
    if (verdict.target) {
      entry["target"] = reach_json(reach_of(policy.curve, *verdict.target));
    }
    summary["policies"].push_back(std::move(entry));
  }
}

int run(const Options& options, const Program& program, ordered_json& summary) {
  const Terminal& terminal = program.terminal;
  LoadedInputs loaded = load(options.inputs, options.policies, program);
  const std::string about_shared_cases = shared_cases_note(loaded, options);
  // The router's own policy is not asked; any will do that needs nothing.
  const Router router = loaded.take_router("plug-in");
  note_calibration(router, "plug-in", terminal);
  const AnswersFile answers = read_answers(options.answers, loaded.predictions, program.reading(),
                                           format_of_answers(options));
  const Predictions cases = with_truths(loaded.predictions, answers, options);
  note_oddities(answers, about_shared_cases, router, terminal);
  if (const std::string note = suggested_groups(options, loaded); !note.empty()) {
    terminal.note(note);
  }
  refuse_missing(options, answers.table, router);
  const RouterEvaluationOptions asked = evaluation_options(options, loaded, cases, router, program);
  if (asked.measures.capacities) {
    const std::string note =
        capacity_note(*asked.measures.capacities, router, cases.size(), options.budgets);
    if (!note.empty()) terminal.note(note);
  }
  Evaluation result = router.evaluate(cases, answers.table, asked);
  terminal.end_progress();
  result.outside = answers.outside;
  note_policies(result, terminal);
  EvaluationOptions measures = asked.measures;
  measures.seed = program.seed;
  Verdict verdict = verdict_on(result, {router.options_calibration().has_value(), options.target});
  if (std::string warning = wrong_by_blanks(answers); !warning.empty()) {
    verdict.warnings.push_back(std::move(warning));
  }
  if (std::string warning = computed_truths_warning(options.inputs.answers_format().truth);
      !warning.empty()) {
    verdict.warnings.push_back(std::move(warning));
  }
  if (!options.curve.empty()) write_output(options.curve, curves_csv(result, options.text));
  if (!options.report.empty()) {
    write_output(options.report,
                 evaluation_html(result, verdict, measures, router,
                                 command_as_typed({"ifd", "evaluate"}, *options.summary.command)));
    terminal.note(fmt::format("report: {}", options.report.string()));
  }
  if (options.csv) {
    write_csv("", evaluation_csv(result, verdict, options.text));
  } else {
    write_output("", options.json ? evaluation_json(result, verdict, measures, router)
                                  : evaluation_text(result, verdict, measures, options.experts));
  }
  summarise(result, verdict, summary);
  return 0;
}

// What is measured of each policy, and over what.
void add_measures(CLI::App& command, Options& options) {
  command.add_option("--range", options.range, "Budgets of the areas, as low,high")
      ->delimiter(',')
      ->type_name("LOW,HIGH")
      ->capture_default_str();
  command.add_option("--budgets", options.budgets, "Report the accuracy at these budgets")
      ->delimiter(',')
      ->type_name("NUMBER,...")
      ->capture_default_str();
  command.add_flag("--fill-budget", options.fill_budget,
                   "Use all of these budgets, also where no gain is expected");
  command.add_option("--threshold", options.threshold,
                     "Report the accuracy where every margin of at least this is deferred, too");
  command
      .add_option("--capacity", options.capacity,
                  "Most cases an expert takes, CSV expert,capacity: budgets and thresholds are "
                  "measured within them, as 'ifd route' would assign the cases")
      ->type_name("FILE");
  command.add_option("--target", options.target, "Tell the budget that reaches this accuracy");
  command
      .add_option("--groups", options.groups,
                  "CSV case,group: intervals over groups (patients, recordings) instead of cases")
      ->type_name("FILE");
  command.add_option("--bootstrap", options.bootstrap, "Resamples for the intervals; 0 for none")
      ->capture_default_str();
}

}  // namespace
}  // namespace evaluate_command

void add_evaluate_command(CLI::App& app, Program& program) {
  using namespace evaluate_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_leaf(
      app, program, "evaluate", "Measure policies on cases where the experts' answers are known",
      "ifd evaluate --policy plug-in,confidence --predictions test.csv \\\n"
      "      --context answers.csv --answers test_answers.csv --report report.html",
      [options, &program] {
        check(*options);
        compare_with_blind(*options);
        return with_summary(options->summary, options->policies, program,
                            [&](ordered_json& summary) { return run(*options, program, summary); });
      });
  options->policies_given =
      command
          ->add_option("--policy", options->policies,
                       fmt::format("One or more of {}, or policy files; with --costs plug-in, "
                                   "oracle, and cost-blind, which is plug-in as if there were none",
                                   fmt::join(policy_names(), ", ")))
          ->delimiter(',')
          ->type_name("POLICY,...")
          ->capture_default_str();
  command
      ->add_option("--margins", options->margins,
                   "Margins of another method, to be compared: NPZ with margins (cases x experts), "
                   "cases, experts; may be given again")
      ->type_name("NAME=FILE");
  options->inputs.add_to(*command);
  add_answer_option(*command, options->inputs.answer);
  add_paper_flag(*command);
  add_amx_option(*command, options->amx);
  command
      ->add_option("--answers", options->answers,
                   "The experts' answers on the cases, CSV expert,case,answer[,truth], or a row "
                   "per case with a column per expert")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--missing", options->missing,
                   "An expert without an answer on a case: error, or off-duty to let the others "
                   "compete there, also where the answer is blank and --blank does not say wrong")
      ->check(CLI::IsMember({"error", "off-duty"}))
      ->capture_default_str();
  add_measures(*command, *options);
  command
      ->add_option("--accuracies", options->accuracies,
                   "The experts' true accuracies (NPZ of 'ifd experts simulate'), for ceiling")
      ->type_name("FILE");
  command
      ->add_option("--true-probabilities", options->true_probabilities,
                   "The true class probabilities of a simulation, for the regret")
      ->type_name("FILE");
  command->add_option("--curve", options->curve, "Write the curves as CSV")
      ->type_name(kFileWritten);
  command->add_option("--report", options->report, "Write an HTML report")->type_name(kFileWritten);
  options->summary.add_to(*command);
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->add_flag("--csv", options->csv, "Print CSV instead of a table");
  add_all_experts_flag(*command, options->experts);
  add_csv_safe_flag(*command, options->text);
}

}  // namespace ifd::cli
