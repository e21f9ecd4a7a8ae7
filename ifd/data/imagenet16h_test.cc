#include "ifd/data/imagenet16h.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/real_data.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::ElementsAre;

const std::string kClassColumns =
    "airplane,bear,bicycle,bird,boat,bottle,car,cat,chair,clock,dog,elephant,keyboard,knife,oven,"
    "truck";
const std::string kHeader =
    ",model_name,noise_type,noise_level,image_name,category," + kClassColumns + ",correct\n";

// A row whose score for bear is `bear` and for truck `truck`; the others are 0.
std::string row(const std::string& start, const std::string& bear, const std::string& truck) {
  return "0," + start + ",0," + bear + ",0,0,0,0,0,0,0,0,0,0,0,0,0," + truck + ",1\n";
}

Predictions read(const std::string& text, std::string_view model, int noise) {
  return imagenet16h_predictions_from_bytes(text, "m.csv", model, noise);
}

// The layout of the full files as published: an index column, several models and noise types, and
// columns after the classes.
TEST(Imagenet16h, SelectsModelAndNoise) {
  const std::string text =
      kHeader + row("vgg19,phase,80,n1,bear", "1", "0") +
      row("vgg19,phase,95,n1,bear", "0.25", "0.75") + row("vgg19,gauss,95,n1,bear", "1", "0") +
      row("resnet152,phase,95,n1,bear", "0", "1") + row("vgg19,phase,95,n2,truck", "0.5", "0.5");
  const Predictions p = read(text, "vgg19", 95);
  EXPECT_EQ(p.classes().size(), 16u);
  EXPECT_THAT(p.case_names(), ElementsAre("n1", "n2"));
  EXPECT_THAT(p.labels(), ElementsAre(ClassId{1}, ClassId{15}));
  EXPECT_EQ(p.probabilities(0)[1], 0.25F);
  EXPECT_EQ(p.probabilities(0)[15], 0.75F);
  EXPECT_THAT(read(text, "vgg19", kEveryNoise).case_names(),
              ElementsAre("n1@80", "n1@95", "n2@95"));
  EXPECT_EQ(refusal([&] { read(text, "alexnet", 80); }),
            "m.csv: no rows of model 'alexnet' at noise 80; found models resnet152, vgg19 at noise "
            "80, 95");
}

TEST(Imagenet16h, ScoresAreNormalised) {
  const Predictions p = read(kHeader + row("v,phase,80,n1,bear", "0.6", "0.2"), "v", 80);
  EXPECT_EQ(p.probabilities(0)[1], 0.75F);
  EXPECT_EQ(p.probabilities(0)[15], 0.25F);
}

TEST(Imagenet16h, SaysWhatIsWrongWithPredictions) {
  const auto message = [](const std::string& rows) {
    return refusal([&] { read(kHeader + rows, "v", 80); });
  };
  EXPECT_EQ(message(row("v,phase,80,n1,bear", "0", "0")),
            "m.csv:2: the probabilities sum to 0; expected 1 within 0.001");
  EXPECT_EQ(message(row("v,phase,80,n1,bear", "-1", "2")),
            "m.csv:2: -1 is not a probability for class 'bear'; expected 0..1");
  EXPECT_EQ(message(row("v,phase,80,n1,cow", "0", "1")),
            "m.csv:2: 'cow' is not a class; expected airplane, bear, bicycle, bird, boat, bottle, "
            "car, cat, chair, clock, dog, elephant, ... (16 in all)");
  EXPECT_EQ(message(row("v,phase,loud,n1,bear", "0", "1")),
            "m.csv:2: 'loud' is not a noise level; expected a number such as 80");
  EXPECT_EQ(message(row("v,phase,80,n1,bear", "0", "1") + row("v,phase,80,n1,bear", "0", "1")),
            "m.csv:3: case 'n1' is there twice; expected distinct cases");
  EXPECT_EQ(refusal([] { read("model_name,noise_level\n", "v", 80); }),
            "m.csv:1: no column 'image_name'; found model_name, noise_level");
}

TEST(Imagenet16h, ReadsAnnotations) {
  const AnnotationSet set = imagenet16h_annotations_from_bytes(
      "x,participant_classification,participant_id,image_name,image_category,noise_level\n"
      "1,dog,7,n1,cat,80\n2,,7,n2,cat,95.0\n",
      "a.csv");
  ASSERT_EQ(set.rows.size(), 2u);
  EXPECT_EQ(set.rows[0].participant, "7");
  EXPECT_EQ(set.rows[0].image, "n1");
  EXPECT_EQ(set.classes.name(set.rows[0].truth), "cat");
  EXPECT_EQ(set.classes.name(set.rows[0].answer.as_class()), "dog");
  EXPECT_EQ(set.rows[1].noise, 95);
  EXPECT_TRUE(set.rows[1].answer.is_outside());
  EXPECT_EQ(
      refusal([] {
        imagenet16h_annotations_from_bytes(
            "participant_classification,participant_id,image_name,image_category,noise_level\n",
            "a.csv");
      }),
      "a.csv: no rows; expected at least one answer");
}

// Published: people are right on .900/.860/.771/.603 of the pictures, by noise level.
TEST(Imagenet16h, PeopleAreAsGoodAsPublished) {
  const auto path = real_data("imagenet16h/annotations.csv");
  if (!path) GTEST_SKIP() << "imagenet16h/annotations.csv is not in IFD_DATA or ../shared/data";
  const AnnotationSet set = read_imagenet16h_annotations(*path);
  EXPECT_EQ(set.rows.size(), 28991u);
  std::set<std::string> people;
  std::map<int, std::pair<double, double>> right;
  for (const Annotation& row : set.rows) {
    people.insert(row.participant);
    right[row.noise].first += row.answer.is(row.truth) ? 1 : 0;
    right[row.noise].second += 1;
  }
  EXPECT_EQ(people.size(), 145u);
  ASSERT_EQ(right.size(), 4u);
  for (const auto& [noise, accuracy] :
       std::map<int, double>{{80, .900}, {95, .860}, {110, .771}, {125, .603}}) {
    EXPECT_NEAR(right[noise].first / right[noise].second, accuracy, .0005) << noise;
  }
}

// Published: the ResNet-152 is right on .728/.539/.321/.150 of them.
TEST(Imagenet16h, TheModelIsAsGoodAsPublished) {
  const auto path = real_data("imagenet16h/predictions_resnet152.csv");
  if (!path)
    GTEST_SKIP() << "imagenet16h/predictions_resnet152.csv is not in IFD_DATA or ../shared/data";
  for (const auto& [noise, accuracy] :
       std::map<int, double>{{80, .728}, {95, .539}, {110, .321}, {125, .150}}) {
    const Predictions p = read_imagenet16h_predictions(*path, "resnet152", noise);
    EXPECT_EQ(p.size(), 1200u);
    double right = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      right += top_class(p.probabilities(i)) == p.label(i) ? 1 : 0;
    }
    EXPECT_NEAR(right / 1200, accuracy, .0005) << noise;
  }
  EXPECT_EQ(read_imagenet16h_predictions(*path, "resnet152", kEveryNoise).size(), 4800u);
}

}  // namespace
}  // namespace ifd
