// All that the fingerprints of annotators tell: how alike they are, their clusters, who is of low
// skill.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ifd/data/annotation_set.h"
#include "ifd/experts/fingerprint.h"
#include "ifd/long_work.h"

namespace ifd {

struct FingerprintFindings {
  AnnotationSet annotations;
  std::vector<Fingerprint> prints;
  double correlation;  // average pairwise
  Clustering clusters;
  SkillFilter filter;
};

FingerprintFindings find_fingerprints(AnnotationSet annotations, std::size_t clusters,
                                      std::uint64_t seed, const LongWork& work = {});

std::string fingerprints_json(const FingerprintFindings& found);

}  // namespace ifd
