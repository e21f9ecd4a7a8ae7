#include "experiments/claims/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

struct KnownMethod {
  std::string_view name, meaning;
};

constexpr std::array<KnownMethod, 21> kMethods = {{
    {"ifd-peak", "the paper's policy: six numbers, rewards deferral on the expert's best class"},
    {"ifd-expected", "the same state, rewards deferral by expected accuracy"},
    {"ifd-residual", "twelve numbers; starts at the plug-in rule and learns what to add"},
    {"ifd-peak-lcb", "ifd-peak with deferrals weighed by a lower confidence bound"},
    {"ifd-peak-mean", "ifd-peak with deferrals weighed by the posterior mean"},
    {"ifd-peak-binary", "ifd-peak with deferrals weighed 0 or 1"},
    {"plug-in", "no training: expected accuracy of the expert minus the model's confidence"},
    {"plug-in-calibrated", "plug-in, classifier recalibrated on the validation cases"},
    {"plug-in-context-calibrated", "plug-in, classifier recalibrated on the context cases"},
    {"plug-in-temperature", "plug-in, one temperature fitted on the context cases"},
    {"peak-rule", "no training: the rule that the paper's loss leads to"},
    {"pop-qi", "L2D-Pop, query-independent"},
    {"pop-qi-perm", "pop-qi trained under random class names"},
    {"pop-qc", "L2D-Pop, query-conditioned"},
    {"pop-qc-perm", "pop-qc trained under random class names"},
    {"multi-expert", "Multi-Expert L2D: a column for each training expert, nobody else"},
    {"confidence", "defers where the model is least sure, to the best average expert"},
    {"model", "the classifier alone"},
    {"random", "reference: random cases to random experts"},
    {"ceiling", "reference: knows every expert's true accuracy on every case"},
    {"oracle", "reference: knows who will be right"},
}};
constexpr std::array<std::string_view, 5> kData = {"blood", "ham", "organ", "imagenet16h",
                                                   "generated"};

std::size_t rank_of(const std::string& method) {
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    if (kMethods[i].name == method) return i;
  }
  return kMethods.size();
}

}  // namespace

std::string signed_number(double value, int digits) {
  const std::string text = fixed(value, digits);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return value > 0 && !zero ? "+" + text : text;
}

std::string mean_text(const std::optional<Mean>& mean, int digits) {
  if (!mean) return "–";
  if (!mean->deviation) return fixed(mean->value, digits);
  return fmt::format("{} ± {}", fixed(mean->value, digits), fixed(*mean->deviation, digits));
}

std::string mean_text_of(const std::string& method, const std::optional<Mean>& mean) {
  const std::string text = mean_text(mean);
  return is_reference(method) && mean ? "(" + text + ")" : text;
}

std::string difference_text(const std::optional<PairedDifference>& difference) {
  if (!difference) return "–";
  const Mean& mean = difference->mean;
  if (!mean.interval) return signed_number(mean.value) + " (one cohort)";
  return fmt::format("{} ({} to {}), {} of {}", signed_number(mean.value),
                     signed_number(mean.interval->low), signed_number(mean.interval->high),
                     difference->won, mean.count);
}

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<long>(std::lround(seconds / 60));
  if (minutes < 60) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::vector<std::string> in_report_order(std::vector<std::string> methods) {
  std::sort(methods.begin(), methods.end(), [](const std::string& a, const std::string& b) {
    return std::pair(rank_of(a), a) < std::pair(rank_of(b), b);
  });
  return methods;
}

std::vector<std::string> data_in_report_order(std::vector<std::string> data) {
  const auto rank = [](const std::string& name) {
    return std::pair(std::find(kData.begin(), kData.end(), name) - kData.begin(), name);
  };
  std::sort(data.begin(), data.end(),
            [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  return data;
}

std::string group_title(const std::string& group) {
  return group == "id" ? "ID" : group == "ood" ? "OOD" : group;
}

bool is_reference(const std::string& method) {
  return method == "random" || method == "ceiling" || method == "oracle";
}

std::string method_meaning(const std::string& method) {
  const std::size_t rank = rank_of(method);
  return rank < kMethods.size() ? std::string(kMethods[rank].meaning) : std::string();
}

}  // namespace ifd::experiments
