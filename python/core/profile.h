// What is known of one expert, as it was when it was asked for.
#pragma once

#include <string>

#include "ifd/data/class_names.h"
#include "ifd/profile/expert_profile.h"
#include "python/core/bindings.h"

namespace ifd::python {

struct Profile {
  std::string name;
  ClassNames classes;
  ExpertProfile profile;
  bool on_duty;
};

void bind_profile(py::module_& module);

}  // namespace ifd::python
