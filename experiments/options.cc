#include "experiments/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "command_line/file_options.h"
#include "command_line/help_text.h"
#include "command_line/program.h"
#include "command_line/read_limits_option.h"
#include "experiments/claims/stored_expectations.h"
#include "experiments/experiment_table.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

// Generated data has no images.
void check_goes_quickly(const std::vector<ExperimentName>& named) {
  for (const Experiment& experiment : experiments_to_run(named)) {
    if (work_of<OnImages>(experiment) == nullptr) continue;
    throw Error(ErrorKind::kUsage,
                fmt::format("--quick has no images; --only {} goes without it", experiment.name));
  }
}

// The program's own expectations are those of a study as it comes.
void check_is_compared_with_its_like(const Options& o) {
  if (o.expectations().empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--check: no expectations of the {} study under the paper's protocol "
                            "come with the program; expected --check FILE, as --propose writes it",
                            o.quick ? "quick" : "whole"));
  }
  Options as_it_comes;
  as_it_comes.quick = o.quick;
  as_it_comes.protocol = o.protocol;
  const Effort asked = o.effort(), usual = as_it_comes.effort();
  for (const auto& [option, changed] :
       {std::pair("--cohorts", asked.cohorts != usual.cohorts),
        std::pair("--epochs", asked.epochs != usual.epochs),
        std::pair("--patience", asked.patience != usual.patience),
        std::pair("--pop-context", asked.pop_context != usual.pop_context),
        std::pair("--seed", asked.seed != usual.seed)}) {
    if (!changed) continue;
    throw Error(ErrorKind::kUsage,
                fmt::format("{} and --check: the program's own expectations are of a study without "
                            "it; expected --check FILE, as --propose writes it",
                            option));
  }
}

// Arguments that become something else than text.
struct Texts {
  std::vector<std::string> only;
  std::vector<std::string> check;
  std::string protocol = std::string(name_of(Protocol::kPopulation));
  std::string pop_context;
  const CLI::Option* has_check = nullptr;
};

std::vector<std::string> texts_of(const std::vector<ExperimentName>& names) {
  std::vector<std::string> texts;
  for (const ExperimentName& name : names) texts.push_back(name.text());
  return texts;
}

void add_what_is_run(CLI::App& command, Options& o, Texts& texts) {
  command
      .add_option("--data", o.data,
                  "Folder of the data sets; otherwise $IFD_DATA, else ~/.local/share/ifd")
      ->type_name(kFolder);
  command.add_option("-o,--output", o.output, "Folder of report, results and caches")
      ->type_name(kFolder)
      ->capture_default_str();
  command
      .add_option("--only", texts.only,
                  fmt::format("These experiments; otherwise all but {}",
                              fmt::join(texts_of(experiment_names(Runs::kWhenNamed)), ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(texts_of(experiment_names())));
  command.add_option("--jobs", o.jobs, "At a time; 0: as many as the machine has processors")
      ->capture_default_str();
  command.add_option("--cohorts", o.cohorts, "Instead of the paper's ten");
  command.add_option(
      "--epochs", o.epochs,
      fmt::format("At most, of a policy; otherwise {}. Multi-Expert gets five times as many",
                  Effort().epochs));
  command.add_option(
      "--patience", o.patience,
      fmt::format("Epochs without a better validation AURSAC before a training ends; "
                  "otherwise {} (the paper: 50). Multi-Expert gets five times, the "
                  "-perm baselines twice as many",
                  Effort().patience));
  command
      .add_option(
          "--protocol", texts.protocol,
          "population: seen and unseen experts are separate draws from a population; paper: "
          "unseen experts of a seen specialty are right on the same cases, and L2D-Pop's "
          "contexts come from the pool")
      ->check(CLI::IsMember({"population", "paper"}))
      ->capture_default_str();
  command
      .add_option(
          "--pop-context", texts.pop_context,
          "Where L2D-Pop draws the contexts of its training from: all training cases or the "
          "pool of 15 per class; otherwise as the protocol has it")
      ->check(CLI::IsMember({"all", "pool"}));
  command.add_option("--seed", o.seed, "Seed of every draw")->capture_default_str();
  command.add_flag("--quick", o.quick, "Minutes instead of hours: generated data and small slices");
  command.add_flag("--list", o.list, "Only name the jobs, once the classifiers are there");
}

void add_what_is_compared(CLI::App& command, Options& o, Texts& texts) {
  texts.has_check =
      command
          .add_option("--check", texts.check,
                      "Compare with the bands and orders of this file, or of those stored in the "
                      "program; exit code 4 where one is left")
          ->expected(0, 1)
          ->type_name("[FILE]");
  command
      .add_option("--propose", o.propose,
                  "Write such a file around the numbers of this run; what it has of experiments "
                  "that are not part of the run stays")
      ->type_name(kFileWritten);
  add_max_expansion_option(command, o.limits);
  command.add_flag("-q,--quiet", o.terminal.quiet, "Say nothing on stderr but errors");
}

}  // namespace

std::vector<ExperimentName> Options::selected() const {
  return only.empty() ? experiment_names(Runs::kAlways) : only;
}

Effort Options::effort() const {
  Effort effort = quick ? quick_effort() : Effort();
  effort.seed = seed;
  if (cohorts > 0) {
    effort.cohorts = cohorts;
    effort.ablation_seeds = std::min(effort.ablation_seeds, cohorts);
    effort.scaling_cohorts = std::min(effort.scaling_cohorts, cohorts);
    effort.joint_cohorts = std::min(effort.joint_cohorts, cohorts);
  }
  if (epochs > 0) {
    effort.epochs = epochs;
    effort.joint_epochs = std::min(effort.joint_epochs, epochs);
  }
  if (patience > 0) effort.patience = patience;
  effort.protocol = protocol;
  effort.pop_context = pop_context.value_or(protocol == Protocol::kPaper ? PopContext::kPool
                                                                         : PopContext::kAllCases);
  return effort;
}

std::string_view Options::expectations() const {
  if (protocol == Protocol::kPaper) {
    return quick ? std::string_view() : stored_expectations(StoredStudy::kPaper);
  }
  return stored_expectations(quick ? StoredStudy::kQuick : StoredStudy::kFull);
}

std::optional<Options> parse_options(int argc, char** argv) {
  CLI::App app{"Run the paper's experiments and stand the results beside the published ones"};
  app.name("ifd");
  wrap_help(app);
  app.require_subcommand(1);
  CLI::App* c = app.add_subcommand("reproduce", app.get_description());
  c->footer(
      "Example:\n  ifd reproduce --quick -o quick\n  mpirun -n 8 ifd reproduce -o full\n  srun "
      "--mpi=pmix -n 8 ifd reproduce -o full");
  Options o;
  Texts texts;
  add_what_is_run(*c, o, texts);
  add_what_is_compared(*c, o, texts);
  if (!parse_command_line(app, argc, argv)) return {};
  for (const std::string& name : texts.only) o.only.emplace_back(name);
  if (texts.protocol == name_of(Protocol::kPaper)) o.protocol = Protocol::kPaper;
  if (!texts.pop_context.empty()) {
    o.pop_context = texts.pop_context == "pool" ? PopContext::kPool : PopContext::kAllCases;
  }
  if (texts.has_check->count() > 0) o.check = texts.check.empty() ? "" : texts.check.front();
  if (o.check && o.check->empty()) check_is_compared_with_its_like(o);
  if (o.quick) check_goes_quickly(o.only);
  o.command = {"ifd"};
  o.command.insert(o.command.end(), argv + 1, argv + argc);
  return o;
}

}  // namespace ifd::experiments
