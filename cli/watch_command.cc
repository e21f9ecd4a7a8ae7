#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/watch_text.h"
#include "command_line/answers_format_options.h"
#include "command_line/predictions_format_option.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/truth_names.h"
#include "ifd/error.h"
#include "ifd/watch/watch_report.h"

namespace ifd::cli {
namespace watch_command {
namespace {

// Outside a stated tolerance; docs/formats.md.
constexpr int kFoundSomething = 4;

struct Options {
  std::filesystem::path context;
  std::filesystem::path answers;
  std::filesystem::path predictions;
  std::vector<std::string> classes;
  AnswersFormatOptions format = {};
  PredictionsFormatOptions predictions_format = {};
  double alpha = .05;
  bool fail = false;
  bool json = false;
};

ClassNames classes_of(const Options& options, const std::optional<Predictions>& predictions,
                      std::span<const NamedBytes> files, const ReadOptions& reading) {
  if (predictions) return predictions->classes();
  if (options.classes.empty()) return truth_names(files, reading);
  return placed("--classes", [&] { return ClassNames(options.classes); });
}

void check(const Options& options) {
  if (!options.predictions.empty() && !options.classes.empty()) {
    throw Error(ErrorKind::kUsage,
                "--predictions and --classes both name the classes; expected one");
  }
  if (!(options.alpha > 0 && options.alpha < 1)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--alpha {}: expected more than 0, less than 1", options.alpha));
  }
}

int run(const Options& options, const Program& program) {
  check(options);
  const ReadOptions reading = program.reading();
  std::optional<Predictions> predictions;
  if (!options.predictions.empty()) {
    predictions =
        read_predictions(options.predictions, options.predictions_format.format(), reading);
  }
  std::vector<NamedBytes> files;
  for (const auto& path : {options.context, options.answers}) {
    files.push_back({source_name(path), read_file(path, reading.limits)});
  }
  const ClassNames classes = classes_of(options, predictions, files, reading);
  const AnswersFormat format = options.format.format(options.predictions_format.label_kind());
  std::vector<std::vector<ExpertContext>> read;
  for (NamedBytes& file : files) {
    read.push_back(contexts_from_bytes(std::move(file.bytes), file.name, classes,
                                       predictions ? &*predictions : nullptr, reading, format));
  }
  const WatchReport report =
      watch_answers(classes, read[0], read[1], {options.alpha, program.seed});
  write_output("", options.json ? watch_json(report, classes) : watch_text(report, classes));
  return options.fail && report.found() > 0 ? kFoundSomething : 0;
}

}  // namespace
}  // namespace watch_command

void add_watch_command(CLI::App& app, Program& program) {
  using namespace watch_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_leaf(app, program, "watch", "Find experts who changed since their past answers",
               "ifd watch --context context.csv --answers new.csv",
               [options, &program] { return run(*options, program); });
  command
      ->add_option("--context", options->context,
                   "Past answers of the experts, CSV expert,case,answer,truth, in any order")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--answers", options->answers,
                   "Their new answers, the same columns, each expert's rows in the order of time")
      ->type_name("FILE")
      ->required();
  command->add_option("--classes", options->classes, "The class names; otherwise all truths")
      ->delimiter(',')
      ->type_name("NAME,...");
  command
      ->add_option("--predictions", options->predictions,
                   "Names the classes, and gives truths by its labels")
      ->type_name("FILE");
  options->format.add_to(*command);
  options->predictions_format.add_to(*command);
  command
      ->add_option("--alpha", options->alpha,
                   "False alarms of all experts, classes and tests together, at any length")
      ->capture_default_str();
  command->add_flag("--fail", options->fail, "Exit with 4 where something is found");
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
