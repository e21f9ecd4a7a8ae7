// The instruction sets that Highway compiled our kernels for, best first, as far as the machine has
// them and IFD_INSTRUCTION_SET (instruction_sets_test.cc) allows them.
#pragma once

#include <gtest/gtest.h>
#include <hwy/detect_targets.h>
#include <hwy/targets.h>

#include <cstdint>

namespace ifd {

// Runs the body once on each of them.
template <class Body>
void on_every_instruction_set(Body&& body) {
  const auto targets = hwy::SupportedAndGeneratedTargets();
  EXPECT_FALSE(targets.empty());
  for (const std::int64_t target : targets) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    body();
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
}

}  // namespace ifd
