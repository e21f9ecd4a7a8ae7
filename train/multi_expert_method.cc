#include "train/multi_expert_method.h"

#include <map>
#include <nlohmann/json.hpp>

#include "train/baseline_trainer.h"
#include "train/joint_baselines.h"

namespace ifd::train {
namespace {

const std::map<std::string, Surrogate> kSurrogates = {{"softmax", Surrogate::kSoftmax},
                                                      {"one-vs-all", Surrogate::kOneVsAll}};

TrainedPolicy train(const Lesson& lesson, const MethodSettings& settings, const Schedule& schedule,
                    const Observer& observer, const Support& support) {
  const Surrogate surrogate = kSurrogates.at(settings.word("surrogate"));
  if (lesson.joint != nullptr) {
    return train_joint_multi_expert(
        {lesson.joint->images, *lesson.answers, lesson.contexts, lesson.joint->update},
        lesson.validation, surrogate, schedule, observer, support);
  }
  return train_multi_expert(lesson.training, *lesson.answers, lesson.validation, surrogate,
                            schedule, observer, support);
}

nlohmann::ordered_json multi_expert_metadata(const Lesson& lesson, const MethodSettings& settings) {
  const bool softmax = settings.word("surrogate") == "softmax";
  nlohmann::ordered_json own = {{"classes", lesson.training.classes().names()},
                                {"experts", lesson.answers->expert_names()},
                                {"link", softmax ? "softmax" : "sigmoid"}};
  if (lesson.joint != nullptr) own["classifier_rate"] = lesson.joint->update.learning_rate;
  return own;
}

}  // namespace

TrainingMethod multi_expert_method() {
  TrainingMethod method{"multi-expert", "Multi-Expert L2D, a column for each expert",
                        "multi-expert"};
  method.needs = {.answers = Answers::kGiven, .features = true};
  method.learns_jointly = true;
  method.settings = {word_setting("surrogate", kSurrogates, "softmax", "the loss")};
  method.train = train;
  method.metadata = multi_expert_metadata;
  return method;
}

TrainingMethod single_expert_method() {
  TrainingMethod method = multi_expert_method();
  method.name = "single-expert";
  method.description = "L2D with one expert: Multi-Expert L2D with a single column";
  method.needs.experts = 1;
  return method;
}

}  // namespace ifd::train
