// Whether an expert's answer could change the label.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ifd {

// Whether value_of_information(belief, means) is positive, however small: with t the label that
// stands, another class y overtakes it if the expert names y, t, or a third.
bool can_change_label(std::span<const float> belief, std::span<const double> means);

// Somebody who would be asked. The means must outlive this.
struct AskedExpert {
  AskedExpert() = default;
  explicit AskedExpert(std::span<const double> means);

  const double* means = nullptr;
  // On every class a right answer is at least as probable as any one wrong answer. A class that
  // overtakes without being named, or because t is, then does so if it is named, too.
  bool beats_chance = false;
};

// The same for many cases at once, in vectors: `beliefs` are N x K, row by row, and asked[i] would
// be asked on case i. Sets can[i] to 1 or 0.
void can_change_labels(std::span<const float> beliefs, std::span<const AskedExpert> asked,
                       std::span<std::uint8_t> can);

}  // namespace ifd
