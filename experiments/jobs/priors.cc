#include "experiments/jobs/priors.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/profile/prior.h"

namespace ifd::experiments {
namespace {

constexpr std::array<std::size_t, 10> kPerClass = {0, 5, 10, 20, 30, 40, 80, 160, 320, 640};
constexpr std::array<double, 3> kStrengths = {10, 30, 100};
constexpr double kOverconfidence = 0.90;

enum class Prior { kAccurate, kUninformative, kAdversarial, kOverconfident };

std::string name_of(Prior prior) {
  switch (prior) {
    case Prior::kAccurate:
      return "accurate";
    case Prior::kUninformative:
      return "uninformative";
    case Prior::kAdversarial:
      return "adversarial";
    case Prior::kOverconfident:
      return "overconfident";
  }
  return "";
}

// theta-bar: the mean of A(x | E, y) over the test cases of class y. A class without test cases
// takes the mean over all of them.
std::vector<std::vector<double>> true_profiles(const DataSet& data_set, const ExpertGroup& group) {
  const TrueAccuracies truth = true_accuracies(data_set.space, data_set.test, group.experts);
  std::vector<std::vector<double>> profiles;
  for (std::size_t j = 0; j < truth.experts; ++j) {
    std::vector<double> profile(truth.classes);
    for (std::size_t k = 0; k < truth.classes; ++k) {
      double of_class = 0, of_all = 0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < data_set.test.size(); ++i) {
        const double a = truth.at(case_id(i), expert_id(j), class_id(k));
        of_all += a;
        if (data_set.test.label(i) == class_id(k)) {
          of_class += a;
          ++count;
        }
      }
      profile[k] = count > 0 ? of_class / static_cast<double>(count)
                             : of_all / static_cast<double>(data_set.test.size());
    }
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

// The adversary believes the best class's accuracy of the class after it, and the other way round.
std::vector<double> swapped_with_next(std::vector<double> profile) {
  const auto best =
      static_cast<std::size_t>(std::max_element(profile.begin(), profile.end()) - profile.begin());
  std::swap(profile[best], profile[(best + 1) % profile.size()]);
  return profile;
}

std::vector<BetaPrior> priors_of(Prior prior, double strength, const std::vector<double>& truth) {
  std::vector<BetaPrior> priors(truth.size(), uniform_prior());
  if (prior == Prior::kUninformative) return priors;
  const std::vector<double> means = prior == Prior::kAccurate ? truth
                                    : prior == Prior::kAdversarial
                                        ? swapped_with_next(truth)
                                        : std::vector<double>(truth.size(), kOverconfidence);
  for (std::size_t k = 0; k < means.size(); ++k) priors[k] = prior_with_mean(means[k], strength);
  return priors;
}

Setting setting_of(Prior prior, double strength) {
  return prior == Prior::kUninformative ? kUninformativePrior
                                        : prior_of_strength(name_of(prior), strength);
}

// What a cohort's experts are believed to be after some answers, and how far that is from the
// truth: the mean of |posterior mean - true accuracy| over experts and classes.
struct Belief {
  Roster roster;
  double error = 0;
};

Belief belief_after(std::size_t per_class, Prior prior, double strength, const ExpertGroup& group,
                    const std::vector<std::vector<double>>& truth, const Key& key) {
  Belief belief;
  for (std::size_t j = 0; j < group.experts.size(); ++j) {
    ExpertProfile profile(priors_of(prior, strength, truth[j]));
    const Key of_expert = key.with(group.experts[j].name);
    for (std::size_t k = 0; k < truth[j].size(); ++k) {
      for (std::size_t i = 0; i < per_class; ++i) {
        const bool right = of_expert.with(k).uniform(i) < truth[j][k];
        profile.observe(
            {.truth = class_id(k), .answer = right ? Answer(class_id(k)) : Answer::outside()});
      }
    }
    for (std::size_t k = 0; k < truth[j].size(); ++k) {
      belief.error += std::abs(profile.means()[k] - truth[j][k]);
    }
    belief.roster.names.push_back(group.experts[j].name);
    belief.roster.profiles.push_back(std::move(profile));
  }
  belief.error /= static_cast<double>(group.experts.size() * truth.front().size());
  return belief;
}

// A cohort's rows under one prior: means over draws of the answers, each the same for all priors.
JobResult run(Workshop& workshop, const DataSet& data_set, Archetype archetype, Prior prior,
              double strength, const Effort& effort, std::size_t cohort) {
  const CohortData data = make_cohort_data(data_set, archetype, effort.population(cohort));
  const PolicyFile file =
      cohort_policy(workshop, data_set, data, archetype, effort.method("ifd-peak"), effort, cohort);
  const ExpertGroup& group = data.ood();
  const auto truth = true_profiles(data_set, group);
  ResultRow where;
  where.experiment = kPriors;
  where.data = data_set.name;
  where.experts = experiments::name_of(archetype);
  where.group = group.name;
  where.setting = setting_of(prior, strength);
  where.scale = kProbability;
  where.cohort = static_cast<int>(cohort);
  const auto rows_of_draw = [&](std::size_t per_class, std::size_t draw) {
    const Belief belief = belief_after(per_class, prior, strength, group, truth,
                                       Key(effort.seed + cohort).with("priors").with(draw));
    where.x = static_cast<double>(per_class);
    where.method = {};
    std::vector<ResultRow> rows = {row_of(where, kMeanAbsoluteError, belief.error)};
    const auto measure = [&](const MethodName& method, const DeferralPolicy& policy) {
      where.method = method;
      const BudgetCurve curve = curve_of(policy, data_set.test, group.answers, effort.seed);
      const auto areas = range_rows(where, curve);
      rows.insert(rows.end(), areas.begin(), areas.end());
    };
    const PolicyMaterials materials{belief.roster};
    measure(kIfdPeak, *make_policy(file, materials));
    measure(kPlugIn, *make_policy("plug-in", materials));
    return rows;
  };
  JobResult means;
  for (const std::size_t per_class : kPerClass) {
    std::vector<ResultRow> sums = rows_of_draw(per_class, 0);
    for (std::size_t draw = 1; draw < effort.prior_draws; ++draw) {
      const auto rows = rows_of_draw(per_class, draw);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i].value += rows[i].value;
    }
    for (ResultRow& row : sums) row.value /= static_cast<double>(effort.prior_draws);
    means.rows.insert(means.rows.end(), sums.begin(), sums.end());
  }
  return means;
}

}  // namespace

std::vector<Job> prior_jobs(const DataSet& all, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    for (std::size_t cohort = 0; cohort < effort.cohorts; ++cohort) {
      const DataSet& data_set = all.of_cohort(cohort);
      const auto add = [&](Prior prior, double strength) {
        jobs.push_back(
            {fmt::format("priors/{}/{}/{}-{}/cohort-{}", data_set.name,
                         experiments::name_of(archetype), name_of(prior), strength, cohort),
             fmt::format("{} {} draws {}", data_set.hash, effort.text(), effort.prior_draws), 2,
             [&data_set, archetype, prior, strength, effort, cohort](Workshop& workshop) {
               return run(workshop, data_set, archetype, prior, strength, effort, cohort);
             }});
      };
      add(Prior::kUninformative, 2);
      for (const double strength : kStrengths) {
        for (const Prior prior : {Prior::kAccurate, Prior::kAdversarial, Prior::kOverconfident}) {
          add(prior, strength);
        }
      }
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
