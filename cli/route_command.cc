#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/policy_inputs.h"
#include "ifd/data/csv.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/policy/scoring.h"
#include "ifd/random/keyed_random.h"
#include "ifd/routing/budget.h"
#include "ifd/routing/capacity.h"

namespace ifd::cli {
namespace {

struct Options {
  PolicyInputs inputs;
  std::string policy = "plug-in";
  std::optional<double> budget;
  std::optional<double> threshold;
  std::filesystem::path calibration;
  std::filesystem::path capacity;
  std::string amx;
  bool explain = false;
  std::string format;
  std::filesystem::path output;
};

// CSV expert,capacity; an expert without a row has no limit.
std::vector<std::size_t> read_capacities(const std::filesystem::path& path, const Roster& roster,
                                         std::size_t cases) {
  CsvReader csv(read_file(path), path.string());
  const std::size_t expert = csv.required_column("expert");
  const std::size_t capacity = csv.required_column("capacity");
  std::vector<std::size_t> capacities(roster.size(), cases);
  std::vector<bool> named(roster.size(), false);
  while (csv.next()) {
    const std::size_t j = find_expert(roster, std::string(csv.field(expert)), csv.place());
    const std::string_view text = csv.field(capacity);
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw bad_input(fmt::format("{}: '{}' is not a capacity; expected a whole number, 0 or more",
                                  csv.place(), excerpt(text)));
    }
    if (named[j]) {
      throw bad_input(fmt::format("{}: expert '{}' is there twice; expected once", csv.place(),
                                  excerpt(roster.names[j])));
    }
    named[j] = true;
    capacities[j] = std::min(value, cases);
  }
  return capacities;
}

struct Routed {
  std::vector<Route> routes;
  double threshold;  // kNeverDefer: capacities and the budget alone decide
};

Routed route_with_capacities(const Options& options, const LoadedInputs& loaded,
                             const DeferralPolicy& policy, std::optional<double> threshold,
                             std::uint64_t seed) {
  const std::size_t n = loaded.predictions.size();
  const auto margins = all_margins(policy, loaded.predictions, loaded.availability);
  const auto capacities = read_capacities(options.capacity, loaded.roster, n);
  const DeferralLimit limit = threshold
                                  ? DeferralLimit{n, *threshold}
                                  : DeferralLimit{budget_cases(*options.budget, n), kNeverDefer};
  const Key key = Key(seed).with("equal assignments");
  std::vector<std::uint64_t> case_keys, expert_keys;
  for (const std::string& name : loaded.predictions.case_names()) {
    case_keys.push_back(key.with("case").with(name).bits());
  }
  for (const std::string& name : loaded.roster.names) {
    expert_keys.push_back(key.with("expert").with(name).bits());
  }
  // A threshold of plus infinity defers nothing.
  if (threshold && std::isinf(*threshold) && *threshold > 0) {
    return {std::vector<Route>(n, Route{kNobody, kNeverDefer}), *threshold};
  }
  return {assign_within_capacity(margins, capacities, limit, case_keys, expert_keys),
          threshold.value_or(kNeverDefer)};
}

Routed route(const Options& options, const LoadedInputs& loaded, const DeferralPolicy& policy,
             const Program& program) {
  const ScoringOptions scoring{program.seed, loaded.threads};
  std::optional<double> threshold = options.threshold;
  if (!options.calibration.empty()) {
    Predictions calibration =
        read_predictions(options.calibration,
                         options.inputs.logits ? ScoreKind::kLogits : ScoreKind::kProbabilities);
    if (!(calibration.classes() == loaded.predictions.classes())) {
      throw bad_input(fmt::format("{}: the classes are {}; expected {}",
                                  options.calibration.string(), calibration.classes().allowed(),
                                  loaded.predictions.classes().allowed()));
    }
    if (loaded.own_calibration) {
      calibration = calibrated(calibration, *loaded.own_calibration);
    } else if (loaded.calibration) {
      calibration = calibrated(calibration, loaded.calibration->calibration);
    }
    const MarginTable table =
        winning_margins(policy, calibration, loaded.roster.names, loaded.availability, scoring);
    const CalibratedThreshold found = calibrate_threshold(table.margin, *options.budget);
    threshold = found.threshold;
    program.terminal.note(fmt::format(
        "threshold {:.6g} from {} cases of {} for the experts on duty: expect {:.1f} % deferred, "
        "between {:.1f} % and {:.1f} % with 95 % confidence",
        found.threshold, found.calibration_cases, options.calibration.string(), 100 * found.rate,
        100 * found.rate_low, 100 * found.rate_high));
  }
  if (!options.capacity.empty()) {
    return route_with_capacities(options, loaded, policy, threshold, program.seed);
  }
  const MarginTable table = winning_margins(policy, loaded.predictions, loaded.roster.names,
                                            loaded.availability, scoring);
  if (!threshold) threshold = threshold_for_budget(table.margin, *options.budget);
  return {route_by_threshold(table, *threshold), *threshold};
}

nlohmann::ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

std::string to_csv(const LoadedInputs& loaded, const Routed& routed) {
  std::string out = "case,decision,expert,prediction,margin\n";
  for (std::size_t i = 0; i < routed.routes.size(); ++i) {
    const Route& r = routed.routes[i];
    const bool deferred = r.decision() == Decision::kExpert;
    const ClassId top = top_class(loaded.predictions.probabilities(i));
    out += csv_field(loaded.predictions.case_name(i));
    out += deferred ? ",expert," + csv_field(loaded.roster.names[index(r.expert)]) : ",model,";
    out += "," + csv_field(loaded.predictions.classes().name(top)) + ",";
    if (std::isfinite(r.margin)) out += fmt::format("{}", r.margin);
    out += '\n';
  }
  return out;
}

std::string to_jsonl(const Options& options, const LoadedInputs& loaded,
                     const DeferralPolicy& policy, const Routed& routed) {
  std::string out;
  const std::size_t experts = loaded.roster.size();
  std::vector<double> margins(experts);
  std::vector<RoleState> states(experts);
  for (std::size_t i = 0; i < routed.routes.size(); ++i) {
    const Route& r = routed.routes[i];
    const bool deferred = r.decision() == Decision::kExpert;
    const auto probabilities = loaded.predictions.probabilities(i);
    nlohmann::ordered_json row = {
        {"case", loaded.predictions.case_name(i)},
        {"decision", deferred ? "expert" : "model"},
        {"expert", nullptr},
        {"prediction", loaded.predictions.classes().name(top_class(probabilities))},
        {"margin", finite_or_null(r.margin)}};
    if (deferred) row["expert"] = loaded.roster.names[index(r.expert)];
    if (options.explain) {
      policy.score(loaded.predictions, {i, i + 1}, margins);
      role_states(probabilities, loaded.roster.profiles, states, loaded.ties);
      row["threshold"] = finite_or_null(routed.threshold);
      row["experts"] = nlohmann::ordered_json::array();
      for (std::size_t j = 0; j < experts; ++j) {
        row["experts"].push_back({{"expert", loaded.roster.names[j]},
                                  {"state", states[j].numbers()},
                                  {"margin", margins[j]},
                                  {"available", loaded.availability.may_take(i, j)}});
      }
    }
    out += row.dump() + "\n";
  }
  return out;
}

int run(const Options& options, const Program& program) {
  if (options.budget.has_value() == options.threshold.has_value()) {
    throw Error(ErrorKind::kUsage, "route needs either --budget or --threshold");
  }
  if (!options.calibration.empty() && !options.budget) {
    throw Error(ErrorKind::kUsage, "--calibration sets the threshold from a --budget");
  }
  if (options.threshold && std::isnan(*options.threshold)) {
    throw Error(ErrorKind::kUsage, "--threshold nan: expected a number");
  }
  if (options.explain && options.format == "csv") {
    throw Error(ErrorKind::kUsage, "--explain writes JSON lines; leave out --format csv");
  }
  const auto bf16 = bf16_precision(options.amx);
  LoadedInputs loaded = load(options.inputs, program.terminal);
  calibrate_as(options.policy, loaded, program.terminal);
  PolicyMaterials materials = loaded.materials(program.seed);
  auto policy = make_policy(options.policy, materials);
  Routed routed = route(options, loaded, *policy, program);
  if (bf16) {
    materials.precision = *bf16;
    auto other = make_policy(options.policy, materials);
    Program silent = program;
    silent.terminal.quiet = true;
    Routed differently = route(options, loaded, *other, silent);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < routed.routes.size(); ++i) {
      changed += routed.routes[i].expert != differently.routes[i].expert ? 1 : 0;
    }
    program.terminal.note(
        fmt::format("bf16 changes {} of {} routes", changed, routed.routes.size()));
    if (*bf16 == Precision::kAmx) {
      policy = std::move(other);
      routed = std::move(differently);
    }
  }
  const bool jsonl = options.explain || options.format == "jsonl";
  write_output(options.output,
               jsonl ? to_jsonl(options, loaded, *policy, routed) : to_csv(loaded, routed));

  std::size_t deferred = 0;
  std::vector<std::size_t> load(loaded.roster.size(), 0);
  for (const Route& r : routed.routes) {
    if (r.decision() == Decision::kModel) continue;
    ++deferred;
    ++load[index(r.expert)];
  }
  std::string summary =
      fmt::format("{} of {} cases go to an expert", deferred, routed.routes.size());
  if (std::isfinite(routed.threshold))
    summary += fmt::format(" (threshold {:.6g})", routed.threshold);
  const char* separator = ":";
  for (std::size_t j = 0; j < load.size(); ++j) {
    if (load[j] == 0) continue;
    summary += fmt::format("{} {} {}", separator, loaded.roster.names[j], load[j]);
    separator = ",";
  }
  program.terminal.note(summary);
  return 0;
}

}  // namespace

void add_route_command(CLI::App& app, Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_leaf(
      app, program, "route", "Decide for each case whether the model answers or which expert",
      "ifd route --predictions today.csv --context answers.csv --budget 0.2",
      [options, &program] { return run(*options, program); });
  command
      ->add_option("--policy", options->policy,
                   "plug-in, peak-rule, confidence, random or a policy file")
      ->capture_default_str();
  options->inputs.add_to(*command);
  add_paper_flag(*command);
  add_amx_option(*command, options->amx);
  command->add_option("--budget", options->budget,
                      "Share of the cases that experts can take, 0..1");
  command->add_option("--threshold", options->threshold, "Defer where the margin is at least this");
  command
      ->add_option(
          "--calibration", options->calibration,
          "Predictions of past cases: the budget's threshold comes from them, for a stream")
      ->type_name("FILE");
  command
      ->add_option("--capacity", options->capacity,
                   "Most cases an expert takes, CSV expert,capacity")
      ->type_name("FILE");
  command->add_flag("--explain", options->explain,
                    "JSON lines with every expert's six numbers and margin");
  command->add_option("--format", options->format, "csv (default) or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}));
  command->add_option("-o,--output", options->output, "Write here instead of to stdout")
      ->type_name("FILE");
}

}  // namespace ifd::cli
