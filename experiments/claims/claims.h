// What the paper says and what we expect, each checked against the numbers of a run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"

namespace ifd::experiments {

// What an interval says of a claim: it lies beyond the bound, beyond it on the other side, or
// includes it. A claim that something is level is shown only where the interval lies inside the
// band, and contradicted where it lies outside. A single cohort shows nothing.
enum class Outcome { kShown, kContradicted, kOpen };

// A claim on one data set, group of experts, ...
struct Finding {
  std::string where;    // "Blood Cells, against pop-qi"
  std::string numbers;  // "+0.061 (+0.050 to +0.072), 10 of 10"
  Outcome outcome = Outcome::kOpen;
  std::optional<double> value = {};  // of a difference
};

struct Claim {
  enum class Source { kPaper, kOurs };
  // Shown everywhere; shown somewhere and contradicted nowhere; contradicted somewhere, since a
  // claim speaks of all places; neither anywhere.
  enum class Verdict { kShown, kInPart, kContradicted, kOpen, kNotMeasured };
  std::string id;    // "ifd-ahead-ood"
  std::string text;  // one sentence, with the tolerance that decides
  Source source = Source::kPaper;
  std::vector<Finding> findings;
  // How to understand it if it is not shown; may be empty.
  std::string reading = {};
  std::string quote = {};     // the paper's words, where they say it shorter than we do
  std::string formerly = {};  // the id of the claim that it replaces, where that is another
  // It follows from how the methods or the experiment are built and could not have failed: no
  // measurement.
  bool by_construction = false;

  std::size_t count(Outcome outcome) const;
  Verdict verdict() const;
};

// "shown everywhere", "shown in 3, contradicted in 1, open in 2", "not measured".
std::string verdict_text(const Claim& claim);
// "shown", "contradicted", "open".
std::string outcome_text(Outcome outcome);

// All claims in the order of the report, whatever was measured.
std::vector<Claim> check_claims(const Summary& summary);

// Of the claims that could have failed.
struct ClaimCounts {
  std::size_t measured = 0, shown = 0, in_part = 0, contradicted = 0, open = 0, missing = 0;
};
ClaimCounts count_claims(const std::vector<Claim>& claims);

// The smallest context, in answers per class, from which on the mean error under a prior stays
// within .02 of the uniform prior's; nothing where it never does or was not measured. `setting` as
// in the experiment: "adversarial S=30".
std::optional<double> prior_overcome_at(const Summary& summary, const DataName& data,
                                        const ExpertsName& experts, const Setting& setting);

}  // namespace ifd::experiments
