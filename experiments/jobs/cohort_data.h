// Everything one cohort of simulated experts says: who they are, their contexts, their answers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/jobs/protocol.h"
#include "experiments/jobs/workshop.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/experts/cohort.h"
#include "ifd/experts/simulation.h"
#include "ifd/policy/roster.h"

namespace ifd::experiments {

// The paper's two kinds of specialist: accuracy varies sharply, or little, with difficulty.
enum class Archetype { kStable, kVariable };
ExpertsName name_of(Archetype archetype);

// A context pool of 15 answers per class, as in the paper.
inline constexpr std::size_t kContextPerClass = 15;

// Experts on duty together, and what is known of them.
struct ExpertGroup {
  GroupName name;
  std::vector<SimulatedExpert> experts;
  std::vector<ExpertContext> contexts;
  Predictions context_predictions;  // the cases of the contexts
  Roster roster;
  AnswerTable answers;  // on the test cases
};

// Contexts from `per_class` training cases per class, drawn for this group by its name, and answers
// on the test cases.
ExpertGroup make_group(const DataSet& data_set, GroupName name,
                       std::vector<SimulatedExpert> experts, std::size_t per_class,
                       std::uint64_t seed);

// `seen` are the experts of the training; `id` have the same specialties and contexts of their own;
// `ood` have the other classes as specialties. How alike they are otherwise is the protocol's.
struct CohortData {
  Cohort cohort;
  std::vector<ExpertGroup> groups;  // seen, id, ood
  AnswerTable training_answers;     // of the seen experts
  AnswerTable validation_answers;

  const ExpertGroup& seen() const { return groups[0]; }
  const ExpertGroup& ood() const { return groups[2]; }
  // id and ood.
  std::span<const ExpertGroup> unseen() const { return std::span(groups).subspan(1); }
};

// Who simulated experts are, cohort by cohort.
struct Population {
  Protocol protocol;
  std::uint64_t seed;  // of the cohort

  // A specialist of this name, with skill and luck as the protocol says.
  SimulatedExpert specialist(Archetype archetype, const std::string& name, std::size_t classes,
                             ClassId specialty) const;
  // The same expert with luck as the protocol says.
  SimulatedExpert in_luck(SimulatedExpert expert) const;
};

// They are named after the group and their class: "ood-3".
std::vector<SimulatedExpert> specialists(const Population& population, Archetype archetype,
                                         const std::string& group, std::size_t classes,
                                         const std::vector<ClassId>& specialties);

CohortData make_cohort_data(const DataSet& data_set, Archetype archetype,
                            const Population& population);

}  // namespace ifd::experiments
