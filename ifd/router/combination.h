// What comes of the answers that came back, and whether somebody else should look.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/decision/cost_unit.h"
#include "ifd/decision/shared_errors.h"
#include "ifd/ids.h"

namespace ifd {

enum class Advice {
  kSettled,       // the label is probable enough
  kSecondReader,  // it is not, and the answer of somebody would be worth asking for
  kEscalate,      // it is not, and nobody on duty is good enough to help
};

// Under costs both are parts of the largest cost of a mistake: a label is settled that is expected
// to cost at most 1 - sure of it, and an answer must save `worth` of it, the fee taken off. Where
// every mistake costs the same and nobody has a fee that is the same as without.
struct AdviceOptions {
  double sure = .9;    // a label at least this probable is settled; in (0, 1]
  double worth = .01;  // an answer must raise the chance of a right label by this much; 0..1
};

struct SecondOpinion {
  Advice advice = Advice::kSettled;
  std::optional<ExpertId> reader = {};  // of kSecondReader: the one whose answer is worth most
  // By how much it is expected to raise the chance of a right label; under costs what it is
  // expected to save in their unit, the fee taken off.
  double worth = 0;
};

// A case, its answers, and the label that they make together with the model.
struct CombinedCase {
  ClassId prediction;                              // the model's
  ClassId label;                                   // of all together; under costs the cheapest
  double probability;                              // of that label
  std::vector<std::pair<ExpertId, Answer>> given;  // who said what; missing answers are not there
  SecondOpinion second = {};
  std::optional<double> cost = {};  // what the label is expected to cost, where there are costs
};

struct Combination {
  std::vector<CombinedCase> cases;  // in the order of the cases
  std::shared_ptr<const std::vector<std::string>> experts;
  // Of the context. Where several answer one case, their answers count the less the more they err
  // together; without cases in common they count as independent.
  SharedErrors shared;
  std::optional<CostUnit> cost_unit = {};  // where there are costs
};

}  // namespace ifd
