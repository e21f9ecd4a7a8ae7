// What 'ifd classifier train' and 'ifd classify' do with their arguments and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <torch/script.h>

#include <cstdlib>

#include "ifd/data/predictions_file.h"
#include "ifd/data/rings.h"
#include "tests/coloured_shapes.h"
#include "tests/scratch_directory.h"

namespace ifd::train {
namespace {

using testing::HasSubstr;

class ClassifierCommand : public testing::Test {
 protected:
  int run(const std::string& arguments) {
    const std::string command = "cd '" + scratch_.path().string() +
                                "' && '" IFD_TRAIN_COMMAND "' " + arguments + " 2> stderr";
    return WEXITSTATUS(std::system(command.c_str()));
  }
  std::string said() { return scratch_.get("stderr"); }

  ScratchDirectory scratch_;
};

TEST_F(ClassifierCommand, TrainsOnImagesAndWritesTheirPredictions) {
  scratch_.put("shapes.npz", coloured_shapes_npz(90, 12));
  ASSERT_EQ(run("classifier train --images shapes.npz --epochs 4 --batch 16 --learning-rate .05 "
                "--threads 1 --class-names red,green,blue --json --log log.jsonl -o m.safetensors "
                "> stdout"),
            0)
      << said();
  EXPECT_THAT(scratch_.get("stdout"), HasSubstr(R"({"event":"epoch","epoch":4,"loss":)"));
  EXPECT_THAT(scratch_.get("log.jsonl"), HasSubstr(R"({"event":"epoch","epoch":4,"loss":)"));
  ASSERT_EQ(run("classify --model m.safetensors --images shapes.npz --split test -o p.npz"), 0)
      << said();
  EXPECT_THAT(said(), HasSubstr("p.npz: 90 cases, 3 classes, 128 features, accuracy "));
  const Predictions test = read_predictions(scratch_ / "p.npz");
  EXPECT_EQ(test.case_name(17), "test-17");
  EXPECT_EQ(test.classes(), ClassNames({"red", "green", "blue"}));
  EXPECT_EQ(test.label(4), class_id(1));
  // A classifier may be the start of another, here of one with more classes.
  ASSERT_EQ(run("classifier train --images shapes.npz --epochs 1 --weights m.safetensors "
                "--class-names red,green,blue,none -o n.safetensors"),
            3);
  EXPECT_EQ(said(), "ifd: shapes.npz: class 'none' has no training case; expected one at least\n");
  ASSERT_EQ(run("classifier train --images shapes.npz --epochs 1 --weights m.safetensors "
                "--learning-rate 1e-9 -o n.safetensors"),
            0)
      << said();
  EXPECT_THAT(said(), HasSubstr("best epoch 1 with validation accuracy 1.0000"));
}

TEST_F(ClassifierCommand, TrainsAnMlpOnTheFeaturesOfPredictions) {
  for (const char* split : {"train", "test"}) {
    RingsOptions options{.cases = 300, .base_noise = .3, .gaussian_sigma = .1, .split = split};
    const Rings rings = make_rings(options);
    Predictions::Parts parts{ClassNames({"inner", "middle", "outer"}), {}, {}, rings.labels, {}, 2};
    for (std::size_t i = 0; i < rings.cases.size(); ++i) {
      parts.probabilities.insert(parts.probabilities.end(), {.25F, .25F, .5F});
      parts.features.insert(parts.features.end(), {rings.x[i], rings.y[i]});
    }
    write_predictions(scratch_ / (std::string(split) + ".npz"), Predictions(parts));
  }
  ASSERT_EQ(run("classifier train --predictions train.npz --backbone mlp --batch 32 --threads 1 "
                "-o m.safetensors"),
            0)
      << said();
  ASSERT_EQ(run("classify --model m.safetensors --predictions test.npz -o p.npz"), 0) << said();
  const Predictions made = read_predictions(scratch_ / "p.npz");
  EXPECT_EQ(made.feature_width(), 64U);
  std::size_t right = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (top_class(made.probabilities(i)) == made.label(i)) ++right;
  }
  EXPECT_GE(right, 270U);  // rings this narrow hardly overlap
  scratch_.put("shapes.npz", coloured_shapes_npz(6, 12));
  EXPECT_EQ(run("classify --model m.safetensors --images shapes.npz -o q.npz"), 3);
  EXPECT_EQ(said(), "ifd: shapes.npz: images; m.safetensors expects vectors of 2 numbers\n");
}

// Stopped in the middle and resumed, the file has the bytes of an uninterrupted training.
TEST_F(ClassifierCommand, AnInterruptKeepsTheCheckpoint) {
  scratch_.put("shapes.npz", coloured_shapes_npz(60, 12));
  const std::string train =
      "classifier train --images shapes.npz --epochs 40 --batch 16 --threads 1 -o ";
  ASSERT_EQ(run(train + "whole"), 0) << said();
  const std::string interrupt = "cd '" + scratch_.path().string() +
                                "' && { '" IFD_TRAIN_COMMAND "' " + train +
                                "m 2> stderr & } && while [ ! -e m.checkpoint ]; do sleep .02; "
                                "done; kill -INT $!; wait $!";
  ASSERT_EQ(WEXITSTATUS(std::system(interrupt.c_str())), 130);
  EXPECT_THAT(said(), testing::MatchesRegex("ifd: interrupted; m.checkpoint holds [0-9]+ "
                                            "epoch\\(s\\): go on with --resume\n"));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "m"));
  ASSERT_EQ(run(train + "m --resume"), 0) << said();
  EXPECT_EQ(scratch_.get("m"), scratch_.get("whole"));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "m.checkpoint"));
}

// Out-of-fold predictions beside the classifier; interrupted among the folds and resumed, both have
// the bytes of an uninterrupted training.
TEST_F(ClassifierCommand, CrossFitsAndResumes) {
  scratch_.put("shapes.npz", coloured_shapes_npz(60, 12));
  const std::string train =
      "classifier train --images shapes.npz --epochs 10 --batch 16 --threads 1 --cross-fit 3 -o ";
  ASSERT_EQ(run(train + "whole --out-of-fold whole.npz"), 0) << said();
  EXPECT_THAT(said(), HasSubstr("fold 3 of 3: accuracy "));
  EXPECT_THAT(said(), HasSubstr("whole.npz: accuracy "));
  const Predictions made = read_predictions(scratch_ / "whole.npz");
  EXPECT_EQ(made.size(), 60U);
  EXPECT_EQ(made.case_name(17), "train-17");
  EXPECT_EQ(made.feature_width(), 128U);
  const std::string interrupt =
      "cd '" + scratch_.path().string() + "' && { '" IFD_TRAIN_COMMAND "' " + train +
      "m 2> stderr & } && while [ ! -e m.checkpoint.fold2 ]; do sleep .02; done; kill -INT $!; "
      "wait $!";
  ASSERT_EQ(WEXITSTATUS(std::system(interrupt.c_str())), 130);
  EXPECT_THAT(said(), HasSubstr("ifd: interrupted; m.checkpoint.fold* hold what is done: go on "
                                "with --resume\n"));
  EXPECT_EQ(run(train + "m"), 3);
  EXPECT_THAT(said(), HasSubstr("m.checkpoint.fold1 ...: folds of a training are there"));
  ASSERT_EQ(run(train + "m --resume"), 0) << said();
  EXPECT_EQ(scratch_.get("m"), scratch_.get("whole"));
  EXPECT_EQ(scratch_.get("m.out-of-fold.npz"), scratch_.get("whole.npz"));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "m.checkpoint.fold1.done"));
}

TEST_F(ClassifierCommand, RefusesACrossFitInOneLine) {
  scratch_.put("shapes.npz", coloured_shapes_npz(6, 12));
  const std::string train = "classifier train --images shapes.npz --epochs 1 -o m ";
  EXPECT_EQ(run(train + "--cross-fit 1"), 2);
  EXPECT_EQ(said(), "ifd: --cross-fit 1; expected 2 folds or more\n");
  EXPECT_EQ(run(train + "--out-of-fold p.npz"), 2);
  EXPECT_EQ(said(), "ifd: --groups and --out-of-fold go with --cross-fit\n");
  EXPECT_EQ(run(train + "--cross-fit 3"), 3);
  EXPECT_EQ(said(),
            "ifd: shapes.npz: class '0' has 2 training case(s) for 3 folds; expected 3 or "
            "more of them, or fewer folds\n");
  EXPECT_EQ(run(train + "--cross-fit 2 --resume"), 3);
  EXPECT_EQ(said(),
            "ifd: m.checkpoint: no such checkpoint, nor one of a fold; begin without "
            "--resume\n");
  scratch_.put("groups.csv", "case,group\ntrain-0,a\n");
  EXPECT_EQ(run(train + "--cross-fit 2 --groups groups.csv"), 3);
  EXPECT_THAT(said(), HasSubstr("groups.csv: case 'train-1' has no group"));
}

class JointCommand : public ClassifierCommand {
 protected:
  JointCommand() {
    scratch_.put("shapes.npz", coloured_shapes_npz(45, 12));
    std::string context = "expert,case,answer\n";
    for (int i = 0; i < 30; ++i) {
      context +=
          "ann,train-" + std::to_string(i) + "," + std::to_string(i % 2 == 0 ? i % 3 : 0) + "\n";
    }
    scratch_.put("context.csv", context);
  }
  void SetUp() override {
    ASSERT_EQ(run("classifier train --images shapes.npz --epochs 1 --threads 1 -o m"), 0) << said();
  }

  const std::string joint_ =
      "train --joint m --images shapes.npz --context context.csv --width 16 --threads 1 "
      "-o p.ifd";
};

TEST_F(JointCommand, TrainsClassifierAndRejectorTogether) {
  ASSERT_EQ(run(joint_ + " --epochs 2 --joint-output n"), 0) << said();
  EXPECT_THAT(said(), HasSubstr("p.ifd: 2 epochs in "));
  EXPECT_THAT(said(), HasSubstr("\nn: validation accuracy "));
  ASSERT_EQ(run("classify --model n --images shapes.npz -o p.npz"), 0) << said();
  EXPECT_THAT(scratch_.get("p.ifd"), HasSubstr("\"classifier\":\""));
  EXPECT_EQ(run(joint_), 2);
  EXPECT_EQ(said(), "ifd: --joint, --images and --joint-output go together\n");
  EXPECT_EQ(run(joint_ + " --joint-output n --predictions p.npz"), 2);
  EXPECT_EQ(said(), "ifd: give either --predictions and --validation, or --joint and --images\n");
  EXPECT_EQ(run(joint_ + " --joint-output ./m"), 2);
  EXPECT_THAT(said(), HasSubstr("--joint-output ./m is the file of --joint, which would be lost"));
}

// Classifier and policy are both written, and the policy says at what rate the classifier learnt.
TEST_F(JointCommand, TrainsTheBaselines) {
  std::string answers = "expert,case,answer\n";
  for (int i = 0; i < 45; ++i) {
    answers +=
        "ann,train-" + std::to_string(i) + "," + std::to_string(i % 2 == 0 ? i % 3 : 0) + "\n";
  }
  scratch_.put("answers.csv", answers);
  for (const std::string method : {"pop-qi", "multi-expert"}) {
    ASSERT_EQ(run("train --method " + method +
                  " --joint m --images shapes.npz --context context.csv --answers answers.csv "
                  "--threads 1 --epochs 4 --classifier-rate .001 --joint-output n -o p.ifd"),
              0)
        << said();
    EXPECT_THAT(said(), HasSubstr("\nn: validation accuracy "));
    EXPECT_THAT(scratch_.get("p.ifd"), HasSubstr("\"classifier_rate\":0.001"));
  }
}

// --epochs and --patience are what they are elsewhere; only unsaid they are joint training's own.
TEST_F(JointCommand, TrainsAsLongAsItIsTold) {
  ASSERT_EQ(run(joint_ + " --epochs 23 --patience 23 --joint-output n"), 0) << said();
  EXPECT_THAT(said(), HasSubstr("p.ifd: 23 epochs in "));
  ASSERT_EQ(run(joint_ + " --patience 20 --joint-output n"), 0) << said();
  EXPECT_THAT(said(), HasSubstr("p.ifd: 20 epochs in "));
}

// Stopped in the middle and resumed, policy and classifier have the bytes of an uninterrupted
// training.
TEST_F(JointCommand, InterruptedAndResumedItLeavesNoTrace) {
  const std::string other = joint_ + " --epochs 40 --patience 40 --joint-output n";
  const std::string train = other + " --classifier-rate .01";
  ASSERT_EQ(run(train), 0) << said();
  const std::string policy = scratch_.get("p.ifd");
  const std::string classifier = scratch_.get("n");
  const std::string interrupt =
      "cd '" + scratch_.path().string() + "' && { '" IFD_TRAIN_COMMAND "' " + train +
      " --checkpoint-seconds 0 2> stderr & } && while [ ! -e p.ifd.checkpoint ]; do sleep .02; "
      "done; kill -INT $!; wait $!";
  ASSERT_EQ(WEXITSTATUS(std::system(interrupt.c_str())), 130) << said();
  EXPECT_THAT(said(), HasSubstr("(interrupted)"));
  EXPECT_EQ(run(other + " --resume --classifier-rate .02"), 3);
  EXPECT_EQ(said(),
            "ifd: p.ifd.checkpoint: the checkpoint of another training: its classifier_rate is "
            "0.01; expected 0.02\n");
  ASSERT_EQ(run(train + " --resume"), 0) << said();
  EXPECT_EQ(scratch_.get("p.ifd"), policy);
  EXPECT_EQ(scratch_.get("n"), classifier);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "p.ifd.checkpoint"));
}

// A module is a program: it is run where its name or the user says that it is one, and that is
// said; not because a stranger's "safetensors" begins with the bytes of an archive.
TEST_F(ClassifierCommand, RunsAProgramOnlyWhereItIsCalledOne) {
  scratch_.put("shapes.npz", coloured_shapes_npz(6, 12));
  torch::jit::Module module("m");
  module.define("def forward(self, x):\n    print('run')\n    return x.mean([2, 3])\n");
  module.save((scratch_ / "m.pt").string());
  scratch_.put("m.safetensors", scratch_.get("m.pt"));
  const std::string rest = " --images shapes.npz -o p.npz > stdout";
  const auto was_run = [&] { return scratch_.get("stdout").find("run") != std::string::npos; };
  EXPECT_EQ(run("classify --model m.safetensors" + rest), 3);
  EXPECT_EQ(said(),
            "ifd: m.safetensors: a zip archive; expected safetensors, or a TorchScript module, "
            "which is a program and only run where its name ends in .pt, .pth, .ts, .jit, "
            ".torchscript or with --torch-script\n");
  EXPECT_FALSE(was_run());
  EXPECT_EQ(run("classify --model m.pt" + rest), 0) << said();
  EXPECT_THAT(said(), HasSubstr("note: m.pt is a TorchScript module, a program that is run now"));
  EXPECT_TRUE(was_run());
  EXPECT_EQ(run("classify --torch-script --model m.safetensors" + rest), 0) << said();
  EXPECT_THAT(said(), HasSubstr("note: m.safetensors is a TorchScript module"));
}

TEST_F(ClassifierCommand, RefusesInOneLine) {
  scratch_.put("shapes.npz", coloured_shapes_npz(6, 12));
  EXPECT_EQ(run("classifier train --backbone mlp --images shapes.npz -o m"), 2);
  EXPECT_EQ(said(), "ifd: backbone 'mlp' takes --predictions\n");
  EXPECT_EQ(run("classifier train --images nothing.npz -o m"), 3);
  EXPECT_EQ(said(), "ifd: nothing.npz: no such file\n");
  EXPECT_EQ(run("classifier train --images shapes.npz --resume -o m"), 3);
  EXPECT_EQ(said(), "ifd: m.checkpoint: no such checkpoint; begin without --resume\n");
  EXPECT_EQ(run("classify --model shapes.npz --images shapes.npz --torch-script -o p.npz"), 3);
  EXPECT_THAT(said(), HasSubstr("ifd: shapes.npz: not a TorchScript module: "));
  scratch_.put("m", "no model at all");
  EXPECT_EQ(run("classify --model m --images shapes.npz -o p.npz"), 3);
  EXPECT_THAT(said(), HasSubstr("ifd: m: a header of "));
}

}  // namespace
}  // namespace ifd::train
