// Out-of-fold predictions: what is said of each training case by a classifier that never saw it.
//
// A classifier is surer of the cases it learnt from than of others, and whoever learns from its
// predictions of them learns that it can be trusted too much. So the training cases are divided
// into folds, and each fold is classified by a classifier trained on the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/class_names.h"
#include "ifd/data/predictions.h"
#include "ifd/random/keyed_random.h"
#include "train/classifier_trainer.h"

namespace ifd::train {

// The fold of each case, 0 .. folds-1. `groups` has the group of each case, whose cases share a
// fold, or is empty. Depends on names, classes and groups alone, not on the order of the cases nor
// on the groups' numbers.
//
// Without groups the cases of a class in two folds differ by one at most, and so do all cases. With
// groups a group, the largest first, goes where its classes are rarest.
//
// Error(kBadInput) unless 2 <= folds, every class has a case (with groups: a group) for every fold,
// and no class lies in one fold alone. `place` is the file in the message.
std::vector<std::uint32_t> stratified_folds(const ClassifierInputs& cases,
                                            const ClassNames& classes, std::size_t folds,
                                            std::span<const std::uint32_t> groups, const Key& key,
                                            const std::string& place);

struct CrossFitting {
  std::size_t folds = 5;
  std::vector<std::uint32_t> groups = {};  // as for stratified_folds
  // Its file is the beginning of others: FILE.fold1, FILE.fold2, ... hold a fold on its way, and
  // with .done behind what is said of a fold that is done. kResume takes what is there and begins
  // with what is not.
  Checkpointing checkpoint = {};
  std::string place = "the training cases";  // where they come from, for messages
};

struct CrossFitObserver {
  // Folds count from 1. kNo ends all, and what is done stays.
  std::function<Continue(std::size_t fold, std::size_t epoch, std::size_t batch,
                         std::size_t batches)>
      batch;
  std::function<void(std::size_t fold, const ClassifierEpoch&)> epoch;
  std::function<void(std::size_t fold, double held_out_accuracy)> fold;
};

// The training cases with labels and out-of-fold probabilities, without features: those of
// different classifiers are not comparable. None where the observer ended it.
//
// Every fold's classifier begins with the weights of `untrained`, is trained as `how` says and
// keeps its best epoch by the same validation cases; inputs are normalised by its own training
// cases.
std::optional<Predictions> out_of_fold_predictions(const BackboneClassifier& untrained,
                                                   const ClassifierInputs& training,
                                                   const ClassifierInputs& validation,
                                                   const ClassifierTraining& how,
                                                   const CrossFitting& fitting,
                                                   const CrossFitObserver& observer = {});

// Whether something of an unfinished cross-fit is at this checkpoint.
bool has_fold_files(const std::filesystem::path& checkpoint, std::size_t folds);
// Once the predictions are kept elsewhere.
void remove_fold_files(const std::filesystem::path& checkpoint, std::size_t folds);

// `out_of_fold` with the features of `whole`, predictions of the same cases in the same order by
// the one classifier that learnt from all of them.
Predictions with_features_of(const Predictions& out_of_fold, const Predictions& whole);

}  // namespace ifd::train
