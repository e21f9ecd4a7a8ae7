// The data sets of the experiments, each with a classifier's predictions.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/jobs/workshop.h"

namespace ifd::experiments {

// How rejectors are trained on a data set and how its classes are divided, as the paper says.
struct StudySettings {
  std::string name;
  std::size_t id_specialties;
  double learning_rate;
};

Study make_study(const StudySettings& settings, Predictions training, Predictions validation,
                 Predictions test, std::string classifier);

// Six clouds of points in eight dimensions and a nearest-mean classifier that saw few of them: for
// --quick, which must not wait for a classifier.
Study generated_study(std::uint64_t seed);

// Three rings, a small network trained on them, and its last layer as features.
struct RingsStudy {
  Study study;
  std::vector<std::array<double, 2>> test_points;  // where the test cases lie in the plane
};
RingsStudy rings_study(std::uint64_t seed);

// A data set of images in MedMNIST's layout: its classifier is trained once and kept in the
// workshop's folder, as are its predictions.
Study image_study(const Workshop& workshop, const StudySettings& settings,
                  const std::filesystem::path& images, const std::string& backbone,
                  const std::function<void(const std::string&)>& say);

}  // namespace ifd::experiments
