#include "experiments/jobs/methods.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/error.h"
#include "train/early_stopping.h"

namespace ifd::experiments {
namespace {

using nlohmann::ordered_json;
using train::ClassNaming;
using train::PopulationEncoder;

Method population(std::string name, PopulationEncoder encoder, ClassNaming naming) {
  Method method{std::move(name), Method::Kind::kPopulation};
  method.population.encoder = encoder;
  method.population.naming = naming;
  return method;
}

Method identity_free(std::string name, train::Objective objective, train::Trust trust,
                     StateSet state, Head head) {
  Method method{std::move(name), Method::Kind::kIdentityFree};
  method.identity_free.objective = objective;
  method.identity_free.trust = trust;
  method.identity_free.state = state;
  method.identity_free.head = head;
  return method;
}

}  // namespace

Method method_named(const std::string& name) {
  using train::Objective;
  using train::Trust;
  const auto peak = [&](Trust trust) {
    return identity_free(name, Objective::kPeak, trust, StateSet::kPaper, Head::kPlain);
  };
  if (name == "ifd-peak") return peak(Trust::kOne);
  if (name == "ifd-peak-lcb") return peak(Trust::kLowerBound);
  if (name == "ifd-peak-mean") return peak(Trust::kMean);
  if (name == "ifd-peak-binary") return peak(Trust::kBinary);
  if (name == "ifd-expected") {
    return identity_free(name, Objective::kExpected, Trust::kMean, StateSet::kPaper, Head::kPlain);
  }
  if (name == "ifd-residual") {
    return identity_free(name, Objective::kExpected, Trust::kMean, StateSet::kExtended,
                         Head::kResidual);
  }
  const bool perm = name.ends_with("-perm");
  const auto naming = perm ? ClassNaming::kRandom : ClassNaming::kFixed;
  if (name == "pop-qi" || name == "pop-qi-perm") {
    return population(name, PopulationEncoder::kQueryIndependent, naming);
  }
  if (name == "pop-qc" || name == "pop-qc-perm") {
    return population(name, PopulationEncoder::kQueryConditioned, naming);
  }
  if (name == "multi-expert") return {name, Method::Kind::kMultiExpert};
  throw Error(ErrorKind::kUsage, fmt::format("'{}' is not a method of the tables", name));
}

std::string training_settings(const Method& method, const std::string& lesson_hash,
                              const train::Schedule& schedule) {
  return fmt::format(
      "{} kind {} objective {} trust {} alpha {} state {} head {} width {} context {} | encoder {} "
      "naming {} width {} context {} | epochs {} patience {} batch {} rate {} seed {} | {}",
      method.name, static_cast<int>(method.kind), static_cast<int>(method.identity_free.objective),
      static_cast<int>(method.identity_free.trust), method.identity_free.lower_bound_width,
      static_cast<int>(method.identity_free.state), static_cast<int>(method.identity_free.head),
      method.identity_free.width, method.identity_free.context_size,
      static_cast<int>(method.population.encoder), static_cast<int>(method.population.naming),
      method.population.width, method.population.context_size, schedule.epochs, schedule.patience,
      schedule.batch, schedule.learning_rate, schedule.seed, lesson_hash);
}

PolicyFile train_method(const Method& method, const Lesson& lesson,
                        const train::Schedule& schedule) {
  const auto validation = train::Validation::from_answers(
      lesson.validation, lesson.validation_answers, "the validation cases");
  train::TrainedPolicy trained;
  ordered_json metadata;
  std::string file_method = method.name;
  switch (method.kind) {
    case Method::Kind::kIdentityFree: {
      const train::IfdOptions& how = method.identity_free;
      trained = train::train_ifd(lesson.training, lesson.contexts, validation, how, schedule);
      file_method = "ifd";
      metadata["state"] = how.state == StateSet::kPaper ? "paper" : "extended";
      metadata["head"] = how.head == Head::kPlain ? "plain" : "residual";
      break;
    }
    case Method::Kind::kPopulation:
      trained = train::train_population(lesson.training, lesson.contexts, lesson.training_answers,
                                        validation, method.population, schedule);
      metadata["classes"] = lesson.training.classes().names();
      break;
    case Method::Kind::kMultiExpert:
      trained = train::train_multi_expert(lesson.training, lesson.training_answers, validation,
                                          train::Surrogate::kSoftmax, schedule);
      metadata["classes"] = lesson.training.classes().names();
      metadata["experts"] = lesson.training_answers.expert_names();
      metadata["link"] = "softmax";
      break;
  }
  metadata["annotations"] = trained.annotations;
  metadata["seed"] = schedule.seed;
  metadata["validation"] = {{"aursac", trained.summary.best_aursac},
                            {"best_epoch", trained.summary.best_epoch},
                            {"epochs", trained.summary.epochs.size()}};
  return {file_method, metadata.dump(), std::move(trained.tensors), method.name};
}

std::vector<ResultRow> training_rows(const ResultRow& where, const PolicyFile& file) {
  const auto metadata = ordered_json::parse(file.metadata_json);
  const auto& validation = metadata.at("validation");
  return {row_of(where, kAnnotations, metadata.at("annotations")),
          row_of(where, kEpochs, validation.at("epochs")),
          row_of(where, kBestEpoch, validation.at("best_epoch"))};
}

}  // namespace ifd::experiments
