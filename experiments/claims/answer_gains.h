// What combined answers gain over final ones, wherever that was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {

// Experts on cases: simulated ones, two people at a noise level, or all pairs of scorers.
struct AnswerPlace {
  DataName data;
  ExpertsName experts;
  GroupName group;
  double noise = 0;  // of ImageNet-16H

  std::string title() const;  // "Blood Cells, Variable, OOD"
  Cell area(const MethodName& method, const Setting& setting,
            const MeasureName& measure = kAursac) const;
};
// In the order of the report. Single pairs of scorers have no place.
std::vector<AnswerPlace> answer_places(const Summary& summary);

// The area of `method` minus that of `base`, over cohorts. Of scorers the cohorts are draws of the
// contexts, so that where `base` is plug-in with final answers the interval is the one over
// recordings, with the people as they are, and otherwise there is none.
std::optional<PairedDifference> gain_at(const Summary& summary, const AnswerPlace& place,
                                        const Setting& setting, const MeasureName& measure,
                                        const MethodName& method = kPlugInCombined,
                                        const MethodName& base = kPlugIn);

// The mean over draws with the interval over recordings of such a cell of scorers; nothing where it
// was not measured.
std::optional<Mean> mean_over_recordings(const Summary& summary, const Cell& cell);

// a - b of two areas of scorers, with an interval over recordings. Only differences from plug-in
// were resampled: between two other methods the interval reaches as far as theirs together, which
// is at least as far as it should.
std::optional<PairedDifference> difference_over_recordings(const Summary& summary, const Cell& a,
                                                           const Cell& b);

}  // namespace ifd::experiments
