// How far experts who answered the same cases agree, beyond what chance alone would give.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ifd/data/expert_context.h"

namespace ifd {

// Two raters on the cases that both answered. Answers outside the classes are not compared: what
// was answered is not known, so two of them need not be the same.
struct RaterAgreement {
  std::size_t shared = 0;
  std::size_t agreed = 0;
  // Cohen's kappa (p_o - p_e) / (1 - p_e): 1 where they always agree, 0 where they agree as often
  // as two raters with their habits would by chance. None where nothing is shared, and where both
  // only ever gave one and the same answer, so that chance alone explains everything.
  std::optional<double> kappa = {};
};

struct PairAgreement {
  std::size_t first = 0;  // places in the contexts, first < second
  std::size_t second = 0;
  RaterAgreement counts = {};
};

// An expert beside the majority of the others: on every case the class that most of the others
// gave. Cases where two classes tie, or nobody else answered, are not compared.
struct AgreementWithOthers {
  std::size_t expert = 0;  // place in the contexts
  RaterAgreement counts = {};
};

struct AgreementOptions {
  // Fewer shared cases say too little of a pair: it is counted and left out.
  std::size_t least_shared = 10;
  // All pairs are compared as long as experts, and experts x answers, are at most so many.
  std::size_t most_experts = 200;
  std::size_t most_work = 100'000'000;
};

// Either pairs, or, where there are too many experts for all of them, everyone beside the majority
// of the others.
struct Agreement {
  std::size_t least_shared = 0;
  bool compares_pairs = true;
  // With enough shared cases, weakest agreement first. Those without a kappa are last.
  std::vector<PairAgreement> pairs = {};
  std::vector<AgreementWithOthers> with_others = {};
  std::size_t too_few = 0;      // pairs, or experts, with fewer shared cases
  std::size_t most_shared = 0;  // by any pair, or expert
  std::optional<double> mean_kappa = {};
};

// Takes time in experts x answers for pairs, otherwise in the number of answers.
Agreement agreement(std::span<const ExpertContext> contexts, std::size_t classes,
                    const AgreementOptions& options = {});

}  // namespace ifd
