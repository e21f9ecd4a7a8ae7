#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/experts_shown_flag.h"
#include "cli/prior_inputs.h"
#include "cli/profile_text.h"
#include "cli/staff_inputs.h"
#include "cli/text_table.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"
#include "ifd/policy/roster.h"
#include "ifd/profile/prior_alone.h"

namespace ifd::cli {
namespace profile_command {
namespace {

struct Options {
  StaffInputs inputs = {};
  PriorInputs prior = {};
  double lcb_width = 1;
  double interval = .95;
  std::uint64_t enough = 15;
  bool long_table = false;
  ExpertsShown experts = ExpertsShown::kMost;
  bool json = false;
};

nlohmann::ordered_json to_json(const RosterStory& story, const Options& options) {
  const Roster& roster = story.roster;
  const ClassNames& classes = story.classes;
  nlohmann::ordered_json experts = nlohmann::ordered_json::array();
  for (std::size_t j = 0; j < roster.size(); ++j) {
    const ExpertProfile& profile = roster.profiles[j];
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < classes.size(); ++k) {
      const BetaPosterior& p = profile.at(class_id(k));
      const auto [low, high] = p.central_interval(options.interval);
      rows.push_back({{"class", classes.name(class_id(k))},
                      {"n", p.answers()},
                      {"correct", p.correct()},
                      {"alpha", p.alpha()},
                      {"beta", p.beta()},
                      {"mean", p.mean()},
                      {"variance", p.variance()},
                      {"lcb", p.lower_confidence_bound(options.lcb_width)},
                      {"map", p.map()},
                      {"log_odds", p.log_odds()},
                      {"low", low},
                      {"high", high}});
    }
    nlohmann::ordered_json best = nlohmann::ordered_json::array();
    for (const ClassId id : profile.best_classes()) best.push_back(classes.name(id));
    experts.push_back({{"expert", roster.names[j]},
                       {"answers", profile.answers()},
                       {"outside", profile.outside()},
                       {"best", best},
                       {"classes", rows},
                       {"mistakes", j < story.mistakes.size() ? json_of(story.mistakes[j], classes)
                                                              : nlohmann::ordered_json::array()}});
    if (const std::string known = prior_alone(profile); !known.empty()) {
      experts.back()["known"] = known;
    }
  }
  return {{"schema", "ifd profile 1"},
          {"classes", classes.names()},
          {"truth", options.inputs.answers.truth},
          {"experts", experts},
          {"agreement", json_of(story.agreement, roster)},
          {"needs", json_of(story.needs, roster, classes)}};
}

std::string long_table(const Roster& roster, const ClassNames& classes, const Options& options) {
  TextTable table({"expert", "class", "answers", "correct", "mean", "sd", "lcb",
                   fmt::format("{:g} % interval", options.interval * 100)});
  for (std::size_t j = 0; j < roster.size(); ++j) {
    for (std::size_t k = 0; k < classes.size(); ++k) {
      const BetaPosterior& p = roster.profiles[j].at(class_id(k));
      const auto [low, high] = p.central_interval(options.interval);
      table.add({roster.names[j], classes.name(class_id(k)), std::to_string(p.answers()),
                 std::to_string(p.correct()), fmt::format("{:.3f}", p.mean()),
                 fmt::format("{:.3f}", std::sqrt(p.variance())),
                 fmt::format("{:.3f}", p.lower_confidence_bound(options.lcb_width)),
                 fmt::format("[{:.3f}, {:.3f}]", low, high)});
    }
  }
  std::string text = table.text();
  for (const std::string& line : prior_alone_of(roster).lines()) {
    text += visible_text(line) + '\n';
  }
  return text;
}

// The mean of what the model believes: how often each class comes. Empty: nobody knows.
std::vector<double> class_shares(const std::optional<Predictions>& predictions) {
  if (!predictions) return {};
  std::vector<double> shares(predictions->classes().size(), 0);
  for (std::size_t row = 0; row < predictions->size(); ++row) {
    const auto probabilities = predictions->probabilities(row);
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] += probabilities[k];
  }
  for (double& share : shares) share /= static_cast<double>(predictions->size());
  return shares;
}

// For what is told, which is less than all there may be.
constexpr std::size_t kMostNeeds = 1000;

std::string told(const Roster& roster, const ClassNames& classes,
                 const std::vector<ExpertContext>& contexts,
                 const std::optional<Predictions>& predictions, const Options& options) {
  if (!options.json && (options.long_table || roster.size() == 1)) {
    return long_table(roster, classes, options);
  }
  RosterStory story{
      roster,
      classes,
      agreement(contexts, classes.size()),
      {},
      answer_needs(roster.profiles, class_shares(predictions), options.enough, kMostNeeds),
      options.interval,
      options.experts};
  for (const ExpertContext& context : contexts) story.mistakes.push_back(mistakes(context));
  return options.json ? escaped_json(to_json(story, options).dump(2) + "\n") : text_of(story);
}

void check(const Options& options) {
  if (options.inputs.predictions.empty() == options.inputs.classes.empty()) {
    throw Error(ErrorKind::kUsage, "profile needs either --predictions or --classes");
  }
  options.prior.check(options.inputs.context);
  if (!(options.lcb_width >= 0 && std::isfinite(options.lcb_width))) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--lcb-width {}: expected 0 or more", options.lcb_width));
  }
  if (!(options.interval > 0 && options.interval <= kMostIntervalMass)) {
    throw Error(ErrorKind::kUsage, fmt::format("--interval {}: expected more than 0, at most {}",
                                               options.interval, kMostIntervalMass));
  }
  if (options.json && options.long_table) {
    throw Error(ErrorKind::kUsage, "--json has everything; leave out --long");
  }
}

int run(const Options& options, const Program& program) {
  check(options);
  AnswersFormat taken_for = options.inputs.answers.format(options.inputs.format.label_kind());
  taken_for.may_be_empty = options.prior.only;
  auto [classes, predictions, contexts] = load(options.inputs, taken_for, program);
  const PriorTable priors = options.prior.read(classes, contexts, program);
  options.prior.add_newcomers(contexts);
  const Roster roster = make_roster(contexts, classes.size(), priors, options.prior.joining(),
                                    options.prior.unstated());
  write_output("", told(roster, classes, contexts, predictions, options));
  return 0;
}

}  // namespace
}  // namespace profile_command

void add_profile_command(CLI::App& app, Program& program) {
  using namespace profile_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_leaf(app, program, "profile", "Show what each expert's past answers say of them",
               "ifd profile --context answers.csv --classes cat,dog,bird",
               [options, &program] { return run(*options, program); });
  command
      ->add_option("--context", options->inputs.context,
                   "Past answers of the experts, CSV expert,case,answer[,truth]; needed unless "
                   "--prior-only")
      ->type_name("FILE");
  command
      ->add_option("--predictions", options->inputs.predictions,
                   "Names the classes, and gives truths by its labels")
      ->type_name("FILE");
  options->inputs.add_to(*command);
  options->prior.add_to(*command);
  command
      ->add_option("--lcb-width", options->lcb_width,
                   "Standard deviations below the mean for 'lcb'")
      ->capture_default_str();
  command->add_option("--interval", options->interval, "Mass of the posterior interval")
      ->capture_default_str();
  command
      ->add_option("--enough", options->enough,
                   "Answers per expert and class from which on none are missing")
      ->capture_default_str();
  command->add_flag("--long", options->long_table,
                    "A line per expert and class, as for a single expert, instead of the matrix");
  add_all_experts_flag(*command, options->experts);
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
