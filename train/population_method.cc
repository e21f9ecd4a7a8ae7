#include "train/population_method.h"

#include <map>
#include <nlohmann/json.hpp>

#include "train/joint_baselines.h"

namespace ifd::train {
namespace {

const std::map<std::string, ContextSource> kSources = {{"all", ContextSource::kAllCases},
                                                       {"pool", ContextSource::kPool}};

nlohmann::ordered_json population_metadata(const Lesson& lesson, const MethodSettings& settings) {
  nlohmann::ordered_json own = {{"classes", lesson.training.classes().names()},
                                {"context_size", settings.count("context_size")},
                                {"pop_context", settings.word("pop_context")},
                                {"rejector_width", settings.count("width")}};
  if (lesson.joint != nullptr) own["classifier_rate"] = lesson.joint->update.learning_rate;
  return own;
}

}  // namespace

TrainingMethod population_method(PopulationEncoder encoder, ClassNaming naming) {
  const bool independent = encoder == PopulationEncoder::kQueryIndependent;
  const bool fixed = naming == ClassNaming::kFixed;
  TrainingMethod method;
  method.name = std::string(independent ? "pop-qi" : "pop-qc") + (fixed ? "" : "-perm");
  method.description = std::string("L2D-Pop, ") +
                       (independent ? "query-independent" : "query-conditioned") +
                       (fixed ? "" : ", under random names of the classes");
  method.file_method = method.name;
  method.needs = {.answers = Answers::kGiven, .features = true};
  method.learns_jointly = independent && fixed;
  method.settings = {
      rejector_width_setting(), context_size_setting(),
      word_setting(
          "pop_context", kSources, "all",
          "cases a batch's context is drawn from: all training cases, or the contexts' own")};
  method.train = [encoder, naming](const Lesson& lesson, const MethodSettings& settings,
                                   const Schedule& schedule, const Observer& observer,
                                   const Support& support) {
    const PopulationOptions options{encoder, naming, settings.count("width"),
                                    settings.count("context_size"),
                                    kSources.at(settings.word("pop_context"))};
    if (lesson.joint != nullptr) {
      return train_joint_population(
          {lesson.joint->images, *lesson.answers, lesson.contexts, lesson.joint->update},
          lesson.validation, options, schedule, observer, support);
    }
    return train_population(lesson.training, lesson.contexts, *lesson.answers, lesson.validation,
                            options, schedule, observer, support);
  };
  method.metadata = population_metadata;
  return method;
}

}  // namespace ifd::train
