#include "train/training_catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ifd/error.h"
#include "train/ifd_method.h"
#include "train/multi_expert_method.h"
#include "train/population_method.h"

namespace ifd::train {

const std::vector<TrainingMethod>& training_methods() {
  static const std::vector<TrainingMethod> all = {
      ifd_method(),
      population_method(PopulationEncoder::kQueryIndependent, ClassNaming::kFixed),
      population_method(PopulationEncoder::kQueryConditioned, ClassNaming::kFixed),
      population_method(PopulationEncoder::kQueryIndependent, ClassNaming::kRandom),
      population_method(PopulationEncoder::kQueryConditioned, ClassNaming::kRandom),
      multi_expert_method(),
      single_expert_method(),
  };
  return all;
}

const TrainingMethod& training_method(std::string_view name) {
  std::vector<std::string_view> names;
  for (const TrainingMethod& method : training_methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  throw Error(ErrorKind::kUsage, fmt::format("'{}' is not a method to train; expected one of {}",
                                             name, fmt::join(names, ", ")));
}

}  // namespace ifd::train
