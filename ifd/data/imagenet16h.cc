#include "ifd/data/imagenet16h.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "ifd/data/csv.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

ClassId truth_in(const CsvReader& csv, std::size_t column) {
  const auto truth = imagenet16h_classes().find(csv.field(column));
  if (truth) return *truth;
  throw bad_input(fmt::format("{}: '{}' is not a class; expected {}", csv.place(),
                              excerpt(csv.field(column)), imagenet16h_classes().allowed()));
}

int noise_in(const CsvReader& csv, std::size_t column) {
  std::string_view text = csv.field(column);
  // Data frames may have made a float of it.
  if (text.ends_with(".0")) text.remove_suffix(2);
  int noise = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), noise);
  if (error != std::errc() || end != text.data() + text.size() || noise < 1) {
    throw bad_input(fmt::format("{}: '{}' is not a noise level; expected a number such as 80",
                                csv.place(), excerpt(csv.field(column))));
  }
  return noise;
}

std::string_view named_in(const CsvReader& csv, std::size_t column) {
  const std::string_view name = csv.field(column);
  if (is_too_long(name)) throw name_too_long(name, csv.place());
  if (!name.empty()) return name;
  throw bad_input(
      fmt::format("{}: '{}' is empty; expected a name", csv.place(), csv.columns()[column]));
}

// Divides by the sum, in the order of the values so that no class matters, unless it is 1 already.
// What cannot be divided is left for the checks of Predictions.
void normalise(std::vector<double>& scores) {
  std::vector<double> ordered = scores;
  if (std::any_of(ordered.begin(), ordered.end(),
                  [](double score) { return !std::isfinite(score) || score < 0; })) {
    return;
  }
  std::sort(ordered.begin(), ordered.end());
  double sum = 0;
  for (const double score : ordered) sum += score;
  if (!std::isfinite(sum) || sum <= 0 || std::abs(sum - 1) <= kProbabilitySumTolerance) return;
  for (double& score : scores) score /= sum;
}

}  // namespace

const ClassNames& imagenet16h_classes() {
  static const ClassNames classes({"airplane", "bear", "bicycle", "bird", "boat", "bottle", "car",
                                   "cat", "chair", "clock", "dog", "elephant", "keyboard", "knife",
                                   "oven", "truck"});
  return classes;
}

AnnotationSet imagenet16h_annotations_from_bytes(std::string bytes, const std::string& name,
                                                 const ReadLimits& limits) {
  CsvReader csv(std::move(bytes), name, limits);
  const std::size_t participant = csv.required_column("participant_id");
  const std::size_t image = csv.required_column("image_name");
  const std::size_t category = csv.required_column("image_category");
  const std::size_t noise = csv.required_column("noise_level");
  const std::size_t classification = csv.required_column("participant_classification");
  AnnotationSet set{imagenet16h_classes(), {}};
  const std::size_t most_rows = csv.most_rows_left();
  csv.take_room(most_rows, sizeof(Annotation));
  set.rows.reserve(most_rows);
  while (csv.next()) {
    const auto answer = set.classes.find(csv.field(classification));
    set.rows.push_back({std::string(named_in(csv, participant)), std::string(named_in(csv, image)),
                        truth_in(csv, category), noise_in(csv, noise),
                        answer ? Answer(*answer) : Answer::outside()});
  }
  if (set.rows.empty()) throw bad_input(name + ": no rows; expected at least one answer");
  return set;
}

AnnotationSet read_imagenet16h_annotations(const std::filesystem::path& path,
                                           const ReadLimits& limits) {
  FileContents file = read_contents(path, limits);
  return imagenet16h_annotations_from_bytes(std::move(file.bytes), source_name(path), file.limits);
}

Predictions imagenet16h_predictions_from_bytes(std::string bytes, const std::string& name,
                                               std::string_view model, int noise,
                                               const ReadLimits& limits) {
  CsvReader csv(std::move(bytes), name, limits);
  const std::size_t model_column = csv.required_column("model_name");
  const std::optional<std::size_t> type_column = csv.column("noise_type");
  const std::size_t noise_column = csv.required_column("noise_level");
  const std::size_t image_column = csv.required_column("image_name");
  const std::size_t category_column = csv.required_column("category");
  std::vector<std::size_t> class_columns;
  for (const std::string& class_name : imagenet16h_classes().names()) {
    class_columns.push_back(csv.required_column(class_name));
  }
  Predictions::Parts parts{imagenet16h_classes(), {}, {}, {}, {}, 0};
  std::vector<std::size_t> lines;
  std::set<std::string, std::less<>> models;
  std::set<int> levels;
  std::vector<double> scores(class_columns.size());
  while (csv.next()) {
    if (type_column && csv.field(*type_column) != "phase") continue;
    const int level = noise_in(csv, noise_column);
    if (models.size() < 100 && !models.contains(csv.field(model_column))) {
      models.emplace(csv.field(model_column));
    }
    if (levels.size() < 100) levels.insert(level);
    if (csv.field(model_column) != model || (noise != kEveryNoise && level != noise)) continue;
    lines.push_back(csv.line());
    std::string case_name(named_in(csv, image_column));
    if (noise == kEveryNoise) case_name += fmt::format("@{}", level);
    parts.cases.push_back(std::move(case_name));
    parts.labels.push_back(truth_in(csv, category_column));
    for (std::size_t c = 0; c < scores.size(); ++c) scores[c] = csv.number(class_columns[c]);
    normalise(scores);
    for (const double score : scores) parts.probabilities.push_back(static_cast<float>(score));
  }
  if (lines.empty()) {
    throw bad_input(
        fmt::format("{}: no rows of model '{}' at noise {}; found models {} at noise {}", name,
                    excerpt(model), noise == kEveryNoise ? "any" : std::to_string(noise),
                    excerpt(fmt::format("{}", fmt::join(models, ", "))),
                    excerpt(fmt::format("{}", fmt::join(levels, ", ")))));
  }
  return Predictions(std::move(parts),
                     [&](std::size_t row) { return fmt::format("{}:{}", name, lines[row]); });
}

Predictions read_imagenet16h_predictions(const std::filesystem::path& path, std::string_view model,
                                         int noise, const ReadLimits& limits) {
  FileContents file = read_contents(path, limits);
  return imagenet16h_predictions_from_bytes(std::move(file.bytes), source_name(path), model, noise,
                                            file.limits);
}

}  // namespace ifd
