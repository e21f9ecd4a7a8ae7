#include "train/ifd_method.h"

#include <map>
#include <nlohmann/json.hpp>

#include "train/ifd_trainer.h"
#include "train/joint_trainer.h"

namespace ifd::train {
namespace {

using nlohmann::ordered_json;

const std::map<std::string, Objective> kObjectives = {{"peak", Objective::kPeak},
                                                      {"expected", Objective::kExpected}};
const std::map<std::string, Trust> kTrusts = {{"lcb", Trust::kLowerBound},
                                              {"mean", Trust::kMean},
                                              {"binary", Trust::kBinary},
                                              {"one", Trust::kOne}};
const std::map<std::string, StateSet> kStates = {{"paper", StateSet::kPaper},
                                                 {"extended", StateSet::kExtended}};
const std::map<std::string, Head> kHeads = {{"plain", Head::kPlain}, {"residual", Head::kResidual}};

std::vector<Setting> settings() {
  return {word_setting("objective", kObjectives, "expected",
                       "reward deferral on the expert's best class, or by expected accuracy"),
          word_setting("weight", kTrusts, "mean", "trust in the expert on a class"),
          {"lcb_width",
           "standard deviations below the mean",
           1.0,
           {},
           {0, 1e6, "a number of standard deviations, 0 or more"}},
          word_setting("state", kStates, "extended", "six numbers, or twelve"),
          word_setting("head", kHeads, "residual", "residual starts at the plug-in rule"),
          rejector_width_setting(),
          context_size_setting()};
}

IfdOptions options_of(const MethodSettings& settings) {
  IfdOptions options;
  options.objective = kObjectives.at(settings.word("objective"));
  options.trust = kTrusts.at(settings.word("weight"));
  options.lcb_width = settings.number("lcb_width");
  options.state = kStates.at(settings.word("state"));
  options.head = kHeads.at(settings.word("head"));
  options.width = settings.count("width");
  options.context_size = settings.count("context_size");
  return options;
}

TrainedPolicy train(const Lesson& lesson, const MethodSettings& settings, const Schedule& schedule,
                    const Observer& observer, const Support& support) {
  const IfdOptions options = options_of(settings);
  if (lesson.joint != nullptr) {
    return train_joint(lesson.joint->images, lesson.contexts, lesson.validation, options,
                       lesson.joint->update, schedule, observer, support);
  }
  return train_ifd(lesson.training, lesson.contexts, lesson.validation, options, schedule, observer,
                   support);
}

// Deciding needs "state" and "head". The width shows in the tensors.
ordered_json ifd_metadata(const Lesson& lesson, const MethodSettings& settings) {
  ordered_json own = settings.to_json();
  own.erase("width");
  if (lesson.joint != nullptr) own["classifier_rate"] = lesson.joint->update.learning_rate;
  return own;
}

}  // namespace

TrainingMethod ifd_method() {
  TrainingMethod method{"ifd", "A rule that knows no class or expert by name, from contexts alone",
                        "ifd"};
  method.learns_jointly = true;
  method.settings = settings();
  method.presets = {
      {"paper",
       "the paper's settings",
       {{"objective", "peak"}, {"weight", "lcb"}, {"state", "paper"}, {"head", "plain"}}}};
  method.train = train;
  method.metadata = ifd_metadata;
  return method;
}

}  // namespace ifd::train
