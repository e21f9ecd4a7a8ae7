#include "experiments/jobs/image_data_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/coloured_shapes.h"
#include "tests/scratch_directory.h"
#include "train/image_classifier.h"

namespace ifd::experiments {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class ImageDataSet : public testing::Test {
 protected:
  ImageDataSet() { scratch_.put("shapes.npz", train::coloured_shapes_npz(24, 12)); }

  DataSet made(std::uint64_t seed = 0, std::size_t folds = 0) {
    said_.clear();
    return image_data_set(workshop_, {DataName("shapes"), 2, 1e-3}, scratch_ / "shapes.npz",
                          {train::BackboneKind::kResnetSmall, seed, folds},
                          [this](const std::string& line) { said_.push_back(line); });
  }
  // Cuts the files of the cache whose names end so.
  void damage(std::string_view end) {
    for (const auto& entry : std::filesystem::directory_iterator(scratch_ / "cache/classifiers")) {
      if (!entry.path().string().ends_with(end)) continue;
      std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
    }
  }

  ScratchDirectory scratch_;
  Workshop workshop_{scratch_ / "cache", "code"};
  std::vector<std::string> said_;
};

TEST_F(ImageDataSet, DamagedFilesOfTheCacheAreMadeAgain) {
  const std::string first = made().hash;
  EXPECT_THAT(said_, Contains(HasSubstr("training its classifier")));
  EXPECT_EQ(made().hash, first);
  EXPECT_THAT(said_, testing::IsEmpty());

  damage("-test.npz");
  EXPECT_EQ(made().hash, first);
  EXPECT_THAT(said_, Contains(HasSubstr("note: made again, because it is damaged")));
  EXPECT_THAT(said_, Not(Contains(HasSubstr("training its classifier"))));

  damage(".safetensors");
  EXPECT_EQ(made().hash, first);
  EXPECT_THAT(said_, Contains(HasSubstr("note: made again, because it is damaged")));
  EXPECT_THAT(said_, Contains(HasSubstr("training its classifier")));
}

// Another seed is another classifier of the same cases.
TEST_F(ImageDataSet, ClassifiersOfOtherSeedsSeeTheSameCases) {
  DataSet first = made(0);
  first.by_other_classifiers.push_back(made(1));
  const DataSet& second = first.by_other_classifiers.front();
  EXPECT_EQ(second.test.case_names(), first.test.case_names());
  EXPECT_NE(second.hash, first.hash);
  EXPECT_EQ(&first.of_cohort(0), &first);
  EXPECT_EQ(&first.of_cohort(1), &second);
  EXPECT_EQ(&first.of_cohort(2), &first);
  EXPECT_EQ(made(1).hash, second.hash);
  EXPECT_THAT(said_, testing::IsEmpty()) << "the cache knows both";
}

// The same cases, labels and order; what other classifiers say of them. They are made once, and
// change nothing for those who do not ask for them.
TEST_F(ImageDataSet, OutOfFoldPredictionsAreOfTheSameCases) {
  const DataSet whole = made();
  EXPECT_EQ(whole.out_of_fold, nullptr);
  const DataSet both = made(0, 2);
  EXPECT_THAT(said_, Contains(HasSubstr("fold 2 of 2, right on ")));
  EXPECT_EQ(both.hash, whole.hash);
  ASSERT_NE(both.out_of_fold, nullptr);
  const DataSet& out_of_fold = *both.out_of_fold;
  EXPECT_EQ(out_of_fold.training.case_names(), whole.training.case_names());
  for (std::size_t i = 0; i < whole.training.size(); ++i) {
    ASSERT_EQ(out_of_fold.training.label(i), whole.training.label(i));
  }
  const auto says = [](const DataSet& of) {
    const auto all = of.training.all_probabilities();
    return std::vector<float>(all.begin(), all.end());
  };
  EXPECT_NE(says(out_of_fold), says(whole));
  EXPECT_EQ(made(0, 2).out_of_fold->hash, out_of_fold.hash);
  EXPECT_THAT(said_, testing::IsEmpty());

  // From the beginning to the same numbers, also where something else lies in a fold's place.
  damage("-train-2-fold.npz");
  for (const auto& entry : std::filesystem::directory_iterator(scratch_ / "cache/classifiers")) {
    const std::string path = entry.path().string();
    EXPECT_EQ(path.find(".fold"), std::string::npos) << path;
    if (!path.ends_with("-train-2-fold.npz")) continue;
    std::ofstream(path.substr(0, path.size() - 4) + ".checkpoint.fold1.done") << "not a fold";
  }
  EXPECT_EQ(made(0, 2).out_of_fold->hash, out_of_fold.hash);
  EXPECT_THAT(said_, Contains(HasSubstr("note: made again, because it is damaged")));
  EXPECT_THAT(said_, Contains(HasSubstr("note: begun again, because it is damaged")));
}

// Whoever goes on training the classifier begins with the one that made the predictions.
TEST_F(ImageDataSet, ThePretrainedClassifierIsTheOneThatWasAsked) {
  const PretrainedImages made =
      pretrained_images(workshop_, {DataName("shapes"), 2, 1e-3}, scratch_ / "shapes.npz", {},
                        [](const std::string&) {});
  EXPECT_EQ(made.data_set.hash, this->made().hash);
  auto classifier = train::BackboneClassifier::read(made.classifier);
  const auto inputs = train::inputs_of(read_medmnist(made.images, Split::kTest), Split::kTest);
  EXPECT_EQ(train::classify(classifier, inputs, classifier.spec().classes).parts().probabilities,
            made.data_set.test.parts().probabilities);
}

TEST_F(ImageDataSet, ADamagedCheckpointIsBegunAgain) {
  const std::string first = made().hash;
  for (const auto& entry : std::filesystem::directory_iterator(scratch_ / "cache/classifiers")) {
    const std::filesystem::path path = entry.path();
    if (path.extension() == ".safetensors") {
      std::filesystem::remove(path);
      std::ofstream(path.string() + ".checkpoint") << "no checkpoint at all";
    }
  }
  EXPECT_EQ(made().hash, first);
  EXPECT_THAT(said_, Contains(HasSubstr("note: begun again, because it is damaged")));
}

}  // namespace
}  // namespace ifd::experiments
