// The deciding runtime's network beside LibTorch's, same weights and inputs, one thread.
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "benchmarks/fma_peak.h"
#include "benchmarks/generated_network.h"
#include "benchmarks/learning/learning_sections.h"
#include "train/tensor_exchange.h"

namespace ifd::benchmark {
namespace {

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

}  // namespace

void measure_libtorch(Report& report, const Effort& effort) {
  at::set_num_threads(1);
  report.note(fmt::format("LibTorch's BLAS: {}", blas_kernel()));
  const auto layers = generated_layers();
  const Mlp ours(layers);
  auto theirs = torch_net(layers);
  const torch::NoGradGuard guard;
  struct Case {
    std::size_t batch, repeats;
    double least;
  };
  for (const auto& [batch, repeats, least] : {Case{1, 2000, 3.5}, Case{4096, 3, 1.7}}) {
    const auto inputs = generated_inputs(batch);
    const auto tensor = train::tensor_of(inputs, {static_cast<std::int64_t>(batch), 6});
    std::vector<float> outputs(batch);
    Mlp::Workspace workspace;
    torch::Tensor result;
    const Comparison comparison = interleave(
        3 * effort.rounds,
        [&, repeats = repeats] {
          const double all = seconds([&] {
            for (std::size_t i = 0; i < repeats; ++i) {
              ours.run(inputs, outputs.size(), outputs, workspace);
              keep(outputs);
            }
          });
          return all / static_cast<double>(repeats);
        },
        [&, repeats = repeats] {
          const double all = seconds([&] {
            for (std::size_t i = 0; i < repeats; ++i) result = theirs->forward(tensor);
          });
          return all / static_cast<double>(repeats);
        });
    const float* expected = result.data_ptr<float>();
    for (std::size_t i = 0; i < batch; ++i) {
      if (!(std::abs(outputs[i] - expected[i]) <= 1e-4 * (1 + std::abs(expected[i])))) {
        throw std::runtime_error("libtorch: the two networks do not agree");
      }
    }
    report.add(speed_row_of(fmt::format("rejector 6-256x5-1, batch {} vs LibTorch", batch),
                            comparison, least));
    if (batch > 1) {
      const double peak =
          fma_seconds(operations_of(layers) * static_cast<double>(batch * repeats)) /
          static_cast<double>(repeats);
      report.add({"  what the FMA peak itself would be vs LibTorch",
                  show_seconds(peak),
                  show_seconds(comparison.reference),
                  comparison.reference / peak,
                  {},
                  {},
                  {}});
    }
  }
}

}  // namespace ifd::benchmark
