#include "train/backbones.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/scratch_directory.h"
#include "train/image_classifier.h"
#include "train/tensor_exchange.h"

namespace ifd::train {
namespace {

std::int64_t parameters_in(BackboneKind kind, Stem stem = Stem::kImagenet) {
  std::int64_t count = 0;
  for (const auto& p : make_backbone({kind, stem, 3, 1000})->parameters()) count += p.numel();
  return count;
}

// The counts that torchvision publishes for 1000 classes.
TEST(Backbones, HaveThePublishedNumberOfParameters) {
  EXPECT_EQ(parameters_in(BackboneKind::kResnet18), 11'689'512);
  EXPECT_EQ(parameters_in(BackboneKind::kResnet34), 21'797'672);
  EXPECT_EQ(parameters_in(BackboneKind::kMobilenetV2), 3'504'872);
  EXPECT_EQ(parameters_in(BackboneKind::kEfficientnetB0), 5'288'548);
}

// 28 x 28 keeps 4 x 4 places or more before pooling: two halvings less than the ImageNet stem,
// whose single place would leave nothing to pool.
TEST(Backbones, SmallStemKeepsTheNames) {
  for (const auto& [name, kind] : backbone_names()) {
    SCOPED_TRACE(name);
    const auto large = make_backbone({kind, Stem::kImagenet, 3, 5});
    const auto small = make_backbone({kind, Stem::kSmall, 3, 5});
    ASSERT_EQ(large->named_parameters().keys(), small->named_parameters().keys());
    ASSERT_EQ(large->named_buffers().keys(), small->named_buffers().keys());
  }
}

TEST(Backbones, GiveFeaturesAndLogits) {
  const torch::NoGradGuard guard;
  for (const auto& [name, kind] : backbone_names()) {
    SCOPED_TRACE(name);
    const bool vector = kind == BackboneKind::kMlp;
    for (const Stem stem : {Stem::kSmall, Stem::kImagenet}) {
      const auto net = make_backbone({kind, stem, vector ? 2 : 1, 5});
      net->eval();
      const auto x = vector ? torch::ones({3, 2}) : torch::ones({3, 1, 28, 28});
      const auto features = net->features(x);
      EXPECT_EQ(features.sizes(), (std::vector<std::int64_t>{3, net->feature_width()}));
      EXPECT_EQ(net->logits(features).sizes(), (std::vector<std::int64_t>{3, 5}));
    }
  }
}

// He et al.: standard deviation sqrt(2 / fan-out). Drawn by name: the same for every head.
TEST(Backbones, AreInitialisedByKeyAndName) {
  const auto a = make_backbone({BackboneKind::kResnetSmall, Stem::kSmall, 3, 5});
  const auto b = make_backbone({BackboneKind::kResnetSmall, Stem::kSmall, 3, 9});
  initialise_backbone(*a, Key(1));
  initialise_backbone(*b, Key(1));
  const auto weight = a->named_parameters()["layer3.0.conv2.weight"];
  EXPECT_TRUE(torch::equal(weight, b->named_parameters()["layer3.0.conv2.weight"]));
  EXPECT_NEAR(weight.std().item<double>(), std::sqrt(2.0 / (128 * 9)), 2e-4);
  initialise_backbone(*b, Key(2));
  EXPECT_FALSE(torch::equal(weight, b->named_parameters()["layer3.0.conv2.weight"]));
}

// Dropout and stochastic depth depend on the key alone.
TEST(Backbones, DropByKey) {
  const auto net = make_backbone({BackboneKind::kEfficientnetB0, Stem::kSmall, 3, 4});
  initialise_backbone(*net, Key(1));
  const auto x = torch::linspace(-1, 1, 4L * 3 * 16 * 16).view({4, 3, 16, 16});
  net->train();
  const auto pass = [&](std::uint64_t key) {
    net->set_draws(Key(key));
    return net->logits(net->features(x)).detach();
  };
  const auto first = pass(1);
  EXPECT_TRUE(torch::equal(first, pass(1)));
  EXPECT_FALSE(torch::equal(first, pass(2)));
}

// ---- against torchvision

constexpr const char* kScript = R"(
import json, struct, sys
import torch, torchvision
torch.manual_seed(1)
def save(path, tensors):
    header, data = {}, b''
    for name, t in tensors.items():
        raw = t.detach().contiguous().numpy().tobytes()
        header[name] = {'dtype': {'torch.float32': 'F32', 'torch.int64': 'I64'}[str(t.dtype)],
                        'shape': list(t.shape), 'data_offsets': [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    open(path, 'wb').write(struct.pack('<Q', len(text)) + text + data)
for name, make in (('resnet-18', torchvision.models.resnet18), ('resnet-34', torchvision.models.resnet34),
                   ('mobilenet-v2', torchvision.models.mobilenet_v2),
                   ('efficientnet-b0', torchvision.models.efficientnet_b0)):
    net = make(num_classes=10).eval()
    for key, buffer in net.named_buffers():
        if key.endswith('running_mean'): buffer.normal_(0, .1)
        if key.endswith('running_var'): buffer.uniform_(.5, 1.5)
    x = torch.randn(2, 3, 64, 64)
    with torch.no_grad(): y = net(x)
    save(name + '.safetensors', net.state_dict())
    save(name + '.io', {'input': x, 'output': y})
)";

TEST(Backbones, ForwardPassEqualsTorchvision) {
  if (std::system("/usr/bin/python3 -c 'import numpy, torchvision' > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "python3-torchvision is not installed";
  }
  const ScratchDirectory scratch;
  scratch.put("make.py", kScript);
  const std::string command =
      "cd '" + scratch.path().string() + "' && /usr/bin/python3 make.py 2> stderr";
  ASSERT_EQ(std::system(command.c_str()), 0) << scratch.get("stderr");
  const torch::NoGradGuard guard;
  for (const char* name : {"resnet-18", "resnet-34", "mobilenet-v2", "efficientnet-b0"}) {
    SCOPED_TRACE(name);
    const auto net = make_backbone({backbone_names().at(name), Stem::kImagenet, 3, 10});
    const std::string stem = name;
    EXPECT_EQ(import_weights(*net, SafetensorsFile::read(scratch / (stem + ".safetensors"))),
              ImportedHead::kTaken);
    net->eval();
    const auto io = SafetensorsFile::read(scratch / (stem + ".io"));
    const auto expected = tensor_of(io.floats("output"), {2, 10});
    const auto got = net->logits(net->features(tensor_of(io.floats("input"), {2, 3, 64, 64})));
    EXPECT_LE((got - expected).abs().max().item<double>(),
              1e-4 * expected.abs().max().item<double>());
  }
}

}  // namespace
}  // namespace ifd::train
