#include "train/classifier_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <cmath>

#include "ifd/data/accuracy.h"
#include "tests/coloured_shapes.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd::train {
namespace {

using testing::HasSubstr;

ClassifierInputs shapes(std::size_t count, Split split) {
  return inputs_of(coloured_shapes(count, 12, split_name(split)), split);
}

BackboneClassifier small_resnet(const ClassifierInputs& training) {
  BackboneClassifier made({{BackboneKind::kResnetSmall, Stem::kSmall, 3, 3},
                           12,
                           12,
                           ClassNames({"red", "green", "blue"}),
                           normalisation_of(training)},
                          "shapes");
  initialise_backbone(made.backbone(), Key(1));
  return made;
}

ClassifierTraining quick(Optimiser optimiser = Optimiser::kSgd) {
  ClassifierTraining how;
  how.epochs = 4;
  how.batch = 32;
  how.optimiser = optimiser;
  how.learning_rate = optimiser == Optimiser::kSgd ? .05 : 2e-3;
  return how;
}

void expect_same_state(const torch::nn::Module& a, const torch::nn::Module& b) {
  const auto compare = [](const auto& x, const auto& y) {
    ASSERT_EQ(x.keys(), y.keys());
    for (const auto& item : x) {
      EXPECT_TRUE(torch::equal(item.value(), y[item.key()])) << item.key();
    }
  };
  compare(a.named_parameters(), b.named_parameters());
  compare(a.named_buffers(), b.named_buffers());
}

// A bright square in one of three channels: the classes are separable, so the net must get there,
// and what it is left with is what scored best.
TEST(ClassifierTrainer, LearnsShapesAndKeepsTheBestEpoch) {
  const auto training = shapes(150, Split::kTrain), validation = shapes(60, Split::kValidation);
  auto classifier = small_resnet(training);
  const auto summary = train_classifier(classifier, training, validation, quick(), {});
  ASSERT_EQ(summary.epochs.size(), 4U);
  EXPECT_GE(summary.best_accuracy, .9);
  double best = 0;
  for (const auto& epoch : summary.epochs) best = std::max(best, epoch.accuracy);
  EXPECT_EQ(summary.best_accuracy, best);
  const auto predictions = classify(classifier, validation, classifier.spec().classes);
  EXPECT_DOUBLE_EQ(accuracy(predictions), best);
  EXPECT_EQ(predictions.feature_width(), 128U);
  EXPECT_EQ(predictions.case_name(7), "val-7");
}

TEST(ClassifierTrainer, ResumedEqualsUninterruptedBitForBit) {
  const auto training = shapes(97, Split::kTrain), validation = shapes(30, Split::kValidation);
  for (const Optimiser optimiser : {Optimiser::kSgd, Optimiser::kAdam}) {
    SCOPED_TRACE(optimiser == Optimiser::kSgd ? "sgd" : "adam");
    const ScratchDirectory scratch;
    const auto how = quick(optimiser);
    auto whole = small_resnet(training);
    const auto expected = train_classifier(whole, training, validation, how, {});

    auto first = small_resnet(training);
    const ClassifierObserver stop_in_epoch_3 = {
        [](std::size_t epoch, std::size_t batch, std::size_t) {
          return epoch == 3 && batch == 2 ? Continue::kNo : Continue::kYes;
        },
        {}};
    const Checkpointing fresh{scratch / "m.checkpoint", Start::kFresh};
    const auto partial = train_classifier(first, training, validation, how, fresh, stop_in_epoch_3);
    EXPECT_EQ(partial.ended, Continue::kNo);
    EXPECT_EQ(partial.epochs.size(), 2U);

    auto second = small_resnet(training);
    EXPECT_THAT(refusal([&] { train_classifier(second, training, validation, how, fresh); }),
                HasSubstr("the checkpoint of a training is there; go on with --resume"));
    const Checkpointing resume{fresh.file, Start::kResume};
    auto other = how;
    other.seed = 5;
    EXPECT_THAT(refusal([&] { train_classifier(second, training, validation, other, resume); }),
                HasSubstr("the checkpoint of another training: its seed is 0; expected 5"));
    auto longer = how;
    longer.epochs = 6;
    EXPECT_THAT(refusal([&] { train_classifier(second, training, validation, longer, resume); }),
                HasSubstr("the checkpoint of a training of 4 epochs; expected 6: the learning rate "
                          "falls over all of them"));
    const auto summary = train_classifier(second, training, validation, how, resume);
    expect_same_state(second.backbone(), whole.backbone());
    ASSERT_EQ(summary.epochs.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(summary.epochs[i].loss, expected.epochs[i].loss);
      EXPECT_EQ(summary.epochs[i].accuracy, expected.epochs[i].accuracy);
    }
    EXPECT_EQ(scratch.files(), 0U);
    EXPECT_THAT(refusal([&] { train_classifier(second, training, validation, how, resume); }),
                HasSubstr("no such checkpoint"));
  }
}

TEST(ClassifierTrainer, ADamagedCheckpointIsRefused) {
  const auto training = shapes(32, Split::kTrain), validation = shapes(9, Split::kValidation);
  const ScratchDirectory scratch;
  auto classifier = small_resnet(training);
  const ClassifierObserver stop = {[](std::size_t epoch, std::size_t, std::size_t) {
                                     return epoch == 2 ? Continue::kNo : Continue::kYes;
                                   },
                                   {}};
  train_classifier(classifier, training, validation, quick(), {scratch / "c", Start::kFresh}, stop);
  const std::string bytes = scratch.get("c");
  scratch.put("c", bytes.substr(0, bytes.size() / 2));
  auto again = small_resnet(training);
  EXPECT_EQ(
      refusal_kind([&] {
        train_classifier(again, training, validation, quick(), {scratch / "c", Start::kResume});
      }),
      ErrorKind::kCorruptFile);
}

// The same file with other epochs or other numbers in a tensor, and the checksum of those.
std::string altered(const std::string& bytes, const std::string& epochs,
                    const std::string& tensor = "", float value = 0) {
  const SafetensorsFile file = SafetensorsFile::from_bytes(bytes, "c");
  SafetensorsWriter writer;
  for (const auto& [key, text] : file.metadata()) {
    writer.set_metadata(key, key == "epochs" && !epochs.empty() ? epochs : text);
  }
  for (const std::string& name : file.names()) {
    const auto entry = file.at(name);
    if (entry.type == SafetensorsType::kI64) {
      writer.add(name, entry.shape, std::span<const std::int64_t>(file.integers(name)));
      continue;
    }
    std::vector<float> values = file.floats(name);
    if (name == tensor) values[0] = value;
    writer.add(name, entry.shape, std::span<const float>(values));
  }
  writer.add_checksum();
  return std::move(writer).bytes();
}

TEST(ClassifierTrainer, ACheckpointThatNoTrainingWritesIsRefused) {
  const auto training = shapes(32, Split::kTrain), validation = shapes(9, Split::kValidation);
  const ScratchDirectory scratch;
  auto classifier = small_resnet(training);
  const ClassifierObserver stop = {[](std::size_t epoch, std::size_t, std::size_t) {
                                     return epoch == 2 ? Continue::kNo : Continue::kYes;
                                   },
                                   {}};
  train_classifier(classifier, training, validation, quick(), {scratch / "c", Start::kFresh}, stop);
  const std::string bytes = scratch.get("c");
  const auto said = [&](const std::string& changed) {
    scratch.put("c", changed);
    auto again = small_resnet(training);
    return refusal([&] {
      train_classifier(again, training, validation, quick(), {scratch / "c", Start::kResume});
    });
  };
  for (const auto& [epochs, part] : std::vector<std::pair<std::string, std::string>>{
           {"[]", "0 epochs; expected 1.."},
           {"[[1,0.5,1,false]]", "epoch 1 has accuracy 0.5, log-loss 1 and is not the best so far"},
           {"[[1,1.5,1,true]]", "epoch 1 has accuracy 1.5"},
           {"[[1,0.5,-1,true]]", "log-loss -1"},
           {"[[1,0.5,1,true],[1,0.4,1,true]]", "epoch 2 has accuracy 0.4"},
           {"[[1,0.5,1]]", "key '[0]' has 3 items; expected more than 3"},
           {"[[1,\"half\",1,true]]", "key '[0][1]' is text; expected a number"},
           {std::string(70'000, '['), "deeper than 32 levels"}}) {
    EXPECT_THAT(said(altered(bytes, epochs)), HasSubstr(part)) << epochs.substr(0, 60);
  }
  const SafetensorsFile file = SafetensorsFile::from_bytes(bytes, "c");
  for (const std::string prefix : {"net.", "best.", "moment1."}) {
    for (const std::string& name : file.names()) {
      if (!name.starts_with(prefix) || !name.ends_with("fc.weight")) continue;
      EXPECT_THAT(said(altered(bytes, "", name, std::nanf(""))),
                  HasSubstr("'" + name + "' holds nan; expected finite numbers"));
    }
  }
  // What a training could have written is told by the checksum alone.
  std::string fewer = bytes;
  const std::size_t epochs_at = fewer.find("\"epochs\"");
  ASSERT_NE(epochs_at, std::string::npos);
  fewer[fewer.find("0.", epochs_at) + 2] ^= 1;
  EXPECT_THAT(said(fewer), HasSubstr("its checksum does not match"));
  std::string heavier = bytes;
  heavier[heavier.size() - 3] ^= 1;
  EXPECT_THAT(said(heavier), HasSubstr("its checksum does not match"));
  EXPECT_EQ(said(altered(bytes, "")), "");
}

// Two steps over all cases at once, against LibTorch's own optimisers with the rates of the cosine
// put in by hand: cos 0 gives the whole rate, cos(pi / 2) half of it. Only weights decay.
TEST(ClassifierTrainer, StepsAreThoseOfLibtorch) {
  Predictions::Parts parts{ClassNames::numbered(2), {}, {}, {}, {}, 2};
  for (int i = 0; i < 20; ++i) {
    const Key key = Key(4).with("points").with(static_cast<std::uint64_t>(i));
    parts.features.push_back(static_cast<float>(key.normal(0)));
    parts.features.push_back(static_cast<float>(key.normal(1)));
    parts.labels.push_back(class_id(parts.features[parts.features.size() - 2] > 0 ? 1 : 0));
    parts.probabilities.insert(parts.probabilities.end(), {.5F, .5F});
  }
  const auto points = inputs_of(Predictions(parts));
  const auto make = [&] {
    BackboneClassifier made(
        {{BackboneKind::kMlp, Stem::kSmall, 2, 2}, 0, 0, ClassNames::numbered(2), {{0, 0}, {1, 1}}},
        "points");
    initialise_backbone(made.backbone(), Key(9));
    return made;
  };
  for (const Optimiser optimiser : {Optimiser::kSgd, Optimiser::kAdam}) {
    SCOPED_TRACE(optimiser == Optimiser::kSgd ? "sgd" : "adam");
    ClassifierTraining how;
    how.epochs = 2;
    how.batch = 20;
    how.optimiser = optimiser;
    how.learning_rate = .01;
    how.weight_decay = .1;
    how.warmup = 0;
    auto ours = make();
    // The later of two epochs is kept only if it is better; here it is.
    const auto summary = train_classifier(ours, points, points, how, {});
    ASSERT_EQ(summary.best_epoch, 2U);

    auto theirs = make();
    std::vector<torch::Tensor> weights, others;
    for (const auto& p : theirs.backbone().parameters()) {
      (p.dim() > 1 ? weights : others).push_back(p);
    }
    std::vector<torch::optim::OptimizerParamGroup> groups = {weights, others};
    std::unique_ptr<torch::optim::Optimizer> optim;
    if (optimiser == Optimiser::kSgd) {
      const auto options = torch::optim::SGDOptions(.01).momentum(.9).nesterov(true);
      groups[0].set_options(std::make_unique<torch::optim::SGDOptions>(
          torch::optim::SGDOptions(options).weight_decay(.1)));
      groups[1].set_options(std::make_unique<torch::optim::SGDOptions>(options));
      optim = std::make_unique<torch::optim::SGD>(groups, options);
    } else {
      const auto options = torch::optim::AdamWOptions(.01).weight_decay(0);
      groups[0].set_options(std::make_unique<torch::optim::AdamWOptions>(
          torch::optim::AdamWOptions(.01).weight_decay(.1)));
      groups[1].set_options(std::make_unique<torch::optim::AdamWOptions>(options));
      optim = std::make_unique<torch::optim::AdamW>(groups, options);
    }
    for (const double rate : {.01, .005}) {
      for (auto& group : optim->param_groups()) group.options().set_lr(rate);
      auto& net = theirs.backbone();
      optim->zero_grad();
      torch::cross_entropy_loss(net.logits(net.features(points.values)), points.labels).backward();
      optim->step();
    }
    const auto expected = theirs.backbone().named_parameters();
    for (const auto& item : ours.backbone().named_parameters()) {
      EXPECT_LE((item.value() - expected[item.key()]).abs().max().item<double>(), 2e-6)
          << item.key();
    }
  }
}

TEST(ClassifierTrainer, RefusesWhatItCannotLearnFrom) {
  auto training = shapes(30, Split::kTrain);
  const auto validation = shapes(9, Split::kValidation);
  const auto classifier = small_resnet(training);
  const auto check = [&](const ClassifierInputs& t, const ClassifierInputs& v) {
    return refusal([&] { check_training_inputs(classifier, t, v, "x.npz"); });
  };
  EXPECT_EQ(check(training, validation), "");
  EXPECT_EQ(check(training, inputs_of(coloured_shapes(3, 10, "val"), Split::kValidation)),
            "x.npz: images of 10 x 10 with 3 channel(s); shapes expects images of 12 x 12 with 3 "
            "channel(s)");
  training.labels = training.labels.clamp(0, 1);
  EXPECT_EQ(check(training, validation),
            "x.npz: class 'blue' has no training case; expected one at least");
}

TEST(ClassifierTrainer, ALossThatIsNotFiniteIsAnError) {
  const auto training = shapes(64, Split::kTrain), validation = shapes(9, Split::kValidation);
  auto classifier = small_resnet(training);
  auto how = quick();
  how.learning_rate = 1e30;
  how.warmup = 0;
  EXPECT_THAT(refusal([&] { train_classifier(classifier, training, validation, how, {}); }),
              HasSubstr("is not finite; expected a number (try a smaller learning rate)"));
}

}  // namespace
}  // namespace ifd::train
