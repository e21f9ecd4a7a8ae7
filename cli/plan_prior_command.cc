#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/sample_size_text.h"
#include "ifd/profile/prior.h"

namespace ifd::cli {
namespace plan_prior_command {
namespace {

struct Options {
  double prior_mean = .9;
  double prior_strength = 30;
  double accuracy = .5;
  double tolerance = .1;
  double delta = .05;
  bool json = false;
};

int run(const Options& options, const Program& program) {
  const SampleSizePlan plan = placed("plan prior", [&] {
    return plan_prior_recovery(prior_with_mean(options.prior_mean, options.prior_strength),
                               options.accuracy, options.tolerance, options.delta, program.seed);
  });
  write_output("", options.json ? sample_size_json(plan, options.delta,
                                                   {{"kind", "prior"},
                                                    {"prior_mean", options.prior_mean},
                                                    {"prior_strength", options.prior_strength},
                                                    {"accuracy", options.accuracy},
                                                    {"tolerance", options.tolerance}})
                                : sample_size_text(plan, options.delta));
  return 0;
}

}  // namespace
}  // namespace plan_prior_command

void add_plan_prior_command(CLI::App& plan, Program& program) {
  using namespace plan_prior_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_leaf(plan, program, "prior", "Answers per class until a wrong prior is overcome",
               "ifd plan prior --prior-mean 0.9 --prior-strength 30 --accuracy 0.5",
               [options, &program] { return run(*options, program); });
  command->add_option("--prior-mean", options->prior_mean, "Mean of the prior")
      ->capture_default_str();
  command->add_option("--prior-strength", options->prior_strength, "alpha + beta of the prior")
      ->capture_default_str();
  command->add_option("--accuracy", options->accuracy, "The expert's true accuracy")
      ->capture_default_str();
  command->add_option("--tolerance", options->tolerance, "How close the posterior mean must come")
      ->capture_default_str();
  command->add_option("--delta", options->delta, "Allowed chance of failure")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
