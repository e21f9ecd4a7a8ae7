// What the paper says and what we expect, each checked against the numbers of a run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"

namespace ifd::experiments {

// A claim on one data set, group of experts, ...
struct Finding {
  std::string where;    // "Blood Cells, against pop-qi"
  std::string numbers;  // "+0.061 (+0.050 to +0.072), 10 of 10"
  bool holds = false;
  // The 95 % interval of the quantity reaches beyond the bound that decides: more cohorts could
  // turn it.
  bool open = false;
  std::optional<double> value = {};  // of a difference
};

struct Claim {
  enum class Source { kPaper, kOurs };
  enum class Verdict { kHolds, kInPart, kFails, kNotMeasured };
  std::string id;    // "ifd-ahead-ood"
  std::string text;  // one sentence, with the tolerance that decides
  Source source = Source::kPaper;
  std::vector<Finding> findings;
  // How to understand it if it does not hold; may be empty.
  std::string reading = {};

  std::size_t held() const;
  Verdict verdict() const;
};

// "holds", "holds in 3 of 4", "does not hold", "not measured".
std::string verdict_text(const Claim& claim);

// All claims in the order of the report, whatever was measured.
std::vector<Claim> check_claims(const Summary& summary);

// The smallest context, in answers per class, from which on the mean error under a prior stays
// within .02 of the uniform prior's; nothing where it never does or was not measured. `setting` as
// in the experiment: "adversarial S=30".
std::optional<double> prior_overcome_at(const Summary& summary, const DataName& data,
                                        const ExpertsName& experts, const Setting& setting);

}  // namespace ifd::experiments
