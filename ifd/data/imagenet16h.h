// ImageNet-16H (Steyvers et al. 2022): people's and models' answers on noisy pictures of 16
// classes, in the published CSV files. Columns not named here are ignored.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/annotation_set.h"
#include "ifd/data/class_names.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_limits.h"

namespace ifd {

// airplane, bear, ... truck: the order of the published columns.
const ClassNames& imagenet16h_classes();

// Columns participant_id, image_name, image_category, noise_level, participant_classification. An
// answer that is not one of the classes is Answer::outside().
AnnotationSet read_imagenet16h_annotations(const std::filesystem::path& path,
                                           const ReadLimits& limits = {});
AnnotationSet imagenet16h_annotations_from_bytes(std::string bytes, const std::string& name,
                                                 const ReadLimits& limits = {});

inline constexpr int kEveryNoise = 0;

// Columns model_name, noise_level, image_name, category (the truth) and the classes; where there is
// a column noise_type, only its `phase` rows count. The rows of this model and noise level; a case
// is named after its image, and with kEveryNoise as "image@noise". Rows of scores that do not sum
// to 1 are divided by their sum, as some of the published files hold unnormalised scores.
Predictions read_imagenet16h_predictions(const std::filesystem::path& path, std::string_view model,
                                         int noise, const ReadLimits& limits = {});
Predictions imagenet16h_predictions_from_bytes(std::string bytes, const std::string& name,
                                               std::string_view model, int noise,
                                               const ReadLimits& limits = {});

}  // namespace ifd
