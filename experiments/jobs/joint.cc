#include "experiments/jobs/joint.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/medmnist.h"
#include "ifd/policy/policy_catalogue.h"
#include "train/joint_trainer.h"
#include "train/threads.h"

namespace ifd::experiments {
namespace {

constexpr std::array<const char*, 3> kTrainedJointly = {"ifd-peak", "pop-qi", "multi-expert"};

// What a classifier says of all that a cohort's policies are asked about.
struct Reading {
  Setting setting;
  Predictions test;
  std::vector<Predictions> contexts;  // the cases of each group's contexts
};

Reading frozen_reading(const Setting& setting, const DataSet& data_set, const CohortData& data) {
  Reading made{setting, data_set.test, {}};
  for (const ExpertGroup& group : data.groups) made.contexts.push_back(group.context_predictions);
  return made;
}

struct SplitInputs {
  train::ClassifierInputs training, validation, test;
};

SplitInputs read_splits(const PretrainedImages& from) {
  const FileContents file = read_contents(from.images, from.limits);
  const auto inputs = [&](ifd::Split split) {
    return train::inputs_of(
        medmnist_from_bytes(file.bytes, from.images.string(), split, file.limits), split);
  };
  return {inputs(ifd::Split::kTrain), inputs(ifd::Split::kValidation), inputs(ifd::Split::kTest)};
}

Reading reading_of(train::Classifier& classifier, const Setting& setting, const SplitInputs& inputs,
                   const DataSet& data_set, const CohortData& data) {
  const ClassNames& classes = data_set.training.classes();
  Reading made{setting, train::classify(classifier, inputs.test, classes), {}};
  const CaseIndex row_of(data_set.training);
  for (const ExpertGroup& group : data.groups) {
    std::vector<std::int64_t> rows;
    for (const std::string& name : group.context_predictions.case_names()) {
      const auto row = row_of.find(name);
      assert(row && "a context's cases are training cases");
      rows.push_back(static_cast<std::int64_t>(*row));
    }
    made.contexts.push_back(
        train::classify(classifier, train::subset_of(inputs.training, rows), classes));
  }
  return made;
}

ResultRow where_of_cohort(const DataSet& data_set, std::size_t cohort) {
  ResultRow row;
  row.experiment = kJoint;
  row.data = data_set.name;
  row.experts = kVariable;
  row.cohort = static_cast<int>(cohort);
  return row;
}

// How often those on duty are right, each asked about every test case.
double accuracy_of_experts(const ExpertGroup& group, const Predictions& test) {
  double right = 0;
  for (std::size_t i = 0; i < test.size(); ++i) {
    for (std::size_t j = 0; j < group.answers.experts(); ++j) {
      right += group.answers.at(case_id(i), expert_id(j)).is(test.label(i)) ? 1 : 0;
    }
  }
  return right / static_cast<double>(test.size() * group.answers.experts());
}

void add_experts(JobResult& result, ResultRow where, const Reading& reading,
                 const CohortData& data) {
  where.setting = reading.setting;
  where.method = kExperts;
  for (const ExpertGroup& group : data.groups) {
    where.group = group.name;
    result.rows.push_back(row_of(where, kAccuracy, accuracy_of_experts(group, reading.test)));
  }
}

using PolicyOfGroup =
    std::function<std::unique_ptr<DeferralPolicy>(const ExpertGroup&, const Predictions& context)>;

// Rows of every group that the policy can be asked about; it is null for the others.
void add_areas(JobResult& result, ResultRow where, const MethodName& method, const Reading& reading,
               const CohortData& data, const PolicyOfGroup& policy_of, std::uint64_t seed) {
  where.setting = reading.setting;
  where.method = method;
  where.scale = kProbability;
  for (std::size_t g = 0; g < data.groups.size(); ++g) {
    const ExpertGroup& group = data.groups[g];
    where.group = group.name;
    const auto policy = policy_of(group, reading.contexts[g]);
    if (policy == nullptr) continue;
    const auto rows =
        curve_rows(where, replay(*policy, reading.test, group.answers, ScoringOptions{seed, 1, {}}),
                   reading.test);
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }
}

PolicyOfGroup policies_of(const PolicyFile& file, const CohortData& data) {
  return
      [&](const ExpertGroup& group, const Predictions& context) -> std::unique_ptr<DeferralPolicy> {
        const auto roster = seats_of(file, data, group);
        if (!roster) return nullptr;
        PolicyMaterials materials{*roster};
        materials.contexts = group.contexts;
        materials.context_predictions = &context;
        return make_policy(file, materials);
      };
}

std::unique_ptr<DeferralPolicy> plug_in(const ExpertGroup& group, const Predictions&) {
  return make_policy("plug-in", PolicyMaterials{group.roster});
}

void add_training(JobResult& result, ResultRow where, const MethodName& method,
                  const Setting& setting, const PolicyFile& file) {
  where.method = method;
  where.setting = setting;
  const auto rows = training_rows(where, file);
  result.rows.insert(result.rows.end(), rows.begin(), rows.end());
}

JobResult run_plug_in(const DataSet& data_set, const Effort& effort, std::size_t cohort) {
  const Population population = effort.population(cohort);
  const CohortData data = make_cohort_data(data_set, Archetype::kVariable, population);
  const Reading reading = frozen_reading(kFrozen, data_set, data);
  const ResultRow where = where_of_cohort(data_set, cohort);
  JobResult result;
  add_areas(result, where, kPlugIn, reading, data, plug_in, population.seed);
  add_experts(result, where, reading, data);
  return result;
}

JobResult run_frozen(Workshop& workshop, const DataSet& data_set, const Method& method,
                     const Effort& effort, std::size_t cohort) {
  const Population population = effort.population(cohort);
  const CohortData data = make_cohort_data(data_set, Archetype::kVariable, population);
  const ResultRow where = where_of_cohort(data_set, cohort);
  const MethodName name(method.name);
  JobResult result;
  for (const auto& [setting, schedule] :
       {std::pair(kFrozen, effort.schedule(method, data_set.learning_rate, cohort)),
        {kFrozenBriefly, effort.joint_schedule(method, data_set.learning_rate, cohort)}}) {
    const PolicyFile file =
        cohort_policy(workshop, data_set, data, Archetype::kVariable, method, schedule, population);
    add_areas(result, where, name, frozen_reading(setting, data_set, data), data,
              policies_of(file, data), population.seed);
    add_training(result, where, name, setting, file);
  }
  return result;
}

JobResult run_joint(const PretrainedImages& from, const Method& method, const Effort& effort,
                    std::size_t cohort) {
  // One thread for each job: how LibTorch cuts convolutions would show in the last digits.
  train::use_threads(1);
  const DataSet& data_set = from.data_set;
  const Population population = effort.population(cohort);
  const CohortData data = make_cohort_data(data_set, Archetype::kVariable, population);
  const SplitInputs inputs = read_splits(from);
  train::JointImages images{train::BackboneClassifier::read(from.classifier, from.limits),
                            inputs.training, inputs.validation, data_set.training,
                            data_set.validation};
  const train::JointLesson joint{images, {effort.classifier_rate, {}}};
  const PolicyFile file = train_method(
      method,
      {data_set.training, data_set.validation, data.seen().contexts, data.training_answers,
       data.validation_answers, train::ContextCoverage::kEveryClass, &joint},
      effort.joint_schedule(method, data_set.learning_rate, cohort));

  const ResultRow where = where_of_cohort(data_set, cohort);
  const MethodName name(method.name);
  const Reading reading = reading_of(images.classifier, joint_with(name), inputs, data_set, data);
  JobResult result;
  add_areas(result, where, name, reading, data, policies_of(file, data), population.seed);
  add_areas(result, where, kPlugIn, reading, data, plug_in, population.seed);
  add_experts(result, where, reading, data);
  add_training(result, where, name, reading.setting, file);
  return result;
}

}  // namespace

std::vector<Job> joint_jobs(const PretrainedImages& images, const Effort& effort) {
  std::vector<Job> jobs;
  for (std::size_t cohort = 0; cohort < effort.joint_cohorts; ++cohort) {
    const auto add = [&](const std::string& method, const char* how, double weight, auto run) {
      jobs.push_back(
          {fmt::format("joint/{}/{}/{}/cohort-{}", images.data_set.name, method, how, cohort),
           fmt::format("{} {}", images.hash, effort.joint_text()), weight, std::move(run)});
    };
    for (const char* name : kTrainedJointly) {
      add(name, "joint", 100, [&images, method = effort.method(name), effort, cohort](Workshop&) {
        return run_joint(images, method, effort, cohort);
      });
      add(name, "frozen", 10,
          [&images, method = effort.method(name), effort, cohort](Workshop& workshop) {
            return run_frozen(workshop, images.data_set, method, effort, cohort);
          });
    }
    add("plug-in", "frozen", 1, [&images, effort, cohort](Workshop&) {
      return run_plug_in(images.data_set, effort, cohort);
    });
  }
  return jobs;
}

}  // namespace ifd::experiments
