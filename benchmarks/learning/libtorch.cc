// The deciding runtime's networks beside LibTorch's, same weights and inputs, one thread.
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/fma_peak.h"
#include "benchmarks/generated_network.h"
#include "benchmarks/learning/generated_problem.h"
#include "benchmarks/learning/learning_sections.h"
#include "ifd/policy/layer_tensors.h"
#include "ifd/policy/roster.h"
#include "train/ifd_trainer.h"
#include "train/tensor_exchange.h"

namespace ifd::benchmark {
namespace {

constexpr std::size_t kMostRows = 4096;

// LibTorch's own layers, not ours.
torch::nn::Sequential torch_net(const std::vector<Mlp::Layer>& layers) {
  const torch::NoGradGuard guard;
  torch::nn::Sequential net;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto out = static_cast<std::int64_t>(layers[i].out);
    const auto in = static_cast<std::int64_t>(layers[i].in);
    torch::nn::Linear linear(in, out);
    linear->weight.copy_(train::tensor_of(layers[i].weights, {out, in}));
    linear->bias.copy_(train::tensor_of(layers[i].bias, {out}));
    net->push_back(linear);
    if (i + 1 < layers.size()) net->push_back(torch::nn::ReLU(/*inplace=*/true));
  }
  return net;
}

std::string blas_kernel() {
  const auto name = reinterpret_cast<char* (*)()>(::dlsym(RTLD_DEFAULT, "openblas_get_config"));
  return name == nullptr ? "not OpenBLAS" : name();
}

// A network and what it reads.
struct Subject {
  std::string name;
  std::vector<Mlp::Layer> layers;
  std::vector<float> inputs;
};

// Trained for a while, with the states of the cases it was trained on: after a ReLU a trained
// network has more zeros than one made by chance, and zeros are passed over.
Subject trained(const char* name, const train::IfdOptions& options) {
  const Problem problem = generated_problem({5120, 400, 8, 4, 1});
  train::Schedule schedule;
  schedule.epochs = 20;
  const auto policy =
      train::train_ifd(problem.training, problem.contexts, problem.validation, options, schedule);
  auto inputs = train::state_numbers(problem.training, make_roster(problem.contexts, 8).profiles,
                                     options.state);
  return {name, layers_of({"ifd", "{}", policy.tensors}, "layer"), std::move(inputs)};
}

struct Batch {
  std::size_t rows, repeats;
  double least;
};

void measure_subject(Report& report, const Effort& effort, const Subject& subject,
                     const Batch& batch) {
  const std::size_t width = subject.layers.front().in;
  const Mlp ours(subject.layers);
  auto theirs = torch_net(subject.layers);
  const auto inputs = std::span(subject.inputs).first(batch.rows * width);
  const auto tensor = train::tensor_of(
      inputs, {static_cast<std::int64_t>(batch.rows), static_cast<std::int64_t>(width)});
  std::vector<float> outputs(batch.rows);
  Mlp::Workspace workspace;
  torch::Tensor result;
  const auto each = [&](auto&& run) {
    return seconds([&] {
             for (std::size_t i = 0; i < batch.repeats; ++i) run();
           }) /
           static_cast<double>(batch.repeats);
  };
  const Comparison comparison = interleave(
      3 * effort.rounds,
      [&] {
        return each([&] {
          ours.run(inputs, outputs.size(), outputs, workspace);
          keep(outputs);
        });
      },
      [&] { return each([&] { result = theirs->forward(tensor); }); });
  const float* expected = result.data_ptr<float>();
  for (std::size_t i = 0; i < batch.rows; ++i) {
    if (!(std::abs(outputs[i] - expected[i]) <= 1e-4 * (1 + std::abs(expected[i])))) {
      throw std::runtime_error("libtorch: the two networks do not agree");
    }
  }
  report.add(speed_row_of(
      fmt::format("rejector {}-256x5-1, {}, batch {} vs LibTorch", width, subject.name, batch.rows),
      comparison, batch.least));
  if (batch.rows > 1) {
    const double operations = operations_of(subject.layers) * static_cast<double>(batch.rows);
    const double peak = fma_seconds(operations * static_cast<double>(batch.repeats)) /
                        static_cast<double>(batch.repeats);
    report.add({"  what the FMA peak itself would be vs LibTorch",
                show_seconds(peak),
                show_seconds(comparison.reference),
                comparison.reference / peak,
                {},
                {},
                {}});
  }
}

}  // namespace

void measure_libtorch(Report& report, const Effort& effort) {
  at::set_num_threads(1);
  report.note(fmt::format("LibTorch's BLAS: {}", blas_kernel()));
  train::IfdOptions by_default;
  by_default.objective = train::Objective::kExpected;
  by_default.trust = train::Trust::kMean;
  by_default.state = StateSet::kExtended;
  by_default.head = Head::kResidual;
  const std::vector<Subject> subjects = {
      {"by chance", generated_layers(), generated_inputs(kMostRows)},
      trained("trained as in the paper", {}),
      trained("trained by default", by_default),
  };
  const torch::NoGradGuard guard;
  for (const Subject& subject : subjects) {
    measure_subject(report, effort, subject, {1, 2000, 3.5});
    measure_subject(report, effort, subject, {kMostRows, 3, 1.7});
  }
}

}  // namespace ifd::benchmark
