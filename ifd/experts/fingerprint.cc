#include "ifd/experts/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

#include "ifd/error.h"

namespace ifd {
namespace {

// Sums over cells of a confusion matrix run in the order of the values: renaming the classes
// permutes the cells and must change no bit.
double sum_by_value(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  std::vector<double> squares(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) squares[i] = (a[i] - b[i]) * (a[i] - b[i]);
  return sum_by_value(squares);
}

// The vector less its mean, at length 1; all zeros for a constant vector.
std::vector<double> standardised(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return std::vector<double>(values.size(), 0);
  std::vector<double> terms = values;
  const double mean = sum_by_value(terms) / static_cast<double>(values.size());
  std::vector<double> result = values;
  for (double& value : result) value -= mean;
  for (std::size_t i = 0; i < result.size(); ++i) terms[i] = result[i] * result[i];
  const double length = std::sqrt(sum_by_value(terms));
  for (double& value : result) value /= length;
  return result;
}

using Points = std::vector<std::vector<double>>;

// k-means++ (Arthur and Vassilvitskii 2007): each further centre is a participant drawn with
// probability proportional to the squared distance to the nearest centre so far. Drawn as the
// smallest of exponential draws over their weights, keyed by participant.
Points start_centres(std::span<const Fingerprint> prints, std::size_t clusters, const Key& key) {
  Points centres;
  std::vector<double> nearest(prints.size(), 1);
  while (centres.size() < clusters) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t chosen = prints.size();
    for (std::size_t i = 0; i < prints.size(); ++i) {
      if (nearest[i] == 0) continue;
      const double uniform = key.with(prints[i].participant).uniform(centres.size());
      const double draw = -std::log1p(-uniform) / nearest[i];
      if (draw < least) {
        least = draw;
        chosen = i;
      }
    }
    if (chosen == prints.size()) {
      throw bad_input(fmt::format("{} distinct fingerprint(s); expected at least {}, one a cluster",
                                  centres.size(), clusters));
    }
    centres.push_back(prints[chosen].confusion);
    for (std::size_t i = 0; i < prints.size(); ++i) {
      const double distance = squared_distance(prints[i].confusion, centres.back());
      nearest[i] = centres.size() == 1 ? distance : std::min(nearest[i], distance);
    }
  }
  return centres;
}

struct Assignment {
  std::vector<std::size_t> cluster;
  std::vector<double> squares;  // to the own centre
};

Assignment assign(std::span<const Fingerprint> prints, const Points& centres) {
  Assignment result;
  for (const Fingerprint& print : prints) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < centres.size(); ++c) {
      const double squares = squared_distance(print.confusion, centres[c]);
      if (squares < least) {
        least = squares;
        best = c;
      }
    }
    result.cluster.push_back(best);
    result.squares.push_back(least);
  }
  return result;
}

// A centre that lost all its participants moves to the one farthest from their own centre.
void fill_empty_clusters(Assignment& assignment, std::size_t clusters) {
  std::vector<std::size_t> sizes(clusters, 0);
  for (const std::size_t c : assignment.cluster) ++sizes[c];
  for (std::size_t c = 0; c < clusters; ++c) {
    if (sizes[c] > 0) continue;
    const auto farthest = static_cast<std::size_t>(
        std::max_element(assignment.squares.begin(), assignment.squares.end()) -
        assignment.squares.begin());
    --sizes[assignment.cluster[farthest]];
    ++sizes[c];
    assignment.cluster[farthest] = c;
    assignment.squares[farthest] = 0;
  }
}

Points means(std::span<const Fingerprint> prints, const Assignment& assignment,
             std::size_t clusters) {
  Points sums(clusters, std::vector<double>(prints[0].confusion.size(), 0));
  std::vector<double> counts(clusters, 0);
  for (std::size_t i = 0; i < prints.size(); ++i) {
    const std::size_t c = assignment.cluster[i];
    ++counts[c];
    for (std::size_t d = 0; d < sums[c].size(); ++d) sums[c][d] += prints[i].confusion[d];
  }
  for (std::size_t c = 0; c < clusters; ++c) {
    for (double& value : sums[c]) value /= counts[c];
  }
  return sums;
}

Assignment lloyd(std::span<const Fingerprint> prints, Points centres) {
  // Each step lowers the sum of squares, so the loop ends by itself; the bound is for rounding.
  constexpr int kMostSteps = 1000;
  Assignment current = assign(prints, centres);
  for (int step = 0; step < kMostSteps; ++step) {
    fill_empty_clusters(current, centres.size());
    centres = means(prints, current, centres.size());
    Assignment next = assign(prints, centres);
    const bool fixed = next.cluster == current.cluster;
    current = std::move(next);
    if (fixed) break;
  }
  return current;
}

Clustering ordered_by_accuracy(std::span<const Fingerprint> prints, const Assignment& assignment,
                               std::size_t clusters) {
  std::vector<double> accuracy(clusters, 0);
  std::vector<std::size_t> size(clusters, 0), first(clusters, prints.size()), order(clusters);
  for (std::size_t i = 0; i < prints.size(); ++i) {
    const std::size_t c = assignment.cluster[i];
    accuracy[c] += prints[i].accuracy;
    ++size[c];
    first[c] = std::min(first[c], i);
  }
  for (std::size_t c = 0; c < clusters; ++c) accuracy[c] /= static_cast<double>(size[c]);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return accuracy[a] != accuracy[b] ? accuracy[a] < accuracy[b] : first[a] < first[b];
  });
  Clustering result{std::vector<std::size_t>(prints.size()), {}, {}, 0};
  std::vector<std::size_t> place(clusters);
  for (std::size_t c = 0; c < clusters; ++c) {
    place[order[c]] = c;
    result.mean_accuracy.push_back(accuracy[order[c]]);
    result.size.push_back(size[order[c]]);
  }
  for (std::size_t i = 0; i < prints.size(); ++i) {
    result.cluster[i] = place[assignment.cluster[i]];
    result.within_squares += assignment.squares[i];
  }
  return result;
}

}  // namespace

std::vector<Fingerprint> fingerprints(const AnnotationSet& annotations) {
  check_annotations(annotations);
  const std::size_t classes = annotations.classes.size();
  struct Counts {
    std::vector<std::size_t> chosen, seen;
    std::size_t answers = 0, outside = 0, right = 0;
  };
  std::map<std::string, Counts> people;
  for (const Annotation& row : annotations.rows) {
    if (row.answer.is_missing()) continue;
    Counts& counts = people[row.participant];
    counts.chosen.resize(classes * classes);
    counts.seen.resize(classes);
    ++counts.answers;
    ++counts.seen[index(row.truth)];
    counts.right += row.answer.is(row.truth);
    if (row.answer.is_outside()) {
      ++counts.outside;
    } else {
      ++counts.chosen[index(row.truth) * classes + index(row.answer.as_class())];
    }
  }
  std::vector<Fingerprint> prints;
  for (const auto& [participant, counts] : people) {
    Fingerprint print{participant, std::vector<double>(classes * classes, 0), counts.answers,
                      counts.outside,
                      static_cast<double>(counts.right) / static_cast<double>(counts.answers)};
    for (std::size_t i = 0; i < print.confusion.size(); ++i) {
      const std::size_t seen = counts.seen[i / classes];
      if (seen == 0) continue;
      print.confusion[i] = static_cast<double>(counts.chosen[i]) / static_cast<double>(seen);
    }
    prints.push_back(std::move(print));
  }
  return prints;
}

double average_pairwise_correlation(std::span<const Fingerprint> prints) {
  if (prints.size() < 2) {
    throw bad_input(
        fmt::format("{} participant(s) to correlate; expected at least 2", prints.size()));
  }
  Points points;
  for (const Fingerprint& print : prints) points.push_back(standardised(print.confusion));
  double sum = 0;
  std::vector<double> products;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      products.resize(points[i].size());
      for (std::size_t d = 0; d < products.size(); ++d) products[d] = points[i][d] * points[j][d];
      sum += sum_by_value(products);
    }
  }
  const auto n = static_cast<double>(points.size());
  return sum / (n * (n - 1) / 2);
}

Clustering cluster_fingerprints(std::span<const Fingerprint> prints, const Key& key,
                                const ClusteringOptions& options) {
  if (options.clusters < 1 || options.restarts < 1) {
    throw bad_input(fmt::format("{} clusters from {} starts; expected at least 1 of each",
                                options.clusters, options.restarts));
  }
  Clustering best;
  for (std::size_t restart = 0; restart < options.restarts; ++restart) {
    const Clustering found = ordered_by_accuracy(
        prints,
        lloyd(prints, start_centres(prints, options.clusters, key.with("start").with(restart))),
        options.clusters);
    if (restart == 0 || found.within_squares < best.within_squares) best = found;
  }
  return best;
}

SkillFilter drop_low_skill(const AnnotationSet& annotations, const Key& key) {
  const std::vector<Fingerprint> prints = fingerprints(annotations);
  const Clustering clustering = cluster_fingerprints(prints, key);
  SkillFilter filter{
      {annotations.classes, {}}, {}, {}, clustering.mean_accuracy[0], clustering.mean_accuracy[1]};
  std::unordered_map<std::string, bool> keeps;
  for (std::size_t i = 0; i < prints.size(); ++i) {
    const bool keep = clustering.cluster[i] == 1;
    keeps[prints[i].participant] = keep;
    (keep ? filter.kept_participants : filter.dropped_participants)
        .push_back(prints[i].participant);
  }
  for (const Annotation& row : annotations.rows) {
    const auto found = keeps.find(row.participant);
    if (found != keeps.end() && found->second) filter.kept.rows.push_back(row);
  }
  return filter;
}

}  // namespace ifd
