#include "command_line/program_output.h"

#include <gtest/gtest.h>

#include "tests/scratch_directory.h"

namespace ifd {
namespace {

namespace fs = std::filesystem;

fs::path script(const ScratchDirectory& folder, const std::string& text) {
  folder.put("script", "#!/bin/sh\n" + text + "\n");
  fs::permissions(folder / "script", fs::perms::owner_all);
  return folder / "script";
}

TEST(ProgramOutput, IsWhatAProgramThatEndsWellPrints) {
  const ScratchDirectory folder;
  EXPECT_EQ(program_output(script(folder, "echo \"$1\"; echo aside >&2"), "--say"), "--say\n");
  EXPECT_EQ(program_output(script(folder, ":"), "x"), "");
}

TEST(ProgramOutput, IsNothingWhereTheProgramFails) {
  const ScratchDirectory folder;
  EXPECT_EQ(program_output(folder / "none", "x"), std::nullopt);
  EXPECT_EQ(program_output(script(folder, "echo half; exit 3"), "x"), std::nullopt);
  EXPECT_EQ(program_output(script(folder, "echo half; kill -KILL $$"), "x"), std::nullopt);
  EXPECT_EQ(program_output(script(folder, "while echo more of it; do :; done"), "x"), std::nullopt);
}

}  // namespace
}  // namespace ifd
