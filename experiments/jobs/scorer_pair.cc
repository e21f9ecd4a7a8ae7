#include "experiments/jobs/scorer_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "experiments/jobs/cohort_data.h"
#include "ifd/data/case_votes.h"
#include "ifd/experts/cohort.h"

namespace ifd::experiments {
namespace {

// One sixth of the past recordings, at least one: two of twelve.
constexpr std::size_t kPastPerValidation = 6;

std::vector<std::size_t> all_but(const SleepScorers& scorers, const ScorerPair& pair) {
  std::vector<std::size_t> others;
  for (std::size_t j = 0; j < scorers.answers.experts(); ++j) {
    if (j != pair.first && j != pair.second) others.push_back(j);
  }
  return others;
}

std::vector<Answer> answers_of(const SleepScorers& scorers, std::size_t row,
                               std::span<const std::size_t> columns) {
  std::vector<Answer> given;
  for (const std::size_t j : columns) {
    given.push_back(scorers.answers.at(case_id(row), expert_id(j)));
  }
  return given;
}

using TruthOf = std::function<std::optional<ClassId>(std::size_t row)>;

// The epochs of the recordings first..last-1 that have a truth, with the answers of `columns`.
ScoredEpochs scored_epochs(const SleepScorers& scorers, std::size_t first, std::size_t last,
                           std::span<const std::size_t> columns, const TruthOf& truth_of) {
  std::vector<std::size_t> rows;
  std::vector<ClassId> labels;
  std::vector<std::uint32_t> recordings;
  for (std::size_t row = 0; row < scorers.epochs.size(); ++row) {
    const std::uint32_t recording = scorers.recordings[row];
    if (recording < first || recording >= last) continue;
    const auto truth = truth_of(row);
    if (!truth) continue;
    rows.push_back(row);
    labels.push_back(*truth);
    recordings.push_back(recording);
  }
  std::vector<std::string> names;
  for (const std::size_t j : columns) names.push_back(scorers.answers.expert_names()[j]);
  AnswerTable answers(std::move(names), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto given = answers_of(scorers, rows[i], columns);
    for (std::size_t j = 0; j < given.size(); ++j) answers.set(case_id(i), expert_id(j), given[j]);
  }
  return {scorers.epochs.subset(rows).with_labels(std::move(labels)), std::move(answers),
          std::move(recordings)};
}

}  // namespace

std::vector<ScorerPair> scorer_pairs(const SleepScorers& scorers, std::size_t most) {
  std::vector<ScorerPair> pairs;
  for (std::size_t i = 0; i < scorers.answers.experts(); ++i) {
    for (std::size_t j = i + 1; j < scorers.answers.experts(); ++j) {
      if (pairs.size() < most) pairs.push_back({i, j});
    }
  }
  return pairs;
}

PairOnDuty pair_on_duty(const SleepScorers& scorers, const ScorerPair& pair) {
  const std::vector<std::size_t> others = all_but(scorers, pair);
  const std::size_t duty[] = {pair.first, pair.second};
  CaseVotes votes(scorers.epochs.classes().size());
  const TruthOf truth = [&](std::size_t row) {
    votes.count(answers_of(scorers, row, others));
    return votes.majority();
  };
  const auto& names = scorers.answers.expert_names();
  return {fmt::format("{}+{}", names[pair.first], names[pair.second]),
          scored_epochs(scorers, 0, scorers.first_of_test(), duty, truth),
          scored_epochs(scorers, scorers.first_of_test(), scorers.recording_count, duty, truth)};
}

PairContext pair_context(const PairOnDuty& pair, std::optional<std::size_t> per_class,
                         const Key& key) {
  const ScoredEpochs& past = pair.past;
  const auto rows = per_class ? sample_context_rows(past.cases, *per_class, key)
                              : other_rows(past.cases.size(), {});
  auto contexts = contexts_from_answers(past.answers, past.cases, rows);
  Roster roster = make_roster(contexts, past.cases.classes().size());
  return {std::move(contexts), past.cases.subset(rows), std::move(roster)};
}

PanelLesson panel_lesson(const SleepScorers& scorers, const ScorerPair& pair, const Key& key) {
  const std::vector<std::size_t> panel = all_but(scorers, pair);
  std::vector<std::size_t> everybody(scorers.answers.experts());
  for (std::size_t j = 0; j < everybody.size(); ++j) everybody[j] = j;
  CaseVotes votes(scorers.epochs.classes().size());
  const TruthOf truth = [&](std::size_t row) -> std::optional<ClassId> {
    votes.count(answers_of(scorers, row, everybody));
    const auto given = answers_of(scorers, row, panel);
    const auto first = votes.majority_without(given.front());
    for (const Answer answer : given) {
      if (answer.is_missing() || votes.majority_without(answer) != first) return std::nullopt;
    }
    return first;
  };
  const std::size_t past = scorers.first_of_test();
  const std::size_t trained = past - std::max<std::size_t>(1, past / kPastPerValidation);
  ScoredEpochs training = scored_epochs(scorers, 0, trained, panel, truth);
  ScoredEpochs validation = scored_epochs(scorers, trained, past, panel, truth);
  auto contexts = contexts_from_answers(training.answers, training.cases,
                                        sample_context_rows(training.cases, kContextPerClass, key));
  return {std::move(training.cases), std::move(validation.cases), std::move(training.answers),
          std::move(validation.answers), std::move(contexts)};
}

}  // namespace ifd::experiments
