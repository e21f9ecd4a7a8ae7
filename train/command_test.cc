// What ifd-train does with its arguments and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "ifd/data/answers_file.h"
#include "ifd/data/predictions_file.h"
#include "ifd/policy/policy_file.h"
#include "tests/scratch_directory.h"
#include "train/synthetic_problem.h"

namespace ifd::train {
namespace {

using testing::HasSubstr;

class TrainCommand : public testing::Test {
 protected:
  TrainCommand() : problem_(synthetic_problem(3, 80, 1)) {
    write_predictions(scratch_ / "train.npz", problem_.training);
    write_predictions(scratch_ / "val.npz", problem_.validation);
    write_contexts(scratch_ / "context.csv", problem_.contexts, problem_.training.classes());
    write_answers(scratch_ / "answers.csv", problem_.answers, problem_.training);
  }

  // The exit code; what was said on stderr is in said().
  int train(const std::string& arguments) {
    const std::string command = "cd '" + scratch_.path().string() +
                                "' && '" IFD_TRAIN_COMMAND
                                "' train --predictions train.npz --validation val.npz "
                                "--epochs 2 --width 16 --threads 1 " +
                                arguments + " 2> stderr";
    return WEXITSTATUS(std::system(command.c_str()));
  }
  std::string said() { return scratch_.get("stderr"); }

  ScratchDirectory scratch_;
  SyntheticProblem problem_;
};

TEST_F(TrainCommand, IdentityFreeTrainingRefusesAnswers) {
  EXPECT_EQ(train("--method ifd --context context.csv --answers answers.csv -o p.ifd"), 2);
  EXPECT_THAT(said(), HasSubstr("learns from contexts alone and takes no --answers"));
}

TEST_F(TrainCommand, BaselinesNeedAnswers) {
  EXPECT_EQ(train("--method pop-qi --context context.csv -o p.ifd"), 2);
  EXPECT_THAT(said(), HasSubstr("needs --answers"));
}

TEST_F(TrainCommand, EveryMethodWritesAPolicyThatTellsItsCost) {
  for (const std::string method :
       {"ifd", "pop-qi", "pop-qc", "pop-qi-perm", "pop-qc-perm", "multi-expert"}) {
    SCOPED_TRACE(method);
    const bool ifd = method == "ifd";
    ASSERT_EQ(train("--method " + method + " --context context.csv -o p.ifd" +
                    (ifd ? "" : " --answers answers.csv")),
              0)
        << said();
    const PolicyFile file = PolicyFile::read(scratch_ / "p.ifd");
    EXPECT_EQ(file.method, method);
    const std::size_t context = problem_.contexts[0].rows.size() + problem_.contexts[1].rows.size();
    EXPECT_THAT(file.metadata_json,
                HasSubstr("\"annotations\":" + std::to_string(ifd ? context : 160) + ","));
  }
}

TEST_F(TrainCommand, SameSeedSameBytes) {
  const std::string arguments = "--context context.csv --head residual --seed 7 -o ";
  ASSERT_EQ(train(arguments + "a.ifd"), 0) << said();
  ASSERT_EQ(train(arguments + "b.ifd"), 0) << said();
  EXPECT_EQ(scratch_.get("a.ifd"), scratch_.get("b.ifd"));
}

TEST_F(TrainCommand, AClassWithoutContextIsRefused) {
  auto contexts = problem_.contexts;
  std::erase_if(contexts[1].rows, [](const ContextRow& row) { return row.truth == class_id(2); });
  write_contexts(scratch_ / "context.csv", contexts, problem_.training.classes());
  EXPECT_EQ(train("--context context.csv -o p.ifd"), 3);
  EXPECT_EQ(said(),
            "ifd: context.csv: expert 'bob' has no answer on class '2'; expected one on every "
            "class\n");
}

}  // namespace
}  // namespace ifd::train
