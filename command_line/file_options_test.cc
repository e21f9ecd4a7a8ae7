#include "command_line/file_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::HasSubstr;

class FileOptions : public testing::Test {
 protected:
  FileOptions() {
    folder_.put("in.csv", "a");
    folder_.put("other.csv", "b");
    CLI::App* command = app_.add_subcommand("route", "");
    command->add_option("--in", in_, "")->type_name(kFileRead);
    command->add_option("--more", more_, "")->type_name(kFileRead);
    command->add_option("--margins", margins_, "")->type_name("NAME=FILE");
    command->add_option("-o,--output", out_, "")->type_name(kFileWritten);
    command->add_option("--report", report_, "")->type_name(kFileWritten);
    command->add_flag("--json");
    refuse_standard_input(*command->add_option("--twice", more_, "")->type_name(kFileRead));
    CLI::App* study = app_.add_subcommand("reproduce", "");
    study->add_option("-o,--output", out_, "")->type_name(kFolder);
    study->add_option("--propose", report_, "")->type_name(kFileWritten);
  }

  // What is wrong with the files; empty: nothing.
  std::string said_to(std::vector<std::string> words, const std::string& command = "route") {
    words.insert(words.begin(), command);
    std::reverse(words.begin(), words.end());
    app_.parse(words);
    return refusal([&] { check_file_options(app_); });
  }

  std::string at(const std::string& name) const { return (folder_ / name); }

  ScratchDirectory folder_;
  CLI::App app_;
  std::string in_, more_, out_, report_;
  std::vector<std::string> margins_;
};

TEST_F(FileOptions, LetsOtherFilesBeWritten) {
  EXPECT_EQ(said_to({"--in", at("in.csv"), "-o", at("new.csv")}), "");
  EXPECT_EQ(said_to({"--in", at("in.csv"), "-o", at("other.csv")}), "");
  EXPECT_EQ(said_to({"--in", at("in.csv"), "-o", "-"}), "");
  EXPECT_EQ(said_to({"-o", "/dev/null", "--report", "/dev/null"}), "");
}

TEST_F(FileOptions, NothingIsWrittenOverWhatIsRead) {
  EXPECT_THAT(said_to({"--in", at("in.csv"), "-o", at("in.csv")}),
              HasSubstr("is the file of --in, which would be lost; expected another"));
  EXPECT_THAT(said_to({"--in", at("in.csv"), "-o",
                       at("../" + std::filesystem::path(at(".")).parent_path().filename().string() +
                          "/./in.csv")}),
              HasSubstr("which would be lost"));
  std::filesystem::create_symlink(at("in.csv"), at("link.csv"));
  EXPECT_THAT(said_to({"--in", at("in.csv"), "-o", at("link.csv")}),
              HasSubstr("which would be lost"));
  std::filesystem::create_hard_link(at("in.csv"), at("hard.csv"));
  EXPECT_THAT(said_to({"--in", at("in.csv"), "-o", at("hard.csv")}),
              HasSubstr("which would be lost"));
  EXPECT_THAT(said_to({"--margins", "mine=" + at("in.csv"), "-o", at("in.csv")}),
              HasSubstr("is the file of --margins"));
}

TEST_F(FileOptions, NoPathIsWrittenTwice) {
  EXPECT_THAT(said_to({"-o", at("x.csv"), "--report", at("./x.csv")}),
              HasSubstr("--output and --report would both write"));
  // Neither is there yet, and they are spelt differently.
  EXPECT_THAT(said_to({"-o", "not-there.csv", "--report", "./not-there.csv"}),
              HasSubstr("--output and --report would both write"));
  EXPECT_THAT(said_to({"-o", "not-there.csv", "--report",
                       (std::filesystem::current_path() / "not-there.csv").string()}),
              HasSubstr("--output and --report would both write"));
}

TEST_F(FileOptions, StandardInputIsReadOnce) {
  EXPECT_EQ(said_to({"--in", "-"}), "");
  EXPECT_THAT(said_to({"--in", "-", "--more", "-"}),
              HasSubstr("--in and --more would both read standard input"));
}

TEST_F(FileOptions, WhatIsReadTwiceIsNoStandardInput) {
  EXPECT_EQ(said_to({"--twice", at("in.csv")}), "");
  EXPECT_THROW(said_to({"--twice", "-"}), CLI::ValidationError);
}

TEST_F(FileOptions, StandardOutputIsWrittenOnce) {
  EXPECT_EQ(said_to({"--json", "-o", at("x.csv")}), "");
  EXPECT_EQ(said_to({"-o", "/dev/stdout"}), "");
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1"}) {
    EXPECT_THAT(said_to({"--json", "-o", name}),
                HasSubstr("--json and --output would both write to standard output"));
    EXPECT_THAT(said_to({"-o", name, "--report", "-"}),
                HasSubstr("--output and --report would both write to standard output"));
  }
}

TEST_F(FileOptions, AFolderThatIsNotThereIsToldBeforeTheWork) {
  EXPECT_THAT(said_to({"-o", at("nowhere/x.csv")}),
              HasSubstr("nowhere/x.csv: cannot be written: No such file or directory"));
  EXPECT_THAT(said_to({"-o", at(".")}), HasSubstr("is a directory; expected a file"));
  EXPECT_THAT(said_to({"-o", at("in.csv/x.csv")}), HasSubstr("cannot be written"));
}

// The command makes the folder of its output, and nothing else.
TEST_F(FileOptions, AFileMayBeInTheOutputFolderThatIsMade) {
  const auto said = [&](const std::string& folder, const std::string& file) {
    return said_to({"-o", at(folder), "--propose", at(file)}, "reproduce");
  };
  EXPECT_EQ(said("new", "new/bands.json"), "");
  EXPECT_EQ(said("new/", "./new/bands.json"), "");
  EXPECT_EQ(said("a/b/new", "a/b/new/bands.json"), "");
  EXPECT_THAT(said("new", "new/deeper/bands.json"), HasSubstr("No such file or directory"));
  EXPECT_THAT(said("new", "other/bands.json"), HasSubstr("No such file or directory"));
  EXPECT_THAT(said("in.csv/new", "in.csv/new/bands.json"), HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace ifd
