#include "experiments/result/labels.h"

#include <fmt/format.h>

namespace ifd::experiments {

std::string_view name_of(GivenClassifier given) {
  switch (given) {
    case GivenClassifier::kRaw:
      return kRaw.text();
    case GivenClassifier::kTemperature:
      return "temperature";
    case GivenClassifier::kBias:
      return "bias";
    case GivenClassifier::kBiasForAnswers:
      return "bias for answers";
  }
  return "";
}

Setting at_noise(int noise, GivenClassifier given) {
  return Setting(given == GivenClassifier::kRaw
                     ? fmt::format("noise={}", noise)
                     : fmt::format("noise={} {}", noise, name_of(given)));
}

std::string_view name_of(FittedOn cases) {
  switch (cases) {
    case FittedOn::kContext:
      return "the context";
    case FittedOn::kWeighedContext:
      return "the weighed context";
    case FittedOn::kBalanced:
      return "balanced validation cases";
    case FittedOn::kWeighedBalanced:
      return "weighed balanced validation cases";
    case FittedOn::kNatural:
      return "as many validation cases";
    case FittedOn::kAll:
      return "all validation cases";
  }
  return "";
}

Setting fitted(GivenClassifier given, FittedOn cases) {
  if (given == GivenClassifier::kRaw) return kRaw;
  return Setting(fmt::format("{} of {}", name_of(given), name_of(cases)));
}

Setting at_low_and_noise(double low, int noise) {
  return Setting(fmt::format("low={:.2f} noise={}", low, noise));
}

Setting prior_of_strength(std::string_view prior, double strength) {
  return Setting(fmt::format("{} S={}", prior, strength));
}

Setting answers_per_class(std::size_t answers) {
  return Setting(fmt::format("{} per class", answers));
}

Setting joint_with(const MethodName& method) { return Setting("joint with " + method.text()); }

MeasureName minus_plug_in(const MeasureName& area) {
  return MeasureName(area.text() + "_minus_plug_in");
}

MeasureName minus_ifd_peak(const MeasureName& area) {
  return MeasureName(area.text() + "_minus_ifd_peak");
}

MeasureName low_end(const MeasureName& measure) { return MeasureName(measure.text() + "_low"); }

MeasureName high_end(const MeasureName& measure) { return MeasureName(measure.text() + "_high"); }

Setting trained_with(std::size_t answers) { return Setting(fmt::format("n={}", answers)); }

}  // namespace ifd::experiments
