#include "experiments/claims/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

struct KnownMethod {
  std::string_view name, meaning;
};

constexpr auto kMethods = std::to_array<KnownMethod>({
    {"ifd-peak", "the paper's policy: six numbers, rewards deferral on the expert's best class"},
    {"ifd-expected", "the same state, rewards deferral by expected accuracy"},
    {"ifd-residual", "twelve numbers; starts at the plug-in rule and learns what to add"},
    {"ifd-peak-lcb", "ifd-peak with deferrals weighed by a lower confidence bound"},
    {"ifd-peak-mean", "ifd-peak with deferrals weighed by the posterior mean"},
    {"ifd-peak-binary", "ifd-peak with deferrals weighed 0 or 1"},
    {"plug-in", "no training: expected accuracy of the expert minus the model's confidence"},
    {"plug-in-temperature", "plug-in, one temperature fitted on the context cases"},
    {"plug-in-staff-prior", "plug-in, profiles shrunk towards what the other experts are like"},
    {"plug-in-lcb", "plug-in on lower confidence bounds instead of means"},
    {"plug-in-combined", "plug-in, the label is made of model and answer together"},
    {"value-combined", "the same labels, cases ordered by the value of information"},
    {"staff-prior-combined", "plug-in-staff-prior, the label is made of model and answer together"},
    {"peak-rule", "no training: the rule that the paper's loss leads to"},
    {"pop-qi", "L2D-Pop, query-independent"},
    {"pop-qi-perm", "pop-qi trained under random class names"},
    {"pop-qc", "L2D-Pop, query-conditioned"},
    {"pop-qc-perm", "pop-qc trained under random class names"},
    {"multi-expert", "Multi-Expert L2D: a column for each training expert, nobody else"},
    {"confidence", "defers where the model is least sure, to the best average expert"},
    {"conformal", "no training: the best expert within the model's conformal prediction set"},
    {"model", "the classifier alone"},
    {"experts", "those on duty, each asked about every case"},
    {"random", "reference: random cases to random experts"},
    {"ceiling", "reference: knows every expert's true accuracy on every case"},
    {"oracle", "reference: knows who will be right"},
});
struct KnownData {
  std::string_view name, title;
};

constexpr std::array<KnownData, 7> kData = {{
    {"blood", "Blood Cells"},
    {"ham", "HAM10000"},
    {"organ", "Liver/Organ"},
    {"imagenet16h", "ImageNet-16H"},
    {"dodh", "DOD-H"},
    {"generated", "generated clouds"},
    {"rings", "three rings"},
}};

// Where a name stands in one of these lists; their length if it does not.
template <class Known, class Name>
std::size_t rank_in(const Known& known, const Name& name) {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const auto& entry) { return entry.name == name.text(); });
  return static_cast<std::size_t>(found - known.begin());
}

template <class Known, class Name>
std::vector<Name> in_order_of(const Known& known, std::vector<Name> names) {
  std::sort(names.begin(), names.end(), [&](const Name& a, const Name& b) {
    return std::pair(rank_in(known, a), a) < std::pair(rank_in(known, b), b);
  });
  return names;
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

std::string mean_text_of(const MethodName& method, const std::optional<Mean>& mean) {
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

std::vector<MethodName> in_report_order(std::vector<MethodName> methods) {
  return in_order_of(kMethods, std::move(methods));
}

std::vector<DataName> data_in_report_order(std::vector<DataName> data) {
  return in_order_of(kData, std::move(data));
}

std::string group_title(const GroupName& group) {
  return group == kId ? "ID" : group == kOod ? "OOD" : group.text();
}

std::string data_title(const DataName& data) {
  const std::size_t rank = rank_in(kData, data);
  return rank < kData.size() ? std::string(kData[rank].title) : data.text();
}

std::string experts_title(const ExpertsName& experts) {
  return experts == kVariable ? "Variable" : experts == kStable ? "Stable" : experts.text();
}

bool is_reference(const MethodName& method) {
  return method == kRandom || method == kCeiling || method == kOracle;
}

std::string method_meaning(const MethodName& method) {
  const std::size_t rank = rank_in(kMethods, method);
  return rank < kMethods.size() ? std::string(kMethods[rank].meaning) : std::string();
}

}  // namespace ifd::experiments
