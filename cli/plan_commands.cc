#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/policy_inputs.h"
#include "cli/text_table.h"
#include "ifd/error.h"
#include "ifd/profile/prior.h"
#include "ifd/profile/sample_size.h"
#include "ifd/random/keyed_random.h"
#include "ifd/router.h"

namespace ifd::cli {
namespace {

constexpr int kRepeats = 4000;

// One of the two sample-size questions: the paper's bound, the exact answer, and how often
// simulated contexts of each size succeed.
struct Answer {
  std::uint64_t bound;
  std::uint64_t needed;
  double bound_frequency;
  double needed_frequency;
};

void print(const Answer& answer, double delta, const nlohmann::ordered_json& question, bool json) {
  if (json) {
    const nlohmann::ordered_json out = {
        {"question", question},
        {"delta", delta},
        {"bound",
         {{"answers_per_class", answer.bound}, {"simulated_success", answer.bound_frequency}}},
        {"simulated",
         {{"answers_per_class", answer.needed}, {"simulated_success", answer.needed_frequency}}},
        {"repeats", kRepeats}};
    write_output("", out.dump(2) + "\n");
    return;
  }
  TextTable table({"", "answers a class", "succeeds in simulation"});
  table.add({"the proposition's bound", std::to_string(answer.bound),
             fmt::format("{:.2f} %", 100 * answer.bound_frequency)});
  table.add({fmt::format("enough for {:g} %", 100 * (1 - delta)), std::to_string(answer.needed),
             fmt::format("{:.2f} %", 100 * answer.needed_frequency)});
  write_output("", table.text());
}

struct PeakOptions {
  std::vector<double> accuracies;
  std::size_t classes = 0;
  double best = .9;
  double gap = 0;
  double delta = .05;
  bool json = false;
};

std::vector<double> peak_accuracies(const PeakOptions& options) {
  if (options.accuracies.empty() == (options.classes == 0)) {
    throw Error(ErrorKind::kUsage, "plan peak needs either --accuracies or --classes with --gap");
  }
  if (!options.accuracies.empty()) return options.accuracies;
  if (options.classes < 2 || options.classes > 10000) {
    throw Error(ErrorKind::kUsage, fmt::format("--classes {}: expected 2..10000", options.classes));
  }
  if (!(options.gap > 0 && options.gap <= options.best)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--gap {}: expected more than 0 and no more than --best {}",
                            options.gap, options.best));
  }
  // The hardest case for that gap: every other class just that much worse.
  std::vector<double> accuracies(options.classes, options.best - options.gap);
  accuracies[0] = options.best;
  return accuracies;
}

double simulate_peak(const std::vector<double>& accuracies, std::uint64_t n, std::uint64_t seed) {
  int successes = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    std::vector<std::uint64_t> correct(accuracies.size(), 0);
    for (std::size_t k = 0; k < accuracies.size(); ++k) {
      const Key key = Key(seed).with("plan peak").with(repeat).with(k);
      for (std::uint64_t i = 0; i < n; ++i) correct[k] += key.uniform(i) < accuracies[k] ? 1 : 0;
    }
    const std::size_t best = static_cast<std::size_t>(
        std::max_element(accuracies.begin(), accuracies.end()) - accuracies.begin());
    bool identified = true;
    for (std::size_t k = 0; k < accuracies.size(); ++k) {
      identified &= k == best || BetaPosterior({}, n, correct[best]).mean() >
                                     BetaPosterior({}, n, correct[k]).mean();
    }
    successes += identified ? 1 : 0;
  }
  return static_cast<double>(successes) / kRepeats;
}

int run_peak(const PeakOptions& options, const Program& program) {
  const std::vector<double> accuracies = peak_accuracies(options);
  const std::uint64_t needed =
      placed("plan peak", [&] { return peak_class_answers(accuracies, options.delta); });
  std::vector<double> sorted = accuracies;
  std::sort(sorted.rbegin(), sorted.rend());
  const std::uint64_t bound =
      peak_class_bound(accuracies.size(), sorted[0] - sorted[1], options.delta);
  print({bound, needed, simulate_peak(accuracies, bound, program.seed),
         simulate_peak(accuracies, needed, program.seed)},
        options.delta,
        {{"kind", "peak"}, {"accuracies", accuracies}, {"gap", sorted[0] - sorted[1]}},
        options.json);
  return 0;
}

struct PriorOptions {
  double prior_mean = .9;
  double prior_strength = 30;
  double accuracy = .5;
  double tolerance = .1;
  double delta = .05;
  bool json = false;
};

double simulate_prior(const PriorOptions& options, const BetaPrior& prior, std::uint64_t n,
                      std::uint64_t seed) {
  int successes = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const Key key = Key(seed).with("plan prior").with(repeat);
    std::uint64_t correct = 0;
    for (std::uint64_t i = 0; i < n; ++i) correct += key.uniform(i) < options.accuracy ? 1 : 0;
    const double mean = BetaPosterior(prior, n, correct).mean();
    successes += std::abs(mean - options.accuracy) < options.tolerance ? 1 : 0;
  }
  return static_cast<double>(successes) / kRepeats;
}

int run_prior(const PriorOptions& options, const Program& program) {
  const BetaPrior prior = placed(
      "plan prior", [&] { return prior_with_mean(options.prior_mean, options.prior_strength); });
  const std::uint64_t bound = placed("plan prior", [&] {
    return prior_recovery_bound(prior, options.accuracy, options.tolerance, options.delta);
  });
  const std::uint64_t needed = placed("plan prior", [&] {
    return prior_recovery_answers(prior, options.accuracy, options.tolerance, options.delta);
  });
  print({bound, needed, simulate_prior(options, prior, bound, program.seed),
         simulate_prior(options, prior, needed, program.seed)},
        options.delta,
        {{"kind", "prior"},
         {"prior_mean", options.prior_mean},
         {"prior_strength", options.prior_strength},
         {"accuracy", options.accuracy},
         {"tolerance", options.tolerance}},
        options.json);
  return 0;
}

struct ThresholdOptions {
  PolicyInputs inputs;
  std::string policy = "plug-in";
  double budget = 0;
  double confidence = .95;
  bool json = false;
};

int run_threshold(const ThresholdOptions& options, const Program& program) {
  LoadedInputs loaded = load(options.inputs, {options.policy}, program.seed, program.terminal);
  const Router router = loaded.take_router(options.policy);
  note_calibration(router, options.policy, program.terminal);
  const Routes routes = router.route(
      loaded.predictions, CalibratedBudget{options.budget, loaded.predictions, options.confidence});
  const CalibratedThreshold& found = *routes.calibrated();
  std::vector<std::string> on_duty;
  for (const std::string& name : router.experts()) {
    if (router.is_on_duty(name)) on_duty.push_back(name);
  }
  const bool any = std::isfinite(found.threshold);
  if (options.json) {
    const nlohmann::ordered_json out = {{"policy", options.policy},
                                        {"threshold", any ? nlohmann::ordered_json(found.threshold)
                                                          : nlohmann::ordered_json(nullptr)},
                                        {"cases", found.calibration_cases},
                                        {"deferred", found.deferred_on_calibration},
                                        {"rate", found.rate},
                                        {"rate_low", found.rate_low},
                                        {"rate_high", found.rate_high},
                                        {"confidence", found.confidence},
                                        {"experts", on_duty}};
    write_output("", out.dump(2) + "\n");
    return 0;
  }
  if (!any) {
    const auto largest = std::ranges::max(routes, {}, &Route::margin).margin;
    const auto best = std::ranges::count(routes, largest, &Route::margin);
    program.terminal.note(
        fmt::format("--budget {} defers none of {} cases: the largest margin is that of {}, for "
                    "which it takes {:.3g}",
                    options.budget, found.calibration_cases, best,
                    static_cast<double>(best) / static_cast<double>(found.calibration_cases)));
  }
  TextTable text({"threshold", "rate", "interval", "cases", "experts on duty"});
  text.add({any ? fmt::format("{:.6g}", found.threshold) : "none",
            fmt::format("{:.3f}", found.rate),
            fmt::format("[{:.3f}, {:.3f}]", found.rate_low, found.rate_high),
            std::to_string(found.calibration_cases), std::to_string(on_duty.size())});
  write_output("", text.text());
  return 0;
}

}  // namespace

void add_plan_commands(CLI::App& app, Program& program) {
  CLI::App* plan = app.add_subcommand("plan", "Plan contexts and thresholds before going live");
  plan->require_subcommand(1);
  plan->footer("Example:\n  ifd plan peak --accuracies 0.9,0.7,0.6");

  const auto peak = std::make_shared<PeakOptions>();
  CLI::App* command =
      add_leaf(*plan, program, "peak", "Answers a class until an expert's best class is known",
               "ifd plan peak --accuracies 0.9,0.7,0.6 --delta 0.05",
               [peak, &program] { return run_peak(*peak, program); });
  command->add_option("--accuracies", peak->accuracies, "The expert's true accuracy on each class")
      ->delimiter(',')
      ->type_name("NUMBER,...");
  command->add_option("--classes", peak->classes, "How many classes, with --best and --gap");
  command->add_option("--best", peak->best, "Accuracy on the best class")->capture_default_str();
  command->add_option("--gap", peak->gap, "How much worse every other class is");
  command->add_option("--delta", peak->delta, "Allowed chance of failure")->capture_default_str();
  command->add_flag("--json", peak->json, "Print JSON instead of a table");

  const auto prior = std::make_shared<PriorOptions>();
  command = add_leaf(*plan, program, "prior", "Answers a class until a wrong prior is overcome",
                     "ifd plan prior --prior-mean 0.9 --prior-strength 30 --accuracy 0.5",
                     [prior, &program] { return run_prior(*prior, program); });
  command->add_option("--prior-mean", prior->prior_mean, "Mean of the prior")
      ->capture_default_str();
  command->add_option("--prior-strength", prior->prior_strength, "alpha + beta of the prior")
      ->capture_default_str();
  command->add_option("--accuracy", prior->accuracy, "The expert's true accuracy")
      ->capture_default_str();
  command->add_option("--tolerance", prior->tolerance, "How close the posterior mean must come")
      ->capture_default_str();
  command->add_option("--delta", prior->delta, "Allowed chance of failure")->capture_default_str();
  command->add_flag("--json", prior->json, "Print JSON instead of a table");

  const auto threshold = std::make_shared<ThresholdOptions>();
  command = add_leaf(
      *plan, program, "threshold",
      "The threshold for a stream, with the deferral rates that the number of cases allows",
      "ifd plan threshold --predictions last-month.csv --context answers.csv --budget 0.2",
      [threshold, &program] { return run_threshold(*threshold, program); });
  command->add_option("--policy", threshold->policy, "plug-in, peak-rule, confidence or random")
      ->capture_default_str();
  threshold->inputs.add_to(*command);
  add_paper_flag(*command);
  command->add_option("--budget", threshold->budget, "Share of the cases that experts can take")
      ->required();
  command->add_option("--confidence", threshold->confidence, "Of the interval of the rate")
      ->capture_default_str();
  command->add_flag("--json", threshold->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
