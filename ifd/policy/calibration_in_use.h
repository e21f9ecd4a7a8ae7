// The calibration that a policy decides with, and where it comes from.
#pragma once

#include <cstddef>
#include <optional>

#include "ifd/policy/calibration.h"

namespace ifd {

struct CalibrationInUse {
  enum class Origin {
    kOptions,         // asked for, and fitted on the context
    kPolicyTraining,  // the policy's own, fitted on the validation cases of its training
    kPolicyContext,   // the policy's own, fitted anew on the context
  };
  Origin origin;
  CalibrationKind kind;
  Calibration calibration;
  std::size_t cases;  // that it was fitted on
  // On these cases; not known of a calibration that was fitted in a training.
  std::optional<CalibrationQuality> before = {};
  std::optional<CalibrationQuality> after = {};
};

}  // namespace ifd
