// sum_y rho_y v_y over the classes for many experts at once, to the same bits whatever the classes
// are called.
//
// Sorting the products of every (case, expert) pair would cost more than the sum itself. Instead
// the classes of a case are ordered once by rho; classes that share a rho form a group, and the
// values of a group are added on a grid so coarse (2^-37 or finer) that their sum is exact in any
// order. A relabelling permutes classes only within groups, so it changes no bit.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ifd {

// Class-indexed values in 0..1 (posterior means, say) of J experts, laid out for summing.
class ClassValues {
 public:
  // values[j] holds K numbers for expert j.
  explicit ClassValues(std::span<const std::span<const double>> values);

  std::size_t experts() const { return experts_; }
  std::size_t classes() const { return classes_; }
  std::size_t stride() const { return stride_; }
  // The experts' values for one class, zero-padded to the stride.
  const double* row(std::size_t class_index) const { return grid_.data() + class_index * stride_; }

 private:
  std::size_t experts_;
  std::size_t classes_;
  std::size_t stride_;
  std::vector<double> grid_;
};

// Computes the sums for one case after another, reusing its memory. One object per thread.
class ExpectedAccuracy {
 public:
  // Takes up a case; add() is about it until the next.
  void begin(std::span<const float> probabilities);
  void begin(std::span<const double> probabilities);
  // sums[j] = sum_y probabilities[y] * values[j][y]; sums.size() == experts.
  void add(const ClassValues& values, std::span<double> sums);

  void operator()(const ClassValues& values, std::span<const float> probabilities,
                  std::span<double> sums) {
    begin(probabilities);
    add(values, sums);
  }

 private:
  template <typename Number>
  void order_and_group(std::span<const Number> probabilities);
  void sort_decreasing(std::span<const float> probabilities);
  void sort_decreasing(std::span<const double> probabilities);

  std::vector<std::size_t> order_;
  std::size_t groups_ = 0;
  std::vector<double> weights_;           // rho of each group, decreasing; then unused
  std::vector<std::size_t> group_end_;    // in order_; then unused
  std::vector<const double*> class_row_;  // rows of the values in that order
  std::vector<double> padded_;            // sums, padded to the stride
};

// The same for one expert.
double expected_value(std::span<const float> probabilities, std::span<const double> values);

}  // namespace ifd
