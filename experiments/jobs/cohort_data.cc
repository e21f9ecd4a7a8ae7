#include "experiments/jobs/cohort_data.h"

#include "experiments/result/labels.h"

namespace ifd::experiments {

ExpertsName name_of(Archetype archetype) {
  return archetype == Archetype::kStable ? kStable : kVariable;
}

SimulatedExpert Population::in_luck(SimulatedExpert expert) const {
  return protocol == Protocol::kPaper ? std::move(expert)
                                      : with_shared_luck(std::move(expert), kSharedLuck);
}

SimulatedExpert Population::specialist(Archetype archetype, const std::string& name,
                                       std::size_t classes, ClassId specialty) const {
  SpecialistCurves curves = archetype == Archetype::kStable ? stable_curves() : variable_curves();
  if (protocol == Protocol::kPopulation) {
    curves = drawn_around(curves, kSkillSpread, Key(seed).with("skill").with(name));
  }
  return in_luck(ifd::specialist(name, classes, specialty, curves));
}

std::vector<SimulatedExpert> specialists(const Population& population, Archetype archetype,
                                         const std::string& group, std::size_t classes,
                                         const std::vector<ClassId>& specialties) {
  std::vector<SimulatedExpert> experts;
  for (const ClassId specialty : specialties) {
    const std::string name = group + "-" + std::to_string(index(specialty));
    experts.push_back(population.specialist(archetype, name, classes, specialty));
  }
  return experts;
}

ExpertGroup make_group(const DataSet& data_set, GroupName name,
                       std::vector<SimulatedExpert> experts, std::size_t per_class,
                       std::uint64_t seed) {
  const auto rows = sample_context_rows(data_set.training, per_class,
                                        Key(seed).with("context").with(name.text()));
  Predictions cases = data_set.training.subset(rows);
  std::vector<std::size_t> all(rows.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  auto contexts = contexts_from_answers(
      simulate_answers(data_set.space, cases, experts, {seed, "train"}), cases, all);
  Roster roster = make_roster(contexts, data_set.training.classes().size());
  AnswerTable answers = simulate_answers(data_set.space, data_set.test, experts, {seed, "test"});
  return {std::move(name),  std::move(experts), std::move(contexts),
          std::move(cases), std::move(roster),  std::move(answers)};
}

CohortData make_cohort_data(const DataSet& data_set, Archetype archetype,
                            const Population& population) {
  const std::uint64_t seed = population.seed;
  const std::size_t classes = data_set.training.classes().size();
  Cohort cohort = draw_cohort(classes, data_set.id_specialties, seed);
  const auto group = [&](const GroupName& name, const std::vector<ClassId>& specialties) {
    return make_group(data_set, name,
                      specialists(population, archetype, name.text(), classes, specialties),
                      kContextPerClass, seed);
  };
  std::vector<ExpertGroup> groups;
  groups.push_back(group(kSeen, cohort.id_specialties));
  groups.push_back(group(kId, cohort.id_specialties));
  groups.push_back(group(kOod, cohort.ood_specialties));
  const std::vector<SimulatedExpert>& seen = groups[0].experts;
  AnswerTable training = simulate_answers(data_set.space, data_set.training, seen, {seed, "train"});
  AnswerTable validation =
      simulate_answers(data_set.space, data_set.validation, seen, {seed, "validation"});
  return {std::move(cohort), std::move(groups), std::move(training), std::move(validation)};
}

}  // namespace ifd::experiments
