// What fuzz targets cannot reach, because it needs LibTorch: a changed file of a network, or of a
// training between two epochs, is read or refused with an Error of one line. The laws hold for each
// of thousands of files that are drawn.
#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adam.h>

#include <cmath>
#include <functional>

#include "ifd/data/little_endian.h"
#include "ifd/data/safetensors.h"
#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"
#include "train/classifier_trainer.h"
#include "train/image_classifier.h"
#include "train/training_state.h"

namespace ifd::train {
namespace {

// A safetensors file with up to three changes: of bytes, digits and words of the header, of the
// data's length and of numbers there.
class ChangedFile {
 public:
  ChangedFile(const std::string& good, const Key& key) : key_(key) {
    std::uint64_t size = 0;
    for (int i = 7; i >= 0; --i) size = size << 8 | static_cast<unsigned char>(good[i]);
    header_ = good.substr(8, size);
    data_ = good.substr(8 + size);
    for (std::size_t left = 1 + below(3); left > 0; --left) change();
  }

  // As it came out, or behind a right checksum where that can be had.
  std::string bytes() {
    std::string made;
    append_number(made, std::uint64_t{header_.size()});
    made += header_ + data_;
    if (below(4) == 0) return made;
    try {
      return with_checksum(SafetensorsFile::from_bytes(made, "changed"));
    } catch (const Error&) {
      return made;
    }
  }

 private:
  std::size_t below(std::size_t bound) { return key_.below(bound, draws_++); }
  // Of a quoted word of the header that is drawn.
  std::pair<std::size_t, std::size_t> word() {
    const std::size_t begin = header_.find('"', below(header_.size()));
    const std::size_t end = begin == std::string::npos ? begin : header_.find('"', begin + 1);
    if (end == std::string::npos) return {0, 0};
    return {begin, end - begin + 1};
  }

  void change() {
    switch (below(6)) {
      case 0:
        header_[below(header_.size())] = static_cast<char>(below(256));
        break;
      case 1: {
        const std::size_t digit = header_.find_first_of("0123456789", below(header_.size()));
        if (digit != std::string::npos) header_[digit] = static_cast<char>('0' + below(10));
        break;
      }
      case 2:
        header_.erase(below(header_.size()), 1 + below(20));
        if (header_.empty()) header_ = "{";
        break;
      case 3: {
        const auto [from, length] = word();
        const std::string copy = header_.substr(from, length);
        const auto [to, replaced] = word();
        header_.replace(to, replaced, copy);
        break;
      }
      case 4:
        data_.resize(data_.size() < 8 || below(2) == 0 ? data_.size() + 4 : data_.size() - 4);
        break;
      default: {
        const float numbers[] = {NAN, INFINITY, -INFINITY, 3e38F, -1, 0};
        std::string number;
        append_number(number, std::bit_cast<std::uint32_t>(numbers[below(6)]));
        if (data_.size() >= 4) data_.replace(below(data_.size() / 4) * 4, 4, number);
      }
    }
  }

  static std::string with_checksum(const SafetensorsFile& file) {
    SafetensorsWriter writer;
    for (const auto& [key, value] : file.metadata()) {
      if (key != kSafetensorsChecksum) writer.set_metadata(key, value);
    }
    for (const std::string& name : file.names()) {
      const auto tensor = file.at(name);
      if (safetensors_type_name(tensor.type)[0] == 'I') {
        writer.add(name, tensor.shape, std::span<const std::int64_t>(file.integers(name)));
      } else {
        writer.add(name, tensor.shape, std::span<const float>(file.floats(name)));
      }
    }
    writer.add_checksum();
    return std::move(writer).bytes();
  }

  Key key_;
  std::uint64_t draws_ = 0;
  std::string header_, data_;
};

// Reads so many changed files. Some of them must go through: otherwise the changes do not get far.
void read_changed(const std::string& good, std::uint64_t files,
                  const std::function<void(const std::string& bytes)>& read) {
  ASSERT_EQ(refusal([&] { read(good); }), "");
  constexpr std::uint64_t kSeed = 1;
  std::uint64_t refused = 0;
  for (std::uint64_t i = 0; i < files; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", file " << i);
    const std::string bytes = ChangedFile(good, Key(kSeed).with("changed").with(i)).bytes();
    const std::string said = refusal([&] { read(bytes); });
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    refused += said.empty() ? 0U : 1U;
  }
  EXPECT_GT(refused, files / 10);
  EXPECT_LT(refused, files - files / 50);
}

BackboneClassifier two_numbers_to_three_classes() {
  BackboneClassifier made(
      {{BackboneKind::kMlp, Stem::kSmall, 2, 3}, 0, 0, ClassNames::numbered(3), {{0, 0}, {1, 1}}},
      "made");
  initialise_backbone(made.backbone(), Key(1));
  return made;
}

ClassifierInputs three_vectors() {
  return {torch::tensor({{0.F, 1.F}, {1.F, 0.F}, {2.F, 2.F}}),
          torch::tensor({0, 1, 2}),
          {"a", "b", "c"}};
}

TEST(MutatedFiles, ClassifiersAnswerOrAreRefused) {
  const ScratchDirectory scratch;
  two_numbers_to_three_classes().write(scratch / "m", {});
  read_changed(scratch.get("m"), 3000, [](const std::string& bytes) {
    auto classifier = BackboneClassifier::from_file(SafetensorsFile::from_bytes(bytes, "m"));
    classifier.check_inputs(three_vectors(), "inputs");
    EXPECT_EQ(classify(classifier, three_vectors(), classifier.spec().classes).size(), 3U);
  });
}

TEST(MutatedFiles, WeightsToBeginWithAreTakenOrRefused) {
  const ScratchDirectory scratch;
  two_numbers_to_three_classes().write(scratch / "m", {});
  auto classifier = two_numbers_to_three_classes();
  read_changed(scratch.get("m"), 3000, [&](const std::string& bytes) {
    import_weights(classifier.backbone(), SafetensorsFile::from_bytes(bytes, "m"));
  });
}

TEST(MutatedFiles, ClassifiersInTrainingGoOnOrAreRefused) {
  const ScratchDirectory scratch;
  ClassifierTraining how;
  how.epochs = 2;
  how.optimiser = Optimiser::kAdam;
  ClassifierObserver one_epoch;
  std::size_t epochs = 0;
  one_epoch.batch = [&](std::size_t epoch, std::size_t, std::size_t) {
    epochs = std::max(epochs, epoch);
    return epoch < 2 ? Continue::kYes : Continue::kNo;
  };
  const auto train = [&](Start start) {
    auto classifier = two_numbers_to_three_classes();
    train_classifier(classifier, three_vectors(), three_vectors(), how,
                     {scratch / "checkpoint", start, {}}, one_epoch);
  };
  train(Start::kFresh);
  const std::string good = scratch.get("checkpoint");
  ASSERT_FALSE(good.empty());
  read_changed(good, 1000, [&](const std::string& bytes) {
    scratch.put("checkpoint", bytes);
    train(Start::kResume);
  });
}

// The container's own laws, that a tensor has as many numbers as its shape tells, hold here too.
Checkpoint changed(Checkpoint checkpoint, const Key& key) {
  std::uint64_t draws = 0;
  const auto below = [&](std::size_t bound) { return key.below(bound, draws++); };
  Tensor& tensor = checkpoint.tensors[below(checkpoint.tensors.size())];
  switch (below(6)) {
    case 0:
      tensor.name = checkpoint.tensors[below(checkpoint.tensors.size())].name;
      break;
    case 1:
      tensor.shape.push_back(below(3));
      tensor.values.resize(tensor.values.size() * tensor.shape.back());
      break;
    case 2:
      tensor.shape = {tensor.values.size()};
      break;
    case 3:
      tensor.values[below(tensor.values.size())] = below(2) == 0 ? NAN : 1e30F;
      break;
    case 4:
      checkpoint.adam_steps.resize(below(4), static_cast<std::int64_t>(below(3)));
      break;
    default:
      checkpoint.summary.best_epoch = below(3);
  }
  return checkpoint;
}

TEST(MutatedFiles, TrainingsGoOnOrAreRefused) {
  const auto fresh = [] { return torch::nn::Linear(3, 2); };
  auto net = fresh();
  torch::optim::Adam adam(net->parameters());
  net->forward(torch::ones({4, 3})).sum().backward();
  adam.step();
  TrainingSummary summary;
  summary.epochs.resize(2);
  summary.best_epoch = 1;
  const Checkpoint good = checkpoint_of(*net, adam, copy_of(*net), summary);
  std::size_t refused = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    SCOPED_TRACE(testing::Message() << "seed 1, checkpoint " << i);
    auto another = fresh();
    torch::optim::Adam steps(another->parameters());
    const Checkpoint checkpoint = changed(good, Key(1).with("checkpoint").with(i));
    const std::string said = refusal([&] {
      EXPECT_EQ(restore(*another, steps, checkpoint).size(), numbers_of(*another).size());
      another->zero_grad();
      another->forward(torch::ones({4, 3})).sum().backward();
      steps.step();
    });
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    refused += said.empty() ? 0U : 1U;
  }
  EXPECT_GT(refused, 200U);
  EXPECT_LT(refused, 1800U);
}

}  // namespace
}  // namespace ifd::train
