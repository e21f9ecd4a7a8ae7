#include "cli/evaluation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "ifd/data/accuracy.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/npz.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "ifd/evaluation/regret.h"
#include "ifd/policy/scoring.h"
#include "ifd/random/keyed_random.h"
#include "ifd/routing/budget.h"

namespace ifd::cli {
namespace {

// The answers in the order of the roster; experts without a single answer have an empty column.
AnswerTable for_roster(const AnswerTable& answers, const Roster& roster) {
  AnswerTable aligned(roster.names, answers.cases());
  for (std::size_t j = 0; j < roster.size(); ++j) {
    const auto& names = answers.expert_names();
    const auto found = std::find(names.begin(), names.end(), roster.names[j]);
    if (found == names.end()) continue;
    const auto column = static_cast<std::size_t>(found - names.begin());
    for (std::size_t i = 0; i < answers.cases(); ++i) aligned.set(i, j, answers.at(i, column));
  }
  return aligned;
}

void refuse_missing(const AnswerTable& answers, const Availability& availability,
                    const std::string& file) {
  std::size_t missing = 0;
  std::vector<std::string> who;
  for (std::size_t j = 0; j < answers.experts(); ++j) {
    std::size_t here = 0;
    for (std::size_t i = 0; i < answers.cases(); ++i) {
      here += availability.may_take(i, j) && answers.at(i, j).is_missing() ? 1 : 0;
    }
    missing += here;
    if (here > 0) who.push_back(fmt::format("{} {}", answers.expert_names()[j], here));
  }
  if (missing == 0) return;
  constexpr std::size_t kShown = 8;
  const std::size_t more = who.size() > kShown ? who.size() - kShown : 0;
  who.resize(who.size() - more);
  throw bad_input(
      fmt::format("{}: {} answers are missing ({}{}); expected one of every expert on duty on "
                  "every one of the {} "
                  "cases, or --missing off-duty",
                  file, missing, fmt::join(who, ", "),
                  more > 0 ? fmt::format(" and {} more experts", more) : "", answers.cases()));
}

// `accuracies` N x J x K of an NPZ with `experts` and `cases`, in the order of roster and
// predictions.
std::vector<float> read_accuracies(const std::filesystem::path& path, const Roster& roster,
                                   const Predictions& predictions) {
  const NpzFile npz = NpzFile::read(path);
  const auto& values = npz.at("accuracies");
  const std::vector<std::string> experts = npz.at("experts").as_strings();
  const std::vector<std::string> cases = npz.at("cases").as_strings();
  const std::size_t k = predictions.classes().size();
  if (values.shape() != std::vector<std::size_t>{cases.size(), experts.size(), k}) {
    throw bad_input(fmt::format("{}: 'accuracies' has another shape; expected {} x {} x {}",
                                path.string(), cases.size(), experts.size(), k));
  }
  const std::vector<float> stored = values.as_floats();
  std::unordered_map<std::string_view, std::size_t> row_of;
  for (std::size_t i = 0; i < cases.size(); ++i) row_of.emplace(cases[i], i);
  std::vector<float> ordered;
  ordered.reserve(predictions.size() * roster.size() * k);
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const auto row = row_of.find(predictions.case_name(i));
    if (row == row_of.end()) {
      throw bad_input(fmt::format("{}: case '{}' is not there; expected every case to be scored",
                                  path.string(), predictions.case_name(i)));
    }
    for (const std::string& name : roster.names) {
      const auto found = std::find(experts.begin(), experts.end(), name);
      if (found == experts.end()) {
        throw bad_input(fmt::format("{}: expert '{}' is not there; expected all of the roster",
                                    path.string(), name));
      }
      const std::size_t column = static_cast<std::size_t>(found - experts.begin());
      const auto first =
          stored.begin() + static_cast<std::ptrdiff_t>((row->second * experts.size() + column) * k);
      for (auto value = first; value != first + static_cast<std::ptrdiff_t>(k); ++value) {
        if (!(*value >= 0 && *value <= 1)) {
          throw bad_input(
              fmt::format("{}: {} is not an accuracy; expected 0..1", path.string(), *value));
        }
      }
      ordered.insert(ordered.end(), first, first + static_cast<std::ptrdiff_t>(k));
    }
  }
  return ordered;
}

std::vector<CaseOutcome> outcomes_of(const MarginTable& table, const AnswerTable& answers,
                                     const Predictions& predictions) {
  std::vector<CaseOutcome> outcomes(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const ClassId truth = predictions.label(i);
    const ExpertId expert = table.expert[i];
    outcomes[i] = {top_class(predictions.probabilities(i)) == truth,
                   expert != kNobody && answers.at(i, index(expert)).is(truth)};
  }
  return outcomes;
}

double mean_regret_at_zero(const MarginTable& table, const Predictions& predictions,
                           const Predictions& truth, const std::vector<float>& accuracies,
                           std::size_t experts) {
  const std::size_t k = predictions.classes().size();
  double sum = 0;
  std::vector<double> eta(k), theta(experts * k);
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::copy(truth.probabilities(i).begin(), truth.probabilities(i).end(), eta.begin());
    std::copy_n(accuracies.begin() + static_cast<std::ptrdiff_t>(i * experts * k), experts * k,
                theta.begin());
    const Action action = table.margin[i] >= 0 ? Action(table.expert[i])
                                               : Action(top_class(predictions.probabilities(i)));
    sum += regret({eta, theta}, action);
  }
  return sum / static_cast<double>(table.size());
}

void note_shared_cases(const LoadedInputs& loaded, const Terminal& terminal) {
  std::unordered_set<std::string_view> seen;
  for (const ExpertContext& context : loaded.contexts) {
    for (const ContextRow& row : context.rows) seen.insert(row.case_name);
  }
  const auto& names = loaded.predictions.case_names();
  const auto shared = std::count_if(names.begin(), names.end(),
                                    [&](const std::string& name) { return seen.contains(name); });
  if (shared > 0) {
    terminal.note(fmt::format(
        "note: {} of the cases to be scored are in the context too; scores on them flatter the "
        "profiles",
        shared));
  }
}

std::string bf16_changes(const std::string& policy, const MarginTable& in_float,
                         const MarginTable& in_bf16) {
  std::size_t experts = 0;
  double most = 0;
  for (std::size_t i = 0; i < in_float.size(); ++i) {
    experts += in_float.expert[i] != in_bf16.expert[i] ? 1 : 0;
    if (in_float.expert[i] == kNobody) continue;
    most = std::max(most, std::abs(in_float.margin[i] - in_bf16.margin[i]));
  }
  return fmt::format(
      "{}: bf16 changes the best expert of {} of {} cases, and margins by up to {:.2g}", policy,
      experts, in_float.size(), most);
}

}  // namespace

Evaluation evaluate(const LoadedInputs& loaded, const EvaluationOptions& options,
                    const Terminal& terminal) {
  const AnswersFile file = read_answers(options.answers, loaded.predictions);
  std::optional<Predictions> labelled;  // where the truths came with the answers
  if (!loaded.predictions.has_labels()) {
    if (file.truths.empty()) {
      throw bad_input(
          fmt::format("{}: the truth of some cases is not known; expected a 'truth' for every case "
                      "to be scored, "
                      "or labels in the predictions",
                      options.answers.string()));
    }
    labelled = loaded.predictions.with_labels(file.truths);
  }
  const Predictions& predictions = labelled ? *labelled : loaded.predictions;
  if (file.unused > 0) {
    terminal.note(fmt::format("note: {} answers are on cases that the predictions lack; not used",
                              file.unused));
  }
  note_shared_cases(loaded, terminal);
  const Roster& roster = loaded.roster;
  for (const std::string& name : file.table.expert_names()) {
    if (std::find(roster.names.begin(), roster.names.end(), name) == roster.names.end()) {
      terminal.note(
          fmt::format("note: expert '{}' has answers but no context; not on the roster", name));
    }
  }
  const AnswerTable answers = for_roster(file.table, roster);
  if (options.missing == Missing::kError) {
    refuse_missing(answers, loaded.availability, options.answers.string());
  }
  Availability availability = loaded.availability;
  availability.require_answers(answers);

  std::vector<float> accuracies;
  if (!options.accuracies.empty()) {
    accuracies = read_accuracies(options.accuracies, roster, predictions);
  }
  std::optional<Predictions> truth;
  if (!options.true_probabilities.empty()) {
    if (accuracies.empty()) {
      throw Error(ErrorKind::kUsage, "--true-probabilities needs --accuracies as well");
    }
    truth = read_predictions(options.true_probabilities);
    if (truth->case_names() != predictions.case_names() ||
        !(truth->classes() == predictions.classes())) {
      throw bad_input(fmt::format("{}: expected the cases and classes of the predictions, in order",
                                  options.true_probabilities.string()));
    }
  }

  Evaluation result{predictions.size(),
                    accuracy(predictions),
                    roster.names,
                    {},
                    file.outside,
                    calibration_quality(predictions),
                    {}};
  for (std::size_t j = 0; j < roster.size(); ++j) {
    std::size_t given = 0, right = 0;
    for (std::size_t i = 0; i < answers.cases(); ++i) {
      given += answers.at(i, j).is_missing() ? 0 : 1;
      right += answers.at(i, j).is(predictions.label(i)) ? 1 : 0;
    }
    result.expert_accuracy.push_back(
        given == 0 ? NAN : static_cast<double>(right) / static_cast<double>(given));
  }

  const Key key = Key(options.seed).with("bootstrap");
  const BootstrapOptions bootstrap_options{options.bootstrap, .95, options.d_min, options.d_max};
  std::vector<MarginTable> tables;
  std::vector<std::vector<CaseOutcome>> outcomes;
  for (const std::string& name : options.policies) {
    terminal.progress(fmt::format("scoring with {} ...", name));
    PolicyMaterials materials = loaded.materials(options.seed);
    materials.answers = &answers;
    materials.accuracies = accuracies;
    std::optional<Predictions> own;
    if (const auto calibration = own_calibration(name, loaded, terminal)) {
      own = calibrated(loaded.as_read(), *calibration);
      if (labelled) own = own->with_labels(file.truths);
    }
    const Predictions& read = own ? *own : predictions;
    const auto table_of = [&] {
      return winning_margins(*make_policy(name, materials), read, roster.names, availability,
                             {options.seed, loaded.threads});
    };
    tables.push_back(table_of());
    if (options.bf16) {
      materials.precision = *options.bf16;
      MarginTable rounded = table_of();
      terminal.end_progress();
      terminal.note(bf16_changes(name, tables.back(), rounded));
      if (*options.bf16 == Precision::kAmx) tables.back() = std::move(rounded);
    }
    const MarginTable& table = tables.back();
    outcomes.push_back(outcomes_of(table, answers, read));
    const BudgetCurve curve(table.margin, outcomes.back());

    PolicyEvaluation evaluation{name,
                                curve,
                                curve.aursac(options.d_min, options.d_max),
                                curve.aurdac(options.d_min, options.d_max),
                                {},
                                {},
                                std::vector<double>(roster.size(), 0.0),
                                operating_point(table, outcomes.back(), 0, roster.size()),
                                {},
                                {}};
    for (const ExpertId expert : table.expert) {
      if (expert != kNobody) {
        evaluation.share[index(expert)] += 1 / static_cast<double>(table.size());
      }
    }
    for (const double budget : options.budgets) {
      const double threshold = threshold_for_budget(table.margin, budget);
      evaluation.at_budgets.push_back(
          {budget, threshold, operating_point(table, outcomes.back(), threshold, roster.size())});
    }
    if (options.bootstrap > 0) {
      terminal.progress(fmt::format("bootstrap of {} ...", name));
      const PolicyResult here{table.margin, outcomes.back()};
      evaluation.intervals = bootstrap(here, key, bootstrap_options);
      if (tables.size() > 1) {
        evaluation.difference = bootstrap_difference(
            here, {tables.front().margin, outcomes.front()}, key, bootstrap_options);
      }
    }
    if (truth) {
      evaluation.regret = mean_regret_at_zero(table, read, *truth, accuracies, roster.size());
    }
    result.policies.push_back(std::move(evaluation));
  }
  terminal.end_progress();
  return result;
}

}  // namespace ifd::cli
