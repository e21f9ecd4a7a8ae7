#include "ifd/policy/policy_calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ifd/experts/relabelling.h"
#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

Predictions random_predictions(std::size_t classes, std::size_t cases, const Key& key) {
  Predictions::Parts parts{ClassNames::numbered(classes), {}, {}, {}, {}, 0};
  for (std::size_t i = 0; i < cases; ++i) {
    std::vector<double> logits;
    for (std::size_t k = 0; k < classes; ++k) logits.push_back(2 * key.with(i).normal(k));
    for (const float p : Predictions::from_logits(logits, classes)) {
      parts.probabilities.push_back(p);
    }
    parts.labels.push_back(class_id(key.with(i).with("label").below(classes)));
    parts.cases.push_back(std::to_string(i));
  }
  return Predictions(std::move(parts));
}

PolicyFile file_with(const std::string& calibration) {
  return {"ifd", R"({"calibration":)" + calibration + "}", {}, "p.ifd"};
}

TEST(PolicyCalibration, SurvivesTheFile) {
  for (const auto source : {CalibrationSource::kValidation, CalibrationSource::kContext}) {
    PolicyCalibration made{CalibrationKind::kBias, source, {.7, {.1, -.3, 1.0 / 3}}, 12, .2, .1};
    if (source == CalibrationSource::kValidation) made.classes = {"a", "b", "c"};
    const auto read = policy_calibration(file_with(to_json(made)));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kind, made.kind);
    EXPECT_EQ(read->source, made.source);
    EXPECT_EQ(read->fitted.scale, made.fitted.scale);
    EXPECT_EQ(read->fitted.bias, made.fitted.bias);
    EXPECT_EQ(read->classes, made.classes);
    EXPECT_EQ(read->cases, 12u);
    EXPECT_EQ(read->ece_before, .2);
    EXPECT_EQ(read->ece_after, .1);
  }
  EXPECT_FALSE(policy_calibration({"ifd", "{}", {}, "p.ifd"}));
}

TEST(PolicyCalibration, RefusesWhatMakesNoSense) {
  for (const std::string bad :
       {R"({"kind":"none","on":"context"})", R"({"kind":"temperature","on":"monday","scale":1})",
        R"({"kind":"temperature","on":"context","cases":1,"scale":-1,)"
        R"("validation_ece":{"before":0,"after":0}})",
        R"({"kind":"bias","on":"validation","cases":1,"scale":1,"bias":[1],"classes":["a","b"],)"
        R"("validation_ece":{"before":0,"after":0}})"}) {
    EXPECT_EQ(refusal([&] { policy_calibration(file_with(bad)); }),
              "p.ifd: metadata 'calibration' is not known; expected kind (temperature, bias), on "
              "(validation, context), scale, and for a bias one number per class")
        << bad;
  }
  EXPECT_EQ(refusal([&] { policy_calibration(file_with(R"("bias")")); }),
            "p.ifd: metadata key 'calibration' is text; expected an object");
  EXPECT_EQ(refusal([&] { policy_calibration(file_with(R"({"kind":"none"})")); }),
            "p.ifd: metadata key 'calibration' has no 'on'; expected it");
}

// A stored temperature fits any classes; stored offsets fit their own only.
TEST(PolicyCalibration, StoredOffsetsBelongToTheirClasses) {
  PolicyCalibration stored{CalibrationKind::kTemperature, CalibrationSource::kValidation, {.5, {}}};
  EXPECT_EQ(stored_calibration(stored, ClassNames({"x", "y"}), "p.ifd").scale, .5);
  stored = {CalibrationKind::kBias, CalibrationSource::kValidation, {.5, {1, -1}}};
  stored.classes = {"a", "b"};
  EXPECT_EQ(stored_calibration(stored, ClassNames({"a", "b"}), "p.ifd").bias,
            (std::vector<double>{1, -1}));
  EXPECT_EQ(refusal([&] {
              stored_calibration(stored, ClassNames({"b", "a"}), "p.ifd");
            }),
            "p.ifd: its calibration has an offset for each of the classes a, b and works for no "
            "others; the predictions have b, a");
}

// Fitted on the context in use, the calibration follows a coherent relabelling bit for bit.
TEST(PolicyCalibration, OnTheContextPermutesWithTheClasses) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::size_t classes = 2 + seed % 5;
    const Key key = Key(seed).with("relabelled context");
    const Predictions cases = random_predictions(classes, 30, key);
    std::vector<ExpertContext> contexts(1);
    for (std::size_t i = 0; i < 20; ++i) {
      contexts[0].rows.push_back({cases.case_name(i), cases.label(i), cases.label(i)});
    }
    const auto naming = Relabelling::random(classes, key.with("names"));
    auto renamed = cases.parts();
    std::vector<ExpertContext> renamed_contexts = contexts;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      for (std::size_t k = 0; k < classes; ++k) {
        renamed.probabilities[i * classes + index(naming(class_id(k)))] = cases.probabilities(i)[k];
      }
      renamed.labels[i] = naming(cases.label(i));
    }
    for (ContextRow& row : renamed_contexts[0].rows) row.truth = naming(row.truth);
    const Predictions renamed_cases(renamed);
    for (const auto kind : {CalibrationKind::kTemperature, CalibrationKind::kBias}) {
      const auto apply = [&](const Predictions& predictions,
                             const std::vector<ExpertContext>& about) {
        const Predictions context = context_cases(predictions, about);
        EXPECT_EQ(context.size(), 20u);
        return calibrated(predictions, fit_calibration(context, kind));
      };
      const Predictions a = apply(cases, contexts), b = apply(renamed_cases, renamed_contexts);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        for (std::size_t k = 0; k < classes; ++k) {
          EXPECT_EQ(a.probabilities(i)[k], b.probabilities(i)[index(naming(class_id(k)))]);
        }
      }
    }
  }
}

// Truths of single rows may disagree on a case; which of them a calibration took would then be an
// accident of the order.
TEST(PolicyCalibration, RefusesACaseWithTwoTruthsInTheContext) {
  const Predictions cases(
      {ClassNames({"cat", "dog"}), {"x", "y"}, {0.5F, 0.5F, 0.5F, 0.5F}, {}, {}, 0});
  std::vector<ExpertContext> contexts = {{"ann", {{"x", ClassId{0}, Answer(ClassId{0})}}},
                                         {"bob", {{"x", ClassId{0}, Answer(ClassId{0})}}}};
  EXPECT_EQ(context_cases(cases, contexts).size(), 1u);
  contexts[1].rows[0].truth = ClassId{1};
  EXPECT_EQ(refusal([&] { context_cases(cases, contexts); }),
            "a calibration needs one truth per case, and case 'x' has 'cat' and 'dog' in the "
            "context; expected --truth given or majority, or no calibration on the context");
}

}  // namespace
}  // namespace ifd
