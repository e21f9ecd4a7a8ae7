// Data sets, from files to what the commands print.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "fetch/catalogue.h"
#include "tests/command_fixture.h"
#include "tests/local_server.h"
#include "tests/real_data.h"

namespace ifd {
namespace {

using nlohmann::json;

TEST_F(Command, DataListSaysWhatIsThere) {
  const KnownFile& first = known_files().front();
  folder_.put(first.file_name, "not the file");
  const json list = output_json("data list --json --verify --directory .");
  EXPECT_EQ(list["files"].size(), known_files().size());
  std::map<std::string, std::string> state;
  for (const json& file : list["files"]) state[file["name"]] = file["state"];
  EXPECT_EQ(state.at(std::string(first.name)), "wrong bytes");
  EXPECT_EQ(state.at("bloodmnist"), "absent");
}

// The bytes are wrong, so what arrives must be refused and nothing may pass for the data set.
TEST_F(Command, DataFetchGoesToTheMirrorAndChecksWhatArrives) {
  const KnownFile& file = *find_known("bloodmnist").front();
  const std::string path(file.address.substr(file.address.rfind('/')));
  ServerBehaviour behaviour;
  behaviour.path = path;
  behaviour.content = "not the data set";
  const LocalServer server(behaviour);
  const CommandResult result =
      run("data fetch bloodmnist --directory got --mirror " + server.address());
  EXPECT_NE(result.code, 0);
  EXPECT_GE(server.requests(), 1);
  EXPECT_EQ(result.err.rfind("ifd: ", 0), 0U) << result.err;
  EXPECT_EQ(split_lines(result.err).size(), 1U) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "got" / file.file_name));
}

TEST_F(Command, DataShowCountsTheClasses) {
  const auto blood = real_data("bloodcells_28.npz");
  if (!blood) GTEST_SKIP() << "no file in MedMNIST layout is here";
  const json shown = output_json("data show --json " + blood->string());
  std::size_t cases = 0, counted = 0;
  for (const json& split : shown["splits"]) {
    cases += split["cases"].get<std::size_t>();
    for (const json& count : split["class_counts"]) counted += count.get<std::size_t>();
  }
  EXPECT_GT(cases, 0U);
  EXPECT_EQ(counted, cases);
}

TEST_F(Command, RingsAreReproducible) {
  output("data rings --cases 50 -o one.csv --seed 5 --quiet");
  output("data rings --cases 50 -o two.csv --seed 5 --quiet");
  output("data rings --cases 50 -o other.csv --seed 6 --quiet");
  EXPECT_EQ(folder_.get("one.csv"), folder_.get("two.csv"));
  EXPECT_NE(folder_.get("one.csv"), folder_.get("other.csv"));
  EXPECT_EQ(split_lines(folder_.get("one.csv")).size(), 51U);
}

}  // namespace
}  // namespace ifd
