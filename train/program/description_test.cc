// What manual page and completions know of ifd-train.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "command_line/command_description.h"
#include "command_line/program_output.h"
#include "tests/scratch_directory.h"
#include "train/training_catalogue.h"

namespace ifd::train {
namespace {

using testing::HasSubstr;

TEST(Description, NamesCommandsMethodsAndFiles) {
  const auto text = program_output(IFD_TRAIN_COMMAND, "--describe");
  ASSERT_TRUE(text);
  const CommandDescription all = command_from_json(*text, "ifd-train");
  std::vector<std::string> commands;
  for (const CommandDescription& command : all.commands) commands.push_back(command.name);
  EXPECT_EQ(commands, (std::vector<std::string>{"train", "classifier", "classify", "doctor"}));
  const auto& options = all.commands.front().options;
  const auto method = std::find_if(options.begin(), options.end(), [](const auto& option) {
    return option.names == std::vector<std::string>{"--method"};
  });
  ASSERT_NE(method, options.end());
  std::vector<std::string> methods;
  for (const TrainingMethod& known : training_methods()) methods.push_back(known.name);
  EXPECT_THAT(method->words, testing::UnorderedElementsAreArray(methods));
}

// Through the script that ifd prints, in a real bash.
TEST(Description, ReachesTheShell) {
  const std::filesystem::path ifd = std::filesystem::path(IFD_TRAIN_COMMAND).parent_path() / "ifd";
  if (!std::filesystem::exists(ifd)) GTEST_SKIP() << "ifd is not built";
  const ScratchDirectory scratch;
  scratch.put("p.npz", "");
  const auto shell = [&](const std::string& script) {
    const std::string all = "cd '" + scratch.path().string() + "' && " + script;
    EXPECT_EQ(WEXITSTATUS(std::system(("bash -c \"" + all + "\"").c_str())), 0) << script;
  };
  shell("'" + ifd.string() + "' completion bash > completion.bash");
  scratch.put("complete",
              "source ./completion.bash; COMP_WORDS=(ifd \"$@\") COMP_CWORD=$#; _ifd\n"
              "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  const auto complete = [&](const std::string& words) {
    shell("bash complete " + words + " > offers");
    return scratch.get("offers");
  };
  EXPECT_THAT(complete("train --method ''"),
              testing::AllOf(HasSubstr("ifd\n"), HasSubstr("pop-qi\n")));
  EXPECT_THAT(complete("train --"),
              testing::AllOf(HasSubstr("--epochs\n"), HasSubstr("--joint\n")));
  EXPECT_EQ(complete("train --predictions p"), "p.npz\n");
  EXPECT_EQ(complete("classifier train --backbone mobile"), "mobilenet-v2\n");
  EXPECT_THAT(complete("classifier train --"), HasSubstr("--backbone\n"));
  EXPECT_EQ(complete("classify --split tes"), "test\n");
}

}  // namespace
}  // namespace ifd::train
