#include "experiments/jobs/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/data/json_text.h"
#include "ifd/error.h"
#include "train/early_stopping.h"
#include "train/training_catalogue.h"
#include "train/training_record.h"

namespace ifd::experiments {
namespace {

struct TableMethod {
  std::string name;
  std::string training;  // its name in the catalogue
  std::vector<std::pair<std::string, train::SettingValue>> settings = {};
  Stretch stretch = {};
};

TableMethod identity_free(const char* name, const char* objective, const char* weight,
                          const char* state, const char* head) {
  return {name,
          "ifd",
          {{"objective", objective}, {"weight", weight}, {"state", state}, {"head", head}}};
}

const std::vector<TableMethod>& table_methods() {
  // Under ever new class names the first epochs may pass on a plateau.
  constexpr Stretch kPatient{1, 2};
  // A linear head takes many small steps, which cost next to nothing.
  constexpr Stretch kLong{5, 5};
  static const std::vector<TableMethod> all = {
      identity_free("ifd-peak", "peak", "one", "paper", "plain"),
      identity_free("ifd-peak-lcb", "peak", "lcb", "paper", "plain"),
      identity_free("ifd-peak-mean", "peak", "mean", "paper", "plain"),
      identity_free("ifd-peak-binary", "peak", "binary", "paper", "plain"),
      identity_free("ifd-expected", "expected", "mean", "paper", "plain"),
      identity_free("ifd-residual", "expected", "mean", "extended", "residual"),
      {"pop-qi", "pop-qi"},
      {"pop-qc", "pop-qc"},
      {"pop-qi-perm", "pop-qi-perm", {}, kPatient},
      {"pop-qc-perm", "pop-qc-perm", {}, kPatient},
      {"multi-expert", "multi-expert", {}, kLong},
  };
  return all;
}

train::TrainingPlan plan_of(const Method& method, const train::Schedule& schedule) {
  train::TrainingPlan plan(method.training);
  plan.settings = method.settings;
  plan.schedule = schedule;
  return plan;
}

}  // namespace

Method method_named(const std::string& name, PopContext pop_context) {
  for (const TableMethod& method : table_methods()) {
    if (method.name != name) continue;
    const train::TrainingMethod& training = train::training_method(method.training);
    train::MethodSettings settings(training.settings, method.settings);
    constexpr std::string_view kPopContext = "pop_context";
    if (std::ranges::count(training.settings, kPopContext, &train::Setting::name) > 0) {
      settings.set(kPopContext, pop_context == PopContext::kPool ? "pool" : "all");
    }
    return {name, training, std::move(settings), method.stretch};
  }
  throw Error(ErrorKind::kUsage, fmt::format("'{}' is not a method of the tables", name));
}

std::string training_settings(const Method& method, const std::string& lesson_hash,
                              const train::Schedule& schedule) {
  train::Circumstances circumstances;
  circumstances.data = {{"lesson", lesson_hash}};
  return train::training_settings(plan_of(method, schedule), circumstances);
}

PolicyFile train_method(const Method& method, const Lesson& lesson,
                        const train::Schedule& schedule) {
  const auto validation = train::Validation::from_answers(
      lesson.validation, lesson.validation_answers, "the validation cases");
  train::Lesson all{lesson.training, validation, lesson.contexts};
  all.coverage = lesson.coverage;
  all.joint = lesson.joint;
  if (method.training.needs.answers == train::Answers::kGiven) {
    all.answers = &lesson.training_answers;
  }
  return train::train_policy(plan_of(method, schedule), all).file;
}

std::vector<ResultRow> training_rows(const ResultRow& where, const PolicyFile& file) {
  const JsonValue metadata = file.metadata();
  const JsonValue validation = metadata.at("validation");
  return {row_of(where, kAnnotations, metadata.at("annotations").number()),
          row_of(where, kEpochs, validation.at("epochs").number()),
          row_of(where, kBestEpoch, validation.at("best_epoch").number())};
}

}  // namespace ifd::experiments
