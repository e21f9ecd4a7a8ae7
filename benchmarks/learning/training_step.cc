// A training step of the identity-free rejector beside the matrix products it cannot do without.
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/types.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "benchmarks/learning/generated_problem.h"
#include "benchmarks/learning/learning_sections.h"
#include "train/ifd_trainer.h"

namespace ifd::benchmark {
namespace {

constexpr double kMostProducts = 2;
constexpr std::int64_t kBatch = 128;
constexpr std::int64_t kExperts = 4;
constexpr std::size_t kSteps = 40;

// The products of one step: forward, and backward to the weights and (but for the first layer,
// whose input is data) to the inputs.
class Products {
 public:
  Products() {
    constexpr std::int64_t kWidths[] = {6, 256, 256, 256, 256, 256, 1};
    for (std::size_t i = 0; i + 1 < std::size(kWidths); ++i) {
      const std::int64_t rows = kBatch * kExperts;
      layers_.push_back({torch::rand({rows, kWidths[i]}), torch::rand({kWidths[i + 1], kWidths[i]}),
                         torch::rand({rows, kWidths[i + 1]}), torch::empty({rows, kWidths[i + 1]}),
                         torch::empty({kWidths[i + 1], kWidths[i]}),
                         torch::empty({rows, kWidths[i]})});
    }
  }

  void run() {
    const torch::NoGradGuard guard;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      Layer& layer = layers_[i];
      at::mm_out(layer.output, layer.input, layer.weight.t());
      at::mm_out(layer.weight_gradient, layer.output_gradient.t(), layer.input);
      if (i > 0) at::mm_out(layer.input_gradient, layer.output_gradient, layer.weight);
    }
  }

 private:
  struct Layer {
    torch::Tensor input, weight, output_gradient;
    torch::Tensor output, weight_gradient, input_gradient;
  };
  std::vector<Layer> layers_;
};

}  // namespace

void measure_training_step(Report& report, const Effort& effort) {
  at::set_num_threads(1);
  const Problem problem = generated_problem({kBatch * kSteps, 8, 8, kExperts, 1});
  Products products;
  // Epochs of `kSteps` batches, with all that belongs to them: states read anew, Adam, and a
  // validation too small to count. The observer runs the products between epochs.
  std::vector<double> ours, alone, ratio;
  train::Schedule schedule;
  schedule.epochs = effort.rounds + 1;
  schedule.patience = schedule.epochs + 1;
  double begin = 0;
  train::train_ifd(problem.training, problem.contexts, problem.validation, {}, schedule,
                   [&](const train::EpochReport& epoch) {
                     const double epoch_took = processor_time() - begin;
                     const double products_took = seconds([&] {
                       for (std::size_t i = 0; i < kSteps; ++i) products.run();
                     });
                     if (epoch.epoch > 1) {  // the first warms the caches
                       ours.push_back(epoch_took / kSteps);
                       alone.push_back(products_took / kSteps);
                       ratio.push_back(epoch_took / products_took);
                     }
                     begin = processor_time();
                     return train::Continue::kYes;
                   });
  const Comparison comparison{quantile(ours, .5), quantile(alone, .5), quantile(ratio, .5),
                              quantile(ratio, .25), quantile(ratio, .75)};
  Row row = row_of("training step, batch 128 x 4 experts vs its products", comparison);
  row.target = {fmt::format("ratio <= {}", kMostProducts), comparison.ratio <= kMostProducts};
  report.add(row);
}

}  // namespace ifd::benchmark
