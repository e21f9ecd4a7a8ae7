#include "train/training_record.h"

#include <nlohmann/json.hpp>

#include "ifd/data/json_text.h"

namespace ifd::train {

using nlohmann::ordered_json;

std::string training_settings(const TrainingPlan& plan, const Circumstances& circumstances) {
  const Schedule& schedule = plan.schedule;
  ordered_json settings = {{"method", plan.method.name}};
  settings.update(plan.settings.to_json());
  settings["calibration"] = word_for(circumstances.calibration.kind);
  if (circumstances.calibration.kind != CalibrationKind::kNone) {
    settings["calibrate_on"] = word_for(circumstances.calibration.source);
  }
  settings.update({{"epochs", schedule.epochs},
                   {"patience", schedule.patience},
                   {"learning_rate", schedule.learning_rate},
                   {"batch", schedule.batch},
                   {"seed", schedule.seed},
                   {"threads", schedule.threads},
                   {"processes", circumstances.processes},
                   {"ifd", IFD_VERSION},
                   {"libtorch", IFD_TORCH_VERSION}});
  if (circumstances.classifier_rate) settings["classifier_rate"] = *circumstances.classifier_rate;
  for (const auto& [name, hash] : circumstances.data) settings["hash of " + name] = hash;
  return json_text(settings);
}

std::string policy_metadata(const TrainingPlan& plan, const Lesson& lesson,
                            const TrainedPolicy& trained) {
  const Schedule& schedule = plan.schedule;
  ordered_json data = ordered_json::object();
  for (const auto& [name, hash] : lesson.data) data[name] = hash;
  ordered_json metadata = {{"versions", {{"ifd", IFD_VERSION}, {"libtorch", IFD_TORCH_VERSION}}},
                           {"seed", schedule.seed},
                           {"threads", schedule.threads},
                           {"validation",
                            {{"aursac", trained.summary.best_aursac},
                             {"by", lesson.validation.knows_answers() ? "answers" : "contexts"},
                             {"best_epoch", trained.summary.best_epoch},
                             {"epochs", trained.summary.epochs.size()}}},
                           {"annotations", trained.annotations},
                           {"learning_rate", schedule.learning_rate},
                           {"batch", schedule.batch},
                           {"patience", schedule.patience},
                           {"training_cases", lesson.training.size()},
                           {"training_classes", lesson.training.classes().size()},
                           {"training_experts", lesson.contexts.size()},
                           {"training_data", data}};
  if (lesson.calibration) {
    metadata["calibration"] = ordered_json::parse(to_json(*lesson.calibration));
  }
  metadata.update(plan.method.metadata(lesson, plan.settings));
  return json_text(metadata);
}

}  // namespace ifd::train
