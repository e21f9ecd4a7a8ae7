#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "cli/command.h"
#include "cli/staff_inputs.h"
#include "cli/text_table.h"
#include "command_line/file_options.h"
#include "command_line/threads_limit.h"
#include "ifd/data/utf8.h"
#include "ifd/data/visible_text.h"
#include "ifd/policy/roster.h"
#include "ifd/router/onboarding_document.h"

namespace ifd::cli {
namespace plan_onboarding_command {
namespace {

struct OnboardingCommand {
  StaffInputs inputs;
  OnboardingQuestion question;
  std::string by = "balanced";
  std::vector<std::string> off_duty = {};
  std::size_t next = 0;
  std::filesystem::path chart;
  bool json = false;
};

std::string onboarding_text(const OnboardingPlan& plan, const OnboardingStaff& staff,
                            const Predictions& cases, const OnboardingQuestion& question,
                            const std::vector<std::size_t>& next) {
  TextTable table({"answers", "as they come", "balanced", "by variance"});
  for (const OnboardingPlan::Size& size : plan.sizes) {
    std::vector<std::string> row = {std::to_string(size.answers)};
    for (const OnboardingPlan::Regret& regret : size.regret) {
      row.push_back(fmt::format("{:.4f} ± {:.4f}", regret.mean, regret.standard_error));
    }
    table.add(std::move(row));
  }
  std::string text = fmt::format(
      "AURSAC short of knowing {}, which is worth {:.4f}:\n\n",
      question.expert.empty() ? "a newcomer" : visible_text(excerpt(question.expert)), plan.worth);
  text += table.text();
  text += fmt::format("\n{}\n{}\n", visible_text(onboarding_answer(plan, staff, cases, question)),
                      onboarding_finding(plan));
  if (is_computed(question.truth)) {
    text += fmt::format("Truths are computed (--truth {}), not known.\n", word_for(question.truth));
  }
  if (next.empty()) return text;
  TextTable proposed({"next", "class"});
  for (const std::size_t row : next) {
    proposed.add({cases.case_name(row), onboarding_class(cases, row)});
  }
  return text + '\n' + proposed.text();
}

// The cases that somebody has answered already.
std::unordered_set<std::string> answered_by(const std::string& expert,
                                            const std::vector<ExpertContext>& contexts) {
  std::unordered_set<std::string> answered;
  for (const ExpertContext& context : contexts) {
    if (context.expert != expert) continue;
    for (const ContextRow& row : context.rows) answered.insert(row.case_name);
  }
  return answered;
}

int run_onboarding(const OnboardingCommand& options, const Program& program) {
  if (options.chart == "-") {
    throw Error(ErrorKind::kUsage, "--chart -: the plan itself goes to stdout; expected a file");
  }
  if (options.inputs.predictions.empty()) {
    throw Error(ErrorKind::kUsage,
                "plan onboarding needs --predictions, the mix of cases that are routed");
  }
  const LoadedStaff loaded = load_for_plan(options.inputs, program);
  const Predictions& cases = *loaded.predictions;
  OnboardingQuestion question = options.question;
  question.truth = options.inputs.answers.format({}).truth;
  for (const NextCases choice : kNextCases) {
    if (options.by == word_for(choice)) question.by = choice;
  }
  question.options.seed = program.seed;
  if (question.options.threads == 0) {
    question.options.threads = std::max(1U, std::thread::hardware_concurrency());
  }
  const OnboardingStaff staff = placed("--off-duty", [&] {
    return OnboardingStaff::around(question.expert,
                                   make_roster(loaded.contexts, loaded.classes.size()),
                                   loaded.classes.size(), options.off_duty);
  });
  const OnboardingPlan plan =
      placed("plan onboarding", [&] { return plan_onboarding(cases, staff, question.options); });
  const std::vector<std::size_t> next =
      next_cases(cases, staff, question.by, options.next,
                 answered_by(question.expert, loaded.contexts), program.seed);
  if (!options.chart.empty()) {
    write_output(options.chart, to_standalone_svg(onboarding_chart(plan, question)));
  }
  write_output("", options.json ? escaped_json(onboarding_json(plan, staff, cases, question, next))
                                : onboarding_text(plan, staff, cases, question, next));
  return 0;
}

}  // namespace
}  // namespace plan_onboarding_command

void add_plan_onboarding_command(CLI::App& plan, Program& program) {
  using namespace plan_onboarding_command;
  const auto options = std::make_shared<OnboardingCommand>();
  options->question.options.threads = 0;
  CLI::App* command =
      add_leaf(plan, program, "onboarding",
               "How many answers of which classes until a new expert is known well enough",
               "ifd plan onboarding --context answers.csv --predictions last-month.csv \\\n"
               "      --expert zoe --next 20",
               [options, &program] { return run_onboarding(*options, program); });
  add_plan_inputs(*command, options->inputs);
  command
      ->add_option("--expert", options->question.expert,
                   "Who is new, with or without answers; without it somebody with none")
      ->type_name("NAME");
  command->add_option("--off-duty", options->off_duty, "Colleagues who take no case")
      ->delimiter(',')
      ->type_name("NAME,...");
  command->add_option("--tolerance", options->question.options.tolerance, "Of the AURSAC")
      ->capture_default_str();
  command->add_option("--next", options->next, "Propose so many cases of --predictions to label")
      ->capture_default_str();
  command->add_option("--by", options->by, "Whose cases next: balanced, variance or as-they-come")
      ->check(CLI::IsMember({"balanced", "variance", "as-they-come"}))
      ->capture_default_str();
  command->add_option("--draws", options->question.options.draws, "Simulated experts")
      ->capture_default_str();
  limit_threads(command->add_option("--threads", options->question.options.threads,
                                    "Worker threads; 0 takes all cores"));
  command->add_option("--chart", options->chart, "Draw the table, as SVG")->type_name(kFileWritten);
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
