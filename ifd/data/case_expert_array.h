// Numbers by case and expert in an NPZ file, whatever the order they are stored in.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/npz.h"
#include "ifd/data/predictions.h"

namespace ifd {

// The array `name` of the archive, N x J or, where `depth` is not 1, N x J x depth, beside arrays
// `cases` (N names) and `experts` (J names). What comes out is in the order of the predictions and
// of `experts`; rows and columns beyond these are passed over. Error(kBadInput) where a case or an
// expert is not there, or the shapes do not fit.
std::vector<double> case_expert_array(const NpzFile& npz, std::string_view name, std::size_t depth,
                                      const Predictions& predictions,
                                      std::span<const std::string> experts);

// A(x | E, y) as `ifd experts simulate` writes it: `accuracies`, N x J x K, each in 0..1.
std::vector<float> read_accuracies(const std::filesystem::path& path,
                                   const Predictions& predictions,
                                   std::span<const std::string> experts,
                                   const ReadLimits& limits = {});

// Anybody's margins: `margins`, N x J, finite.
std::vector<double> read_margins(const std::filesystem::path& path, const Predictions& predictions,
                                 std::span<const std::string> experts,
                                 const ReadLimits& limits = {});

}  // namespace ifd
