#include "ifd/experts/fingerprint_findings.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "ifd/data/json_text.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

using nlohmann::ordered_json;

FingerprintFindings find_fingerprints(AnnotationSet annotations, std::size_t clusters,
                                      std::uint64_t seed, const LongWork& work) {
  constexpr std::size_t kRestarts = 20;
  auto prints = fingerprints(annotations);
  const double correlation = average_pairwise_correlation(prints);
  const Key key = Key(seed).with("clusters");
  Clustering clustered = cluster_fingerprints(prints, key, {clusters, kRestarts}, work);
  SkillFilter filter = drop_low_skill(annotations, key, work);
  return {std::move(annotations), std::move(prints), correlation, std::move(clustered),
          std::move(filter)};
}

std::string fingerprints_json(const FingerprintFindings& found) {
  ordered_json noise = ordered_json::array();
  for (const NoiseAccuracy& level : accuracy_by_noise(found.annotations)) {
    noise.push_back(
        {{"noise", level.noise}, {"answers", level.answers}, {"accuracy", level.accuracy()}});
  }
  ordered_json groups = ordered_json::array();
  for (std::size_t c = 0; c < found.clusters.size.size(); ++c) {
    groups.push_back(
        {{"size", found.clusters.size[c]}, {"mean_accuracy", found.clusters.mean_accuracy[c]}});
  }
  ordered_json people = ordered_json::array();
  for (std::size_t i = 0; i < found.prints.size(); ++i) {
    const Fingerprint& print = found.prints[i];
    people.push_back({{"participant", print.participant},
                      {"answers", print.answers},
                      {"outside", print.outside},
                      {"accuracy", print.accuracy},
                      {"cluster", found.clusters.cluster[i]}});
  }
  return json_text(ordered_json{{"schema", "ifd fingerprints 1"},
                                {"participants", found.prints.size()},
                                {"answers", found.annotations.rows.size()},
                                {"average_pairwise_correlation", found.correlation},
                                {"noise", noise},
                                {"clusters", groups},
                                {"low_skill", found.filter.dropped_participants},
                                {"people", people}},
                   2) +
         "\n";
}

}  // namespace ifd
