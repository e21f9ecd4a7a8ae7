#include "experiments/report/section.h"

#include <gtest/gtest.h>

#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

TEST(Section, NamesTheCommandOfOneExperiment) {
  RunRecord run;
  run.command = {"ifd", "reproduce", "--only", "toy,table1", "--quick", "-o", "out"};
  EXPECT_EQ(command_for(run, kAblation), "ifd reproduce --quick -o out --only lcb");
  run.command = {"ifd", "reproduce", "--only=toy", "--quick"};
  EXPECT_EQ(command_for(run, kAblation), "ifd reproduce --quick --only lcb");
  run.command = {"ifd", "reproduce", "--only", "toy", "table1", "-o", "my results"};
  EXPECT_EQ(command_for(run, kAblation), "ifd reproduce -o 'my results' --only lcb");
}

}  // namespace
}  // namespace ifd::experiments
