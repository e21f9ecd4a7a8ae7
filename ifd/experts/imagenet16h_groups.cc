#include "ifd/experts/imagenet16h_groups.h"

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>

#include "ifd/error.h"

namespace ifd {
namespace {

constexpr int kExpertsPerGroup = 2;

SpecialistGroup make_group(const ClassNames& classes, std::string_view name,
                           std::initializer_list<std::string_view> members, double high,
                           double low) {
  std::vector<ClassId> specialties;
  for (const std::string_view member : members) {
    const auto id = classes.find(member);
    if (!id) {
      throw bad_input(fmt::format("group '{}' needs the class '{}'; the classes are {}", name,
                                  member, classes.allowed()));
    }
    specialties.push_back(*id);
  }
  SpecialistGroup group{std::string(name), {}};
  for (int i = 1; i <= kExpertsPerGroup; ++i) {
    group.experts.push_back({fmt::format("{}-{}", name, i), specialties, high, low});
  }
  return group;
}

}  // namespace

std::vector<SpecialistGroup> imagenet16h_groups(const ClassNames& classes, PoolSide side,
                                                double high, double low) {
  if (side == PoolSide::kInDistribution) {
    return {make_group(classes, "animals", {"dog", "bird", "bear", "elephant", "cat"}, high, low),
            make_group(classes, "household", {"chair", "clock", "bottle", "knife"}, high, low)};
  }
  return {
      make_group(classes, "transport", {"airplane", "car", "boat", "truck", "bicycle"}, high, low),
      make_group(classes, "tools", {"oven", "keyboard", "knife"}, high, low)};
}

std::vector<SpecialistProfile> draw_one_per_group(std::span<const SpecialistGroup> groups,
                                                  const Key& key) {
  std::vector<SpecialistProfile> cohort;
  for (const SpecialistGroup& group : groups) {
    if (group.experts.empty()) {
      throw bad_input(fmt::format("group '{}' has no experts; expected at least one", group.name));
    }
    cohort.push_back(group.experts[key.with(group.name).below(group.experts.size())]);
  }
  return cohort;
}

}  // namespace ifd
