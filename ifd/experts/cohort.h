// Who is in a cohort, and on which cases its contexts are built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/ids.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

// A partition of the classes into the specialties of in-distribution experts and the rest.
struct Cohort {
  std::vector<ClassId> id_specialties;   // ascending
  std::vector<ClassId> ood_specialties;  // ascending; the complement

  bool operator==(const Cohort&) const = default;
};

// n_id specialties without replacement, 1 <= n_id <= classes. The paper's sizes are 3+4 classes
// (HAM10000), 4+4 (Blood) and 5+6 (Liver).
Cohort draw_cohort(std::size_t classes, std::size_t n_id, std::uint64_t seed);

// Rows of per_class cases of each class, without replacement, in the order in which they were
// drawn. Draws are keyed by case name: the order of the rows does not matter, and a smaller
// per_class draws a part of what a larger one draws. Needs labels; a class with fewer cases is an
// Error.
std::vector<std::size_t> sample_context_rows(const Predictions& training, std::size_t per_class,
                                             const Key& key);

// The rows below `size` that are not among `rows`, ascending: the cases to score where a context
// was taken from the same file.
std::vector<std::size_t> other_rows(std::size_t size, std::span<const std::size_t> rows);

// One context per expert of the table, from the given rows. The table's rows are the rows of
// `cases`, which needs labels. A missing answer makes no context row.
std::vector<ExpertContext> contexts_from_answers(const AnswerTable& answers,
                                                 const Predictions& cases,
                                                 std::span<const std::size_t> rows);

}  // namespace ifd
