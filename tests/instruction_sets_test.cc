// IFD_INSTRUCTION_SET=NAME confines all tests of this program to the kernels of one instruction set
// of Highway, as if the machine had nothing better (`ctest -L processor`). A machine that lacks it
// skips them all, visibly.
#include "tests/instruction_sets.h"

#include <cstdlib>
#include <iostream>
#include <string>

namespace ifd {
namespace {

std::string asked_for() {
  const char* name = std::getenv("IFD_INSTRUCTION_SET");
  return name == nullptr ? "" : name;
}

class ConfinedToAnInstructionSet final : public testing::Environment {
  void SetUp() override {
    if (asked_for().empty()) return;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      if (hwy::TargetName(target) != asked_for()) continue;
      hwy::DisableTargets(~target);
      hwy::GetChosenTarget().DeInit();
      return;
    }
    GTEST_SKIP() << "not on this machine: instruction set " << asked_for();
  }
};

const testing::Environment* const confined =
    testing::AddGlobalTestEnvironment(new ConfinedToAnInstructionSet);

TEST(InstructionSets, AreThoseAskedFor) {
  std::string names;
  std::size_t sets = 0;
  on_every_instruction_set([&] {
    names += std::string(sets++ > 0 ? " " : "") + hwy::TargetName(hwy::SupportedTargets());
  });
  std::cout << "instruction sets: " << names << "\n";
  RecordProperty("instruction_sets", names);
  if (!asked_for().empty()) {
    EXPECT_EQ(names, asked_for());
  }
}

}  // namespace
}  // namespace ifd
