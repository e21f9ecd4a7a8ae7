#include "train/training_method.h"

#include <fmt/format.h>

#include "ifd/error.h"
#include "train/context_sampler.h"
#include "train/training_record.h"

namespace ifd::train {
namespace {

// The answers are of the contexts' experts, in their order, on the training cases.
void check_answer_table(const AnswerTable& answers, const Lesson& lesson) {
  if (answers.cases() != lesson.training.size()) {
    throw bad_input(fmt::format("the answers are on {} cases; expected the {} training cases",
                                answers.cases(), lesson.training.size()));
  }
  std::vector<std::string> experts;
  for (const ExpertContext& context : lesson.contexts) experts.push_back(context.expert);
  if (answers.expert_names() != experts) {
    throw bad_input(fmt::format("the answers are not of the experts in {}, in their order",
                                lesson.context_place));
  }
}

void check_schedule(const Schedule& schedule) {
  if (schedule.batch == 0 || schedule.epochs == 0 || schedule.patience == 0) {
    throw Error(ErrorKind::kUsage,
                fmt::format("batch {}, epochs {}, patience {}; expected 1 or more of each",
                            schedule.batch, schedule.epochs, schedule.patience));
  }
  if (!(schedule.learning_rate > 0 && schedule.learning_rate < 1e3)) {
    throw Error(ErrorKind::kUsage, fmt::format("learning rate {}; expected a positive number",
                                               schedule.learning_rate));
  }
}

}  // namespace

Setting rejector_width_setting() {
  return {"width", "of the rejector's hidden layers", std::size_t{256}};
}

Setting context_size_setting() {
  return {"context_size", "answers an epoch or a batch gets to see", std::size_t{35}};
}

void check_answers(const TrainingMethod& method, Answers answers) {
  if (answers == method.needs.answers) return;
  if (answers == Answers::kGiven) {
    throw Error(ErrorKind::kUsage,
                fmt::format("method '{}' learns from contexts alone and takes no --answers "
                            "(answers on validation cases may be given as --validation-answers)",
                            method.name));
  }
  throw Error(
      ErrorKind::kUsage,
      fmt::format("method '{}' needs --answers: every expert's answer on every training case",
                  method.name));
}

void check_lesson(const TrainingMethod& method, const Lesson& lesson) {
  check_answers(method, lesson.answers == nullptr ? Answers::kNone : Answers::kGiven);
  if (lesson.joint != nullptr && !method.learns_jointly) {
    throw Error(ErrorKind::kUsage,
                fmt::format("method '{}' does not learn together with a classifier", method.name));
  }
  if (lesson.training.size() == 0 || !lesson.training.has_labels()) {
    throw bad_input("no labelled training cases; expected some");
  }
  if (!(lesson.validation.cases().classes() == lesson.training.classes())) {
    throw bad_input(fmt::format("the validation cases' classes are {}; expected {}",
                                lesson.validation.cases().classes().allowed(),
                                lesson.training.classes().allowed()));
  }
  check_contexts(lesson.contexts, lesson.training.classes(), lesson.context_place, lesson.coverage);
  if (method.needs.experts != 0 && lesson.contexts.size() != method.needs.experts) {
    throw bad_input(fmt::format(
        "{}: {} experts; method '{}' expects {}", lesson.context_place, lesson.contexts.size(),
        method.name, method.needs.experts == 1 ? "one" : std::to_string(method.needs.experts)));
  }
  if (lesson.validation.experts() != lesson.contexts.size()) {
    throw bad_input(fmt::format("the validation cases have {} experts; expected the {} of {}",
                                lesson.validation.experts(), lesson.contexts.size(),
                                lesson.context_place));
  }
  if (lesson.answers != nullptr) check_answer_table(*lesson.answers, lesson);
}

LearntPolicy train_policy(const TrainingPlan& plan, const Lesson& lesson, const Observer& observer,
                          const Support& support) {
  check_schedule(plan.schedule);
  check_lesson(plan.method, lesson);
  TrainedPolicy trained =
      plan.method.train(lesson, plan.settings, plan.schedule, observer, support);
  std::string metadata = policy_metadata(plan, lesson, trained);
  return {
      {plan.method.file_method, std::move(metadata), std::move(trained.tensors), plan.method.name},
      std::move(trained.summary),
      trained.annotations};
}

}  // namespace ifd::train
