#include "train/training_loop.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "train/dense.h"

namespace ifd::train {
namespace {

// OpenBLAS keeps to one thread, which must not take LibTorch's away.
TEST(UseThreads, GivesLibTorchAsManyAsAsked) {
  for (const int threads : {1, 2, 3}) {
    use_threads(threads);
    EXPECT_EQ(at::get_num_threads(), threads);
    const auto product = torch::ones({300, 300}).mm(torch::ones({300, 300}));
    EXPECT_EQ(product[0][0].item<float>(), 300);
    EXPECT_EQ(at::get_num_threads(), threads);
    EXPECT_EQ(dense_threads(), threads);
  }
  use_threads(1);
}

}  // namespace
}  // namespace ifd::train
