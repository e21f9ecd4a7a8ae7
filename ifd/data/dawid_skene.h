// Truths where nobody knows them: the likeliest, with every expert as reliable as the answers of
// all make them (Dawid and Skene 1979).
//
// A case has a true class y, drawn with how frequent the classes are; expert j answers m with
// probability c_j(m | y), independently of the others once y is given. EM finds the maximum of the
// likelihood with one right answer and one wrong one (spread evenly) added per expert and class,
// which keeps rare classes from certainties and the classes from changing places. Where experts are
// wrong together, on hard cases or by the same habit, they vouch for each other: nothing in the
// answers can tell.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ifd/data/context_truths.h"

namespace ifd {

struct DawidSkeneOptions {
  std::size_t most_iterations = 200;
  // Settled when an iteration adds less than this to the log-likelihood per answer.
  double tolerance = 1e-7;
  // Of the table: kinds of answers (of an expert, a class that was answered) x classes.
  std::size_t most_cells = std::size_t{1} << 24;
  // Of an iteration: answers x classes.
  std::size_t most_steps = std::size_t{1} << 32;
};

struct DawidSkeneFit {
  // One per answer: the likeliest class by the answers of the *others* on the case, so that nobody
  // speaks for their own answer. None where two are equally likely.
  std::vector<std::optional<ClassId>> truths;
  // At the start of each iteration, with the added answers; never falls but for rounding.
  std::vector<double> log_likelihood;
  std::size_t iterations = 0;
  bool settled = false;
};

// Case numbers are below `cases`. An answer outside the classes is an answer like any other. Time
// is linear in answers x classes per iteration. The order of the answers, the names of classes and
// of experts change nothing, to the last bit. Error(kBadInput) for a table above `most_cells`.
DawidSkeneFit fit_dawid_skene(std::span<const ContextAnswer> answers, std::size_t cases,
                              std::size_t classes, const DawidSkeneOptions& options = {});

}  // namespace ifd
