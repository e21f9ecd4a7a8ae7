// Every JSON that a command prints says which schema it follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

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

TEST_F(Command, EveryJsonNamesItsSchema) {
  folder_.put("images.npz", images());
  output("data rings --cases 60 --split train -o train.npz --quiet");
  const std::string inputs = "--predictions p.csv --context c.csv ";
  const std::map<std::string, std::string> words = {
      {"certify",
       "--calibration p.csv --calibration-answers a.csv --context c.csv --error 0.9 --confidence "
       "0.2"},
      {"evaluate", inputs + "--answers a.csv --bootstrap 10"},
      {"experts simulate",
       "--training train.npz --predictions train.npz --expert ann=flat:.9/.5/.5 "
       "--context-per-class 2 --output made"},
      {"plan peak", "--accuracies 0.9,0.6,0.5 --delta 0.1"},
      {"plan prior", "--prior-mean 0.9 --prior-strength 5 --accuracy 0.5 --tolerance 0.2"},
      {"plan threshold", inputs + "--budget 0.5"},
      {"plan staff-prior", "--context c.csv --predictions p.csv"},
      {"plan onboarding", inputs + "--draws 10"},
      {"policy show", IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd"},
      {"watch", "--context c.csv --answers c.csv"},
      {"data list", "--directory ."},
      {"data show", "images.npz"}};
  // Beside their commands: those that read published data or tell of files and people, and
  // those of the programs that learn.
  const std::set<std::string> elsewhere = {
      "experts fingerprint", "experts sample", "profile",  "explain",   "check", "train",
      "classifier train",    "classifier",     "classify", "reproduce", "doctor"};
  for (const std::string& command : commands_in(output("man"))) {
    SCOPED_TRACE(command);
    if (elsewhere.contains(command)) continue;
    const CommandResult help = run(command + " --help");
    if (help.out.find("--json") == std::string::npos) continue;
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
