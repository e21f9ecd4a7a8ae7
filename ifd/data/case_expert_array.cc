#include "ifd/data/case_expert_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <unordered_map>

#include "ifd/data/name_spelling.h"
#include "ifd/data/unmatched_cases.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

using Places = std::unordered_map<std::string_view, std::size_t>;

Places places_of(std::span<const std::string> names, const std::string& file, const char* what) {
  Places places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (places.emplace(names[i], i).second) continue;
    throw bad_input(
        fmt::format("{}: {} '{}' is there twice; expected once", file, what, excerpt(names[i])));
  }
  return places;
}

std::vector<std::string> names_at(const NpzFile& npz, std::string_view array) {
  const NpyArray names = npz.at(array);
  if (names.shape().size() != 1) {
    throw bad_input(fmt::format("{}: shape ({}); expected a list of names", names.place(),
                                fmt::join(names.shape(), ", ")));
  }
  std::vector<std::string> read = names.as_strings();
  for (std::string& name : read) name = std::string(trimmed(name));
  return read;
}

}  // namespace

std::vector<double> case_expert_array(const NpzFile& npz, std::string_view name, std::size_t depth,
                                      const Predictions& predictions,
                                      std::span<const std::string> experts) {
  const NpyArray values = npz.at(name);
  const std::vector<std::string> stored_experts = names_at(npz, "experts");
  const std::vector<std::string> stored_cases = names_at(npz, "cases");
  std::vector<std::size_t> shape = {stored_cases.size(), stored_experts.size()};
  if (depth != 1) shape.push_back(depth);
  if (values.shape() != shape) {
    throw bad_input(fmt::format("{}: '{}' has another shape; expected {}", npz.name(), name,
                                fmt::join(shape, " x ")));
  }
  const Places row_of = places_of(stored_cases, npz.name(), "case");
  const Places column_of = places_of(stored_experts, npz.name(), "expert");
  std::vector<std::size_t> columns;
  for (const std::string& expert : experts) {
    const auto found = column_of.find(expert);
    if (found == column_of.end()) {
      throw bad_input(fmt::format("{}: expert '{}' is not there; expected all of the roster",
                                  npz.name(), excerpt(expert)));
    }
    columns.push_back(found->second);
  }
  const std::vector<double> stored = values.as_doubles();
  std::vector<double> ordered;
  ordered.reserve(predictions.size() * experts.size() * depth);
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const auto row = row_of.find(predictions.case_name(i));
    if (row == row_of.end()) {
      throw bad_input(
          fmt::format("{}: case '{}' is not there; expected every case to be scored; {}",
                      npz.name(), excerpt(predictions.case_name(i)),
                      unmatched_case_hint(predictions.case_name(i), stored_cases)));
    }
    for (const std::size_t column : columns) {
      const auto cell =
          std::span(stored).subspan((row->second * stored_experts.size() + column) * depth, depth);
      ordered.insert(ordered.end(), cell.begin(), cell.end());
    }
  }
  return ordered;
}

std::vector<float> read_accuracies(const std::filesystem::path& path,
                                   const Predictions& predictions,
                                   std::span<const std::string> experts, const ReadLimits& limits) {
  const auto read = case_expert_array(NpzFile::read(path, limits), "accuracies",
                                      predictions.classes().size(), predictions, experts);
  std::vector<float> accuracies;
  accuracies.reserve(read.size());
  for (const double value : read) {
    if (!(value >= 0 && value <= 1)) {
      throw bad_input(
          fmt::format("{}: {} is not an accuracy; expected 0..1", path.string(), value));
    }
    accuracies.push_back(static_cast<float>(value));
  }
  return accuracies;
}

std::vector<double> read_margins(const std::filesystem::path& path, const Predictions& predictions,
                                 std::span<const std::string> experts, const ReadLimits& limits) {
  const auto margins =
      case_expert_array(NpzFile::read(path, limits), "margins", 1, predictions, experts);
  for (std::size_t i = 0; i < margins.size(); ++i) {
    if (std::isfinite(margins[i])) continue;
    throw bad_input(
        fmt::format("{}: {} is not a margin, for case '{}' and expert '{}'; expected "
                    "finite numbers",
                    path.string(), margins[i], excerpt(predictions.case_name(i / experts.size())),
                    excerpt(experts[i % experts.size()])));
  }
  return margins;
}

}  // namespace ifd
