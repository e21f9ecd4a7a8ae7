// A router that learns: what one more answer costs beside the route that follows it.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/generated_data.h"
#include "benchmarks/generated_network.h"
#include "benchmarks/sections.h"
#include "ifd/policy/trained_policy.h"
#include "ifd/random/keyed_random.h"
#include "ifd/router.h"

namespace ifd::benchmark {
namespace {

constexpr std::size_t kExperts = 10'000;
constexpr std::size_t kClasses = 16;
constexpr std::size_t kRepeats = 20;  // of what takes a fraction of a millisecond

// Fifteen answers per class and expert, in counts.
RosterState generated_state(const ClassNames& classes) {
  RosterState state(classes);
  for (std::size_t j = 0; j < kExperts; ++j) {
    const ExpertId expert = state.add(fmt::format("expert {}", j));
    for (std::size_t k = 0; k < kClasses; ++k) {
      const Key key = Key(23).with(j).with(k);
      const double accuracy = .4 + .6 * key.uniform();
      for (std::size_t i = 0; i < 15; ++i) {
        const bool right = key.uniform(1 + i) < accuracy;
        state.observe(expert, {right ? Answer(class_id(k)) : Answer::outside(), class_id(k)});
      }
    }
  }
  return state;
}

}  // namespace

void measure_observing(Report& report, const Effort& effort) {
  const Predictions cases = generated_predictions(kRepeats, kClasses);
  std::vector<Predictions> one_by_one;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    one_by_one.push_back(cases.subset(std::span(&row, 1)));
  }
  TrainedRejectorParts parts;
  parts.layers = generated_layers();
  const auto file = std::filesystem::temp_directory_path() /
                    fmt::format("ifd-observing-{}.ifd",
                                Key(static_cast<std::uint64_t>(processor_time() * 1e9)).bits());
  trained_policy_file(parts).write(file);
  const RosterState state = generated_state(cases.classes());
  for (const std::string& policy :
       {std::string("plug-in"), std::string("peak-rule"), file.string()}) {
    Router router(state, {.policy = policy});
    const Threshold threshold{0};
    std::size_t answers = 0;
    const Comparison comparison = interleave(
        effort.rounds,
        [&] {
          return seconds([&] {
            for (const Predictions& one : one_by_one) {
              const std::size_t expert = Key(29).below(kExperts, answers++);
              router.observe(
                  fmt::format("expert {}", expert),
                  {.answer = class_id(expert % kClasses), .truth = class_id(answers % kClasses)});
              keep(router.route(one, threshold));
            }
          });
        },
        [&] {
          return seconds([&] {
            for (const Predictions& one : one_by_one) keep(router.route(one, threshold));
          });
        });
    Row row =
        row_of(fmt::format("an answer learned, then a case routed, vs routed only: {}, 10,000 "
                           "experts x 16 classes",
                           policy == file.string() ? "trained" : policy),
               comparison);
    row.target = Target{"at most 2", comparison.ratio <= 2};
    report.add(std::move(row));
  }
  std::filesystem::remove(file);
}

}  // namespace ifd::benchmark
