// Every JSON that a command prints says which schema it follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "ifd/data/npz.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using testing::StartsWith;

// The smallest file in MedMNIST layout.
std::string images() {
  NpzWriter writer;
  const std::vector<std::uint8_t> pixels(8, 0), labels = {0, 1};
  for (const std::string split : {"train", "val", "test"}) {
    writer.add(split + "_images", {2, 2, 2}, std::span<const std::uint8_t>(pixels));
    writer.add(split + "_labels", {2, 1}, std::span<const std::uint8_t>(labels));
  }
  return std::move(writer).bytes();
}

// The commands of the manual page.
Words commands_in(const std::string& manual) {
  Words commands;
  for (const std::string& line : split_lines(manual)) {
    if (line.starts_with(".SS ifd ")) commands.push_back(line.substr(8));
  }
  return commands;
}

TEST_F(Command, EveryJsonNamesItsSchema) {
  folder_.put("images.npz", images());
  output("data rings --cases 60 --split train -o train.npz --quiet");
  const std::string inputs = "--predictions p.csv --context c.csv ";
  const std::map<std::string, std::string> words = {
      {"profile", inputs},
      {"explain", inputs + "--case a"},
      {"check", "p.csv"},
      {"evaluate", inputs + "--answers a.csv --bootstrap 10"},
      {"experts simulate",
       "--training train.npz --predictions train.npz --expert ann=flat:.9/.5/.5 "
       "--context-per-class 2 --output made"},
      {"plan peak", "--accuracies 0.9,0.6,0.5 --delta 0.1"},
      {"plan prior", "--prior-mean 0.9 --prior-strength 5 --accuracy 0.5 --tolerance 0.2"},
      {"plan threshold", inputs + "--budget 0.5"},
      {"policy show", IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd"},
      {"data list", "--directory ."},
      {"data show", "images.npz"}};
  // These read the files of a study; see experts_commands_test.cc.
  const std::vector<std::string> of_real_data = {"experts fingerprint", "experts sample"};
  for (const std::string& command : commands_in(output("man"))) {
    SCOPED_TRACE(command);
    const CommandResult help = run(command + " --help");
    if (help.out.find("--json") == std::string::npos) continue;
    if (std::count(of_real_data.begin(), of_real_data.end(), command) > 0) continue;
    if (command == "doctor") continue;  // of ifd-train, see train/program/command_test.cc
    const auto found = words.find(command);
    ASSERT_NE(found, words.end()) << "a command with --json: say here how to run it";
    const nlohmann::json printed = output_json(command + " --json -q " + found->second);
    ASSERT_TRUE(printed.is_object() && printed.contains("schema"));
    EXPECT_THAT(printed["schema"].get<std::string>(), StartsWith("ifd "));
    EXPECT_THAT(printed["schema"].get<std::string>(), testing::EndsWith(" 1"));
  }
}

}  // namespace
}  // namespace ifd
