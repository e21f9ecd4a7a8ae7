// Experiment 6: what priors, right and wrong, do to profiles and to routing. The policy is trained
// once; only priors and contexts vary.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/jobs/measure.h"
#include "experiments/jobs/plan.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/profile/prior.h"

namespace ifd::experiments {
namespace {

constexpr std::array<std::size_t, 9> kPerClass = {0, 5, 10, 20, 40, 80, 160, 320, 640};
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
std::vector<std::vector<double>> true_profiles(const Study& study, const ExpertGroup& group) {
  const TrueAccuracies truth = true_accuracies(study.space, study.test, group.experts);
  std::vector<std::vector<double>> profiles;
  for (std::size_t j = 0; j < truth.experts; ++j) {
    std::vector<double> profile(truth.classes);
    for (std::size_t k = 0; k < truth.classes; ++k) {
      double of_class = 0, of_all = 0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < study.test.size(); ++i) {
        const double a = truth.at(i, j, class_id(k));
        of_all += a;
        if (study.test.label(i) == class_id(k)) {
          of_class += a;
          ++count;
        }
      }
      profile[k] = count > 0 ? of_class / static_cast<double>(count)
                             : of_all / static_cast<double>(study.test.size());
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

JobResult run(Workshop& workshop, const Study& study, Archetype archetype, Prior prior,
              double strength, const Effort& effort) {
  const CohortData data = make_cohort_data(study, archetype, effort.seed);
  const PolicyFile file =
      cohort_policy(workshop, study, data, archetype, method_named("ifd-peak"), effort, 0);
  const ExpertGroup& group = data.groups[2];  // nobody saw them in training
  const auto truth = true_profiles(study, group);
  JobResult result;
  for (const std::size_t per_class : kPerClass) {
    for (std::size_t repeat = 0; repeat < effort.prior_repeats; ++repeat) {
      Roster roster;
      double error = 0;
      for (std::size_t j = 0; j < group.experts.size(); ++j) {
        ExpertProfile profile(priors_of(prior, strength, truth[j]));
        const Key key = Key(effort.seed).with("priors").with(repeat).with(group.experts[j].name);
        for (std::size_t k = 0; k < truth[j].size(); ++k) {
          for (std::size_t i = 0; i < per_class; ++i) {
            const bool right = key.with(k).uniform(i) < truth[j][k];
            profile.observe(class_id(k), right ? Answer(class_id(k)) : Answer::outside());
          }
        }
        for (std::size_t k = 0; k < truth[j].size(); ++k) {
          error += std::abs(profile.means()[k] - truth[j][k]);
        }
        roster.names.push_back(group.experts[j].name);
        roster.profiles.push_back(std::move(profile));
      }
      ResultRow where;
      where.experiment = "priors";
      where.data = study.name;
      where.experts = experiments::name_of(archetype);
      where.group = group.name;
      where.setting = fmt::format(
          "{}{}", name_of(prior),
          prior == Prior::kUninformative ? std::string() : fmt::format(" S={}", strength));
      where.x = static_cast<double>(per_class);
      where.cohort = static_cast<int>(repeat);
      where.scale = "probability";
      result.rows.push_back(row_of(
          where, "mae", error / static_cast<double>(group.experts.size() * truth.front().size())));
      for (const char* method : {"ifd-peak", "plug-in"}) {
        where.method = method;
        const PolicyMaterials materials{roster};
        const auto policy = where.method == "plug-in" ? make_policy("plug-in", materials)
                                                      : make_policy(file, materials);
        result.rows.push_back(row_of(
            where, "aursac", curve_of(*policy, study.test, group.answers, effort.seed).aursac()));
      }
    }
  }
  return result;
}

}  // namespace

std::vector<Job> prior_jobs(const Study& study, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    const auto add = [&](Prior prior, double strength) {
      jobs.push_back(
          {fmt::format("priors/{}/{}/{}-{}", study.name, experiments::name_of(archetype),
                       name_of(prior), strength),
           fmt::format("{} {} repeats {}", study.hash, effort.text(), effort.prior_repeats), 5,
           [&study, archetype, prior, strength, effort](Workshop& workshop) {
             return run(workshop, study, archetype, prior, strength, effort);
           }});
    };
    add(Prior::kUninformative, 2);
    for (const double strength : kStrengths) {
      for (const Prior prior : {Prior::kAccurate, Prior::kAdversarial, Prior::kOverconfident}) {
        add(prior, strength);
      }
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
