// The data sets of images, each with a classifier that is trained here, once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/jobs/data_set.h"
#include "experiments/jobs/workshop.h"
#include "ifd/data/read_limits.h"
#include "train/classifier_spec.h"

namespace ifd::experiments {

// One of the paper's data sets, and the files it may be in.
struct PublicImages {
  DataSetSettings settings;
  std::string title;
  std::vector<std::string> files;  // the first that is there is taken
  // The network that the paper trains on it, where we do too.
  std::optional<train::BackboneKind> papers_backbone = {};
};
// In the order of the jobs.
const std::vector<PublicImages>& public_images();

struct ClassifierChoice {
  train::BackboneKind backbone = train::BackboneKind::kResnetSmall;
  std::uint64_t seed = 0;  // of its weights and batches
  std::size_t folds = 0;   // of out-of-fold predictions of the training cases; 0: none are made
  train::Stem stem = train::Stem::kSmall;
};

// From a file in MedMNIST's layout: its classifier is trained once and kept in the workshop's
// folder, as are its predictions and those out of fold, each of which takes a classifier more.
DataSet image_data_set(const Workshop& workshop, const DataSetSettings& settings,
                       const std::filesystem::path& images, const ClassifierChoice& choice,
                       const std::function<void(const std::string&)>& say,
                       const ReadLimits& limits = {});

// Images with a classifier that may go on learning from them.
struct PretrainedImages {
  DataSet data_set;  // what the classifier says as it is
  std::filesystem::path images;
  std::filesystem::path classifier;
  ReadLimits limits;
  std::string hash;  // of all this
};

// The same classifier, with the files that it and the images are in.
PretrainedImages pretrained_images(const Workshop& workshop, const DataSetSettings& settings,
                                   const std::filesystem::path& images,
                                   const ClassifierChoice& choice,
                                   const std::function<void(const std::string&)>& say,
                                   const ReadLimits& limits = {});

}  // namespace ifd::experiments
