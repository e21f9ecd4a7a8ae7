// What ifd-train does with its arguments and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ifd/data/answers_file.h"
#include "ifd/data/predictions_file.h"
#include "ifd/policy/policy_calibration.h"
#include "ifd/policy/policy_file.h"
#include "tests/free_port.h"
#include "tests/pseudo_terminal.h"
#include "tests/scratch_directory.h"
#include "tests/synthetic_problem.h"

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

  // A shell's exit code, in the scratch directory; what was said on stderr is in said().
  int shell(const std::string& script) {
    const std::string all =
        "cd '" + scratch_.path().string() + "' && { " + script + "\n} 2> stderr";
    return WEXITSTATUS(std::system(all.c_str()));
  }
  static std::string command(const std::string& arguments) {
    return "'" IFD_TRAIN_COMMAND
           "' train --predictions train.npz --validation val.npz "
           "--width 16 --threads 1 " +
           arguments;
  }
  int train(const std::string& arguments) { return shell(command("--epochs 2 " + arguments)); }
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

TEST_F(TrainCommand, OptionsMustMakeSense) {
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    EXPECT_EQ(train("--context context.csv -o p.ifd " + arguments), 2) << arguments;
    EXPECT_EQ(said(), "ifd: " + message + "\n");
  };
  const std::string counts =
      "--batch, --epochs, --patience, --width and --context-size are 1 or more";
  for (const char* option : {"--batch", "--patience", "--context-size"}) {
    refused(option + std::string(" 0"), counts);
  }
  refused("--learning-rate 0", "--learning-rate is a positive number");
  refused("--lcb-width -1", "--lcb-width is a number of standard deviations, 0 or more");
  refused("--calibrate-on context",
          "--calibrate-on says where --calibrate is fitted; give that too");
  refused("--peer-timeout 0", "--peer-timeout is 1 or more");
  refused("--classifier-rate 0", "--classifier-rate is a positive number");
  refused("--joint-output c.safetensors", "--joint, --images and --joint-output go together");
  refused("--method pop-qc --joint c.safetensors",
          "--joint goes with method 'ifd', 'pop-qi', 'multi-expert', 'single-expert'");
  refused("--joint c.safetensors --images i.npz --joint-output d.safetensors",
          "give either --predictions and --validation, or --joint and --images");
  EXPECT_EQ(train("--method colour --context context.csv -o p.ifd"), 2);
  EXPECT_THAT(said(), HasSubstr("--method: 'colour' is not allowed; expected one of ifd, "
                                "multi-expert, pop-qc, pop-qc-perm, pop-qi, pop-qi-perm, "
                                "single-expert"));
}

// Notes, progress and refusals on a terminal, with names of files that would move its cursor.
TEST_F(TrainCommand, NamesOfFilesDoNotActOnTheTerminal) {
  if (!has_pseudo_terminals()) GTEST_SKIP() << kNoPseudoTerminals;
  const std::string hostile = "$'p\\e[2J\\n\\xe2\\x80\\xae\\xc2\\x9b'";
  const std::string visible = "p\\x1b[2J\\x0a\\u202e\\u009b";
  for (const std::string& arguments :
       {"--epochs 2 --context context.csv -o " + hostile, "--context " + hostile + " -o p.ifd"}) {
    const std::string shown =
        shown_on_terminal(scratch_.path(), {"bash", "-c", command(arguments)});
    EXPECT_EQ(first_that_acts(shown), "") << shown;
    EXPECT_THAT(shown, HasSubstr(visible));
  }
}

TEST_F(TrainCommand, ASingleExpertMethodRefusesTwo) {
  EXPECT_EQ(train("--method single-expert --context context.csv --answers answers.csv -o p.ifd"),
            3);
  EXPECT_EQ(said(), "ifd: context.csv: 2 experts; method 'single-expert' expects one\n");
}

// A limit on the size of files, which is a signal, stands for a full disk.
TEST_F(TrainCommand, AFullDiskLeavesTheOldPolicyAndNothingAside) {
  scratch_.put("p.ifd", "older");
  const std::size_t files = scratch_.files();
  EXPECT_EQ(shell("ulimit -f 1; " + command("--epochs 2 -q --context context.csv -o p.ifd")), 5);
  EXPECT_THAT(said(), testing::MatchesRegex("ifd: p.ifd.*: cannot be written: File too large\n"));
  EXPECT_EQ(scratch_.get("p.ifd"), "older");
  EXPECT_EQ(scratch_.files(), files + 1) << "more than stderr was left";
}

TEST_F(TrainCommand, AFullOrClosedStderrChangesNothing) {
  const std::string train_it = command("--epochs 2 --context context.csv -o p.ifd");
  ASSERT_EQ(shell(train_it), 0) << said();
  const std::string expected = scratch_.get("p.ifd");
  for (const char* streams : {" 2>/dev/full", " 2>&-", " <&- >&- 2>&-"}) {
    SCOPED_TRACE(streams);
    std::filesystem::remove(scratch_ / "p.ifd");
    EXPECT_EQ(shell(train_it + streams), 0);
    EXPECT_EQ(scratch_.get("p.ifd"), expected);
    EXPECT_EQ(shell("'" IFD_TRAIN_COMMAND "' train --nonsense" + std::string(streams)), 2);
  }
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

TEST_F(TrainCommand, PaperMeansItsSettingsUnlessTheyAreGiven) {
  const auto metadata = [&](const std::string& arguments) {
    EXPECT_EQ(train("--context context.csv -o p.ifd " + arguments), 0) << said();
    return PolicyFile::read(scratch_ / "p.ifd").metadata_json;
  };
  const auto has = [](const char* objective, const char* weight, const char* state,
                      const char* head) {
    return testing::AllOf(HasSubstr(std::string("\"objective\":\"") + objective),
                          HasSubstr(std::string("\"weight\":\"") + weight),
                          HasSubstr(std::string("\"state\":\"") + state),
                          HasSubstr(std::string("\"head\":\"") + head));
  };
  EXPECT_THAT(metadata(""), has("expected", "mean", "extended", "residual"));
  EXPECT_THAT(metadata("--paper"), has("peak", "lcb", "paper", "plain"));
  EXPECT_THAT(metadata("--paper --weight one"), has("peak", "one", "paper", "plain"));
}

TEST_F(TrainCommand, SameSeedSameBytes) {
  const std::string arguments = "--context context.csv --head residual --seed 7 -o ";
  ASSERT_EQ(train(arguments + "a.ifd"), 0) << said();
  ASSERT_EQ(train(arguments + "b.ifd"), 0) << said();
  EXPECT_EQ(scratch_.get("a.ifd"), scratch_.get("b.ifd"));
}

TEST_F(TrainCommand, TellsEveryEpochInJsonOnStdoutAndInTheLog) {
  ASSERT_EQ(train("--context context.csv --json --log log.jsonl -o p.ifd > stdout"), 0) << said();
  EXPECT_EQ(scratch_.get("stdout"), scratch_.get("log.jsonl"));
  std::istringstream lines(scratch_.get("stdout"));
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(events.size(), 4U);
  for (const nlohmann::json& event : events) EXPECT_EQ(event.at("schema"), "ifd training 1");
  EXPECT_EQ(events[0].at("event"), "start");
  for (std::size_t epoch = 1; epoch <= 2; ++epoch) {
    EXPECT_EQ(events[epoch].at("event"), "epoch");
    EXPECT_EQ(events[epoch].at("epoch"), epoch);
    EXPECT_GT(events[epoch].at("loss"), 0);
    EXPECT_GT(events[epoch].at("aursac"), 0);
  }
  EXPECT_EQ(events[3].at("event"), "end");
  // Who has read enough does not end the training; a full disk does, and says so.
  ASSERT_EQ(train("--context context.csv --json -o q.ifd | head -n 0; [ -e q.ifd ]"), 0) << said();
  EXPECT_EQ(scratch_.get("q.ifd"), scratch_.get("p.ifd"));
  EXPECT_EQ(train("--context context.csv --json -o r.ifd > /dev/full"), 5);
  EXPECT_EQ(said(), "ifd: standard output: No space left on device\n");
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "r.ifd"));
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

constexpr const char* kLong = "--context context.csv --epochs 200 --patience 200 -o p.ifd ";

// Ctrl-C keeps the best policy so far and the checkpoint; resumed, the training ends with the bytes
// of one that was never interrupted, and the checkpoint is gone.
TEST_F(TrainCommand, InterruptedAndResumedItLeavesNoTrace) {
  ASSERT_EQ(shell(command(kLong)), 0) << said();
  const std::string whole = scratch_.get("p.ifd");
  std::filesystem::remove(scratch_ / "p.ifd");
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "p.ifd.checkpoint"));
  ASSERT_EQ(shell(command(kLong) +
                  "--checkpoint-seconds 0 &\n"
                  "while [ ! -e p.ifd.checkpoint ]; do sleep .01; done; kill -INT $!; wait $!"),
            130)
      << said();
  EXPECT_THAT(said(), HasSubstr("(interrupted)"));
  EXPECT_EQ(PolicyFile::read(scratch_ / "p.ifd").method, "ifd");
  EXPECT_EQ(PolicyFile::read(scratch_ / "p.ifd.checkpoint").method, "checkpoint");

  EXPECT_EQ(shell(command(kLong) + "--seed 1 --resume"), 3);
  EXPECT_EQ(said(),
            "ifd: p.ifd.checkpoint: the checkpoint of another training: its seed is 0; expected "
            "1\n");
  // A file too large stands for a full disk: the old checkpoint stays, and so does the policy.
  const std::string checkpoint = scratch_.get("p.ifd.checkpoint");
  const std::string policy = scratch_.get("p.ifd");
  EXPECT_EQ(shell("ulimit -f 4; " + command(kLong) + "--resume --checkpoint-seconds 0"), 5);
  EXPECT_EQ(said(), "ifd: p.ifd.checkpoint: cannot be written: File too large\n");
  EXPECT_EQ(scratch_.get("p.ifd.checkpoint"), checkpoint);
  EXPECT_EQ(scratch_.get("p.ifd"), policy);

  ASSERT_EQ(shell(command(kLong) + "--resume"), 0) << said();
  EXPECT_EQ(scratch_.get("p.ifd"), whole);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "p.ifd.checkpoint"));
  EXPECT_EQ(shell(command(kLong) + "--resume"), 3);
  EXPECT_EQ(said(),
            "ifd: p.ifd.checkpoint: no such checkpoint; begin without --resume (a training that "
            "has ended leaves one with --keep-checkpoint)\n");
}

// A finished training goes on with more epochs, and gives the bytes of one that had them at once.
TEST_F(TrainCommand, AKeptCheckpointGoesOnWithMoreEpochs) {
  const std::string six = "--context context.csv --patience 9 --epochs 6 -o p.ifd ";
  const std::string three = "--context context.csv --patience 9 --epochs 3 -o p.ifd ";
  ASSERT_EQ(shell(command(six)), 0) << said();
  const std::string at_once = scratch_.get("p.ifd");
  ASSERT_EQ(shell(command(three) + "--keep-checkpoint"), 0) << said();
  EXPECT_NE(scratch_.get("p.ifd"), at_once);
  EXPECT_EQ(shell(command(six) + "--resume --learning-rate .01"), 3);
  EXPECT_EQ(said(),
            "ifd: p.ifd.checkpoint: the checkpoint of another training: its learning_rate is "
            "0.001; expected 0.01\n");
  ASSERT_EQ(shell(command(six) + "--resume --keep-checkpoint"), 0) << said();
  EXPECT_THAT(said(), HasSubstr("p.ifd.checkpoint: goes on after epoch 3 with epochs 6 instead of "
                                "3\n"));
  EXPECT_EQ(scratch_.get("p.ifd"), at_once);
  EXPECT_EQ(shell(command(three) + "--resume"), 3);
  EXPECT_EQ(said(), "ifd: p.ifd.checkpoint: 6 epochs are done; expected --epochs 6 or more\n");
  // Nothing to do is said, and what more epochs would go on from stays.
  ASSERT_EQ(shell(command(six) + "--resume"), 0) << said();
  EXPECT_THAT(said(), HasSubstr("p.ifd: no epoch was left to train: all 6 are done"));
  EXPECT_EQ(scratch_.get("p.ifd"), at_once);
  ASSERT_EQ(shell(command("--context context.csv --patience 9 --epochs 7 -o p.ifd --resume")), 0)
      << said();
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "p.ifd.checkpoint"));
}

TEST_F(TrainCommand, AKeptCheckpointGoesOnWithMorePatience) {
  const std::string all = "--context context.csv --epochs 60 -o p.ifd ";
  ASSERT_EQ(shell(command(all + "--patience 60")), 0) << said();
  const std::string at_once = scratch_.get("p.ifd");
  ASSERT_EQ(shell(command(all + "--patience 1 --keep-checkpoint")), 0) << said();
  ASSERT_NE(scratch_.get("p.ifd"), at_once) << "nothing was stopped early";
  ASSERT_EQ(shell(command(all + "--patience 1 --resume")), 0) << said();
  EXPECT_THAT(said(), HasSubstr("none was better for 1; a larger --patience goes on"));
  ASSERT_EQ(shell(command(all + "--patience 60 --resume")), 0) << said();
  EXPECT_THAT(said(), HasSubstr("with patience 60 instead of 1\n"));
  EXPECT_EQ(scratch_.get("p.ifd"), at_once);
}

// --max-expansion holds for checkpoints too.
TEST_F(TrainCommand, ACheckpointThatUnfoldsTooFarIsRefused) {
  const std::string bomb = "head -c 300000000 /dev/zero | gzip -9 > ";
  EXPECT_EQ(shell(bomb + "p.ifd.checkpoint; " +
                  command("--context context.csv --resume -o p.ifd --max-expansion 50")),
            3);
  EXPECT_THAT(said(), HasSubstr("ifd: p.ifd.checkpoint: "));
  EXPECT_THAT(said(), HasSubstr("--max-expansion allows more\n"));
  EXPECT_EQ(shell(command("--context context.csv --resume -o p.ifd --max-expansion 5000")), 3);
  EXPECT_THAT(said(), testing::Not(HasSubstr("--max-expansion")));
}

TEST_F(TrainCommand, AFullDiskLeavesTheOldPolicy) {
  scratch_.put("p.ifd", "old");
  EXPECT_EQ(shell("ulimit -f 4; " + command("--context context.csv --epochs 1 -o p.ifd")), 5);
  EXPECT_EQ(said(), "ifd: p.ifd: cannot be written: File too large\n");
  EXPECT_EQ(scratch_.get("p.ifd"), "old");
}

// The training's own calibration is that of predictions calibrated beforehand, bit for bit.
TEST_F(TrainCommand, CalibratedTrainingIsTrainingOnCalibratedPredictions) {
  const Calibration sharper{2, {}};
  const Predictions training = calibrated(problem_.training, sharper);
  const Predictions validation = calibrated(problem_.validation, sharper);
  for (const auto& [kind, word] : {std::pair{CalibrationKind::kTemperature, "temperature"},
                                   {CalibrationKind::kBias, "bias"}}) {
    SCOPED_TRACE(word);
    write_predictions(scratch_ / "train.npz", training);
    write_predictions(scratch_ / "val.npz", validation);
    ASSERT_EQ(train(std::string("--context context.csv --calibrate ") + word + " -o a.ifd"), 0)
        << said();
    EXPECT_THAT(said(), HasSubstr("ECE on the validation cases "));
    const Calibration fitted = fit_calibration(validation, kind);
    write_predictions(scratch_ / "train.npz", calibrated(training, fitted));
    write_predictions(scratch_ / "val.npz", calibrated(validation, fitted));
    ASSERT_EQ(train("--context context.csv -o b.ifd"), 0) << said();
    const PolicyFile a = PolicyFile::read(scratch_ / "a.ifd");
    const PolicyFile b = PolicyFile::read(scratch_ / "b.ifd");
    EXPECT_EQ(a.tensors, b.tensors);
    const auto stored = policy_calibration(a);
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->fitted.scale, fitted.scale);
    EXPECT_EQ(stored->fitted.bias, fitted.bias);
    EXPECT_LT(stored->ece_after, stored->ece_before);
    EXPECT_FALSE(policy_calibration(b));
  }
}

TEST_F(TrainCommand, WritesALearningReport) {
  ASSERT_EQ(train("--context context.csv --calibration temperature --calibrate-on context "
                  "--report r.html -o 'a b.ifd'"),
            0)
      << said();
  const std::string html = scratch_.get("r.html");
  EXPECT_THAT(html, HasSubstr("AURSAC on the validation cases"));
  EXPECT_THAT(html, HasSubstr("context cases. Its expected calibration error"));
  EXPECT_THAT(html, HasSubstr("--output &#39;a b.ifd&#39;"));
}

class SharedTraining : public TrainCommand {
 protected:
  // The command as one of two processes.
  static std::string member(int rank, std::uint16_t port, const std::string& arguments) {
    return "RANK=" + std::to_string(rank) +
           " WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=" + std::to_string(port) + " " +
           command("--distributed " + arguments);
  }
};

TEST_F(SharedTraining, TwoProcessesLearnWhatOneDoes) {
  const std::string arguments = "--context context.csv --epochs 1 -o ";
  ASSERT_EQ(shell(command(arguments + "one.ifd")), 0) << said();
  const std::uint16_t port = free_port();
  ASSERT_EQ(shell(member(1, port, arguments + "two.ifd") + " & " +
                  member(0, port, arguments + "two.ifd") + " && wait $!"),
            0)
      << said();
  const PolicyFile one = PolicyFile::read(scratch_ / "one.ifd");
  const PolicyFile two = PolicyFile::read(scratch_ / "two.ifd");
  ASSERT_EQ(one.tensors.size(), two.tensors.size());
  for (std::size_t i = 0; i < one.tensors.size(); ++i) {
    for (std::size_t v = 0; v < one.tensors[i].values.size(); ++v) {
      ASSERT_NEAR(one.tensors[i].values[v], two.tensors[i].values[v], 1e-6) << one.tensors[i].name;
    }
  }
}

TEST_F(SharedTraining, ProcessesMustAgree) {
  const std::uint16_t port = free_port();
  const std::string arguments = "--context context.csv --epochs 1 -o p.ifd ";
  EXPECT_EQ(shell(member(0, port, arguments) + " 2> leader & " +
                  member(1, port, arguments + "--seed 1") + "; code=$?; wait $!; exit $code"),
            3);
  EXPECT_EQ(said(), "ifd: process 1 of 2: its seed is 1; expected 0 as in process 0\n");
  EXPECT_THAT(scratch_.get("leader"), HasSubstr("lost the other processes"));
}

// A process that dies ends the others; what was learnt stays in the checkpoint, and a new pair goes
// on from it.
TEST_F(SharedTraining, ADeadProcessEndsTheOtherAndTheCheckpointStays) {
  const std::string arguments = std::string(kLong) + "--checkpoint-seconds 0 ";
  std::uint16_t port = free_port();
  EXPECT_EQ(shell(member(1, port, arguments) + " & other=$!\n" + member(0, port, arguments) +
                  " & leader=$!\nwhile [ ! -e p.ifd.checkpoint ]; do sleep .01; done\n"
                  "kill -KILL $other; wait $leader"),
            1);
  EXPECT_THAT(said(), HasSubstr("ifd: process 0 of 2 (training, 127.0.0.1:"));
  EXPECT_THAT(said(), HasSubstr("lost the other processes"));
  ASSERT_EQ(PolicyFile::read(scratch_ / "p.ifd.checkpoint").method, "checkpoint");
  port = free_port();
  const std::string resume = std::string(kLong) + "--resume";
  EXPECT_EQ(shell(member(1, port, resume) + " & " + member(0, port, resume) + " && wait $!"), 0)
      << said();
  EXPECT_THAT(PolicyFile::read(scratch_ / "p.ifd").metadata_json, HasSubstr("\"epochs\":200"));
}

TEST_F(SharedTraining, NeedsToKnowWhoIsWho) {
  EXPECT_EQ(shell("unset RANK OMPI_COMM_WORLD_RANK SLURM_STEP_NUM_TASKS\n" +
                  command("--distributed --context context.csv -o p.ifd")),
            2);
  EXPECT_THAT(said(), HasSubstr("ifd: --distributed: who is who is not known"));
}

}  // namespace
}  // namespace ifd::train
