#include "train/image_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include "ifd/data/safetensors.h"
#include "tests/coloured_shapes.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"
#include "train/torch_script.h"

namespace ifd::train {
namespace {

using testing::HasSubstr;

BackboneClassifier small_resnet(std::int64_t classes = 3) {
  BackboneClassifier made({{BackboneKind::kResnetSmall, Stem::kSmall, 3, classes},
                           12,
                           12,
                           ClassNames::numbered(static_cast<std::size_t>(classes)),
                           {{.1F, .2F, .3F}, {.5F, .25F, 1.F / 3}}},
                          "made");
  initialise_backbone(made.backbone(), Key(1));
  return made;
}

TEST(BackboneClassifier, IsReadAsItWasWritten) {
  const ScratchDirectory scratch;
  auto made = small_resnet();
  made.write(scratch / "m.safetensors", {3, "abc", .75, 2, "0"});
  auto read = BackboneClassifier::read(scratch / "m.safetensors");
  EXPECT_EQ(read.spec().classes, made.spec().classes);
  EXPECT_EQ(read.normalisation().mean, made.normalisation().mean);
  EXPECT_EQ(read.normalisation().scale, made.normalisation().scale);
  const auto inputs = inputs_of(coloured_shapes(20, 12, "test"), Split::kTest);
  const auto a = classify(made, inputs, made.spec().classes);
  const auto b = classify(read, inputs, read.spec().classes);
  EXPECT_EQ(a.parts().probabilities, b.parts().probabilities);
  EXPECT_EQ(a.parts().features, b.parts().features);
  EXPECT_EQ(SafetensorsFile::read(scratch / "m.safetensors").metadata().at("validation_accuracy"),
            "0.75");
}

TEST(BackboneClassifier, RefusesForeignAndDamagedFiles) {
  const ScratchDirectory scratch;
  const auto read = [&] { return refusal([&] { BackboneClassifier::read(scratch / "m"); }); };
  const std::string place = (scratch / "m").string();
  SafetensorsWriter foreign;
  foreign.add("conv1.weight", {1}, std::vector<float>{1});
  std::move(foreign).write(scratch / "m");
  EXPECT_EQ(read(), place + ": no 'format' in the metadata; expected a classifier made by ifd");

  small_resnet().write(scratch / "m", {});
  const std::string good = scratch.get("m");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    bytes.replace(bytes.find(from), from.size(), to);
    scratch.put("m", bytes);
    return read();
  };
  EXPECT_EQ(with(R"("version":"1")", R"("version":"2")"), place + ": version 2; expected 1");
  EXPECT_THAT(with("resnet-small", "resnet-smell"), HasSubstr("'backbone' is 'resnet-smell'"));
  EXPECT_THAT(with(R"("inputs":"3")", R"("inputs":"1")"), HasSubstr("expected 1 each"));
  EXPECT_EQ(with("layer1.0.conv1.weight", "layer1.0.conv9.weight"),
            place + ": no tensor 'layer1.0.conv1.weight'; expected it, of shape (32, 32, 3, 3)");
}

TEST(ImportWeights, LeavesOutAHeadForOtherClasses) {
  const ScratchDirectory scratch;
  auto three = small_resnet(3);
  three.write(scratch / "three", {});
  auto five = small_resnet(5);
  const auto head = five.backbone().named_parameters()["fc.weight"].clone();
  initialise_backbone(five.backbone(), Key(2));
  const auto drawn = five.backbone().named_parameters()["fc.weight"].clone();
  EXPECT_FALSE(torch::equal(head, drawn));
  EXPECT_EQ(import_weights(five.backbone(), SafetensorsFile::read(scratch / "three")),
            ImportedHead::kLeftOut);
  EXPECT_TRUE(torch::equal(five.backbone().named_parameters()["fc.weight"], drawn));
  EXPECT_TRUE(torch::equal(five.backbone().named_parameters()["layer3.0.conv2.weight"],
                           three.backbone().named_parameters()["layer3.0.conv2.weight"]));
}

TEST(ImportWeights, NamesTheTensorThatDoesNotFit) {
  auto net = make_backbone({BackboneKind::kMlp, Stem::kSmall, 2, 3});
  const auto with = [&](const std::string& name, std::vector<std::size_t> shape) {
    SafetensorsWriter writer;
    for (const auto& item : net->named_parameters()) {
      if (item.key() == name) continue;
      std::vector<std::size_t> extents;
      for (const auto extent : item.value().sizes())
        extents.push_back(static_cast<std::size_t>(extent));
      writer.add(item.key(), extents,
                 std::vector<float>(static_cast<std::size_t>(item.value().numel())));
    }
    if (!shape.empty()) writer.add(name, shape, std::vector<float>(shape[0]));
    const auto file = SafetensorsFile::from_bytes(std::move(writer).bytes(), "w");
    return refusal([&] { import_weights(*net, file); });
  };
  EXPECT_EQ(with("hidden.1.bias", {64}), "");
  EXPECT_EQ(with("hidden.1.bias", {}), "w: no tensor 'hidden.1.bias'; expected it, of shape (64)");
  EXPECT_EQ(with("hidden.1.bias", {63}), "w: 'hidden.1.bias' has shape (63); expected (64)");
  EXPECT_EQ(with("hidden.9.bias", {64}), "w: tensor 'hidden.9.bias' has no place in the network");
}

// ---- TorchScript

class TorchScript : public testing::Test {
 protected:
  // A module whose forward(self, x) is `body`.
  void save(const std::string& body) {
    torch::jit::Module module("m");
    module.define("def forward(self, x):\n    " + body + "\n");
    module.save((scratch_ / "m.pt").string());
  }
  Predictions ask() {
    const auto model = read_torch_script(scratch_ / "m.pt", {{0, 0, 0}, {1, 1, 1}});
    return classify(*model, inputs_, ClassNames::numbered(3));
  }
  std::string said() {
    const std::string message = refusal([&] { ask(); });
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return message;
  }

  ScratchDirectory scratch_;
  ClassifierInputs inputs_ = inputs_of(coloured_shapes(5, 12, "test"), Split::kTest);
};

// The brightness of the channels as logits: softmax by hand.
TEST_F(TorchScript, LogitsTuplesAndDictionariesAreRead) {
  save("return x.mean([2, 3])");
  const auto plain = ask();
  EXPECT_EQ(plain.feature_width(), 0U);
  const auto means = batch_of(inputs_, {{0, 0, 0}, {1, 1, 1}}, torch::arange(5)).mean({2, 3});
  const auto expected = means.softmax(1);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(
          plain.probabilities(i)[k],
          expected[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(k)].item<double>(),
          1e-6);
    }
  }
  save("return (x.mean([2, 3]), x.amax([2, 3]))");
  EXPECT_EQ(ask().feature_width(), 3U);
  EXPECT_EQ(ask().parts().probabilities, plain.parts().probabilities);
  save("return {'features': x.flatten(1), 'logits': x.mean([2, 3])}");
  EXPECT_EQ(ask().feature_width(), 432U);
}

TEST_F(TorchScript, WhatIsNoClassifierIsRefusedInOneLine) {
  scratch_.put("m.pt", "PK\x03\x04 and nothing else");
  EXPECT_THAT(said(), HasSubstr("m.pt: not a TorchScript module: "));
  save("return x.mean([2, 3]).sum()");
  EXPECT_THAT(said(), HasSubstr("the module answers with 0 dimension(s); expected logits (N, K)"));
  save("return x.flatten(1)");
  EXPECT_THAT(said(), HasSubstr("logits of shape (5, 432); expected (5, 3)"));
  save("return x.view([7, 3])");
  EXPECT_THAT(said(), HasSubstr("the module failed on images of shape (5, 3, 12, 12): "));
  save("return x.mean([2, 3]) / 0.0");
  EXPECT_THAT(said(), HasSubstr("case 'test-0'"));
}

}  // namespace
}  // namespace ifd::train
