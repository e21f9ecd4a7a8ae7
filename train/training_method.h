// A method that learns: what it can be told, what it needs, how it is trained, and what its policy
// file says. Each stands in a file of its own and has a line in training_catalogue.cc; nothing else
// knows its name.
//
//   TrainingPlan plan(training_method("ifd"));
//   plan.settings.set("objective", "peak");
//   plan.schedule.epochs = 20;
//   train_policy(plan, lesson).file.write("policy.ifd");
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "train/lesson.h"
#include "train/method_settings.h"
#include "train/schedule.h"
#include "train/support.h"
#include "train/trained_policy.h"

namespace ifd::train {

// Every expert's answer on every training case: given or not, needed or refused.
enum class Answers { kNone, kGiven };

struct TrainingNeeds {
  Answers answers = Answers::kNone;
  bool features = false;    // of the training and validation cases
  std::size_t experts = 0;  // exactly so many; 0: any number
};

// Settings that go together under one name.
struct Preset {
  std::string name;         // as in "paper"
  std::string description;  // "the paper's settings"
  std::vector<std::pair<std::string, std::string>> words;
};

struct TrainingMethod {
  std::string name;         // as it is asked for
  std::string description;  // one line
  std::string file_method;  // of its policy files: the name in ifd/policy/policy_catalogue.h
  TrainingNeeds needs = {};
  bool learns_jointly = false;  // whether it can take a Lesson::joint
  std::vector<Setting> settings = {};
  std::vector<Preset> presets = {};
  std::function<TrainedPolicy(const Lesson&, const MethodSettings&, const Schedule&,
                              const Observer&, const Support&)>
      train = {};
  // What the metadata of its policy files holds beside that of every method.
  std::function<nlohmann::ordered_json(const Lesson&, const MethodSettings&)> metadata = {};
};

// Settings that several methods share.
Setting rejector_width_setting();
Setting context_size_setting();

// Error(kUsage) where answers are needed and not given, or given and not taken.
void check_answers(const TrainingMethod& method, Answers answers);
// The same, and an Error for whatever else of the lesson the method cannot learn from or does not
// fit together.
void check_lesson(const TrainingMethod& method, const Lesson& lesson);

// A method with all it is told; `method` stands in the catalogue.
struct TrainingPlan {
  explicit TrainingPlan(const TrainingMethod& which) : method(which), settings(which.settings) {}

  const TrainingMethod& method;
  MethodSettings settings;
  Schedule schedule = {};
};

// Trains, and gives the policy file with all that is known of its making. Error as check_lesson,
// and for a schedule with a zero.
LearntPolicy train_policy(const TrainingPlan& plan, const Lesson& lesson,
                          const Observer& observer = {}, const Support& support = {});

}  // namespace ifd::train
