#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/text_table.h"
#include "command_line/csv_safe_flag.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/imagenet16h.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/visible_text.h"
#include "ifd/experts/annotation_sampling.h"
#include "ifd/experts/cohort.h"
#include "ifd/experts/fingerprint.h"
#include "ifd/experts/imagenet16h_groups.h"
#include "ifd/random/keyed_random.h"

namespace ifd::cli {
namespace experts_sample_command {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::filesystem::path annotations;
  std::filesystem::path predictions;
  std::string model = "resnet152";
  int noise = 95;
  std::string cohort = "id";
  std::size_t experts = 2;
  double high = .99;
  double low = .40;
  std::string filter = "low-skill";
  std::size_t per_class = 15;
  std::filesystem::path output;
  CsvText text = CsvText::kExact;
  bool json = false;
};

AnnotationSet without_low_skill(const AnnotationSet& pool, const Program& program) {
  SkillFilter filter = drop_low_skill(pool, Key(program.seed).with("clusters"));
  program.terminal.note(fmt::format("dropped {} people of low skill ({:.3f} right on average)",
                                    filter.dropped_participants.size(),
                                    filter.dropped_mean_accuracy));
  return std::move(filter.kept);
}

std::vector<SpecialistProfile> specialists(const Options& options, const ClassNames& classes,
                                           std::uint64_t seed) {
  const PoolSide side =
      options.cohort == "id" ? PoolSide::kInDistribution : PoolSide::kOutOfDistribution;
  const auto groups = imagenet16h_groups(classes, side, options.high, options.low);
  if (options.experts == 2) return draw_one_per_group(groups, Key(seed).with("cohort"));
  std::vector<SpecialistProfile> all;
  for (const SpecialistGroup& group : groups) {
    all.insert(all.end(), group.experts.begin(), group.experts.end());
  }
  return all;
}

// The context and the cases to be scored are disjoint.
void write_files(const Options& options, const Predictions& all, const AnswerTable& answers,
                 std::uint64_t seed) {
  const auto context = sample_context_rows(all, options.per_class, Key(seed).with("context"));
  const auto scored = other_rows(all.size(), context);
  const Predictions cases = all.subset(scored);
  make_folder(options.output);
  write_predictions(options.output / "predictions.csv", cases, options.text);
  write_predictions(options.output / "context_predictions.csv", all.subset(context), options.text);
  write_contexts(options.output / "context.csv", contexts_from_answers(answers, all, context),
                 all.classes(), options.text);
  write_answers(options.output / "answers.csv", answers.subset(scored), cases, options.text);
}

struct Part {
  const char* where;
  const RealisedSampling& realised;
};

std::vector<Part> parts_of(const SampledExpert& expert) {
  return {{"specialty", expert.specialty}, {"elsewhere", expert.elsewhere}};
}

ordered_json to_json(const Options& options, const SampledAnswers& sampled) {
  ordered_json experts = ordered_json::array();
  for (const SampledExpert& expert : sampled.experts) {
    for (const auto& [where, part] : parts_of(expert)) {
      const auto accuracy = part.accuracy();
      experts.push_back({{"expert", expert.name},
                         {"where", where},
                         {"images", part.images},
                         {"target", part.target},
                         {"accuracy", accuracy ? ordered_json(*accuracy) : ordered_json(nullptr)},
                         {"forced_correct", part.forced_correct},
                         {"forced_incorrect", part.forced_incorrect}});
    }
  }
  return {{"schema", "ifd sampled experts 1"},
          {"noise", options.noise},
          {"cohort", options.cohort},
          {"images_without_annotation", sampled.images_without_annotation},
          {"experts", experts}};
}

std::string to_text(const SampledAnswers& sampled) {
  TextTable table(
      {"expert", "where", "images", "target", "accuracy", "forced right", "forced wrong"});
  for (const SampledExpert& expert : sampled.experts) {
    for (const auto& [where, part] : parts_of(expert)) {
      const auto accuracy = part.accuracy();
      table.add({expert.name, where, std::to_string(part.images),
                 fmt::format("{:.2f}", part.target),
                 accuracy ? fmt::format("{:.4f}", *accuracy) : "-",
                 std::to_string(part.forced_correct), std::to_string(part.forced_incorrect)});
    }
  }
  return table.text();
}

int run(const Options& options, const Program& program) {
  AnnotationSet pool = read_imagenet16h_annotations(options.annotations, program.limits);
  const Predictions all = read_imagenet16h_predictions(options.predictions, options.model,
                                                       options.noise, program.limits);
  if (options.filter == "low-skill") pool = without_low_skill(pool, program);
  const auto experts = specialists(options, all.classes(), program.seed);
  const int levels[] = {options.noise};
  const SampledAnswers sampled =
      sample_annotations(pool, all.case_names(), levels, experts, program.seed).front();
  write_files(options, all, sampled.answers, program.seed);
  program.terminal.note(
      fmt::format("{}: predictions.csv, context_predictions.csv, context.csv, answers.csv",
                  options.output.string()));
  write_output(
      "", options.json ? escaped_json(to_json(options, sampled).dump(2) + "\n") : to_text(sampled));
  return 0;
}

}  // namespace
}  // namespace experts_sample_command

void add_experts_sample_command(CLI::App& experts, Program& program) {
  using namespace experts_sample_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_leaf(experts, program, "sample",
               "Specialists made of real annotations (Selective Annotation Sampling)",
               "ifd experts sample --annotations annotations.csv \\\n"
               "      --predictions resnet152.csv --noise 110 --cohort ood --output ood110",
               [options, &program] { return run(*options, program); });
  command
      ->add_option("--annotations", options->annotations,
                   "ImageNet-16H annotations with the published column names")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--predictions", options->predictions,
                   "ImageNet-16H model predictions with the published column names")
      ->required()
      ->type_name("FILE");
  command->add_option("--model", options->model, "Which model of the file")->capture_default_str();
  command->add_option("--noise", options->noise, "Noise level")
      ->check(CLI::IsMember({80, 95, 110, 125}))
      ->capture_default_str();
  command
      ->add_option("--cohort", options->cohort, "id (animals, household) or ood (transport, tools)")
      ->check(CLI::IsMember({"id", "ood"}))
      ->capture_default_str();
  command->add_option("--experts", options->experts, "2 (one per group) or 4 (two per group)")
      ->check(CLI::IsMember({2, 4}))
      ->capture_default_str();
  command->add_option("--high", options->high, "Target accuracy on the specialty")
      ->capture_default_str();
  command->add_option("--low", options->low, "Target accuracy elsewhere")->capture_default_str();
  command->add_option("--filter", options->filter, "low-skill or none")
      ->check(CLI::IsMember({"low-skill", "none"}))
      ->capture_default_str();
  command->add_option("--context-per-class", options->per_class, "Context answers for each class")
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Folder for the files")
      ->required()
      ->type_name("DIR");
  add_csv_safe_flag(*command, options->text);
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
