#include "train/cross_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ifd/data/accuracy.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd::train {
namespace {

using testing::HasSubstr;

// Points without any pattern: the label is a draw of its own, so nothing can be learnt but by
// heart.
ClassifierInputs noise(std::size_t count, std::size_t classes, const std::string& split) {
  constexpr std::int64_t kWidth = 24;
  const auto n = static_cast<std::int64_t>(count);
  ClassifierInputs made{torch::empty({n, kWidth}), torch::empty({n}, torch::kInt64), {}};
  for (std::int64_t i = 0; i < n; ++i) {
    const Key key = Key(3).with(split).with(static_cast<std::uint64_t>(i));
    for (std::int64_t d = 0; d < kWidth; ++d) {
      made.values.data_ptr<float>()[i * kWidth + d] =
          static_cast<float>(key.normal(static_cast<std::uint64_t>(d)));
    }
    made.labels.data_ptr<std::int64_t>()[i] =
        static_cast<std::int64_t>(key.with("label").below(classes));
    made.cases.push_back(split + "-" + std::to_string(i));
  }
  return made;
}

ClassifierInputs shuffled(const ClassifierInputs& cases, std::uint64_t seed) {
  std::vector<std::int64_t> order(cases.cases.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return Key(seed).bits(static_cast<std::uint64_t>(a)) <
           Key(seed).bits(static_cast<std::uint64_t>(b));
  });
  const auto rows = torch::tensor(at::ArrayRef<std::int64_t>(order), torch::kInt64);
  ClassifierInputs made{cases.values.index_select(0, rows), cases.labels.index_select(0, rows), {}};
  for (const std::int64_t row : order) {
    made.cases.push_back(cases.cases[static_cast<std::size_t>(row)]);
  }
  return made;
}

BackboneClassifier small_mlp(const ClassifierInputs& training, std::size_t classes) {
  BackboneClassifier made(
      {{BackboneKind::kMlp, Stem::kSmall, training.channels(), static_cast<std::int64_t>(classes)},
       0,
       0,
       ClassNames::numbered(classes),
       normalisation_of(training)},
      "noise");
  initialise_backbone(made.backbone(), Key(1));
  return made;
}

std::map<std::string, std::uint32_t> by_name(const ClassifierInputs& cases,
                                             const std::vector<std::uint32_t>& folds) {
  std::map<std::string, std::uint32_t> made;
  for (std::size_t i = 0; i < folds.size(); ++i) made[cases.cases[i]] = folds[i];
  return made;
}

TEST(StratifiedFolds, ShareEveryClassToWithinOneCaseWhateverTheOrder) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto cases = noise(83 + seed, 4, "train");
    const auto classes = ClassNames::numbered(4);
    const auto folds = stratified_folds(cases, classes, 5, {}, Key(seed), "f");
    std::vector<std::vector<int>> counts(5, std::vector<int>(5, 0));  // the last: all classes
    for (std::size_t i = 0; i < folds.size(); ++i) {
      ASSERT_LT(folds[i], 5U);
      ++counts[static_cast<std::size_t>(cases.labels.data_ptr<std::int64_t>()[i])][folds[i]];
      ++counts[4][folds[i]];
    }
    for (const auto& of_class : counts) {
      const auto [least, most] = std::minmax_element(of_class.begin(), of_class.end());
      EXPECT_LE(*most - *least, 1);
    }
    const auto other = shuffled(cases, seed);
    EXPECT_EQ(by_name(other, stratified_folds(other, classes, 5, {}, Key(seed), "f")),
              by_name(cases, folds));
    EXPECT_NE(stratified_folds(cases, classes, 5, {}, Key(seed + 1000), "f"), folds);
  }
}

// Groups stay together under any numbers they are given, and no fold has much more than its share.
TEST(StratifiedFolds, KeepGroupsTogether) {
  const auto cases = noise(300, 3, "train");
  const auto classes = ClassNames::numbered(3);
  std::vector<std::uint32_t> groups, renumbered;
  for (std::uint32_t i = 0; i < 300; ++i) {
    groups.push_back(i / 4);
    renumbered.push_back(1000 - i / 4);
  }
  const auto folds = stratified_folds(cases, classes, 5, groups, Key(1), "f");
  std::map<std::uint32_t, std::set<std::uint32_t>> of_group;
  std::vector<int> sizes(5, 0);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    of_group[groups[i]].insert(folds[i]);
    ++sizes[folds[i]];
  }
  for (const auto& [group, its_folds] : of_group) EXPECT_EQ(its_folds.size(), 1U) << group;
  EXPECT_THAT(sizes, testing::Each(testing::AllOf(testing::Ge(48), testing::Le(72))));
  EXPECT_EQ(stratified_folds(cases, classes, 5, renumbered, Key(1), "f"), folds);
}

TEST(StratifiedFolds, RefuseInOneLine) {
  auto cases = noise(9, 2, "train");
  for (int i = 0; i < 9; ++i) cases.labels[i] = i < 4 ? 0 : 1;
  const ClassNames classes({"cat", "dog"});
  const auto refused = [&](std::size_t folds, const std::vector<std::uint32_t>& groups) {
    return refusal([&] { stratified_folds(cases, classes, folds, groups, Key(1), "pets.npz"); });
  };
  EXPECT_THAT(refused(1, {}), HasSubstr("pets.npz: 1 fold(s); expected 2 or more"));
  EXPECT_THAT(refused(5, {}), HasSubstr("pets.npz: class 'cat' has 4 training case(s) for 5 folds; "
                                        "expected 5 or more of them, or fewer folds"));
  EXPECT_THAT(refused(3, {0, 0, 1, 1, 2, 3, 4, 5, 6}),
              HasSubstr("pets.npz: class 'cat' has 2 training group(s) for 3 folds"));
}

class CrossFit : public testing::Test {
 protected:
  CrossFit() {
    how_.epochs = 60;
    how_.batch = 32;
    how_.optimiser = Optimiser::kAdam;
    how_.learning_rate = 5e-3;
    how_.weight_decay = 0;
  }

  const std::size_t classes_ = 3;
  ClassifierInputs training_ = noise(240, 3, "train");
  // The best epoch is then the one that knows most of them by heart.
  ClassifierInputs validation_ = training_;
  ClassifierTraining how_;
};

// Labels that follow from nothing: one classifier knows all of them by heart, and one that never
// saw a case can only guess. By chance 80 of 240 are right, with a standard deviation of 7.3;
// validation cases must then be others, or the best epoch would be chosen by what is left out.
TEST_F(CrossFit, PredictsEveryCaseByAClassifierThatNeverSawIt) {
  auto one = small_mlp(training_, classes_);
  train_classifier(one, training_, validation_, how_, {});
  const Predictions in_sample = classify(one, training_, one.spec().classes);
  EXPECT_GE(accuracy(in_sample), .95);

  const auto others = noise(90, 3, "val");
  std::map<std::size_t, int> heard;
  CrossFitObserver observer;
  observer.fold = [&](std::size_t fold, double) { ++heard[fold]; };
  const auto made = out_of_fold_predictions(small_mlp(training_, classes_), training_, others, how_,
                                            {4}, observer);
  ASSERT_TRUE(made);
  EXPECT_EQ(heard, (std::map<std::size_t, int>{{1, 1}, {2, 1}, {3, 1}, {4, 1}}));
  EXPECT_EQ(made->case_names(), training_.cases);
  EXPECT_EQ(made->labels().size(), 240U);
  EXPECT_NEAR(accuracy(*made), 1. / 3, 4 * .0304);
  const Predictions both = with_features_of(*made, in_sample);
  EXPECT_EQ(both.feature_width(), in_sample.feature_width());
  EXPECT_EQ(accuracy(both), accuracy(*made));
}

// What a fold's classifier says cannot depend on the labels of the fold: others leave every number
// as it is.
TEST_F(CrossFit, LabelsOfAFoldDoNotChangeWhatIsSaidOfIt) {
  how_.epochs = 3;
  const auto untrained = small_mlp(training_, classes_);
  const auto others = noise(30, 3, "val");
  // Two groups are two folds, whatever the labels.
  std::vector<std::uint32_t> folds;
  for (std::size_t i = 0; i < training_.cases.size(); ++i) {
    folds.push_back(static_cast<std::uint32_t>(i % 2));
  }
  const CrossFitting fixed{2, folds};
  const auto swapped = [&] {
    ClassifierInputs made = training_;
    made.labels = training_.labels.clone();
    auto* labels = made.labels.data_ptr<std::int64_t>();
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (folds[i] == 0) first.push_back(i);
    }
    for (std::size_t i = 0; i + 1 < first.size(); i += 2) {
      std::swap(labels[first[i]], labels[first[i + 1]]);
    }
    return made;
  }();
  const auto with = out_of_fold_predictions(untrained, training_, others, how_, fixed);
  const auto without = out_of_fold_predictions(untrained, swapped, others, how_, fixed);
  ASSERT_TRUE(with && without);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const auto a = with->probabilities(i), b = without->probabilities(i);
    const bool same = std::equal(a.begin(), a.end(), b.begin());
    if (folds[i] == 0) {
      EXPECT_TRUE(same) << "case " << i;
    } else {
      changed += same ? 0 : 1;
    }
  }
  EXPECT_GT(changed, 0U);
}

TEST_F(CrossFit, ResumedEqualsUninterruptedBitForBit) {
  const ScratchDirectory scratch;
  how_.epochs = 5;
  const auto untrained = small_mlp(training_, classes_);
  const auto others = noise(30, 3, "val");
  const auto whole = out_of_fold_predictions(untrained, training_, others, how_, {3});
  CrossFitting fitting{3};
  fitting.checkpoint = {scratch / "m.checkpoint", Start::kFresh};
  CrossFitObserver stop;
  stop.batch = [](std::size_t fold, std::size_t epoch, std::size_t, std::size_t) {
    return fold == 2 && epoch == 3 ? Continue::kNo : Continue::kYes;
  };
  EXPECT_FALSE(out_of_fold_predictions(untrained, training_, others, how_, fitting, stop));
  EXPECT_TRUE(std::filesystem::exists(scratch / "m.checkpoint.fold1.done"));
  EXPECT_TRUE(std::filesystem::exists(scratch / "m.checkpoint.fold2"));
  EXPECT_THAT(
      refusal([&] { out_of_fold_predictions(untrained, training_, others, how_, fitting); }),
      HasSubstr("folds of a training are there; go on with --resume, or remove them"));
  fitting.checkpoint.start = Start::kResume;
  auto other = how_;
  other.seed = 5;
  EXPECT_THAT(
      refusal([&] { out_of_fold_predictions(untrained, training_, others, other, fitting); }),
      HasSubstr("m.checkpoint.fold1.done: a fold of another training: its seed is 0; expected 5"));
  const auto resumed = out_of_fold_predictions(untrained, training_, others, how_, fitting);
  ASSERT_TRUE(whole && resumed);
  EXPECT_EQ(resumed->parts().probabilities, whole->parts().probabilities);
  remove_fold_files(fitting.checkpoint.file, 3);
  EXPECT_EQ(scratch.files(), 0U);
}

// Everything is looked at before anything is trained.
TEST_F(CrossFit, ChangedFilesOfFoldsAreRefusedAtOnce) {
  const ScratchDirectory scratch;
  how_.epochs = 4;
  const auto untrained = small_mlp(training_, classes_);
  const auto others = noise(30, 3, "val");
  CrossFitting fitting{4};
  fitting.checkpoint = {scratch / "m.checkpoint", Start::kFresh};
  CrossFitObserver stop;
  stop.batch = [](std::size_t fold, std::size_t epoch, std::size_t, std::size_t) {
    return fold == 3 && epoch == 3 ? Continue::kNo : Continue::kYes;
  };
  ASSERT_FALSE(out_of_fold_predictions(untrained, training_, others, how_, fitting, stop));
  fitting.checkpoint.start = Start::kResume;
  bool trained = false;
  CrossFitObserver watch;
  watch.batch = [&](std::size_t, std::size_t, std::size_t, std::size_t) {
    trained = true;
    return Continue::kYes;
  };
  const auto said = [&](const std::string& name, const std::string& bytes) {
    const std::string good = scratch.get(name);
    scratch.put(name, bytes);
    const std::string message = refusal(
        [&] { out_of_fold_predictions(untrained, training_, others, how_, fitting, watch); });
    scratch.put(name, good);
    EXPECT_FALSE(trained);
    return message;
  };
  const std::string first = "m.checkpoint.fold1.done", on_its_way = "m.checkpoint.fold3";
  // Without the first fold there is something to train before the second is read.
  const std::string kept = scratch.get(first), second = "m.checkpoint.fold2.done";
  const std::string mismatch = ": the file is damaged or was changed; its checksum does not match";
  for (const std::string& name : {first, second, on_its_way}) {
    std::string bytes = scratch.get(name);
    bytes[bytes.size() - 2] ^= 1;
    EXPECT_EQ(said(name, bytes), (scratch / name).string() + mismatch);
  }
  std::filesystem::remove(scratch / first);
  std::string bytes = scratch.get(second);
  bytes[bytes.size() - 2] ^= 1;
  EXPECT_EQ(said(second, bytes), (scratch / second).string() + mismatch);
  scratch.put(first, kept);
  // A shape with as many numbers, by whoever makes the checksum right.
  const auto rewritten = [&](const std::vector<std::size_t>& shape, const std::string& settings) {
    const SafetensorsFile file = SafetensorsFile::from_bytes(kept, first);
    SafetensorsWriter writer;
    for (const auto& [key, text] : file.metadata()) {
      writer.set_metadata(key, key == "settings" && !settings.empty() ? settings : text);
    }
    writer.add("probabilities", shape, std::span<const float>(file.floats("probabilities")));
    writer.add_checksum();
    return std::move(writer).bytes();
  };
  EXPECT_EQ(said(first, rewritten({3, 60}, "")),
            (scratch / first).string() + ": probabilities of 3 x 60; expected 60 x 3");
  EXPECT_THAT(said(first, rewritten({60, 3}, "5")),
              testing::StartsWith((scratch / first).string()));
  EXPECT_TRUE(out_of_fold_predictions(untrained, training_, others, how_, fitting));
}

}  // namespace
}  // namespace ifd::train
