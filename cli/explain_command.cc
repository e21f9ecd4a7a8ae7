#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/case_text.h"
#include "cli/command.h"
#include "cli/deferral_options.h"
#include "cli/policy_inputs.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/near_names.h"
#include "ifd/data/utf8.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"
#include "ifd/router.h"

namespace ifd::cli {
namespace explain_command {
namespace {

struct Options {
  PolicyInputs inputs;
  std::string policy = "plug-in";
  std::vector<std::string> cases;
  DeferralOptions deferral = {};
  std::size_t most_answers = StoryOptions().most_answers;
  bool json = false;
};

DeferralRule rule_of(const DeferralOptions& deferral) {
  if (!deferral.budget) return Threshold{deferral.threshold.value_or(0)};
  return Budget{*deferral.budget, deferral.least_margin()};
}

std::vector<std::size_t> rows_of(const Options& options, const Predictions& predictions) {
  constexpr std::size_t kNear = 3;
  const CaseIndex index(predictions);
  std::vector<std::size_t> rows;
  for (const std::string& name : options.cases) {
    if (const auto row = index.find(name)) {
      rows.push_back(*row);
      continue;
    }
    const std::vector<std::string> names = predictions.case_names();
    std::vector<std::string> near;
    for (const std::string& other : near_names(name, names, kNear)) {
      near.push_back(fmt::format("'{}'", excerpt(other)));
    }
    throw Error(ErrorKind::kNotFound,
                fmt::format("{}: no case '{}'; {} {}", source_name(options.inputs.predictions),
                            excerpt(name), near.empty() ? "expected one such as" : "near it:",
                            near.empty() ? fmt::format("'{}'", excerpt(names.front()))
                                         : fmt::format("{}", fmt::join(near, ", "))));
  }
  return rows;
}

int run(const Options& options, const Program& program) {
  options.deferral.check();
  LoadedInputs loaded = load(options.inputs, {options.policy}, program);
  const Predictions& cases = loaded.predictions;
  const std::vector<std::size_t> rows = rows_of(options, cases);
  const Router router = loaded.take_router(options.policy);
  note_calibration(router, options.policy, program.terminal);
  const Routes routes = router.route(cases, rule_of(options.deferral));
  const CaseWording wording{cases.classes(),         options.policy,        router.expects_gains(),
                            options.deferral.budget, routes.least_margin(), cases.size(),
                            options.most_answers};
  StoryOptions story_options;
  story_options.most_answers = options.most_answers;
  std::vector<CaseStory> stories;
  for (const std::size_t row : rows) {
    stories.push_back(tell_case(router, cases, routes, row, story_options));
  }
  std::string text;
  for (const CaseStory& story : stories) {
    if (options.json) break;
    if (!text.empty()) text += '\n';
    text += text_of(story, wording);
  }
  if (options.json) text = escaped_json(explanation_json(stories, wording));
  write_output("", text);
  return 0;
}

}  // namespace
}  // namespace explain_command

void add_explain_command(CLI::App& app, Program& program) {
  using namespace explain_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_leaf(
      app, program, "explain", "Tell in words why a case goes where, and what would flip it",
      "ifd explain --predictions today.csv --context answers.csv --case scan-17",
      [options, &program] { return run(*options, program); });
  command->add_option("--case", options->cases, "The case to explain; may be given several times")
      ->required()
      ->allow_extra_args(false)
      ->type_name("NAME");
  add_policy_option(*command, options->policy);
  options->inputs.add_to(*command);
  add_paper_flag(*command);
  options->deferral.add_to(*command);
  command->get_option("--threshold")->default_str("0");
  command
      ->add_option("--most-answers", options->most_answers,
                   "How many further answers of an expert to try for what would flip it")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON instead of words");
}

}  // namespace ifd::cli
