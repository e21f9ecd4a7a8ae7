#include "train/torch_script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/serialization/import.h>

#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd::train {
namespace {

// LibTorch adds a stack trace, and TorchScript tells where in Python it happened before what it
// was.
std::string reason(const std::exception& error) {
  const std::string_view all = error.what();
  const std::size_t cause = all.rfind("RuntimeError: ");
  std::string_view text = cause == std::string_view::npos ? all : all.substr(cause + 14);
  return excerpt(text.substr(0, text.find('\n')));
}

class TorchScriptClassifier final : public Classifier {
 public:
  TorchScriptClassifier(torch::jit::Module module, Normalisation normalisation, std::string name)
      : module_(std::move(module)),
        normalisation_(std::move(normalisation)),
        name_(std::move(name)) {
    module_.eval();
  }

  const std::string& name() const override { return name_; }
  const Normalisation& normalisation() const override { return normalisation_; }

  void check_inputs(const ClassifierInputs& inputs, const std::string& place) const override {
    if (!inputs.are_images()) {
      throw bad_input(fmt::format("{}: vectors; a TorchScript module expects images", place));
    }
    const auto channels = static_cast<std::size_t>(inputs.channels());
    if (normalisation_.mean.size() != channels || normalisation_.scale.size() != channels) {
      throw bad_input(
          fmt::format("{}: images with {} channel(s); expected as many numbers in "
                      "--mean and --std (found {} and {})",
                      place, channels, normalisation_.mean.size(), normalisation_.scale.size()));
    }
  }

  ClassifierOutput output(const torch::Tensor& batch) override {
    const torch::NoGradGuard guard;
    const auto answer = [&] {
      try {
        return module_.forward({batch});
      } catch (const std::exception& error) {
        throw bad_input(fmt::format("{}: the module failed on images of shape ({}): {}", name_,
                                    fmt::join(batch.sizes().begin(), batch.sizes().end(), ", "),
                                    reason(error)));
      }
    }();
    ClassifierOutput made;
    if (answer.isTensor()) {
      made.logits = answer.toTensor();
    } else if (answer.isTuple() && !answer.toTupleRef().elements().empty()) {
      const auto elements = answer.toTupleRef().elements().vec();
      if (elements[0].isTensor()) made.logits = elements[0].toTensor();
      if (elements.size() > 1 && elements[1].isTensor()) made.features = elements[1].toTensor();
    } else if (answer.isGenericDict()) {
      for (const auto& item : answer.toGenericDict()) {
        if (!item.key().isString() || !item.value().isTensor()) continue;
        if (item.key().toStringRef() == "logits") made.logits = item.value().toTensor();
        if (item.key().toStringRef() == "features") made.features = item.value().toTensor();
      }
    }
    if (!made.logits.defined() || made.logits.dim() != 2 || !made.logits.is_floating_point()) {
      throw bad_input(
          fmt::format("{}: the module answers with {}; expected logits (N, K), a tuple "
                      "(logits, features) or a dictionary with 'logits'",
                      name_,
                      made.logits.defined() ? fmt::format("{} dimension(s)", made.logits.dim())
                                            : answer.tagKind()));
    }
    return made;
  }

 private:
  torch::jit::Module module_;
  Normalisation normalisation_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Classifier> read_torch_script(const std::filesystem::path& path,
                                              const Normalisation& normalisation) {
  try {
    return std::make_unique<TorchScriptClassifier>(torch::jit::load(path.string()), normalisation,
                                                   path.string());
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: not a TorchScript module: {}", path.string(), reason(error)));
  }
}

}  // namespace ifd::train
