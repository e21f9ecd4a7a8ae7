#include "ifd/experts/annotation_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// Correct_Pool and Incorrect_Pool of one image at one noise level. All correct annotations are
// alike, so they are counted; the incorrect ones are in the order of their participants.
struct ImagePools {
  ClassId truth;
  std::size_t correct = 0;
  std::vector<std::pair<std::string_view, Answer>> incorrect;
};
using PoolsByImage = std::unordered_map<std::string_view, ImagePools>;

std::map<int, PoolsByImage> organise(const AnnotationSet& annotations) {
  std::map<int, PoolsByImage> levels;
  std::unordered_map<std::string_view, ClassId> truths;
  for (const Annotation& row : annotations.rows) {
    const auto known = truths.emplace(row.image, row.truth).first;
    if (known->second != row.truth) {
      throw bad_input(fmt::format("image '{}' is called '{}' and '{}'; expected one true class",
                                  row.image, annotations.classes.name(known->second),
                                  annotations.classes.name(row.truth)));
    }
    if (row.answer.is_missing()) continue;
    ImagePools& pools =
        levels[row.noise].emplace(row.image, ImagePools{row.truth, 0, {}}).first->second;
    if (row.answer.is(row.truth)) {
      ++pools.correct;
    } else {
      pools.incorrect.emplace_back(row.participant, row.answer);
    }
  }
  for (auto& [noise, images] : levels) {
    for (auto& [image, pools] : images) {
      std::stable_sort(pools.incorrect.begin(), pools.incorrect.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
    }
  }
  return levels;
}

void check(std::span<const SpecialistProfile> experts, const ClassNames& classes) {
  std::unordered_set<std::string_view> names;
  for (const SpecialistProfile& expert : experts) {
    if (!names.insert(expert.name).second) {
      throw bad_input(
          fmt::format("two experts are named '{}'; expected distinct names", expert.name));
    }
    for (const double target : {expert.high, expert.low}) {
      if (!(target >= 0 && target <= 1)) {
        throw bad_input(fmt::format("expert '{}': {} is not a target accuracy; expected 0..1",
                                    expert.name, target));
      }
    }
    for (const ClassId specialty : expert.specialties) {
      if (index(specialty) >= classes.size()) {
        throw bad_input(fmt::format("expert '{}': '{}' is not a class; expected {}", expert.name,
                                    static_cast<std::int32_t>(specialty), classes.allowed()));
      }
    }
  }
}

// Selective sampling with constraints, step 3c of the paper's algorithm.
Answer draw_answer(const ImagePools& pools, bool should_be_correct, const Key& key,
                   RealisedSampling& realised) {
  const bool correct = should_be_correct ? pools.correct > 0 : pools.incorrect.empty();
  ++realised.images;
  realised.correct += correct;
  realised.forced_correct += correct && !should_be_correct;
  realised.forced_incorrect += !correct && should_be_correct;
  if (correct) return pools.truth;
  return pools.incorrect[key.below(pools.incorrect.size())].second;
}

SampledAnswers sample_level(const PoolsByImage& pools, int noise,
                            std::span<const std::string> images,
                            std::span<const SpecialistProfile> experts, const Key& seed) {
  std::vector<std::string> names;
  for (const SpecialistProfile& expert : experts) names.push_back(expert.name);
  SampledAnswers result{noise, AnswerTable(std::move(names), images.size()), {}, 0};
  for (const SpecialistProfile& expert : experts) {
    result.experts.push_back({expert.name, {.target = expert.high}, {.target = expert.low}});
  }
  const auto level = static_cast<std::uint64_t>(noise);
  const Key outcomes = seed.with("should be correct").with(level);
  const Key choices = seed.with("annotation").with(level);
  for (std::size_t row = 0; row < images.size(); ++row) {
    const auto found = pools.find(images[row]);
    if (found == pools.end()) {
      ++result.images_without_annotation;
      continue;
    }
    for (std::size_t j = 0; j < experts.size(); ++j) {
      const SpecialistProfile& expert = experts[j];
      const bool special = std::find(expert.specialties.begin(), expert.specialties.end(),
                                     found->second.truth) != expert.specialties.end();
      RealisedSampling& realised =
          special ? result.experts[j].specialty : result.experts[j].elsewhere;
      const bool should_be_correct =
          outcomes.with(images[row]).with(expert.name).uniform() < realised.target;
      result.answers.set(case_id(row), expert_id(j),
                         draw_answer(found->second, should_be_correct,
                                     choices.with(images[row]).with(expert.name), realised));
    }
  }
  return result;
}

}  // namespace

std::optional<double> RealisedSampling::accuracy() const {
  if (images == 0) return std::nullopt;
  return static_cast<double>(correct) / static_cast<double>(images);
}

std::vector<SampledAnswers> sample_annotations(const AnnotationSet& pool,
                                               std::span<const std::string> images,
                                               std::span<const int> noise_levels,
                                               std::span<const SpecialistProfile> experts,
                                               std::uint64_t seed) {
  check_annotations(pool);
  check(experts, pool.classes);
  const std::map<int, PoolsByImage> levels = organise(pool);
  const PoolsByImage nobody;
  std::vector<SampledAnswers> result;
  for (const int noise : noise_levels) {
    const auto found = levels.find(noise);
    result.push_back(sample_level(found == levels.end() ? nobody : found->second, noise, images,
                                  experts, Key(seed)));
  }
  return result;
}

}  // namespace ifd
