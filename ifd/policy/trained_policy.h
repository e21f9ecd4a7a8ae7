// The identity-free rule in a policy file: method "ifd".
//
// Metadata "state" is "paper" or "extended", "head" is "plain" or "residual". Tensors layer0.weight
// (out x in), layer0.bias (out), layer1.weight and so on; maybe input.shift and input.scale. There
// are no class names and no number of classes: the rule works for any.
#pragma once

#include <memory>
#include <string_view>

#include "ifd/policy/policy_file.h"
#include "ifd/policy/policy_method.h"
#include "ifd/rejector/trained_rejector.h"

namespace ifd {

inline constexpr std::string_view kTrainedMethod = "ifd";

// Error(kBadInput), naming the file, if it holds another method or its tensors do not fit together.
std::unique_ptr<TrainedRejector> make_trained_rejector(const PolicyFile& file, MarginScale scale,
                                                       Precision precision = Precision::kFloat);

// The file of a rule. `metadata_json` is an object with whatever else is known of its making; its
// "state" and "head" are set from the parts.
PolicyFile trained_policy_file(const TrainedRejectorParts& parts,
                               std::string_view metadata_json = "{}");

PolicyMethod trained_method();

}  // namespace ifd
