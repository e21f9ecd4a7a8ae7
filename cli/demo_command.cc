// The whole story on generated data, through the same files and functions as one's own data.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <sstream>

#include "cli/command.h"
#include "cli/evaluation_text.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/rings.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"
#include "ifd/experts/cohort.h"
#include "ifd/experts/simulation.h"
#include "ifd/random/keyed_random.h"
#include "ifd/router.h"
#include "ifd/router/certify.h"
#include "ifd/router/evaluation_page.h"

namespace ifd::cli {
namespace demo_command {
namespace {

constexpr std::size_t kNeighbours = 25;
constexpr double kPromisedError = 0.28;

// The demo's classifier: the labels of the 25 nearest training points, one added to each class.
Predictions nearest_neighbours(const Rings& training, const Rings& cases) {
  Predictions::Parts parts{ClassNames({"inner", "middle", "outer"}), {}, {}, cases.labels, {}, 0};
  std::vector<std::pair<float, std::size_t>> distance(training.x.size());
  for (std::size_t i = 0; i < cases.x.size(); ++i) {
    for (std::size_t t = 0; t < training.x.size(); ++t) {
      const float dx = training.x[t] - cases.x[i];
      const float dy = training.y[t] - cases.y[i];
      distance[t] = {dx * dx + dy * dy, t};
    }
    std::nth_element(distance.begin(), distance.begin() + kNeighbours, distance.end());
    std::vector<float> votes(kRingClasses, 1);
    for (std::size_t t = 0; t < kNeighbours; ++t)
      votes[index(training.labels[distance[t].second])] += 1;
    for (const float vote : votes) {
      parts.probabilities.push_back(vote / static_cast<float>(kNeighbours + kRingClasses));
    }
    parts.cases.push_back(cases.cases[i]);
  }
  return Predictions(std::move(parts));
}

Predictions renamed(const Predictions& predictions, const std::string& prefix) {
  Predictions::Parts parts = predictions.parts();
  for (std::string& name : parts.cases) name.insert(0, prefix);
  return Predictions(std::move(parts));
}

struct Accuracy {
  double system;
  std::vector<std::size_t> load;
};

Accuracy outcome_of(const Router& router, const Predictions& cases, const AnswerTable& answers) {
  const Routes routes = router.route(cases, Budget{.3});
  Accuracy result{0, std::vector<std::size_t>(routes.experts().size(), 0)};
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const ClassId truth = cases.label(i);
    const bool deferred = routes[i].decision() == Decision::kExpert;
    const bool right = deferred ? answers.at(case_id(i), routes[i].expert).is(truth)
                                : routes.prediction(i) == truth;
    result.system += right ? 1 : 0;
    if (deferred) ++result.load[index(routes[i].expert)];
  }
  result.system /= static_cast<double>(routes.size());
  return result;
}

// Right labels where the answers of those who are asked are combined with the model's opinion.
double combined_accuracy(const Router& router, const Predictions& cases,
                         const AnswerTable& answers) {
  const Routes routes = router.route(cases, Budget{.3});
  AnswerTable asked(routes.experts(), cases.size());
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const ExpertId expert = routes[i].expert;
    if (expert != kNobody) asked.set(case_id(i), expert, answers.at(case_id(i), expert));
  }
  const Combination made = router.combine(cases, asked);
  std::size_t right = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    right += made.cases[i].label == cases.label(i) ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(cases.size());
}

// Past cases that no profile was made from, for a certificate.
struct CalibrationSet {
  Predictions cases;
  AnswerTable answers;
};

CalibrationSet calibration_set(const Predictions& past, const AnswerTable& answers,
                               std::span<const std::size_t> context_rows) {
  std::vector<bool> taken(past.size(), false);
  for (const std::size_t row : context_rows) taken[row] = true;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < past.size(); ++row) {
    if (!taken[row]) rows.push_back(row);
  }
  AnswerTable said(answers.expert_names(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      said.set(case_id(i), expert_id(j), answers.at(case_id(rows[i]), expert_id(j)));
    }
  }
  return {past.subset(rows), std::move(said)};
}

// What can be promised of the threshold, or why nothing can.
std::string promise_of(const Router& router, const CalibrationSet& past, double error) {
  CertificateRequest request;
  request.error = error;
  request.independent_cases = true;
  const Certification made = certify(router, past.cases, past.answers, request);
  return made.certificate ? certificate_sentence(*made.certificate) : made.why;
}

using Words = std::vector<std::string>;

// How a command begins. ./run says how it was called, so that what is printed can be typed as it
// is.
Words called_as() {
  const char* runner = std::getenv("IFD_CALLED_AS");
  return runner != nullptr && *runner != '\0' ? Words{runner, "ifd"} : Words{"ifd"};
}

// The commands for the files of the demo, in the order in which one would type them.
std::vector<Words> commands_for(const std::filesystem::path& folder) {
  const Words files = {"--predictions", (folder / "predictions.csv").string(), "--context",
                       (folder / "context.csv").string()};
  std::vector<Words> commands = {
      {"profile"},
      {"route", "--budget", "0.3"},
      {"explain", "--case", "today-1"},
      {"certify", "--error", fmt::format("{}", kPromisedError), "--independent-cases",
       "--calibration", (folder / "calibration.csv").string(), "--calibration-answers",
       (folder / "calibration_answers.csv").string()},
      {"evaluate", "--policy", "plug-in,peak-rule,confidence,random,oracle", "--answers",
       (folder / "answers.csv").string(), "--report", "report.html"}};
  for (Words& command : commands) {
    const auto from = command.front() == "certify" ? files.begin() + 2 : files.begin();
    command.insert(command.end(), from, files.end());
    const Words begin = called_as();
    command.insert(command.begin(), begin.begin(), begin.end());
  }
  return commands;
}

// Text of our own that takes several lines.
void say_lines(const Terminal& terminal, const std::string& text) {
  std::istringstream lines(text + "\n");
  for (std::string line; std::getline(lines, line);) terminal.note(line);
}

// The report, and the commands for one's own files.
void tell_how_to_go_on(const std::filesystem::path& folder, const Evaluation& evaluation,
                       const EvaluationOptions& measures, const Router& router,
                       const Terminal& terminal) {
  constexpr std::size_t kLine = 77;  // beside the margin
  const std::vector<Words> commands = commands_for(folder);
  write_output(folder / "report.html", evaluation_html(evaluation, verdict_on(evaluation), measures,
                                                       router, shell_command(commands.back())));
  write_output(folder / "curve.svg", to_standalone_svg(system_accuracy_chart(evaluation)));
  say_lines(terminal, fmt::format("\n6. The report with charts: {}/report.html\n\n"
                                  "With your own files (CSV; the header of predictions.csv names "
                                  "your classes):\n"
                                  "   predictions.csv  case,[label,]CLASS,CLASS,...  your model's "
                                  "probabilities\n"
                                  "   context.csv      expert,case,answer,truth      past answers "
                                  "with the truth",
                                  visible_text(folder.string())));
  for (const Words& command : commands) {
    std::istringstream lines(shell_command_lines(command, kLine));
    for (std::string line; std::getline(lines, line);) terminal.note("   " + line);
  }
}

int run(const std::filesystem::path& folder, const Program& program) {
  const auto say = [&](const std::string& text) { say_lines(program.terminal, text); };
  make_folder(folder);

  say("1. A task. Points on three noisy rings, to be told apart: inner, middle, outer.");
  RingsOptions rings;
  rings.seed = program.seed;
  const Rings training = make_rings(rings);
  rings.split = "past";
  const Rings past = make_rings(rings);
  rings.split = "today";
  const Rings today = make_rings(rings);
  const Predictions model_past = renamed(nearest_neighbours(training, past), "past-");
  const Predictions model_today = renamed(nearest_neighbours(training, today), "today-");

  say("2. A model. The 25 nearest of 1000 training points vote; it is never retrained.");
  say("3. Three experts. ann knows the inner ring, bob the outer one; cleo, who knows\n"
      "   the middle one, is new: nobody saw her before. Each is right on 90 % of their\n"
      "   ring, 50 % elsewhere. All that is known of them: 15 past answers per class,\n"
      "   with the truth.");
  const std::vector<SimulatedExpert> experts = {
      class_conditional("ann", std::vector<double>{.9, .5, .5}),
      class_conditional("bob", std::vector<double>{.5, .5, .9}),
      class_conditional("cleo", std::vector<double>{.5, .9, .5})};
  const auto context_rows = sample_context_rows(model_past, 15, Key(program.seed).with("context"));
  const AnswerTable past_answers = simulate_answers(model_past, experts, {program.seed, "past"});
  const auto contexts = contexts_from_answers(past_answers, model_past, context_rows);
  const CalibrationSet calibration = calibration_set(model_past, past_answers, context_rows);
  const AnswerTable answers = simulate_answers(model_today, experts, {program.seed, "today"});

  write_predictions(folder / "predictions.csv", model_today);
  write_predictions(folder / "context_predictions.csv", model_past.subset(context_rows));
  write_contexts(folder / "context.csv", contexts, model_today.classes());
  write_answers(folder / "answers.csv", answers, model_today);
  write_predictions(folder / "calibration.csv", calibration.cases);
  write_answers(folder / "calibration_answers.csv", calibration.answers, calibration.cases);

  // Today's work with and without the newcomer, from the files.
  const Predictions cases = read_predictions(folder / "predictions.csv");
  RouterOptions settings;
  settings.seed = program.seed;
  Router router(cases.classes(), read_contexts(folder / "context.csv", cases.classes()), settings);
  router.set_on_duty("cleo", false);
  const Accuracy without = outcome_of(router, cases, answers);
  router.set_on_duty("cleo", true);
  const Accuracy with = outcome_of(router, cases, answers);
  settings.answer = AnswerUse::kCombined;
  const double combined =
      combined_accuracy(Router(router.roster_state(), settings), cases, answers);

  RouterEvaluationOptions options;
  options.policies = {"plug-in", "peak-rule", "confidence", "random", "oracle"};
  options.measures.budgets = {.1, .3, .5};
  options.measures.seed = program.seed;
  const Evaluation evaluation = router.evaluate(cases, answers, options);
  say("4. Today's 1000 points. At most 30 % of them can go to an expert. Right answers:");
  say(fmt::format("   {:.1f} %  the model alone", 100 * evaluation.model_accuracy));
  say(fmt::format("   {:.1f} %  with ann ({} cases) and bob ({})", 100 * without.system,
                  without.load[0], without.load[1]));
  say(fmt::format("   {:.1f} %  with ann ({} cases), bob ({}) and cleo ({})", 100 * with.system,
                  with.load[0], with.load[1], with.load[2]));
  say(fmt::format("   {:.1f} %  with the three, their answers combined with the model's opinion",
                  100 * combined));
  say("   Nothing was retrained for cleo: her 45 past answers are all it took.\n");
  say(fmt::format("5. A promise, from {} other past points:\n   {}.\n", calibration.cases.size(),
                  promise_of(router, calibration, kPromisedError)));
  write_output("", evaluation_text(evaluation, verdict_on(evaluation), options.measures));
  tell_how_to_go_on(folder, evaluation, options.measures, router, program.terminal);
  return 0;
}

}  // namespace
}  // namespace demo_command

void add_demo_command(CLI::App& app, Program& program) {
  using namespace demo_command;
  const auto folder = std::make_shared<std::filesystem::path>("ifd-demo");
  CLI::App* command = add_leaf(app, program, "demo", "Tell the whole story on generated data",
                               "ifd demo", [folder, &program] { return run(*folder, program); });
  command->add_option("-o,--output", *folder, "Folder for the files and the report")
      ->capture_default_str()
      ->type_name("DIR");
}

}  // namespace ifd::cli
