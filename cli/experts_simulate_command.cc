#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/text_table.h"
#include "command_line/csv_safe_flag.h"
#include "command_line/predictions_format_option.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/class_order.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/npz.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"
#include "ifd/experts/cohort.h"
#include "ifd/experts/expert_spec.h"
#include "ifd/experts/simulation.h"
#include "ifd/experts/simulation_document.h"
#include "ifd/random/keyed_random.h"

namespace ifd::cli {
namespace experts_simulate_command {
namespace {

struct Options {
  std::filesystem::path training;
  std::filesystem::path predictions;
  PredictionsFormatOptions format;
  std::vector<std::string> experts;
  std::string split = "test";
  std::size_t per_class = 15;
  std::filesystem::path output;
  CsvText text = CsvText::kExact;
  bool json = false;
};

struct Inputs {
  Predictions training;
  Predictions cases;
  std::vector<SimulatedExpert> experts;
};

Inputs read_inputs(const Options& options, const ReadOptions& reading) {
  Inputs inputs{read_predictions(options.training, options.format.format(), reading),
                read_predictions(options.predictions, options.format.format(), reading),
                {}};
  const std::pair<const Predictions&, const std::filesystem::path&> files[] = {
      {inputs.training, options.training}, {inputs.cases, options.predictions}};
  for (const auto& [predictions, path] : files) {
    if (!predictions.has_labels()) {
      throw bad_input(
          fmt::format("{}: no labels; expected labels to simulate experts", path.string()));
    }
  }
  inputs.training =
      in_class_order(inputs.training, inputs.cases.classes(), options.training.string());
  for (const std::string& word : options.experts) {
    inputs.experts.push_back(parse_expert(word, inputs.cases.classes()));
  }
  const bool need_features =
      std::any_of(inputs.experts.begin(), inputs.experts.end(), needs_features);
  for (const auto& [predictions, path] : files) {
    if (need_features && predictions.feature_width() == 0) {
      throw bad_input(
          fmt::format("{}: no features; expected an NPZ with 'features', or only experts of the "
                      "form NAME=flat:ACC/ACC/...",
                      path.string()));
    }
  }
  return inputs;
}

std::string accuracies_npz(const TrueAccuracies& accuracies,
                           const std::vector<SimulatedExpert>& experts, const Predictions& cases) {
  std::vector<std::string> names;
  for (const SimulatedExpert& expert : experts) names.push_back(expert.name);
  NpzWriter writer;
  writer.add("accuracies", {cases.size(), accuracies.experts, accuracies.classes},
             std::span<const float>(accuracies.values));
  writer.add("experts", std::span<const std::string>(names));
  writer.add("cases", std::span<const std::string>(cases.case_names()));
  return std::move(writer).bytes();
}

void write_files(const Options& options, const Inputs& inputs, const Simulation& made,
                 std::uint64_t seed) {
  const auto rows = placed(options.training.string(), [&] {
    return sample_context_rows(inputs.training, options.per_class, Key(seed).with("context"));
  });
  const auto contexts = contexts_from_answers(made.training_answers, inputs.training, rows);
  make_folder(options.output);
  write_answers(options.output / "answers.csv", made.answers, inputs.cases, options.text);
  write_contexts(options.output / "context.csv", contexts, inputs.cases.classes(), options.text);
  write_predictions(options.output / "context_predictions.npz", inputs.training.subset(rows));
  write_file_atomically(options.output / "accuracies.npz",
                        accuracies_npz(made.accuracies, inputs.experts, inputs.cases));
}

std::string text_of(std::optional<double> value) {
  return value ? fmt::format("{:.4f}", *value) : "-";
}

std::string to_text(const SimulationReport& report, const ClassNames& classes) {
  TextTable table({"expert", "class", "cases", "accuracy", "target"});
  for (const auto& e : report.experts) {
    table.add({e.name, "all", std::to_string(e.overall.cases), text_of(e.overall.accuracy),
               text_of(e.overall.target)});
    for (std::size_t k = 0; k < e.by_class.size(); ++k) {
      table.add({e.name, classes.name(class_id(k)), std::to_string(e.by_class[k].cases),
                 text_of(e.by_class[k].accuracy), text_of(e.by_class[k].target)});
    }
  }
  TextTable pairs({"pair", "error correlation", "both wrong", "same wrong answer"});
  for (const auto& pair : report.pairs) {
    pairs.add({report.experts[pair.first].name + ", " + report.experts[pair.second].name,
               text_of(pair.error_correlation), std::to_string(pair.both_wrong),
               text_of(pair.same_answer_when_both_wrong)});
  }
  return table.text() + (report.pairs.empty() ? "" : "\n" + pairs.text());
}

int run(const Options& options, const Program& program) {
  const Inputs inputs = read_inputs(options, program.reading());
  const Simulation made = simulate_experts(inputs.training, inputs.cases, inputs.experts,
                                           {program.seed, options.split});
  const SimulationReport report = report_simulation(inputs.cases, made.answers, made.accuracies);
  write_files(options, inputs, made, program.seed);
  program.terminal.note(
      fmt::format("{}: answers.csv, context.csv, context_predictions.npz, accuracies.npz",
                  options.output.string()));
  const ClassNames& classes = inputs.cases.classes();
  write_output(
      "", options.json ? escaped_json(simulation_json(report, classes)) : to_text(report, classes));
  return 0;
}

}  // namespace
}  // namespace experts_simulate_command

void add_experts_simulate_command(CLI::App& experts, Program& program) {
  using namespace experts_simulate_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_leaf(experts, program, "simulate",
               "Simulate experts whose accuracy depends on how typical a case is",
               "ifd experts simulate --training train.npz --predictions test.npz \\\n"
               "      --expert ann=variable:mel --expert bob=stable:nv --output experts",
               [options, &program] { return run(*options, program); });
  command
      ->add_option(
          "--training", options->training,
          "Labelled predictions with features: the classes' centres, and the context's cases")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--predictions", options->predictions, "Labelled cases to answer, with features")
      ->required()
      ->type_name("FILE");
  options->format.add_to(*command);
  command
      ->add_option("--expert", options->experts,
                   "NAME=variable:CLASS, stable:CLASS, independent:CLASS, multi:CLASS+CLASS, "
                   "generalist:EASY/HARD, anti:TRUTH>ANSWER or flat:ACC/ACC/...; repeat for more")
      ->required()
      ->type_name("SPEC");
  command
      ->add_option(
          "--split", options->split,
          "Names the draws of the cases; 'train' where they are the training cases, so that "
          "answers agree with the context's")
      ->capture_default_str();
  command->add_option("--context-per-class", options->per_class, "Context answers for each class")
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Folder for the files")
      ->required()
      ->type_name("DIR");
  add_csv_safe_flag(*command, options->text);
  command->add_flag("--json", options->json, "Print JSON instead of tables");
}

}  // namespace ifd::cli
