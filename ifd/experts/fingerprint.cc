#include "ifd/experts/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
  std::vector<double> squares;
  squares.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Most cells of two people are 0 both, and zeros add nothing.
    if (a[i] != b[i]) squares.push_back((a[i] - b[i]) * (a[i] - b[i]));
  }
  return sum_by_value(squares);
}

// The same in the order of the cells, which costs no sorting. All terms are positive, so the two
// differ by less than a share of 2 cells * epsilon, whatever the order.
double quick_squared_distance(std::span<const double> a, std::span<const double> b) {
  std::array<double, 4> sums{};
  for (std::size_t i = 0; i < a.size(); ++i) sums[i % 4] += (a[i] - b[i]) * (a[i] - b[i]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double square_of(std::vector<double> values) {
  for (double& value : values) value *= value;
  return sum_by_value(values);
}

// The vector less its mean, at length 1; all zeros for a constant vector.
std::vector<double> standardised(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return std::vector<double>(values.size(), 0);
  std::vector<double> terms = values;
  const double mean = sum_by_value(terms) / static_cast<double>(values.size());
  std::vector<double> result = values;
  for (double& value : result) value -= mean;
  const double length = std::sqrt(square_of(result));
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

// The cluster of each participant.
using Assignment = std::vector<std::size_t>;

// The nearest centre, the first of equally near ones. Only where the quick distances are too close
// to call does the exact order of summation decide.
std::size_t nearest_centre(const std::vector<double>& point, const Points& centres) {
  std::vector<double> quick;
  for (const auto& centre : centres) quick.push_back(quick_squared_distance(point, centre));
  const double cells = static_cast<double>(point.size());
  const double close = *std::min_element(quick.begin(), quick.end()) *
                       (1 + 8 * cells * std::numeric_limits<double>::epsilon());
  if (std::count_if(quick.begin(), quick.end(), [&](double d) { return d <= close; }) == 1) {
    return static_cast<std::size_t>(std::min_element(quick.begin(), quick.end()) - quick.begin());
  }
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < centres.size(); ++c) {
    if (quick[c] > close) continue;
    const double squares = squared_distance(point, centres[c]);
    if (squares < least) {
      least = squares;
      best = c;
    }
  }
  return best;
}

Assignment assign(std::span<const Fingerprint> prints, const Points& centres) {
  Assignment result;
  for (const Fingerprint& print : prints) {
    result.push_back(nearest_centre(print.confusion, centres));
  }
  return result;
}

std::vector<double> squares_to_own_centre(std::span<const Fingerprint> prints,
                                          const Assignment& assignment, const Points& centres) {
  std::vector<double> squares;
  for (std::size_t i = 0; i < prints.size(); ++i) {
    squares.push_back(squared_distance(prints[i].confusion, centres[assignment[i]]));
  }
  return squares;
}

// A centre that lost all its participants moves to the one farthest from their own centre.
void fill_empty_clusters(std::span<const Fingerprint> prints, Assignment& assignment,
                         const Points& centres) {
  std::vector<std::size_t> sizes(centres.size(), 0);
  for (const std::size_t c : assignment) ++sizes[c];
  if (std::find(sizes.begin(), sizes.end(), 0) == sizes.end()) return;
  std::vector<double> squares = squares_to_own_centre(prints, assignment, centres);
  for (std::size_t c = 0; c < centres.size(); ++c) {
    if (sizes[c] > 0) continue;
    const auto farthest = static_cast<std::size_t>(
        std::max_element(squares.begin(), squares.end()) - squares.begin());
    --sizes[assignment[farthest]];
    ++sizes[c];
    assignment[farthest] = c;
    squares[farthest] = 0;
  }
}

Points means(std::span<const Fingerprint> prints, const Assignment& assignment,
             std::size_t clusters) {
  Points sums(clusters, std::vector<double>(prints[0].confusion.size(), 0));
  std::vector<double> counts(clusters, 0);
  for (std::size_t i = 0; i < prints.size(); ++i) {
    const std::size_t c = assignment[i];
    ++counts[c];
    for (std::size_t d = 0; d < sums[c].size(); ++d) sums[c][d] += prints[i].confusion[d];
  }
  for (std::size_t c = 0; c < clusters; ++c) {
    for (double& value : sums[c]) value /= counts[c];
  }
  return sums;
}

struct Split {
  Assignment cluster;
  Points centres;
};

Split lloyd(std::span<const Fingerprint> prints, Points centres) {
  // Each step lowers the sum of squares, so the loop ends by itself; the bound is for rounding.
  constexpr int kMostSteps = 1000;
  Assignment current = assign(prints, centres);
  for (int step = 0; step < kMostSteps; ++step) {
    fill_empty_clusters(prints, current, centres);
    centres = means(prints, current, centres.size());
    Assignment next = assign(prints, centres);
    const bool fixed = next == current;
    current = std::move(next);
    if (fixed) break;
  }
  return {std::move(current), std::move(centres)};
}

// Without the sum of squares.
Clustering ordered_by_accuracy(std::span<const Fingerprint> prints, const Assignment& cluster,
                               std::size_t clusters) {
  std::vector<double> accuracy(clusters, 0);
  std::vector<std::size_t> size(clusters, 0), first(clusters, prints.size()), order(clusters);
  for (std::size_t i = 0; i < prints.size(); ++i) {
    const std::size_t c = cluster[i];
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
    result.cluster[i] = place[cluster[i]];
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
  // The products of all pairs, each pair twice, are the square of the sum less the squares.
  std::vector<double> sum(prints[0].confusion.size(), 0);
  double squares = 0;
  for (const Fingerprint& print : prints) {
    std::vector<double> point = standardised(print.confusion);
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += point[d];
    squares += square_of(std::move(point));
  }
  const auto n = static_cast<double>(prints.size());
  return (square_of(std::move(sum)) - squares) / (n * (n - 1));
}

Clustering cluster_fingerprints(std::span<const Fingerprint> prints, const Key& key,
                                const ClusteringOptions& options, const LongWork& work) {
  if (options.clusters < 1 || options.restarts < 1) {
    throw bad_input(fmt::format("{} clusters from {} starts; expected at least 1 of each",
                                options.clusters, options.restarts));
  }
  Clustering best;
  for (std::size_t restart = 0; restart < options.restarts; ++restart) {
    work.check();
    work.tell(fmt::format("k-means of {} people, start {} of {}", prints.size(), restart + 1,
                          options.restarts));
    const Split split =
        lloyd(prints, start_centres(prints, options.clusters, key.with("start").with(restart)));
    Clustering found = ordered_by_accuracy(prints, split.cluster, options.clusters);
    // Most starts end in a split that is known already, and as good as it was.
    if (restart > 0 && found.cluster == best.cluster) continue;
    for (const double squares : squares_to_own_centre(prints, split.cluster, split.centres)) {
      found.within_squares += squares;
    }
    if (restart == 0 || found.within_squares < best.within_squares) best = std::move(found);
  }
  return best;
}

SkillFilter drop_low_skill(const AnnotationSet& annotations, const Key& key, const LongWork& work) {
  const std::vector<Fingerprint> prints = fingerprints(annotations);
  const Clustering clustering = cluster_fingerprints(prints, key, {}, work);
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
