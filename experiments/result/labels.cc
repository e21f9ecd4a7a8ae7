#include "experiments/result/labels.h"

#include <fmt/format.h>

namespace ifd::experiments {

Setting at_noise(int noise) { return Setting(fmt::format("noise={}", noise)); }

Setting at_low_and_noise(double low, int noise) {
  return Setting(fmt::format("low={:.2f} noise={}", low, noise));
}

Setting prior_of_strength(std::string_view prior, double strength) {
  return Setting(fmt::format("{} S={}", prior, strength));
}

Setting answers_per_class(std::size_t answers) {
  return Setting(fmt::format("{} per class", answers));
}

MeasureName minus_plug_in(const MeasureName& area) {
  return MeasureName(area.text() + "_minus_plug_in");
}

MeasureName low_end(const MeasureName& measure) { return MeasureName(measure.text() + "_low"); }

MeasureName high_end(const MeasureName& measure) { return MeasureName(measure.text() + "_high"); }

Setting trained_with(std::size_t answers) { return Setting(fmt::format("n={}", answers)); }

}  // namespace ifd::experiments
