#include "ifd/policy/trained_policy.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ifd/data/json_text.h"
#include "ifd/error.h"
#include "ifd/policy/role_policy.h"

namespace ifd {
namespace {

// One of two words under a key of the metadata.
template <class Choice>
Choice choice(const PolicyFile& file, const JsonValue& metadata, const char* key,
              std::pair<const char*, Choice> first, std::pair<const char*, Choice> second) {
  const auto found = metadata.find(key);
  if (found && found->text() == first.first) return first.second;
  if (found && found->text() == second.first) return second.second;
  throw bad_input(fmt::format("{}: metadata '{}' is not known; expected {} or {}", file.source, key,
                              first.first, second.first));
}

Mlp::Layer layer_of(const PolicyFile& file, std::size_t number) {
  const Tensor& weight = file.at(fmt::format("layer{}.weight", number));
  const Tensor& bias = file.at(fmt::format("layer{}.bias", number));
  if (weight.shape.size() != 2 || bias.shape.size() != 1) {
    throw bad_input(fmt::format("{}: layer {} has {} and {} dimensions; expected 2 and 1",
                                file.source, number, weight.shape.size(), bias.shape.size()));
  }
  return {weight.shape[1], weight.shape[0], weight.values, bias.values};
}

TrainedRejectorParts parts_of(const PolicyFile& file) {
  const JsonValue metadata = file.metadata();
  TrainedRejectorParts parts;
  parts.state_set = choice<StateSet>(file, metadata, "state", {"paper", StateSet::kPaper},
                                     {"extended", StateSet::kExtended});
  parts.head =
      choice<Head>(file, metadata, "head", {"plain", Head::kPlain}, {"residual", Head::kResidual});
  std::size_t used = 0;
  do {
    parts.layers.push_back(layer_of(file, parts.layers.size()));
    used += 2;
  } while (file.find(fmt::format("layer{}.weight", parts.layers.size())) != nullptr);
  if (file.find("input.shift") != nullptr || file.find("input.scale") != nullptr) {
    parts.standardisation = {file.at("input.shift").values, file.at("input.scale").values};
    used += 2;
  }
  if (used != file.tensors.size()) {
    throw bad_input(fmt::format("{}: {} tensors, of which method '{}' knows {}", file.source,
                                file.tensors.size(), file.method, used));
  }
  return parts;
}

// Under this objective and these weights the best deferral logit is that of the expert's expected
// accuracy, or of a cautious estimate of it.
bool learnt_expected_accuracy(const PolicyFile& file) {
  const JsonValue metadata = file.metadata();
  const auto is = [&](const char* key, const char* word) {
    const auto found = metadata.find(key);
    return found && found->is_text() && found->text() == word;
  };
  return is("objective", "expected") && (is("weight", "mean") || is("weight", "lcb"));
}

}  // namespace

std::unique_ptr<TrainedRejector> make_trained_rejector(const PolicyFile& file, MarginScale scale,
                                                       Precision precision) {
  if (file.method != kTrainedMethod) {
    throw bad_input(fmt::format("{}: method '{}' is not an identity-free rule; expected '{}'",
                                file.source, file.method, kTrainedMethod));
  }
  TrainedRejectorParts parts = parts_of(file);
  try {
    return std::make_unique<TrainedRejector>(std::move(parts), scale, precision);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", file.source, error.what()));
  }
}

PolicyFile trained_policy_file(const TrainedRejectorParts& parts, std::string_view metadata_json) {
  const JsonValue given = JsonValue::parse(metadata_json, "policy: metadata");
  if (!given.is_object()) throw bad_input("policy: the metadata is not a JSON object");
  auto metadata = nlohmann::json::parse(metadata_json);
  metadata["state"] = parts.state_set == StateSet::kPaper ? "paper" : "extended";
  metadata["head"] = parts.head == Head::kPlain ? "plain" : "residual";
  PolicyFile file;
  file.method = kTrainedMethod;
  file.metadata_json = json_text(metadata);
  for (std::size_t i = 0; i < parts.layers.size(); ++i) {
    const Mlp::Layer& layer = parts.layers[i];
    file.tensors.push_back(
        {fmt::format("layer{}.weight", i), {layer.out, layer.in}, layer.weights});
    file.tensors.push_back({fmt::format("layer{}.bias", i), {layer.out}, layer.bias});
  }
  if (parts.standardisation) {
    const auto& [shift, inputs_scale] = *parts.standardisation;
    file.tensors.push_back({"input.shift", {shift.size()}, shift});
    file.tensors.push_back({"input.scale", {inputs_scale.size()}, inputs_scale});
  }
  make_trained_rejector(file, MarginScale::kProbability);  // refuses what could not be read back
  return file;
}

PolicyMethod trained_method() {
  return {.name = kTrainedMethod,
          .description = "a network on the state: the paper's identity-free rejector",
          .needs = {.policy_file = true},
          .computes_in_bf16 = true,
          .prepare = [](const PolicyFile* file, const PolicySettings& settings) -> PreparedMethod {
            PreparedMethod prepared = role_method(
                make_trained_rejector(*file, settings.scale, settings.precision), settings.ties);
            if (learnt_expected_accuracy(*file)) prepared.margins = MarginMeaning::kExpectedGain;
            return prepared;
          }};
}

}  // namespace ifd
