#include "train/context_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ifd/error.h"

namespace ifd::train {

std::vector<std::size_t> sample_names(std::span<const std::string> names, std::size_t count,
                                      const Key& key) {
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
  drawn.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) drawn.emplace_back(key.with(names[i]).bits(), i);
  count = std::min(count, drawn.size());
  std::partial_sort(drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(count), drawn.end());
  drawn.resize(count);
  std::vector<std::size_t> positions;
  positions.reserve(drawn.size());
  for (const auto& [bits, position] : drawn) positions.push_back(position);
  return positions;
}

std::vector<ExpertProfile> sampled_profiles(std::span<const ExpertContext> contexts,
                                            std::size_t classes, std::size_t count,
                                            const Key& key) {
  std::vector<ExpertProfile> profiles;
  profiles.reserve(contexts.size());
  for (const ExpertContext& context : contexts) {
    std::vector<std::string> names;
    names.reserve(context.rows.size());
    for (const ContextRow& row : context.rows) names.push_back(row.case_name);
    ExpertProfile profile(classes);
    for (const std::size_t i : sample_names(names, count, key.with(context.expert))) {
      profile.observe({.truth = context.rows[i].truth, .answer = context.rows[i].answer});
    }
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

void check_contexts(std::span<const ExpertContext> contexts, const ClassNames& classes,
                    const std::string& place, ContextCoverage coverage) {
  if (contexts.empty()) throw bad_input(fmt::format("{}: no expert; expected one or more", place));
  for (const ExpertContext& context : contexts) {
    if (coverage == ContextCoverage::kAnyClasses) {
      if (!context.rows.empty()) continue;
      throw bad_input(fmt::format("{}: expert '{}' has no answer; expected one or more", place,
                                  context.expert));
    }
    std::vector<std::size_t> answers(classes.size(), 0);
    for (const ContextRow& row : context.rows) ++answers[index(row.truth)];
    const auto none = std::find(answers.begin(), answers.end(), 0u);
    if (none == answers.end()) continue;
    const auto id = class_id(static_cast<std::size_t>(none - answers.begin()));
    throw bad_input(
        fmt::format("{}: expert '{}' has no answer on class '{}'; expected one on every class",
                    place, context.expert, classes.name(id)));
  }
}

}  // namespace ifd::train
