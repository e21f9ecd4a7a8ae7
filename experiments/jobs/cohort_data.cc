#include "experiments/jobs/cohort_data.h"

namespace ifd::experiments {

std::string name_of(Archetype archetype) {
  return archetype == Archetype::kStable ? "stable" : "variable";
}

std::vector<SimulatedExpert> specialists(Archetype archetype, const std::string& group,
                                         std::size_t classes,
                                         const std::vector<ClassId>& specialties) {
  std::vector<SimulatedExpert> experts;
  for (const ClassId specialty : specialties) {
    const std::string name = group + "-" + std::to_string(index(specialty));
    experts.push_back(archetype == Archetype::kStable
                          ? stable_specialist(name, classes, specialty)
                          : variable_specialist(name, classes, specialty));
  }
  return experts;
}

ExpertGroup make_group(const Study& study, std::string name, std::vector<SimulatedExpert> experts,
                       std::size_t per_class, std::uint64_t seed) {
  const auto rows =
      sample_context_rows(study.training, per_class, Key(seed).with("context").with(name));
  Predictions cases = study.training.subset(rows);
  std::vector<std::size_t> all(rows.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  auto contexts = contexts_from_answers(
      simulate_answers(study.space, cases, experts, {seed, "train"}), cases, all);
  Roster roster = make_roster(contexts, study.training.classes().size());
  AnswerTable answers = simulate_answers(study.space, study.test, experts, {seed, "test"});
  return {std::move(name),  std::move(experts), std::move(contexts),
          std::move(cases), std::move(roster),  std::move(answers)};
}

CohortData make_cohort_data(const Study& study, Archetype archetype, std::uint64_t seed) {
  const std::size_t classes = study.training.classes().size();
  Cohort cohort = draw_cohort(classes, study.id_specialties, seed);
  const auto group = [&](const char* name, const std::vector<ClassId>& specialties) {
    return make_group(study, name, specialists(archetype, name, classes, specialties),
                      kContextPerClass, seed);
  };
  std::vector<ExpertGroup> groups;
  groups.push_back(group("seen", cohort.id_specialties));
  groups.push_back(group("id", cohort.id_specialties));
  groups.push_back(group("ood", cohort.ood_specialties));
  const std::vector<SimulatedExpert>& seen = groups[0].experts;
  AnswerTable training = simulate_answers(study.space, study.training, seen, {seed, "train"});
  AnswerTable validation =
      simulate_answers(study.space, study.validation, seen, {seed, "validation"});
  return {std::move(cohort), std::move(groups), std::move(training), std::move(validation)};
}

}  // namespace ifd::experiments
