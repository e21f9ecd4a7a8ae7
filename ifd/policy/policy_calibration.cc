#include "ifd/policy/policy_calibration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "ifd/data/json_text.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

bool holds_finite_numbers(const Calibration& calibration) {
  for (const double offset : calibration.bias) {
    if (!std::isfinite(offset)) return false;
  }
  return std::isfinite(calibration.scale) && calibration.scale > 0;
}

}  // namespace

const char* word_for(CalibrationKind kind) {
  switch (kind) {
    case CalibrationKind::kNone:
      return "none";
    case CalibrationKind::kTemperature:
      return "temperature";
    case CalibrationKind::kBias:
      return "bias";
  }
  return "";
}

const char* word_for(CalibrationSource source) {
  return source == CalibrationSource::kValidation ? "validation" : "context";
}

std::string to_json(const PolicyCalibration& calibration) {
  nlohmann::ordered_json made = {{"kind", word_for(calibration.kind)},
                                 {"on", word_for(calibration.source)},
                                 {"cases", calibration.cases},
                                 {"scale", calibration.fitted.scale}};
  if (!calibration.fitted.bias.empty()) made["bias"] = calibration.fitted.bias;
  if (!calibration.classes.empty()) made["classes"] = calibration.classes;
  made["validation_ece"] = {{"before", calibration.ece_before}, {"after", calibration.ece_after}};
  return json_text(made);
}

std::optional<PolicyCalibration> policy_calibration(const PolicyFile& file) {
  const auto found = file.metadata().find("calibration");
  if (!found) return {};
  const auto refuse = [&] {
    return bad_input(fmt::format(
        "{}: metadata 'calibration' is not known; expected kind (temperature, bias), on "
        "(validation, context), scale, and for a bias one number per class",
        file.source));
  };
  PolicyCalibration made;
  const std::string kind = found->at("kind").text();
  const std::string on = found->at("on").text();
  const bool bias = kind == word_for(CalibrationKind::kBias);
  if (!bias && kind != word_for(CalibrationKind::kTemperature)) throw refuse();
  made.kind = bias ? CalibrationKind::kBias : CalibrationKind::kTemperature;
  made.source = on == word_for(CalibrationSource::kContext) ? CalibrationSource::kContext
                                                            : CalibrationSource::kValidation;
  if (on != word_for(made.source)) throw refuse();
  made.cases = found->at("cases").count();
  made.fitted.scale = found->at("scale").number();
  if (bias) made.fitted.bias = found->at("bias").numbers();
  if (bias && made.source == CalibrationSource::kValidation) {
    made.classes = found->at("classes").texts();
    if (made.classes.size() != made.fitted.bias.size()) throw refuse();
  }
  made.ece_before = found->at("validation_ece").at("before").number();
  made.ece_after = found->at("validation_ece").at("after").number();
  if (!holds_finite_numbers(made.fitted)) throw refuse();
  return made;
}

Predictions context_cases(const Predictions& predictions, std::span<const ExpertContext> contexts) {
  std::unordered_map<std::string_view, ClassId> truths;
  for (const ExpertContext& context : contexts) {
    for (const ContextRow& row : context.rows) {
      const ClassId truth = truths.emplace(row.case_name, row.truth).first->second;
      if (truth == row.truth) continue;
      const ClassNames& classes = predictions.classes();
      throw Error(ErrorKind::kConflict,
                  fmt::format("a calibration needs one truth per case, and case '{}' has '{}' and "
                              "'{}' in the context; expected --truth given or majority, or no "
                              "calibration on the context",
                              excerpt(row.case_name), excerpt(classes.name(truth)),
                              excerpt(classes.name(row.truth))));
    }
  }
  std::vector<std::size_t> rows;
  std::vector<ClassId> labels;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const auto found = truths.find(predictions.case_name(i));
    if (found == truths.end()) continue;
    rows.push_back(i);
    labels.push_back(found->second);
  }
  return predictions.subset(rows).with_labels(std::move(labels));
}

Calibration stored_calibration(const PolicyCalibration& calibration, const ClassNames& classes,
                               const std::string& place) {
  if (!calibration.classes.empty() && calibration.classes != classes.names()) {
    throw bad_input(
        fmt::format("{}: its calibration has an offset for each of the classes {} and works for no "
                    "others; the predictions have {}",
                    place, ClassNames(calibration.classes).allowed(), classes.allowed()));
  }
  return calibration.fitted;
}

}  // namespace ifd
