// Behavioural fingerprints: how people answer, how much alike they are, and who is too unskilled to
// stand in for an expert.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/annotation_set.h"
#include "ifd/long_work.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

// P(chosen | true) of one participant over all noise levels: K x K, row by row, rows the true
// class. A row is divided by the participant's answers on that class; answers outside the classes
// count there and have no column, so such a row sums to less than 1. The row of a class the
// participant never saw is all zeros.
struct Fingerprint {
  std::string participant;
  std::vector<double> confusion;
  std::size_t answers = 0;
  std::size_t outside = 0;  // of these, outside the classes
  double accuracy = 0;      // share of right answers; outside counts as wrong
};

// One per participant with at least one answer, in the order of their names. Neither the order of
// the rows nor the order of the classes changes any number of it.
std::vector<Fingerprint> fingerprints(const AnnotationSet& annotations);

// Mean over all pairs of Pearson's correlation of the flattened matrices, the paper's measure of
// homogeneity (.926 on ImageNet-16H). A constant fingerprint (a participant who answers at random,
// or never inside the classes) correlates 0 with everyone. Fewer than two are an Error.
double average_pairwise_correlation(std::span<const Fingerprint> prints);

// Clusters are numbered from the least accurate to the most accurate, by the mean accuracy of
// their participants.
struct Clustering {
  std::vector<std::size_t> cluster;   // per fingerprint
  std::vector<double> mean_accuracy;  // per cluster
  std::vector<std::size_t> size;      // per cluster
  double within_squares;              // sum of squared distances to the own centre
};

struct ClusteringOptions {
  std::size_t clusters = 2;
  // On ImageNet-16H about one start in ten ends in the best split.
  std::size_t restarts = 100;
};

// k-means on the flattened matrices: k-means++ starts keyed by participant, Lloyd's iterations to
// the fixed point, the best of the restarts. Fewer distinct fingerprints than clusters are an
// Error.
Clustering cluster_fingerprints(std::span<const Fingerprint> prints, const Key& key,
                                const ClusteringOptions& options = {}, const LongWork& work = {});

struct SkillFilter {
  AnnotationSet kept;
  std::vector<std::string> dropped_participants;  // by name
  std::vector<std::string> kept_participants;
  double dropped_mean_accuracy;
  double kept_mean_accuracy;
};

// Drops the participants of the less accurate of two clusters.
SkillFilter drop_low_skill(const AnnotationSet& annotations, const Key& key,
                           const LongWork& work = {});

}  // namespace ifd
