#include "train/cross_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "ifd/data/accuracy.h"
#include "ifd/error.h"
#include "train/context_sampler.h"
#include "train/fold_file.h"
#include "train/training_state.h"

namespace ifd::train {
namespace {

std::vector<std::size_t> labels_as_numbers(const ClassifierInputs& cases) {
  const auto* labels = cases.labels.data_ptr<std::int64_t>();
  return {labels, labels + cases.size()};
}

// Cases of each class are dealt out in a drawn order, and each class begins where the one before it
// ended.
std::vector<std::uint32_t> folds_of_cases(const ClassifierInputs& cases, std::size_t classes,
                                          std::size_t folds, const Key& key) {
  const auto labels = labels_as_numbers(cases);
  std::vector<std::uint32_t> fold_of(labels.size());
  std::size_t next = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    std::vector<std::size_t> rows;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] != k) continue;
      rows.push_back(i);
      names.push_back(cases.cases[i]);
    }
    for (const std::size_t drawn : sample_names(names, names.size(), key.with(k))) {
      fold_of[rows[drawn]] = static_cast<std::uint32_t>(next++ % folds);
    }
  }
  return fold_of;
}

struct CaseGroup {
  std::string first;              // the smallest of its cases' names: groups are known by it
  std::vector<std::size_t> rows;  // its cases
  std::vector<double> of_class;   // how many of each class
};

std::vector<CaseGroup> case_groups(const ClassifierInputs& cases, std::size_t classes,
                                   std::span<const std::uint32_t> groups, const Key& key) {
  const auto labels = labels_as_numbers(cases);
  std::map<std::uint32_t, CaseGroup> by_number;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    CaseGroup& group = by_number[groups[i]];
    if (group.rows.empty() || cases.cases[i] < group.first) group.first = cases.cases[i];
    group.rows.push_back(i);
    group.of_class.resize(classes);
    group.of_class[labels[i]] += 1;
  }
  std::vector<CaseGroup> all;
  for (auto& item : by_number) all.push_back(std::move(item.second));
  // Large groups are placed while there is room for them; among equals a draw decides.
  std::sort(all.begin(), all.end(), [&](const CaseGroup& a, const CaseGroup& b) {
    const auto rank = [&](const CaseGroup& group) {
      return std::tuple(group.rows.size(), key.with(group.first).bits(), group.first);
    };
    return rank(a) > rank(b);
  });
  return all;
}

// How far a fold with these counts would be from an even share of every class, relative to it.
double unevenness(const std::vector<double>& counts, const std::vector<double>& more,
                  const std::vector<double>& share) {
  double sum = 0;
  for (std::size_t k = 0; k < share.size(); ++k) {
    const double before = counts[k] / share[k] - 1;
    const double after = (counts[k] + more[k]) / share[k] - 1;
    sum += after * after - before * before;
  }
  return sum;
}

std::vector<std::uint32_t> folds_of_groups(const ClassifierInputs& cases, std::size_t classes,
                                           std::size_t folds, std::span<const std::uint32_t> groups,
                                           const Key& key) {
  const auto all = case_groups(cases, classes, groups, key);
  std::vector<double> share(classes, 0);
  for (const CaseGroup& group : all) {
    for (std::size_t k = 0; k < classes; ++k) {
      share[k] += group.of_class[k] / static_cast<double>(folds);
    }
  }
  std::vector<std::vector<double>> counts(folds, std::vector<double>(classes, 0));
  std::vector<std::uint32_t> fold_of(cases.cases.size());
  for (const CaseGroup& group : all) {
    std::size_t best = 0;
    for (std::size_t fold = 1; fold < folds; ++fold) {
      if (unevenness(counts[fold], group.of_class, share) <
          unevenness(counts[best], group.of_class, share)) {
        best = fold;
      }
    }
    for (std::size_t k = 0; k < classes; ++k) counts[best][k] += group.of_class[k];
    for (const std::size_t row : group.rows) fold_of[row] = static_cast<std::uint32_t>(best);
  }
  return fold_of;
}

// Every class must be there often enough for every fold to get some of it.
void check_folds(const ClassifierInputs& cases, const ClassNames& classes, std::size_t folds,
                 std::span<const std::uint32_t> groups, const std::string& place) {
  if (folds < 2) {
    throw bad_input(fmt::format("{}: {} fold(s); expected 2 or more", place, folds));
  }
  const auto labels = labels_as_numbers(cases);
  std::vector<std::vector<std::size_t>> units(classes.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    units[labels[i]].push_back(groups.empty() ? i : groups[i]);
  }
  for (std::size_t k = 0; k < classes.size(); ++k) {
    auto& of_class = units[k];
    std::sort(of_class.begin(), of_class.end());
    of_class.erase(std::unique(of_class.begin(), of_class.end()), of_class.end());
    if (of_class.size() >= folds) continue;
    throw bad_input(
        fmt::format("{}: class '{}' has {} training {}(s) for {} folds; expected {} or "
                    "more of them, or fewer folds",
                    place, classes.name(class_id(k)), of_class.size(),
                    groups.empty() ? "case" : "group", folds, folds));
  }
}

void check_spread(const ClassifierInputs& cases, const ClassNames& classes,
                  const std::vector<std::uint32_t>& fold_of, const std::string& place) {
  const auto labels = labels_as_numbers(cases);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    std::optional<std::uint32_t> only;
    bool several = false;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] != k) continue;
      several = several || (only && *only != fold_of[i]);
      only = fold_of[i];
    }
    if (several) continue;
    throw bad_input(
        fmt::format("{}: the groups of class '{}' fall into one fold; expected them in "
                    "two or more (fewer folds may do)",
                    place, classes.name(class_id(k))));
  }
}

std::filesystem::path file_of_fold(const std::filesystem::path& checkpoint, std::size_t fold) {
  std::filesystem::path file = checkpoint;
  file += fmt::format(".fold{}", fold + 1);
  return file;
}

std::filesystem::path file_when_done(const std::filesystem::path& checkpoint, std::size_t fold) {
  std::filesystem::path file = file_of_fold(checkpoint, fold);
  file += ".done";
  return file;
}

// A fold's part of the work.
struct Fold {
  std::size_t number;  // from 0
  std::vector<std::int64_t> held_out;
  ClassifierInputs training, asked;
  BackboneClassifier classifier;
  std::string settings;  // of its training
};

Fold make_fold(const BackboneClassifier& untrained, const ClassifierInputs& all,
               const std::vector<std::uint32_t>& fold_of, const ClassifierTraining& how,
               std::size_t number) {
  std::vector<std::int64_t> held_out, others;
  for (std::size_t i = 0; i < fold_of.size(); ++i) {
    (fold_of[i] == number ? held_out : others).push_back(static_cast<std::int64_t>(i));
  }
  ClassifierInputs training = subset_of(all, others);
  ClassifierInputs asked = subset_of(all, held_out);
  ClassifierSpec spec = untrained.spec();
  spec.normalisation = normalisation_of(training);
  BackboneClassifier classifier(spec, untrained.name());
  restore(classifier.backbone(), copy_of(untrained.backbone()));
  std::string settings = classifier_settings(classifier, training, how);
  return {number,           std::move(held_out),   std::move(training),
          std::move(asked), std::move(classifier), std::move(settings)};
}

// Where the file is there: what it says, if it is of this very training.
std::optional<std::vector<float>> read_done(const std::filesystem::path& path, const Fold& fold,
                                            const ReadLimits& limits) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  return fold_probabilities(SafetensorsFile::read(path, limits), fold.settings,
                            fold.held_out.size(), fold.classifier.spec().classes.size());
}

// Before anything is trained: what one fold's file has wrong must not be told hours later.
void check_fold_files(const std::filesystem::path& checkpoint, std::size_t folds,
                      const ReadLimits& limits) {
  for (std::size_t fold = 0; fold < folds; ++fold) {
    for (const auto& file : {file_of_fold(checkpoint, fold), file_when_done(checkpoint, fold)}) {
      if (std::filesystem::exists(file)) SafetensorsFile::read(file, limits).require_checksum();
    }
  }
}

// None where the observer ended it.
std::optional<std::vector<float>> train_fold(Fold& fold, const ClassifierInputs& validation,
                                             const ClassifierTraining& how,
                                             Checkpointing checkpoint,
                                             const CrossFitObserver& observer) {
  const std::size_t number = fold.number + 1;
  if (!std::filesystem::exists(checkpoint.file)) checkpoint.start = Start::kFresh;
  ClassifierObserver heard;
  if (observer.batch) {
    heard.batch = [&](std::size_t epoch, std::size_t batch, std::size_t batches) {
      return observer.batch(number, epoch, batch, batches);
    };
  }
  if (observer.epoch) {
    heard.epoch = [&](const ClassifierEpoch& epoch) { observer.epoch(number, epoch); };
  }
  const auto summary =
      train_classifier(fold.classifier, fold.training, validation, how, checkpoint, heard);
  if (summary.ended == Continue::kNo) return std::nullopt;
  const Predictions said = classify(fold.classifier, fold.asked, fold.classifier.spec().classes);
  if (observer.fold) observer.fold(number, accuracy(said));
  return said.parts().probabilities;
}

}  // namespace

std::vector<std::uint32_t> stratified_folds(const ClassifierInputs& cases,
                                            const ClassNames& classes, std::size_t folds,
                                            std::span<const std::uint32_t> groups, const Key& key,
                                            const std::string& place) {
  check_folds(cases, classes, folds, groups, place);
  if (groups.empty()) return folds_of_cases(cases, classes.size(), folds, key);
  const auto fold_of = folds_of_groups(cases, classes.size(), folds, groups, key);
  check_spread(cases, classes, fold_of, place);
  return fold_of;
}

std::optional<Predictions> out_of_fold_predictions(const BackboneClassifier& untrained,
                                                   const ClassifierInputs& training,
                                                   const ClassifierInputs& validation,
                                                   const ClassifierTraining& how,
                                                   const CrossFitting& fitting,
                                                   const CrossFitObserver& observer) {
  const ClassNames& classes = untrained.spec().classes;
  const auto fold_of =
      stratified_folds(training, classes, fitting.folds, fitting.groups,
                       Key(how.seed).with("classifier").with("folds"), fitting.place);
  const std::filesystem::path& place = fitting.checkpoint.file;
  if (fitting.checkpoint.start == Start::kFresh && has_fold_files(place, fitting.folds)) {
    throw Error(ErrorKind::kConflict,
                fmt::format("{}.fold1 ...: folds of a training are there; go on with --resume, or "
                            "remove them",
                            place.string()));
  }
  if (!place.empty()) check_fold_files(place, fitting.folds, fitting.checkpoint.limits);
  Predictions::Parts parts{classes, training.cases, {}, {}, {}, 0};
  parts.probabilities.resize(training.cases.size() * classes.size());
  for (const std::size_t label : labels_as_numbers(training)) {
    parts.labels.push_back(class_id(label));
  }
  for (std::size_t number = 0; number < fitting.folds; ++number) {
    Fold fold = make_fold(untrained, training, fold_of, how, number);
    const auto done = place.empty() ? place : file_when_done(place, number);
    auto said = read_done(done, fold, fitting.checkpoint.limits);
    if (!said) {
      Checkpointing own = fitting.checkpoint;
      if (!place.empty()) own.file = file_of_fold(place, number);
      said = train_fold(fold, validation, how, own, observer);
      if (!said) return std::nullopt;
      if (!done.empty()) fold_file(fold.settings, fold.held_out.size(), *said).write(done);
    }
    for (std::size_t i = 0; i < fold.held_out.size(); ++i) {
      std::copy_n(said->begin() + static_cast<std::ptrdiff_t>(i * classes.size()), classes.size(),
                  parts.probabilities.begin() +
                      fold.held_out[i] * static_cast<std::ptrdiff_t>(classes.size()));
    }
  }
  return Predictions(std::move(parts));
}

bool has_fold_files(const std::filesystem::path& checkpoint, std::size_t folds) {
  if (checkpoint.empty()) return false;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    if (std::filesystem::exists(file_of_fold(checkpoint, fold)) ||
        std::filesystem::exists(file_when_done(checkpoint, fold))) {
      return true;
    }
  }
  return false;
}

void remove_fold_files(const std::filesystem::path& checkpoint, std::size_t folds) {
  std::error_code ignored;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::filesystem::remove(file_of_fold(checkpoint, fold), ignored);
    std::filesystem::remove(file_when_done(checkpoint, fold), ignored);
  }
}

Predictions with_features_of(const Predictions& out_of_fold, const Predictions& whole) {
  if (out_of_fold.case_names() != whole.case_names()) {
    throw bad_input("the features are of other cases; expected those of the predictions");
  }
  Predictions::Parts parts = out_of_fold.parts();
  const auto features = whole.all_features();
  parts.features.assign(features.begin(), features.end());
  parts.feature_width = whole.feature_width();
  return Predictions(std::move(parts));
}

}  // namespace ifd::train
