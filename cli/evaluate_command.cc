#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/command.h"
#include "cli/evaluation.h"
#include "cli/evaluation_report.h"
#include "ifd/error.h"

namespace ifd::cli {
namespace {

constexpr std::size_t kMostResamples = 1'000'000;

struct Options {
  PolicyInputs inputs;
  EvaluationOptions evaluation;
  std::string missing = "error";
  std::vector<double> range = {0, 1};
  std::filesystem::path curve;
  std::filesystem::path report;
  std::string amx;
  bool json = false;
  bool csv = false;
};

// The command as it would be typed, for the report's last section.
std::string command_line(const Options& options) {
  std::string text =
      fmt::format("ifd evaluate --policy {}", fmt::join(options.evaluation.policies, ","));
  const auto add = [&](const char* name, const std::filesystem::path& path) {
    if (!path.empty()) text += fmt::format(" {} {}", name, shell_word(path.string()));
  };
  add("--predictions", options.inputs.predictions);
  add("--context", options.inputs.context);
  add("--answers", options.evaluation.answers);
  add("--context-predictions", options.inputs.context_predictions);
  add("--prior", options.inputs.prior);
  add("--accuracies", options.evaluation.accuracies);
  add("--true-probabilities", options.evaluation.true_probabilities);
  if (options.inputs.logits) text += " --logits";
  if (!options.amx.empty()) text += " --amx " + options.amx;
  if (!options.inputs.off_duty.empty()) {
    text += " --off-duty " + shell_word(fmt::format("{}", fmt::join(options.inputs.off_duty, ",")));
  }
  text += fmt::format(" --ties {} --budgets {} --bootstrap {}", options.inputs.ties,
                      fmt::join(options.evaluation.budgets, ","), options.evaluation.bootstrap);
  text += fmt::format(" --margin {} --calibrate {} --missing {} --range {},{} --seed {}",
                      options.inputs.margin, options.inputs.calibrate, options.missing,
                      options.range[0], options.range[1], options.evaluation.seed);
  return text;
}

int run(Options options, const Program& program) {
  if (options.json && options.csv) {
    throw Error(ErrorKind::kUsage, "evaluate prints either --json or --csv");
  }
  if (options.range.size() != 2) {
    throw Error(ErrorKind::kUsage, "--range takes two numbers, as in --range 0,0.5");
  }
  options.evaluation.d_min = options.range[0];
  options.evaluation.d_max = options.range[1];
  if (!(options.range[0] >= 0 && options.range[0] < options.range[1] && options.range[1] <= 1)) {
    throw Error(ErrorKind::kUsage, fmt::format("--range {},{}: expected 0 <= low < high <= 1",
                                               options.range[0], options.range[1]));
  }
  if (options.evaluation.bootstrap > kMostResamples) {
    throw Error(ErrorKind::kUsage, fmt::format("--bootstrap {}: expected 0..{}",
                                               options.evaluation.bootstrap, kMostResamples));
  }
  options.evaluation.missing = options.missing == "off-duty" ? Missing::kOffDuty : Missing::kError;
  options.evaluation.seed = program.seed;
  options.evaluation.bf16 = bf16_precision(options.amx);
  const LoadedInputs loaded = load(options.inputs, program.terminal);
  const Evaluation result = evaluate(loaded, options.evaluation, program.terminal);
  if (!options.curve.empty()) write_output(options.curve, curves_csv(result));
  if (!options.report.empty()) {
    write_output(options.report,
                 evaluation_html(result, options.evaluation, loaded, command_line(options)));
    program.terminal.note(fmt::format("report: {}", options.report.string()));
  }
  write_output("", options.json  ? evaluation_json(result, options.evaluation, loaded)
                   : options.csv ? evaluation_csv(result)
                                 : evaluation_text(result, options.evaluation));
  return 0;
}

}  // namespace

void add_evaluate_command(CLI::App& app, Program& program) {
  const auto options = std::make_shared<Options>();
  options->evaluation.policies = {"plug-in"};
  options->evaluation.budgets = {.1, .2, .5};
  CLI::App* command = add_leaf(
      app, program, "evaluate", "Measure policies on cases where the experts' answers are known",
      "ifd evaluate --policy plug-in,confidence --predictions test.csv --context answers.csv \\\n"
      "      --answers test_answers.csv --report report.html",
      [options, &program] { return run(*options, program); });
  command
      ->add_option("--policy", options->evaluation.policies,
                   "One or more of plug-in, peak-rule, confidence, random, ceiling, oracle, or "
                   "policy files")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->capture_default_str();
  options->inputs.add_to(*command);
  add_paper_flag(*command);
  add_amx_option(*command, options->amx);
  command
      ->add_option("--answers", options->evaluation.answers,
                   "The experts' answers on the cases, CSV expert,case,answer[,truth]")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--missing", options->missing,
                   "An expert without an answer on a case: error, or off-duty to let the others "
                   "compete there")
      ->check(CLI::IsMember({"error", "off-duty"}))
      ->capture_default_str();
  command->add_option("--range", options->range, "Budgets of the areas, as low,high")
      ->delimiter(',')
      ->type_name("LOW,HIGH")
      ->capture_default_str();
  command
      ->add_option("--budgets", options->evaluation.budgets, "Report the accuracy at these budgets")
      ->delimiter(',')
      ->type_name("NUMBER,...")
      ->capture_default_str();
  command
      ->add_option("--bootstrap", options->evaluation.bootstrap,
                   "Resamples for the intervals; 0 for none")
      ->capture_default_str();
  command
      ->add_option("--accuracies", options->evaluation.accuracies,
                   "The experts' true accuracies (NPZ of 'ifd experts simulate'), for ceiling")
      ->type_name("FILE");
  command
      ->add_option("--true-probabilities", options->evaluation.true_probabilities,
                   "The true class probabilities of a simulation, for the regret")
      ->type_name("FILE");
  command->add_option("--curve", options->curve, "Write the curves as CSV")->type_name("FILE");
  command->add_option("--report", options->report, "Write an HTML report")->type_name("FILE");
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->add_flag("--csv", options->csv, "Print CSV instead of a table");
}

}  // namespace ifd::cli
