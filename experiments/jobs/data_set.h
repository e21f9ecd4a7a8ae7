// A data set as the experiments see it: a classifier's predictions, with features.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "experiments/result/cell.h"
#include "ifd/data/predictions.h"
#include "ifd/experts/prototypicality.h"

namespace ifd::experiments {

struct DataSet {
  DataName name;
  Predictions training;
  Predictions validation;
  Predictions test;
  FeatureSpace space;          // of the training features
  std::size_t id_specialties;  // of a cohort; the other classes are out of distribution
  double learning_rate;        // of the rejectors
  std::string hash;            // of everything above but the learning rate
  std::string classifier;      // in words: "resnet-small, right on 96.8 % of the test cases"
  // The same cases as classifiers see them that were trained with other seeds.
  std::vector<DataSet> by_other_classifiers = {};
  // The same with out-of-fold probabilities of the training cases (train/cross_fit.h); all else,
  // features too, is as here. Null where nobody asked for it.
  std::shared_ptr<const DataSet> out_of_fold = {};

  // Cohorts take the classifiers in turn, so that what varies from cohort to cohort includes what
  // another training of the classifier would have changed.
  const DataSet& of_cohort(std::size_t cohort) const;
};

// How rejectors are trained on a data set and how its classes are divided, as the paper says.
struct DataSetSettings {
  DataName name;
  std::size_t id_specialties;
  double learning_rate;
};

// `classifier` says in words who made the predictions.
DataSet make_data_set(const DataSetSettings& settings, Predictions training, Predictions validation,
                      Predictions test, std::string classifier);

// The data set with these probabilities of its training cases instead of the classifier's own; only
// the classifier's features are kept. Error(kBadInput) unless cases and labels are the same, in the
// same order.
DataSet with_training_probabilities(const DataSet& data_set, const Predictions& training);

}  // namespace ifd::experiments
