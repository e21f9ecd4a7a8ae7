// Somebody new among real people: what the staff's prior gains, and truths that nobody knows.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "ifd/data/answers_file.h"
#include "ifd/data/case_votes.h"
#include "ifd/data/imagenet16h.h"
#include "ifd/random/keyed_random.h"
#include "ifd/router.h"
#include "tests/real_data.h"

namespace ifd {
namespace {

double aursac(const Router& router, const Predictions& cases, const AnswerTable& answers) {
  RouterEvaluationOptions options;
  options.missing = RouterEvaluationOptions::Missing::kOffDuty;
  options.measures.bootstrap = 0;
  return router.evaluate(cases, answers, options).policies.front().aursac;
}

// People of ImageNet-16H at one level of noise, with 0, 3, 10 or 30 answers on one half of the
// images; the other half is routed among those who answered an image.
class PeopleAtNoise {
 public:
  PeopleAtNoise(const Predictions& all, const AnnotationSet& annotations, int noise)
      : all_(all), noise_(noise), rows_(annotations) {}

  double gain(std::uint64_t seed) const {
    const Key key = Key(seed).with("imagenet16h").with(static_cast<std::uint64_t>(noise_));
    std::vector<std::size_t> test;
    for (std::size_t row = 0; row < all_.size(); ++row) {
      if (!is_past(all_.case_name(row), key)) test.push_back(row);
    }
    const Predictions cases = all_.subset(test);
    const CaseIndex place(cases);
    std::map<std::string, std::vector<std::pair<std::uint64_t, ContextRow>>> past;
    for (const Annotation& one : rows_.rows) {
      if (one.noise != noise_) continue;
      auto& answers = past[one.participant];
      if (!is_past(one.image, key)) continue;
      answers.emplace_back(key.with(one.participant).with(one.image).bits(),
                           ContextRow{one.image, one.truth, one.answer});
    }
    std::vector<ExpertContext> contexts;
    for (auto& [person, answers] : past) {
      constexpr std::array<std::size_t, 4> kSizes = {0, 3, 10, 30};
      std::sort(answers.begin(), answers.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      const std::size_t most = kSizes[key.with("size").with(person).below(4)];
      contexts.push_back({person, {}});
      for (std::size_t n = 0; n < std::min(most, answers.size()); ++n) {
        contexts.back().rows.push_back(answers[n].second);
      }
    }
    std::vector<std::string> names;
    std::map<std::string, std::size_t> column;
    for (const ExpertContext& context : contexts) {
      column[context.expert] = names.size();
      names.push_back(context.expert);
    }
    AnswerTable answers(names, cases.size());
    for (const Annotation& one : rows_.rows) {
      if (one.noise != noise_) continue;
      const auto row = place.find(one.image);
      if (row) answers.set(case_id(*row), expert_id(column.at(one.participant)), one.answer);
    }
    RouterOptions with_staff;
    with_staff.unstated_priors = UnstatedPriors::kStaff;
    return aursac(Router(cases.classes(), contexts, with_staff), cases, answers) -
           aursac(Router(cases.classes(), contexts), cases, answers);
  }

 private:
  static bool is_past(const std::string& image, const Key& key) {
    return key.with("half").with(image).uniform() < .5;
  }

  const Predictions& all_;
  int noise_;
  const AnnotationSet& rows_;
};

TEST(NewcomerRealData, TheStaffsPriorGainsOnImageNet16H) {
  const auto answers = real_data("imagenet16h/annotations.csv");
  const auto scores = real_data("imagenet16h/predictions_resnet152.csv");
  if (!answers || !scores) GTEST_SKIP() << "imagenet16h is not in IFD_DATA or ../shared/data";
  const AnnotationSet annotations = read_imagenet16h_annotations(*answers);
  constexpr std::uint64_t kSeeds = 6;
  double all = 0;
  for (const int noise : {95, 110, 125}) {
    const Predictions cases = read_imagenet16h_predictions(*scores, "resnet152", noise);
    const PeopleAtNoise people(cases, annotations, noise);
    double sum = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) sum += people.gain(seed);
    RecordProperty("gain_at_" + std::to_string(noise), std::to_string(sum / kSeeds));
    EXPECT_GT(sum / kSeeds, .002) << noise;
    all += sum / kSeeds / 3;
  }
  EXPECT_GE(all, .005);
}

// Sleep scorers: two on duty, the truth is the majority of the other three. Profiles from the first
// half of the recordings, by that truth or by Dawid and Skene's of all five; both are scored on the
// second half, by the majority of the other three.
TEST(NewcomerRealData, LikeliestTruthsGiveTheProfilesOfTheMajority) {
  const auto scored = real_data("dodh/predictions.csv.gz");
  const auto stages = real_data("dodh/answers.csv.gz");
  if (!scored || !stages) GTEST_SKIP() << "dodh is not in IFD_DATA or ../shared/data";
  const Predictions all = read_predictions(*scored);
  const AnswerTable answers = read_answers(*stages, all).table;
  std::vector<std::size_t> later;
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (all.case_name(row) >= "r12") later.push_back(row);
  }
  AnswersFormat format;
  format.truth = TruthKind::kDawidSkene;
  std::string earlier = "expert,case,answer\n";
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (all.case_name(row) >= "r12") continue;
    for (std::size_t k = 0; k < answers.experts(); ++k) {
      const Answer answer = answers.at(case_id(row), expert_id(k));
      if (answer.is_missing() || answer.is_outside()) continue;
      earlier += answers.expert_names()[k] + ',' + all.case_name(row) + ',' +
                 all.classes().name(answer.as_class()) + '\n';
    }
  }
  const std::vector<ExpertContext> likeliest =
      contexts_from_bytes(earlier, "earlier.csv", all.classes(), nullptr, {}, format);
  double sum = 0, worst = 0;
  for (std::size_t i = 0; i < answers.experts(); ++i) {
    for (std::size_t j = i + 1; j < answers.experts(); ++j) {
      const auto truth_of = [&](std::size_t row) {
        std::vector<Answer> others;
        for (std::size_t k = 0; k < answers.experts(); ++k) {
          if (k != i && k != j) others.push_back(answers.at(case_id(row), expert_id(k)));
        }
        CaseVotes votes(all.classes().size());
        votes.count(others);
        return votes.majority();
      };
      std::vector<ExpertContext> pair, given;
      for (const std::size_t k : {i, j}) {
        const std::string& name = answers.expert_names()[k];
        pair.push_back(*std::ranges::find(likeliest, name, &ExpertContext::expert));
        given.push_back({name, {}});
        for (std::size_t row = 0; row < all.size(); ++row) {
          const Answer answer = answers.at(case_id(row), expert_id(k));
          const auto truth = truth_of(row);
          if (all.case_name(row) >= "r12" || answer.is_missing() || !truth) continue;
          given.back().rows.push_back({all.case_name(row), *truth, answer});
        }
      }
      std::vector<std::size_t> rows;
      std::vector<ClassId> labels;
      for (const std::size_t row : later) {
        if (const auto truth = truth_of(row)) rows.push_back(row), labels.push_back(*truth);
      }
      const Predictions cases = all.subset(rows).with_labels(labels);
      const AnswerTable said = answers.subset(rows);
      const double difference = aursac(Router(all.classes(), pair), cases, said) -
                                aursac(Router(all.classes(), given), cases, said);
      sum += difference / 10;
      worst = std::max(worst, std::abs(difference));
    }
  }
  RecordProperty("mean_difference", std::to_string(sum));
  RecordProperty("largest_difference", std::to_string(worst));
  EXPECT_LT(worst, .005);
}

}  // namespace
}  // namespace ifd
