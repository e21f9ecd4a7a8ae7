#include "ifd/data/predictions_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ifd/data/npz.h"
#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::ElementsAre;

Predictions csv(const std::string& text, ScoreKind kind = ScoreKind::kProbabilities) {
  return predictions_from_bytes(text, "p.csv", kind);
}

enum class Extent { kFull, kBare };

Predictions random_predictions(const Key& key, Extent extent) {
  const std::size_t n = 1 + key.with("n").below(30);
  const std::size_t k = 2 + key.with("k").below(6);
  std::vector<std::string> names(k);
  const std::vector<std::string> odd{"a,b", "say \"x\"", "two\nlines", "in side",
                                     "\xC3\xA9t\xC3\xA9"};
  for (std::size_t c = 0; c < k; ++c) {
    names[c] = odd[key.with("odd").below(odd.size(), c)] + std::to_string(c);
  }
  Predictions::Parts parts{ClassNames(names), {}, {}, {}, {}, 0};
  for (std::size_t row = 0; row < n; ++row) {
    const Key at = key.with(row);
    parts.cases.push_back(odd[at.below(odd.size())] + std::to_string(row));
    std::vector<double> logits(k);
    for (std::size_t c = 0; c < k; ++c) logits[c] = 8 * at.with("logit").normal(c);
    for (const float p : Predictions::from_logits(logits, k)) parts.probabilities.push_back(p);
    if (extent == Extent::kBare) continue;
    parts.labels.push_back(class_id(at.with("label").below(k)));
    parts.feature_width = 3;
    for (std::uint64_t d = 0; d < 3; ++d) {
      parts.features.push_back(static_cast<float>(at.with("feature").normal(d)));
    }
  }
  return Predictions(std::move(parts));
}

void expect_same(const Predictions& a, const Predictions& b) {
  EXPECT_EQ(a.classes().names(), b.classes().names());
  EXPECT_EQ(a.case_names(), b.case_names());
  EXPECT_EQ(a.parts().probabilities, b.parts().probabilities);
  EXPECT_EQ(a.parts().labels, b.parts().labels);
}

TEST(PredictionsFile, CsvNamesCasesAndClassesInAnyOrder) {
  const Predictions p = csv("cat,case,dog,label\n0.25,x,0.75,dog\n1,y,0,cat\n");
  EXPECT_THAT(p.classes().names(), ElementsAre("cat", "dog"));
  EXPECT_THAT(p.case_names(), ElementsAre("x", "y"));
  EXPECT_THAT(p.parts().probabilities, ElementsAre(0.25F, 0.75F, 1.0F, 0.0F));
  EXPECT_THAT(p.labels(), ElementsAre(ClassId{1}, ClassId{0}));
}

TEST(PredictionsFile, EmptyLabelsAreNone) {
  EXPECT_FALSE(csv("case,label,a,b\nx,,1,0\ny,,0,1\n").has_labels());
  EXPECT_FALSE(csv("case,a,b\nx,1,0\n").has_labels());
}

// softmax(0, ln 3) = (1/4, 3/4); more rows than one block, so that blocks must join.
TEST(PredictionsFile, CsvLogitsBecomeProbabilities) {
  std::string text = "case,a,b\n";
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + ",1000,1001.0986122886681098\n";
  const Predictions p = csv(text, ScoreKind::kLogits);
  ASSERT_EQ(p.size(), 1000u);
  for (std::size_t row = 0; row < p.size(); ++row) {
    EXPECT_NEAR(p.probabilities(row)[0], 0.25, 1e-7);
    EXPECT_NEAR(p.probabilities(row)[1], 0.75, 1e-7);
  }
  EXPECT_EQ(refusal([&] { csv(text + "z,nan,1\n", ScoreKind::kLogits); }),
            "p.csv:1002: nan is not a logit; expected finite numbers");
}

TEST(PredictionsFile, CsvRoundTripsBitForBit) {
  const ScratchDirectory scratch;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    for (const Extent extent : {Extent::kFull, Extent::kBare}) {
      const Predictions p = random_predictions(Key(seed), extent);
      write_predictions(scratch / "p.csv", p);
      expect_same(read_predictions(scratch / "p.csv"), p);
    }
  }
}

TEST(PredictionsFile, SaysWhatIsWrongWithCsv) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"case,a,b\n", "p.csv: no rows; expected at least one case"},
      {"case,a\nx,1\n", "p.csv:1: 1 class(es); expected 2..32000"},
      {"id,a,b\nx,1,0\n", "p.csv:1: no column 'case'; found id, a, b"},
      {",case,a,b\n0,x,1,0\n",
       "p.csv:1: column 1 has no name; expected 'case', 'label' or the name of a class"},
      {"case,a,b\nx,1,0\n\ny,0.5,0.4\n",
       "p.csv:4: the probabilities sum to 0.9; expected 1 within "
       "0.001"},
      {"case,a,b\nx,nan,0\n", "p.csv:2: nan is not a probability for class 'a'; expected 0..1"},
      {"case,a,b\nx,1,inf\n", "p.csv:2: inf is not a probability for class 'b'; expected 0..1"},
      {"case,a,b\nx,1.5,-0.5\n", "p.csv:2: -0.5 is not a probability for class 'b'; expected 0..1"},
      {"case,a,b\nx,1,0\nx,0,1\n", "p.csv:3: case 'x' is there twice; expected distinct cases"},
      {"case,a,b\nx,1,0\ny,0,1\nw,1,0\nz,1,0\ny,1,0\nx,1,0\n",
       "p.csv:6: case 'y' is there twice; expected distinct cases"},
      {"case,a,b\n,1,0\n", "p.csv:2: the case has no name; expected one"},
      {"case,a,b\nx,1,zero\n", "p.csv:2: 'zero' is not a number; expected one in column 'b'"},
      {"case,a,b\nx,1,\n", "p.csv:2: '' is not a number; expected one in column 'b'"},
      {"case,label,0,1\nx,9,1,0\n", "p.csv:2: '9' is not a class; expected 0..1"},
      {"case,label,a,b\nx,a,1,0\ny,,1,0\n",
       "p.csv:3: some cases have a label and some have none; expected all or none"},
      {"case,label,a,b\nx,,1,0\ny,a,1,0\n",
       "p.csv:3: some cases have a label and some have none; expected all or none"},
  };
  for (const auto& [text, message] : table) {
    EXPECT_EQ(refusal([&] { csv(text); }), message) << text;
  }
}

TEST(PredictionsFile, BlanksAroundNamesAndLettersOfTheHeaderDoNotMatter) {
  const Predictions p = csv(" Case, LABEL ,cat , dog\n x ,\" dog \",0.25,0.75\n");
  EXPECT_THAT(p.classes().names(), ElementsAre("cat", "dog"));
  EXPECT_THAT(p.case_names(), ElementsAre("x"));
  EXPECT_THAT(p.labels(), ElementsAre(ClassId{1}));
  NpzWriter writer;
  const std::vector<float> probabilities{1, 0};
  writer.add("probabilities", {1, 2}, std::span<const float>(probabilities));
  writer.add("classes", std::vector<std::string>{"cat ", " dog"});
  writer.add("cases", std::vector<std::string>{" x "});
  writer.add("labels", std::vector<std::string>{"dog "});
  const Predictions npz = predictions_from_bytes(std::move(writer).bytes(), "p.npz");
  EXPECT_THAT(npz.classes().names(), ElementsAre("cat", "dog"));
  EXPECT_THAT(npz.case_names(), ElementsAre("x"));
  EXPECT_THAT(npz.labels(), ElementsAre(ClassId{1}));
}

PredictionsFormat percentages() {
  PredictionsFormat format;
  format.unit = ProbabilityUnit::kPercent;
  return format;
}

// A row of percentages is the same row of shares.
TEST(PredictionsFile, PercentagesAreSharesOfAHundred) {
  const Predictions p = predictions_from_bytes("case;a;b\nx;45,3;54,7\n", "p.csv", percentages());
  EXPECT_THAT(p.probabilities(0), ElementsAre(.453F, .547F));
  NpzWriter writer;
  const std::vector<double> hundred{25, 75};
  writer.add("probabilities", {1, 2}, std::span<const double>(hundred));
  const Predictions npz = predictions_from_bytes(std::move(writer).bytes(), "p.npz", percentages());
  EXPECT_THAT(npz.probabilities(0), ElementsAre(.25F, .75F));
  EXPECT_EQ(
      refusal([] { csv("case,a,b\nx,25,75\n"); }),
      "p.csv:2: the probabilities sum to 100; expected 1 within 0.001; percentages? divide by "
      "100, or read them with --percent");
  EXPECT_EQ(
      refusal([] { predictions_from_bytes("case,a,b\nx,.25,.75\n", "p.csv", percentages()); }),
      "p.csv:2: the probabilities sum to 0.01; expected 1 within 0.001; no percentages? leave out "
      "--percent");
}

TEST(PredictionsFile, LabelsMayBeClassNumbers) {
  PredictionsFormat numbers;
  numbers.labels = LabelKind::kNumbers;
  const Predictions p =
      predictions_from_bytes("case,label,a,b\nx,1,1,0\ny,0.0,1,0\n", "p.csv", numbers);
  EXPECT_THAT(p.labels(), ElementsAre(ClassId{1}, ClassId{0}));
  EXPECT_EQ(refusal([] { csv("case,label,a,b\nx,1,1,0\n"); }),
            "p.csv:2: '1' is not a class; expected a, b; class numbers? --labels numbers");
}

TEST(PredictionsFile, ABareArrayIsRead) {
  const std::vector<float> values{.25F, .75F, 1, 0, .5F, .5F};
  const std::string bytes =
      npy_bytes("<f4", {3, 2}, {reinterpret_cast<const char*>(values.data()), 4 * values.size()});
  std::vector<std::string> notes;
  const Predictions p = predictions_from_bytes(
      bytes, "p.npy", {}, {{}, [&](const std::string& note) { notes.push_back(note); }});
  EXPECT_TRUE(p.numbers_its_cases());
  EXPECT_THAT(p.classes().names(), ElementsAre("0", "1"));
  EXPECT_EQ(p.parts().probabilities, values);
  EXPECT_THAT(notes, ElementsAre("p.npy: is a bare array, float32 (3, 2), taken for probabilities; "
                                 "cases and classes go by number"));
  const Predictions logits = predictions_from_bytes(bytes, "p.npy", ScoreKind::kLogits);
  EXPECT_EQ(logits.probabilities(2)[0], .5F);
  for (const std::string& damaged : {bytes.substr(0, bytes.size() - 1), bytes + "x"}) {
    EXPECT_THAT(refusal([&] { predictions_from_bytes(damaged, "p.npy"); }),
                testing::StartsWith("p.npy: "));
  }
}

TEST(PredictionsFile, NpzRoundTripsBitForBit) {
  const ScratchDirectory scratch;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    for (const Extent extent : {Extent::kFull, Extent::kBare}) {
      const Predictions p = random_predictions(Key(seed), extent);
      write_predictions(scratch / "p.npz", p);
      const Predictions read = read_predictions(scratch / "p.npz");
      expect_same(read, p);
      EXPECT_EQ(read.feature_width(), p.feature_width());
      EXPECT_EQ(read.parts().features, p.parts().features);
    }
  }
}

// What the bare arrays of a notebook give: numbers for names, labels as a column.
TEST(PredictionsFile, NpzNeedsOnlyScores) {
  NpzWriter writer;
  const std::vector<double> logits{0, std::log(3.0), 5, 5};
  const std::vector<std::int64_t> labels{1, 0};
  writer.add("logits", {2, 2}, std::span<const double>(logits));
  writer.add("labels", {2, 1}, std::span<const std::int64_t>(labels));
  const Predictions p = predictions_from_bytes(std::move(writer).bytes(), "p.npz");
  EXPECT_THAT(p.classes().names(), ElementsAre("0", "1"));
  EXPECT_THAT(p.case_names(), ElementsAre("0", "1"));
  EXPECT_THAT(p.labels(), ElementsAre(ClassId{1}, ClassId{0}));
  EXPECT_NEAR(p.probabilities(0)[1], 0.75, 1e-7);
  EXPECT_EQ(p.probabilities(1)[1], 0.5F);
}

// Row numbers stay row numbers through whatever leaves the rows where they are; a row that moved
// keeps its number as a name.
TEST(PredictionsFile, KnowsWhetherItsCasesHaveNames) {
  const ScratchDirectory scratch;
  const Predictions bare({ClassNames::numbered(2), {}, {1, 0, 0, 1}, {}, {}, 0});
  const Predictions named({ClassNames::numbered(2), {"0", "1"}, {1, 0, 0, 1}, {}, {}, 0});
  for (const Predictions* p : {&bare, &named}) {
    const bool numbers = p == &bare;
    EXPECT_EQ(p->numbers_its_cases(), numbers);
    EXPECT_EQ(p->with_probabilities({0, 1, 1, 0}).numbers_its_cases(), numbers);
    EXPECT_EQ(p->with_labels({ClassId{0}, ClassId{1}}).numbers_its_cases(), numbers);
    write_predictions(scratch / "p.npz", *p);
    const Predictions read = read_predictions(scratch / "p.npz");
    EXPECT_EQ(read.numbers_its_cases(), numbers);
    expect_same(read, *p);
    const Predictions moved = p->subset(std::vector<std::size_t>{1});
    EXPECT_FALSE(moved.numbers_its_cases());
    EXPECT_THAT(moved.case_names(), ElementsAre("1"));
  }
  EXPECT_FALSE(csv("case,a,b\n0,1,0\n1,1,0\n").numbers_its_cases());
}

TEST(PredictionsFile, NpzLabelsMayBeNames) {
  NpzWriter writer;
  const std::vector<float> probabilities{1, 0, 0, 1};
  writer.add("probabilities", {2, 2}, std::span<const float>(probabilities));
  writer.add("classes", std::vector<std::string>{"cat", "dog"});
  writer.add("labels", std::vector<std::string>{"dog", "cat"});
  const Predictions p = predictions_from_bytes(std::move(writer).bytes(), "p.npz");
  EXPECT_THAT(p.labels(), ElementsAre(ClassId{1}, ClassId{0}));
}

TEST(PredictionsFile, SaysWhatIsWrongWithNpz) {
  const std::vector<float> good{1, 0, 0, 1};
  const std::vector<float> bad{1, 0, 0.5F, 0.25F};
  const auto message = [&](auto fill) {
    NpzWriter writer;
    fill(writer);
    const std::string bytes = std::move(writer).bytes();
    return refusal([&] { predictions_from_bytes(bytes, "p.npz"); });
  };
  using Floats = std::span<const float>;
  using Integers = std::span<const std::int64_t>;
  using Names = std::vector<std::string>;
  const std::vector<std::int64_t> labels{1, 2};
  EXPECT_EQ(
      message([&](NpzWriter& w) { w.add("x", {4}, Floats(good)); }),
      "p.npz: neither 'probabilities' nor 'logits'; expected one of them; found x: float32 (4)");
  EXPECT_EQ(message([&](NpzWriter& w) {
              w.add("probabilities", {2, 2}, Floats(good));
              w.add("logits", {2, 2}, Floats(good));
            }),
            "p.npz: both 'probabilities' and 'logits'; expected one of them");
  EXPECT_EQ(message([&](NpzWriter& w) { w.add("logits", {4}, Floats(good)); }),
            "p.npz: 'logits': shape (4); expected (cases, classes)");
  EXPECT_EQ(message([&](NpzWriter& w) {
              w.add("logits", {0, 2}, Floats());
            }),
            "p.npz: 'logits': no rows; expected at least one case");
  EXPECT_EQ(message([&](NpzWriter& w) {
              w.add("logits", {4, 1}, Floats(good));
            }),
            "p.npz: 'logits': 1 class(es); expected 2..32000");
  EXPECT_EQ(message([&](NpzWriter& w) {
              w.add("probabilities", {2, 2}, Floats(bad));
            }),
            "p.npz: row 1: the probabilities sum to 0.75; expected 1 within 0.001");
  const auto with = [&](auto fill) {
    return message([&](NpzWriter& w) {
      w.add("probabilities", {2, 2}, Floats(good));
      fill(w);
    });
  };
  EXPECT_EQ(
      with([&](NpzWriter& w) { w.add("labels", {2}, Integers(labels)); }),
      "p.npz: row 1: label 2 is not a class number; expected 0..1; counted from 1? subtract 1");
  EXPECT_EQ(with([&](NpzWriter& w) {
              w.add("labels", {1, 2}, Integers(labels));
            }),
            "p.npz: 'labels': shape (1, 2); expected (2) or (2, 1)");
  EXPECT_EQ(with([&](NpzWriter& w) { w.add("labels", {2}, Floats(good).first(2)); }),
            "p.npz: 'labels': holds floats; expected integers");
  EXPECT_EQ(with([&](NpzWriter& w) {
              w.add("labels", Names{"0", "x"});
            }),
            "p.npz: row 1: 'x' is not a class; expected 0..1");
  EXPECT_EQ(with([&](NpzWriter& w) {
              w.add("classes", Names{"a", "a"});
            }),
            "p.npz: 'classes': two classes are named 'a'; expected distinct names");
  EXPECT_EQ(with([&](NpzWriter& w) {
              w.add("classes", Names{"a", "b", "c"});
            }),
            "p.npz: 'classes': shape (3); expected (2) or (2, 1)");
  EXPECT_EQ(with([&](NpzWriter& w) {
              w.add("cases", Names{"a", "a"});
            }),
            "p.npz: row 1: case 'a' is there twice; expected distinct cases");
  EXPECT_EQ(with([&](NpzWriter& w) {
              w.add("features", {4, 1}, Floats(good));
            }),
            "p.npz: 'features': shape (4, 1); expected (2, width)");
}

TEST(PredictionsFile, CsvKeepsItsOwnColumnNames) {
  const Predictions p({ClassNames({"case", "b"}), {}, {1, 0}, {}, {}, 0});
  EXPECT_EQ(refusal([&] { write_predictions("p.csv", p); }),
            "p.csv: a class is named 'case', which CSV keeps for a column of its own; expected "
            "another name or an .npz file");
  // Without labels, a column 'Label' would be taken for them.
  const Predictions capital({ClassNames({"Case", "Label"}), {}, {1, 0}, {}, {}, 0});
  EXPECT_EQ(refusal([&] { write_predictions("p.csv", capital); }),
            "p.csv: a class is named 'Label', which CSV keeps for a column of its own; expected "
            "another name or an .npz file");
  const ScratchDirectory scratch;
  write_predictions(scratch / "p.csv", capital.with_labels({ClassId{1}}));
  EXPECT_EQ(read_predictions(scratch / "p.csv").classes(), capital.classes());
}

// A line feed is a byte in the file; a row takes what a name and its numbers take, and the header
// what its names and 64 fields take.
TEST(PredictionsFile, RowsOfACompressedFileStayWithinTheLimit) {
  constexpr std::uint64_t kHeader = 3 * sizeof(std::string) + 64 * sizeof(std::string_view);
  std::string text = "case,cat,dog\n";
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + ",1,0\n";
  const auto said = [&](std::uint64_t allowed) {
    return refusal([&] {
      predictions_from_bytes(text, "p.csv", ScoreKind::kProbabilities,
                             ReadLimits{.max_expansion = 0, .always_allowed = allowed});
    });
  };
  EXPECT_EQ(said(52 * 1001 + kHeader), "");
  EXPECT_EQ(said(52 * 1001 + kHeader - 1),
            "p.csv: takes 53172 bytes or more in memory; expected at most 53171; "
            "--max-expansion allows more");
}

// Arrays that do not fit are refused by their shape, before they are decoded.
TEST(PredictionsFile, ShapesAreLookedAtBeforeData) {
  NpzWriter writer;
  const std::vector<float> p = {.5F, .5F};
  writer.add("probabilities", {1, 2}, std::span<const float>(p));
  writer.add("cases", std::vector<std::string>{"a", "b"});
  std::string bytes = std::move(writer).bytes();
  // A wrong letter in the data, which its checksum would tell if it were read.
  bytes[bytes.rfind(std::string("a\0\0\0b", 5))] = 'c';
  EXPECT_EQ(refusal([&] { predictions_from_bytes(bytes, "p.npz"); }),
            "p.npz: 'cases': shape (2); expected (1) or (1, 1)");
}

}  // namespace
}  // namespace ifd
