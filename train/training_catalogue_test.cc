// Laws that hold for every method of the catalogue.
#include "train/training_catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "ifd/policy/availability.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/roster.h"
#include "ifd/policy/scoring.h"
#include "tests/refusal.h"
#include "tests/synthetic_problem.h"
#include "train/training_record.h"

namespace ifd::train {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The synthetic problem with the experts that a method takes.
class Problem {
 public:
  explicit Problem(const TrainingMethod& method,
                   SyntheticProblem problem = synthetic_problem(3, 80, 1))
      : problem_(std::move(problem)), answers_(problem_.answers) {
    if (method.needs.experts != 0) keep_experts(method.needs.experts);
    roster_ = make_roster(problem_.contexts, problem_.training.classes().size());
    validation_ =
        Validation::from_profiles(problem_.validation, roster_.names, roster_.profiles, "v");
    with_answers_ = method.needs.answers == Answers::kGiven;
  }

  Lesson lesson() const {
    Lesson lesson{problem_.training, *validation_, problem_.contexts};
    if (with_answers_) lesson.answers = &answers_;
    return lesson;
  }

  const Roster& roster() const { return roster_; }
  const SyntheticProblem& data() const { return problem_; }
  const AnswerTable& answers() const { return answers_; }

  // N x J on the validation cases.
  std::vector<double> margins(const PolicyFile& file) const {
    PolicyMaterials materials{roster_};
    materials.contexts = problem_.contexts;
    materials.context_predictions = &problem_.training;
    return all_margins(*make_policy(file, materials), problem_.validation,
                       Availability(roster_.size()));
  }

 private:
  void keep_experts(std::size_t count) {
    problem_.contexts.resize(count);
    std::vector<std::string> names(
        problem_.answers.expert_names().begin(),
        problem_.answers.expert_names().begin() + static_cast<std::ptrdiff_t>(count));
    answers_ = AnswerTable(names, problem_.answers.cases());
    for (std::size_t i = 0; i < answers_.cases(); ++i) {
      for (std::size_t j = 0; j < count; ++j)
        answers_.set(case_id(i), expert_id(j), problem_.answers.at(case_id(i), expert_id(j)));
    }
  }

  SyntheticProblem problem_;
  AnswerTable answers_;
  Roster roster_;
  std::optional<Validation> validation_;
  bool with_answers_ = false;
};

// Two epochs, and narrow where it can be narrow.
TrainingPlan small_plan(const TrainingMethod& method) {
  TrainingPlan plan(method);
  for (const Setting& setting : method.settings) {
    if (setting.name == "width") plan.settings.set("width", std::size_t{8});
  }
  plan.schedule.epochs = 2;
  plan.schedule.seed = 5;
  return plan;
}

// A value of the setting that is not its standard.
SettingValue another(const Setting& setting) {
  if (const auto* count = std::get_if<std::size_t>(&setting.standard)) return *count + 1;
  if (const auto* number = std::get_if<double>(&setting.standard)) return *number + .5;
  const auto& standard = std::get<std::string>(setting.standard);
  return setting.words.front() == standard ? setting.words.back() : setting.words.front();
}

class EveryTrainingMethod : public testing::TestWithParam<std::string> {
 protected:
  const TrainingMethod& method_ = training_method(GetParam());
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const TrainingMethod& method : training_methods()) all.push_back(method.name);
  return all;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryTrainingMethod, testing::ValuesIn(names()), test_name);

// What is learnt is what decides: the core makes a policy of the file, and its decisions have the
// score that the training had.
TEST_P(EveryTrainingMethod, TrainsAPolicyThatDecides) {
  const Problem problem(method_);
  const TrainingPlan plan = small_plan(method_);
  const LearntPolicy learnt = train_policy(plan, problem.lesson());
  EXPECT_EQ(learnt.file.method, method_.file_method);
  const PolicyFile read = PolicyFile::from_bytes(learnt.file.to_bytes(), "p.ifd");
  EXPECT_NEAR(problem.lesson().validation.aursac(problem.margins(read), plan.schedule.seed),
              learnt.summary.best_aursac, 1e-4);
}

TEST_P(EveryTrainingMethod, TellsOfItsMaking) {
  const Problem problem(method_);
  TrainingPlan plan = small_plan(method_);
  plan.schedule.batch = 32;
  plan.schedule.learning_rate = 2e-3;
  Lesson lesson = problem.lesson();
  lesson.data = {{"predictions", "1234"}};
  lesson.calibration = PolicyCalibration{};
  lesson.calibration->cases = 7;
  const LearntPolicy learnt = train_policy(plan, lesson);
  const auto metadata = ordered_json::parse(learnt.file.metadata_json);
  EXPECT_FALSE(metadata.at("versions").at("ifd").get<std::string>().empty());
  EXPECT_FALSE(metadata.at("versions").at("libtorch").get<std::string>().empty());
  EXPECT_EQ(metadata.at("seed"), 5);
  EXPECT_EQ(metadata.at("threads"), 1);
  EXPECT_EQ(metadata.at("batch"), 32);
  EXPECT_EQ(metadata.at("learning_rate"), 2e-3);
  EXPECT_EQ(metadata.at("patience"), 50);
  EXPECT_EQ(metadata.at("annotations"), learnt.annotations);
  EXPECT_EQ(metadata.at("validation").dump(),
            (ordered_json{{"aursac", learnt.summary.best_aursac},
                          {"by", "contexts"},
                          {"best_epoch", learnt.summary.best_epoch},
                          {"epochs", 2}}
                 .dump()));
  EXPECT_EQ(metadata.at("training_cases"), 80);
  EXPECT_EQ(metadata.at("training_classes"), 3);
  EXPECT_EQ(metadata.at("training_experts"), problem.roster().size());
  EXPECT_EQ(metadata.at("training_data").dump(), R"({"predictions":"1234"})");
  EXPECT_EQ(policy_calibration(learnt.file)->cases, 7U);
}

// Answers on training cases, and features: refused where they are missing and needed; the first
// also where they are given and not taken.
TEST_P(EveryTrainingMethod, GetsWhatItNeeds) {
  const Problem problem(method_);
  const TrainingPlan plan = small_plan(method_);
  Lesson lesson = problem.lesson();
  const bool needs_answers = lesson.answers != nullptr;
  lesson.answers = needs_answers ? nullptr : &problem.answers();
  const auto train = [&] { train_policy(plan, lesson); };
  EXPECT_EQ(refusal_kind(train), ErrorKind::kUsage);
  EXPECT_THAT(refusal(train),
              StartsWith("method '" + method_.name +
                         (needs_answers ? "' needs --answers: every expert's answer on every"
                                        : "' learns from contexts alone and takes no --answers")));

  SyntheticProblem bare = synthetic_problem(3, 80, 1);
  for (Predictions* cases : {&bare.training, &bare.validation}) {
    auto parts = cases->parts();
    parts.features.clear();
    parts.feature_width = 0;
    *cases = Predictions(parts);
  }
  const Problem without_features(method_, bare);
  const std::string said = refusal([&] { train_policy(plan, without_features.lesson()); });
  EXPECT_EQ(said, method_.needs.features
                      ? "the training predictions have no features; expected them for this method"
                      : "");
}

TEST_P(EveryTrainingMethod, RefusesALessonThatDoesNotFitTogether) {
  const Problem problem(method_);
  const TrainingPlan plan = small_plan(method_);
  const auto said = [&](const Lesson& lesson) {
    return refusal([&] { train_policy(plan, lesson); });
  };
  Lesson none = problem.lesson();
  none.contexts = {};
  EXPECT_EQ(said(none), "the contexts: no expert; expected one or more");

  auto contexts = problem.data().contexts;
  contexts.push_back(contexts.front());
  contexts.back().expert = "cleo";
  Lesson more = problem.lesson();
  more.contexts = contexts;
  more.context_place = "context.csv";
  EXPECT_THAT(said(more),
              method_.needs.experts == 1
                  ? "context.csv: 2 experts; method '" + method_.name + "' expects one"
                  : "the validation cases have 2 experts; expected the 3 of context.csv");
  if (method_.needs.answers == Answers::kNone) return;

  const AnswerTable fewer(problem.answers().expert_names(), 79);
  Lesson shorter = problem.lesson();
  shorter.answers = &fewer;
  EXPECT_EQ(said(shorter), "the answers are on 79 cases; expected the 80 training cases");

  std::vector<std::string> others(problem.answers().expert_names());
  others.back() = "dora";
  const AnswerTable of_others(others, 80);
  Lesson strange = problem.lesson();
  strange.answers = &of_others;
  EXPECT_EQ(said(strange), "the answers are not of the experts in the contexts, in their order");
}

// Every word that a setting allows can be trained with, and its policy decides.
TEST_P(EveryTrainingMethod, KnowsAllItsWords) {
  const Problem problem(method_);
  for (const Setting& setting : method_.settings) {
    for (const std::string& word : setting.words) {
      SCOPED_TRACE(setting.name + " " + word);
      TrainingPlan plan = small_plan(method_);
      plan.settings.set(setting.name, word);
      const LearntPolicy learnt = train_policy(plan, problem.lesson());
      EXPECT_NEAR(
          problem.lesson().validation.aursac(problem.margins(learnt.file), plan.schedule.seed),
          learnt.summary.best_aursac, 1e-4);
    }
  }
  for (const Preset& preset : method_.presets) {
    MethodSettings settings(method_.settings);
    for (const auto& [name, word] : preset.words) {
      EXPECT_EQ(refusal([&, &name = name, &word = word] { settings.set(name, word); }), "")
          << preset.name;
    }
  }
}

// Two trainings that differ in anything they depend on are told apart, so that no checkpoint and
// no cache is taken for another's.
TEST_P(EveryTrainingMethod, ItsSettingsTellTrainingsApart) {
  std::set<std::string> texts;
  std::size_t plans = 0;
  const auto add = [&](const TrainingPlan& plan, const Circumstances& circumstances = {}) {
    texts.insert(training_settings(plan, circumstances));
    ++plans;
  };
  add(TrainingPlan(method_));
  for (const Setting& setting : method_.settings) {
    TrainingPlan plan(method_);
    plan.settings.set(setting.name, another(setting));
    add(plan);
  }
  for (auto change : std::vector<std::function<void(Schedule&)>>{
           [](Schedule& s) { ++s.epochs; }, [](Schedule& s) { ++s.patience; },
           [](Schedule& s) { ++s.batch; }, [](Schedule& s) { s.learning_rate *= 2; },
           [](Schedule& s) { ++s.seed; }, [](Schedule& s) { ++s.threads; }}) {
    TrainingPlan plan(method_);
    change(plan.schedule);
    add(plan);
  }
  const TrainingPlan plan(method_);
  for (const auto source : {CalibrationSource::kValidation, CalibrationSource::kContext}) {
    for (const auto kind : {CalibrationKind::kTemperature, CalibrationKind::kBias}) {
      add(plan, {{kind, source}});
    }
  }
  add(plan, {{}, 2});
  add(plan, {{}, 1, 1e-4});
  add(plan, {{}, 1, 2e-4});
  add(plan, {{}, 1, {}, {{"predictions", "1"}}});
  add(plan, {{}, 1, {}, {{"predictions", "2"}}});
  add(plan, {{}, 1, {}, {{"validation", "1"}}});
  EXPECT_EQ(texts.size(), plans);
}

TEST(TrainingCatalogue, RefusesAScheduleThatTrainsNothing) {
  const TrainingMethod& method = training_methods().front();
  const Problem problem(method);
  const auto said = [&](const Schedule& schedule) {
    TrainingPlan plan = small_plan(method);
    plan.schedule = schedule;
    return refusal([&] { train_policy(plan, problem.lesson()); });
  };
  EXPECT_EQ(said({.epochs = 0}), "batch 128, epochs 0, patience 50; expected 1 or more of each");
  EXPECT_EQ(said({.patience = 0}), "batch 128, epochs 500, patience 0; expected 1 or more of each");
  EXPECT_EQ(said({.batch = 0}), "batch 0, epochs 500, patience 50; expected 1 or more of each");
  EXPECT_EQ(said({.learning_rate = 0}), "learning rate 0; expected a positive number");
}

TEST(TrainingCatalogue, NamesAreDistinctAndEveryMethodSaysWhatItIs) {
  std::set<std::string> seen;
  for (const TrainingMethod& method : training_methods()) {
    EXPECT_TRUE(seen.insert(method.name).second) << method.name;
    EXPECT_FALSE(method.description.empty()) << method.name;
    EXPECT_THAT(method.description, Not(HasSubstr("\n")));
  }
}

// One option on the command line stands for all methods that have the setting.
TEST(TrainingCatalogue, SettingsOfOneNameAreOneSetting) {
  std::map<std::string, Setting> known;
  for (const TrainingMethod& method : training_methods()) {
    for (const Setting& setting : method.settings) {
      const Setting& first = known.emplace(setting.name, setting).first->second;
      EXPECT_EQ(setting.description, first.description) << method.name << " " << setting.name;
      EXPECT_EQ(setting.standard, first.standard) << method.name << " " << setting.name;
      EXPECT_EQ(setting.words, first.words) << method.name << " " << setting.name;
      EXPECT_EQ(setting.allowed(), first.allowed()) << method.name << " " << setting.name;
      EXPECT_TRUE(setting.allows(setting.standard)) << method.name << " " << setting.name;
    }
  }
}

TEST(TrainingCatalogue, RefusesANameThatNoMethodHas) {
  EXPECT_EQ(refusal([] { training_method("pop"); }),
            "'pop' is not a method to train; expected one of ifd, pop-qi, pop-qc, pop-qi-perm, "
            "pop-qc-perm, multi-expert, single-expert");
}

}  // namespace
}  // namespace ifd::train
