#include "experiments/jobs/rosters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/evaluation/replay.h"
#include "ifd/experts/relabelling.h"
#include "ifd/policy/given_margins.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/role/expected_accuracy.h"

namespace ifd::experiments {
namespace {

constexpr std::array<std::size_t, 5> kRosterSizes = {4, 8, 16, 32, 64};
constexpr std::array<std::size_t, 2> kContextSizes = {5, 15};

// What a rule believes of each expert on each class.
using Beliefs = std::vector<std::vector<double>>;

Beliefs means_in(const Roster& roster) {
  Beliefs made;
  for (const ExpertProfile& profile : roster.profiles) {
    made.emplace_back(profile.means().begin(), profile.means().end());
  }
  return made;
}

Beliefs lower_bounds_in(const Roster& roster) {
  Beliefs made;
  for (const ExpertProfile& profile : roster.profiles) {
    made.emplace_back();
    for (std::size_t k = 0; k < profile.classes(); ++k) {
      made.back().push_back(profile.at(class_id(k)).lower_confidence_bound());
    }
  }
  return made;
}

// sum_y rho_y v_y for every case and expert: N x J.
std::vector<double> promises(const Beliefs& beliefs, const Predictions& cases) {
  const std::vector<std::span<const double>> spans(beliefs.begin(), beliefs.end());
  const ClassValues values(spans);
  std::vector<double> made(cases.size() * beliefs.size());
  ExpectedAccuracy expected;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    expected(values, cases.probabilities(i),
             std::span(made).subspan(i * beliefs.size(), beliefs.size()));
  }
  return made;
}

// The plug-in rule on any beliefs.
std::vector<double> plug_in_margins(std::vector<double> promised, const Predictions& cases) {
  const std::size_t experts = promised.size() / cases.size();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto p = cases.probabilities(i);
    const double top = *std::max_element(p.begin(), p.end());
    for (std::size_t j = 0; j < experts; ++j) promised[i * experts + j] -= top;
  }
  return promised;
}

// Promised minus kept, of those who were chosen and of everybody.
struct Curse {
  double chosen = 0;
  double everybody = 0;
};

Curse curse_of(const Replay& replayed, const std::vector<double>& promised,
               const Predictions& cases, const AnswerTable& answers) {
  const std::size_t experts = answers.experts();
  const auto cases_count = static_cast<double>(cases.size());
  Curse curse;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::size_t winner = index(replayed.margins.expert[i]);
    for (std::size_t j = 0; j < experts; ++j) {
      const double kept = answers.at(case_id(i), expert_id(j)).is(cases.label(i)) ? 1 : 0;
      const double missing = (promised[i * experts + j] - kept) / cases_count;
      curse.everybody += missing / static_cast<double>(experts);
      if (j == winner) curse.chosen += missing;
    }
  }
  return curse;
}

JobResult run_roster(const DataSet& data_set, std::size_t size, const Population& population,
                     const ResultRow& base) {
  const std::uint64_t seed = population.seed;
  const std::size_t classes = data_set.test.classes().size();
  const Predictions& cases = data_set.test;
  JobResult result;
  const auto experts = large_roster(size, classes, population);
  const TrueAccuracies truth = true_accuracies(data_set.space, cases, experts);
  for (const std::size_t per_class : kContextSizes) {
    const ExpertGroup group = make_group(data_set, kEverybody, experts, per_class, seed);
    ResultRow where = base;
    where.setting = answers_per_class(per_class);
    where.x = static_cast<double>(size);
    const auto add = [&](const MethodName& method, const Beliefs& beliefs) {
      where.method = method;
      const std::vector<double> promised = promises(beliefs, cases);
      const auto policy = given_margins(plug_in_margins(promised, cases), size);
      const Replay replayed = replay(*policy, cases, group.answers, ScoringOptions{seed, 1, {}});
      const auto rows = range_rows(where, replayed.curve());
      result.rows.insert(result.rows.end(), rows.begin(), rows.end());
      const Curse curse = curse_of(replayed, promised, cases, group.answers);
      result.rows.push_back(row_of(where, kPromisedMinusKept, curse.chosen));
      result.rows.push_back(row_of(where, kPromisedMinusKeptByAll, curse.everybody));
    };
    add(kPlugIn, means_in(group.roster));
    add(kPlugInLowerBound, lower_bounds_in(group.roster));
    add(kPlugInStaffPrior, means_in(make_roster(group.contexts, classes, {}, PriorOnly::kLeftOut,
                                                UnstatedPriors::kStaff)));
    where.method = kCeiling;
    PolicyMaterials materials{group.roster};
    materials.accuracies = truth.values;
    const auto rows =
        range_rows(where, curve_of(*make_policy("ceiling", materials), cases, group.answers, seed));
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }
  return result;
}

}  // namespace

std::vector<SimulatedExpert> large_roster(std::size_t size, std::size_t classes,
                                          const Population& population) {
  const Relabelling order = Relabelling::random(classes, Key(population.seed).with("specialties"));
  std::vector<SimulatedExpert> experts;
  for (std::size_t j = 0; j < size; ++j) {
    experts.push_back(
        independent_noise(population.specialist(Archetype::kVariable, "expert-" + std::to_string(j),
                                                classes, order(class_id(j % classes)))));
  }
  return experts;
}

std::vector<Job> roster_jobs(const DataSet& all, const Effort& effort) {
  std::vector<Job> jobs;
  for (std::size_t cohort = 0; cohort < effort.cohorts; ++cohort) {
    const DataSet& data_set = all.of_cohort(cohort);
    ResultRow base;
    base.experiment = kRosters;
    base.data = data_set.name;
    base.experts = kVariable;
    base.group = kEverybody;
    base.scale = kProbability;
    base.cohort = static_cast<int>(cohort);
    for (const std::size_t size : kRosterSizes) {
      jobs.push_back({fmt::format("rosters/{}/{}-experts/cohort-{}", data_set.name, size, cohort),
                      fmt::format("{} {}", data_set.hash, effort.text()),
                      0.02 * static_cast<double>(size),
                      [&data_set, size, population = effort.population(cohort), base](Workshop&) {
                        return run_roster(data_set, size, population, base);
                      }});
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
