// The example that goes from images to a table of all methods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "tests/coloured_shapes.h"
#include "tests/scratch_directory.h"

namespace ifd::train {
namespace {

using testing::ContainsRegex;

class EveryMethod : public testing::Test {
 protected:
  // In the scratch directory, with the programs that were built.
  int shell(const std::string& script) {
    const std::string folder = std::filesystem::path(IFD_TRAIN_COMMAND).parent_path().string();
    const std::string command = "cd '" + scratch_.path().string() + "' && PATH='" + folder +
                                "':$PATH && { " + script + "\n} > stdout 2> stderr";
    return WEXITSTATUS(std::system(command.c_str()));
  }
  int run(const std::string& arguments) {
    return shell("'" IFD_SOURCE_DIR "/examples/every_method.sh' " + arguments);
  }

  // The fields of each row of the table, by method.
  std::map<std::string, std::vector<std::string>> table() {
    std::map<std::string, std::vector<std::string>> rows;
    std::istringstream lines(scratch_.get("shapes/variable/table.md"));
    for (std::string line; std::getline(lines, line);) {
      std::vector<std::string> fields;
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, '|');) {
        const std::size_t first = cell.find_first_not_of(' ');
        if (first == std::string::npos)
          cell.clear();
        else
          cell = cell.substr(first, cell.find_last_not_of(' ') + 1 - first);
        fields.push_back(cell);
      }
      if (fields.size() == 10) rows[fields[1]] = {fields.begin() + 2, fields.end()};
    }
    return rows;
  }

  ScratchDirectory scratch_;
};

TEST_F(EveryMethod, GoesFromImagesToOneTable) {
  scratch_.put("shapes.npz", coloured_shapes_npz(90, 12));
  const std::string arguments = "shapes.npz shapes variable red green blue";
  ASSERT_EQ(run(arguments), 0) << scratch_.get("stderr");
  auto rows = table();
  const std::string number = "^(\\*\\*)?[01]\\.[0-9]{3}(\\*\\*)?$";
  for (const char* method : {"plug-in", "ifd", "ifd-paper", "pop-qi", "pop-qc", "pop-qi-perm",
                             "pop-qc-perm", "ceiling"}) {
    ASSERT_EQ(rows.count(method), 1U) << method;
    for (std::size_t column = 0; column < 6; ++column) {
      EXPECT_THAT(rows[method][column], ContainsRegex(number)) << method;
    }
  }
  // Multi-Expert has no output for experts it never saw.
  EXPECT_THAT(rows["multi-expert"][0], ContainsRegex(number));
  for (std::size_t column = 2; column < 6; ++column) EXPECT_EQ(rows["multi-expert"][column], "");
  // Of the one expert seen: 15 answers per class and those on the 90 validation cases; the
  // baselines have those on all 90 training cases, the context's among them.
  EXPECT_EQ(rows["ifd"][6], "135");
  EXPECT_EQ(rows["ifd-paper"][6], "135");
  for (const char* method : {"pop-qi", "pop-qc", "pop-qi-perm", "pop-qc-perm", "multi-expert"}) {
    EXPECT_EQ(rows[method][6], "180") << method;
  }
  for (std::size_t column = 0; column < 6; ++column) {
    std::size_t winners = 0;
    for (const auto& [method, fields] : rows) {
      if (!fields[column].starts_with("**")) continue;
      EXPECT_NE(method, "ceiling");
      ++winners;
    }
    EXPECT_GE(winners, 1U) << column;
  }
  // What is there is not made again; a training that was interrupted goes on.
  const std::string table_before = scratch_.get("shapes/variable/table.md");
  const auto written = [&](const char* file) {
    return std::filesystem::last_write_time(scratch_ / "shapes/variable" / file);
  };
  const auto finished = written("pop-qi.ifd"), interrupted = written("pop-qc.ifd");
  ASSERT_EQ(shell("(cd shapes && exec ifd train --method pop-qc --predictions train.npz "
                  "--validation val.npz --context variable/seen/train/context.csv "
                  "--validation-answers variable/seen/val/answers.csv --answers "
                  "variable/seen/train/answers.csv --threads 1 --checkpoint-seconds 0 "
                  "-o variable/pop-qc.ifd) &\n"
                  "while [ ! -e shapes/variable/pop-qc.ifd.checkpoint ]; do sleep .01; done\n"
                  "kill -INT $!; wait $!"),
            130)
      << scratch_.get("stderr");
  ASSERT_EQ(run(arguments), 0) << scratch_.get("stderr");
  EXPECT_EQ(written("pop-qi.ifd"), finished);
  EXPECT_NE(written("pop-qc.ifd"), interrupted);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "shapes/variable/pop-qc.ifd.checkpoint"));
  EXPECT_EQ(scratch_.get("shapes/variable/table.md"), table_before);
}

TEST_F(EveryMethod, SaysWhatItWants) {
  scratch_.put("shapes.npz", coloured_shapes_npz(6, 12));
  EXPECT_EQ(run("shapes.npz out variable"), 2);
  EXPECT_EQ(scratch_.get("stderr"),
            "every_method: 3 arguments; expected IMAGES.npz OUTPUT variable|stable CLASS "
            "CLASS...\n");
  EXPECT_EQ(run("absent.npz out variable red green"), 2);
  EXPECT_EQ(scratch_.get("stderr"),
            "every_method: absent.npz: no such file; expected images in MedMNIST layout\n");
  EXPECT_EQ(run("shapes.npz out generalist red green"), 2);
  EXPECT_EQ(scratch_.get("stderr"),
            "every_method: archetype 'generalist'; expected variable or stable\n");
  // The commands' own refusals end it.
  EXPECT_EQ(run("shapes.npz out variable red green"), 2);
  EXPECT_EQ(scratch_.get("stderr"), "ifd: --class-names has 2 names; " +
                                        (scratch_ / "shapes.npz").string() + " has 3 classes\n");
}

}  // namespace
}  // namespace ifd::train
