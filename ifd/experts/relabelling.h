// Renaming classes: the symmetry that a deferral policy must respect, and the stress test that
// breaks policies which learnt class names.
//
// Coherent relabelling: the same permutation for everything class-indexed (predictions, labels,
// answers, contexts). The Bayes rejector does not notice (the paper's proposition on classifier
// equivariance and rejector invariance).
//
// Expert-only relabelling: the task and the model stay; the expert's competence moves, so that
// what the expert did on class y they now do on class pi(y): (mu^pi)_y = mu_{pi^-1(y)}. On a
// context that is truth and answer of its rows permuted together, the predictions left alone. On
// a simulated expert it is the curves permuted. A table of answers on fixed cases has no
// expert-only form: nobody knows what the expert would have said on cases of another class; such a
// table is simulated anew from the relabelled expert.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/experts/simulation.h"
#include "ifd/ids.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

// A permutation pi of the classes.
class Relabelling {
 public:
  // images[k] = pi(k). Anything that is not a permutation is an Error.
  explicit Relabelling(std::vector<ClassId> images);
  static Relabelling identity(std::size_t classes);
  // Uniform over the permutations.
  static Relabelling random(std::size_t classes, const Key& key);

  std::size_t classes() const { return images_.size(); }
  ClassId operator()(ClassId id) const { return images_[index(id)]; }
  // Missing stays missing, outside stays outside.
  Answer operator()(Answer answer) const;

  Relabelling inverse() const;
  // pi after first: k -> pi(first(k)).
  Relabelling after(const Relabelling& first) const;

  bool operator==(const Relabelling&) const = default;

 private:
  std::vector<ClassId> images_;
};

// Columns and labels; v^pi_y = v_{pi^-1(y)}. Class names stay in their places: class k is now
// called what pi(k) was called. Cases and features stay.
Predictions relabelled(const Predictions& predictions, const Relabelling& pi);
AnswerTable relabelled(const AnswerTable& answers, const Relabelling& pi);
// Truths and answers. Beside relabelled predictions this is part of a coherent relabelling; beside
// the predictions as they were it is the expert-only one.
ExpertContext relabelled(const ExpertContext& context, const Relabelling& pi);
std::vector<ExpertContext> relabelled(std::span<const ExpertContext> contexts,
                                      const Relabelling& pi);
SimulatedExpert relabelled(const SimulatedExpert& expert, const Relabelling& pi);

}  // namespace ifd
