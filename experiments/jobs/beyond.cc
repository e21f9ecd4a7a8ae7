#include "experiments/jobs/beyond.h"

#include <fmt/format.h>

#include <array>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/experts/relabelling.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

constexpr Archetype kArchetype = Archetype::kVariable;
constexpr std::array<const char*, 4> kTrainedBeyond = {"ifd-peak", "ifd-residual", "pop-qi",
                                                       "pop-qc"};

// The trained policies of a cohort, and the means to measure all policies on any group.
class Bench {
 public:
  Bench(Workshop& workshop, const DataSet& data_set, const Effort& effort, std::size_t cohort,
        const ExpertsName& topic)
      : seed_(effort.seed + cohort),
        data_(make_cohort_data(data_set, kArchetype, effort.population(cohort))) {
    where_.experiment = kBeyond;
    where_.data = data_set.name;
    where_.experts = topic;
    where_.scale = kProbability;
    where_.cohort = static_cast<int>(cohort);
    for (const char* name : kTrainedBeyond) {
      policies_.emplace_back(name, cohort_policy(workshop, data_set, data_, kArchetype,
                                                 effort.method(name), effort, cohort));
    }
  }

  const CohortData& data() const { return data_; }
  std::uint64_t seed() const { return seed_; }

  // Rows of the areas at `x` for every policy on these experts, with these predictions.
  void measure(const Setting& setting, double x, const ExpertGroup& group,
               const Predictions& cases) {
    for (const auto& [name, file] : policies_) {
      add(MethodName(name), setting, x, group, cases,
          [&](const PolicyMaterials& materials) { return make_policy(file, materials); });
    }
    for (const char* name : {"plug-in", "peak-rule", "confidence"}) {
      add(MethodName(name), setting, x, group, cases,
          [&](const PolicyMaterials& materials) { return make_policy(name, materials); });
    }
  }

  template <class Make>
  void add(const MethodName& method, const Setting& setting, double x, const ExpertGroup& group,
           const Predictions& cases, Make make) {
    PolicyMaterials materials{group.roster};
    materials.contexts = group.contexts;
    materials.context_predictions = &group.context_predictions;
    const auto policy = make(materials);
    ResultRow row = where_;
    row.group = group.name;
    row.method = method;
    row.setting = setting;
    row.x = x;
    const Replay replayed = replay(*policy, cases, group.answers, ScoringOptions{seed_, 1, {}});
    for (ResultRow& area : curve_rows(row, replayed, cases)) {
      // There are thousands of them: only the area over all budgets keeps its resamples.
      if (area.measure != kAursac) area.replicates.clear();
      if (area.measure != kSystemAccuracy) result_.rows.push_back(std::move(area));
    }
  }

  JobResult result() && { return std::move(result_); }

 private:
  std::uint64_t seed_;
  CohortData data_;
  ResultRow where_;
  std::vector<std::pair<std::string, PolicyFile>> policies_;
  JobResult result_;
};

ExpertGroup with_contexts(ExpertGroup group, std::vector<ExpertContext> contexts,
                          std::size_t classes) {
  group.contexts = std::move(contexts);
  group.roster = make_roster(group.contexts, classes);
  return group;
}

// A permutation that moves `moved` of the classes in a cycle and leaves the others.
Relabelling partial_relabelling(std::size_t classes, std::size_t moved, const Key& key) {
  const Relabelling order = Relabelling::random(classes, key);
  std::vector<ClassId> images(classes);
  for (std::size_t k = 0; k < classes; ++k) images[k] = class_id(k);
  for (std::size_t i = 0; i < moved; ++i) {
    images[index(order(class_id(i)))] = order(class_id((i + 1) % moved));
  }
  return Relabelling(images);
}

// Incoherent and partial remappings of x classes in a cycle. "misnamed": the contexts come from a
// source that names some classes otherwise and nobody notices; model and answers stay as they are.
// "moved": the experts' competence itself has moved, in contexts and answers, and the model stays.
JobResult remapping(Workshop& workshop, const DataSet& data_set, const Effort& effort,
                    std::size_t cohort) {
  Bench bench(workshop, data_set, effort, cohort, kRemapping);
  const std::size_t classes = data_set.test.classes().size();
  for (const ExpertGroup& group : bench.data().unseen()) {
    for (std::size_t moved = 0; moved <= classes; moved += moved == 0 ? 2 : 1) {
      const auto pi = partial_relabelling(classes, moved, Key(bench.seed()).with("partial"));
      const auto x = static_cast<double>(moved);
      bench.measure(kMisnamed, x, with_contexts(group, relabelled(group.contexts, pi), classes),
                    data_set.test);
      std::vector<SimulatedExpert> experts;
      for (const SimulatedExpert& expert : group.experts) {
        experts.push_back(relabelled(expert, pi));
      }
      bench.measure(
          kMoved, x,
          make_group(data_set, group.name, std::move(experts), kContextPerClass, bench.seed()),
          data_set.test);
    }
  }
  return std::move(bench).result();
}

// Experts of other kinds than those of the training.
JobResult archetypes(Workshop& workshop, const DataSet& data_set, const Effort& effort,
                     std::size_t cohort) {
  Bench bench(workshop, data_set, effort, cohort, kArchetypes);
  const std::size_t classes = data_set.test.classes().size();
  const auto& specialties = bench.data().cohort.ood_specialties;
  const SpecialistCurves variable = variable_curves();
  const Population population = effort.population(cohort);
  const auto measure = [&](const char* name, std::vector<SimulatedExpert> experts) {
    const ExpertGroup group =
        make_group(data_set, GroupName(name), std::move(experts), kContextPerClass, bench.seed());
    bench.measure({}, 0, group, data_set.test);
    const TrueAccuracies truth = true_accuracies(data_set.space, data_set.test, group.experts);
    bench.add(kCeiling, {}, 0, group, data_set.test, [&](PolicyMaterials materials) {
      materials.accuracies = truth.values;
      return make_policy("ceiling", materials);
    });
  };
  std::vector<SimulatedExpert> generalists, multi, anti, noisy;
  for (const ClassId specialty : specialties) {
    const std::string name = "expert-" + std::to_string(index(specialty));
    const ClassId second = class_id((index(specialty) + 1) % classes);
    generalists.push_back(population.in_luck(generalist(
        name, classes,
        AccuracyCurve::from_targets(.95, .50 + .05 * static_cast<double>(generalists.size())))));
    multi.push_back(population.in_luck(multi_strength_specialist(
        name, classes,
        std::vector<Strength>{{specialty, AccuracyCurve::from_targets(.99, .70)},
                              {second, AccuracyCurve::from_targets(.95, .50)}},
        variable.elsewhere)));
    anti.push_back(
        population.in_luck(anti_expert(name, classes, {specialty, second}, variable.specialty)));
    noisy.push_back(independent_noise(population.specialist(kArchetype, name, classes, specialty)));
  }
  measure("generalists", generalists);
  measure("multi-strength", multi);
  measure("anti-experts", anti);
  measure("independent noise", noisy);
  return std::move(bench).result();
}

// The share x of the test cases meets experts whose specialty has moved to the next class since
// their contexts were taken; and what new contexts would give when all has moved.
JobResult drift(Workshop& workshop, const DataSet& data_set, const Effort& effort,
                std::size_t cohort) {
  Bench bench(workshop, data_set, effort, cohort, kDrift);
  const std::size_t classes = data_set.test.classes().size();
  const ExpertGroup& before = bench.data().ood();
  std::vector<ClassId> moved;
  for (const ClassId specialty : bench.data().cohort.ood_specialties) {
    moved.push_back(class_id((index(specialty) + 1) % classes));
  }
  const ExpertGroup after = make_group(
      data_set, kOod, specialists(effort.population(cohort), kArchetype, "moved", classes, moved),
      kContextPerClass, bench.seed());
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    ExpertGroup mixed = before;
    for (std::size_t i = 0; i < data_set.test.size(); ++i) {
      if (Key(bench.seed()).with("drift").with(data_set.test.case_name(i)).uniform() >= share)
        continue;
      for (std::size_t j = 0; j < mixed.experts.size(); ++j) {
        mixed.answers.set(case_id(i), expert_id(j), after.answers.at(case_id(i), expert_id(j)));
      }
    }
    bench.measure(kOldContexts, share, mixed, data_set.test);
  }
  bench.measure(kNewContexts, 1, after, data_set.test);
  return std::move(bench).result();
}

// The classifier's probabilities sharpened (x > 1) or flattened (x < 1): softmax(x log rho).
JobResult miscalibration(Workshop& workshop, const DataSet& data_set, const Effort& effort,
                         std::size_t cohort) {
  Bench bench(workshop, data_set, effort, cohort, kMiscalibration);
  const ExpertGroup& group = bench.data().ood();
  for (const double sharpness : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    const Predictions cases = calibrated(data_set.test, {sharpness, {}});
    bench.measure(kRaw, sharpness, group, cases);
    const Predictions context = calibrated(group.context_predictions, {sharpness, {}});
    bench.measure(kRecalibrated, sharpness, group,
                  calibrated(cases, fit_calibration(context, CalibrationKind::kBias)));
  }
  return std::move(bench).result();
}

// Unseen experts of whose luck the share x is the case's: 0 errs independently of everybody, 1 is
// the paper's. Policies were trained with the protocol's.
JobResult luck(Workshop& workshop, const DataSet& data_set, const Effort& effort,
               std::size_t cohort) {
  Bench bench(workshop, data_set, effort, cohort, kLuck);
  for (const ExpertGroup& group : bench.data().unseen()) {
    for (const double share : {0.0, 0.5, 1.0}) {
      std::vector<SimulatedExpert> experts;
      for (const SimulatedExpert& expert : group.experts) {
        experts.push_back(with_shared_luck(expert, share));
      }
      bench.measure(
          {}, share,
          make_group(data_set, group.name, std::move(experts), kContextPerClass, bench.seed()),
          data_set.test);
    }
  }
  return std::move(bench).result();
}

}  // namespace

std::vector<Job> beyond_jobs(const DataSet& all, const Effort& effort) {
  using Run = JobResult (*)(Workshop&, const DataSet&, const Effort&, std::size_t);
  constexpr std::array<std::pair<const char*, Run>, 5> kTopics = {
      {{"remapping", remapping},
       {"archetypes", archetypes},
       {"drift", drift},
       {"miscalibration", miscalibration},
       {"luck", luck}}};
  std::vector<Job> jobs;
  for (const auto& [topic, run] : kTopics) {
    for (std::size_t cohort = 0; cohort < effort.scaling_cohorts; ++cohort) {
      const DataSet& data_set = all.of_cohort(cohort);
      jobs.push_back({fmt::format("beyond/{}/{}/cohort-{}", data_set.name, topic, cohort),
                      fmt::format("{} {}", data_set.hash, effort.text()), 3,
                      [&data_set, run = run, effort, cohort](Workshop& workshop) {
                        return run(workshop, data_set, effort, cohort);
                      }});
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
