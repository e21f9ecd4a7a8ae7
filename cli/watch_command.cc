#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/watch_text.h"
#include "command_line/answers_format_options.h"
#include "command_line/file_options.h"
#include "command_line/predictions_format_option.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/held_folder.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/truth_names.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"
#include "ifd/router/watch_chart.h"
#include "ifd/watch/kept_watch.h"
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
  std::filesystem::path state;
  std::vector<std::string> classes;
  AnswersFormatOptions format = {};
  PredictionsFormatOptions predictions_format = {};
  std::filesystem::path chart;
  double alpha = .05;
  bool fail = false;
  bool json = false;
};

void check(const Options& options) {
  if (!options.predictions.empty() && !options.classes.empty()) {
    throw Error(ErrorKind::kUsage,
                "--predictions and --classes both name the classes; expected one");
  }
  if (!(options.alpha > 0 && options.alpha < 1)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--alpha {}: expected more than 0, less than 1", options.alpha));
  }
  if (options.chart == "-") {
    throw Error(ErrorKind::kUsage, "--chart -: the report itself goes to stdout; expected a file");
  }
  if (options.state == "-") {
    throw Error(ErrorKind::kUsage, "--state -: is read and written; expected a file");
  }
}

std::optional<KeptWatch> read_state(const Options& options, const ReadOptions& reading) {
  std::error_code unknown;
  const bool is_there = !options.state.empty() && std::filesystem::exists(options.state, unknown);
  if (is_there) return KeptWatch::read(options.state, reading.limits);
  for (const auto& [option, path] :
       {std::pair("--context", &options.context), std::pair("--answers", &options.answers)}) {
    if (path->empty()) {
      throw Error(
          ErrorKind::kUsage,
          fmt::format("{} is missing; expected it, or a --state of an earlier watch", option));
    }
  }
  return {};
}

// The answers of both files, and what they are read with.
struct Answers {
  ClassNames classes;
  std::vector<ExpertContext> before, after;
};

ClassNames classes_of(const Options& options, const Predictions* predictions, const KeptWatch* kept,
                      std::span<const NamedBytes> files, const ReadOptions& reading) {
  if (predictions != nullptr) return predictions->classes();
  if (!options.classes.empty()) {
    return placed("--classes", [&] { return ClassNames(options.classes); });
  }
  return kept != nullptr ? kept->classes : truth_names(files, reading);
}

Answers read_answers(const Options& options, const KeptWatch* kept, const ReadOptions& reading) {
  std::optional<Predictions> labelled;
  if (!options.predictions.empty()) {
    labelled = read_predictions(options.predictions, options.predictions_format.format(), reading);
  }
  const Predictions* const predictions = labelled ? &*labelled : nullptr;
  std::vector<NamedBytes> files;
  for (const auto& path : {options.context, options.answers}) {
    if (path.empty()) continue;
    files.push_back({source_name(path), read_file(path, reading.limits)});
  }
  Answers read{classes_of(options, predictions, kept, files, reading), {}, {}};
  const AnswersFormat format = options.format.format(options.predictions_format.label_kind());
  for (NamedBytes& file : files) {
    const bool is_old = !options.context.empty() && &file == &files.front();
    (is_old ? read.before : read.after) = contexts_from_bytes(
        std::move(file.bytes), file.name, read.classes, predictions, reading, format);
  }
  return read;
}

void require_same(const Options& options, const KeptWatch& kept, const Answers& read,
                  const WatchOptions& asked) {
  auto differs = kept.difference(asked);
  if (!differs) differs = kept.difference(read.classes);
  if (!differs && !options.context.empty()) differs = kept.difference(old_answers(read.before));
  if (!differs) return;
  throw Error(ErrorKind::kConflict,
              fmt::format("{}: {}; expected what it began with, or another file",
                          source_name(options.state), *differs));
}

// With a state, who has no old answers joins with the first new one, so that it does not matter on
// which day; without one everybody is known, and has the same share.
KeptWatch begun(const Options& options, const Answers& read, const WatchOptions& asked) {
  std::vector<std::string> others;
  if (options.state.empty()) {
    for (const ExpertContext& context : read.after) others.push_back(context.expert);
  }
  return {read.classes, Watch(read.classes.size(), old_answers(read.before), others, asked)};
}

int run(const Options& options, const Program& program) {
  check(options);
  const ReadOptions reading = program.reading();
  // From reading to writing: of two at once, the answers of one would be lost.
  std::optional<HeldFolder> held;
  if (!options.state.empty()) {
    held.emplace(options.state, [&] {
      reading.note(fmt::format("{}: another watch works in its folder; waiting for it",
                               source_name(options.state)));
    });
  }
  std::optional<KeptWatch> kept = read_state(options, reading);
  const Answers read = read_answers(options, kept ? &*kept : nullptr, reading);
  const WatchOptions asked{options.alpha, program.seed};
  if (kept) {
    require_same(options, *kept, read, asked);
  } else {
    kept = begun(options, read, asked);
  }
  placed(source_name(options.answers), [&] { observe_answers(kept->watch, read.after); });
  const WatchReport report = report_of(kept->watch);
  if (!options.chart.empty()) {
    write_output(options.chart, to_standalone_svg(watch_chart(kept->watch)));
  }
  write_output("", options.json ? escaped_json(watch_json(report, read.classes))
                                : watch_text(report, read.classes));
  // Last: who runs this again after an error has lost nothing and counts nothing twice.
  if (!options.state.empty()) kept->write(options.state);
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
                   "Past answers of the experts, CSV expert,case,answer,truth, in any order; may "
                   "be left out where --state is there")
      ->type_name("FILE");
  command
      ->add_option("--answers", options->answers,
                   "Their new answers, the same columns, each expert's rows in the order of time; "
                   "left out, what --state knows is told again")
      ->type_name("FILE");
  command
      ->add_option("--state", options->state,
                   "Goes on where an earlier watch ended, and is written for the next; made where "
                   "it is not there")
      ->type_name(kFileWritten);
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
  command->add_option("--chart", options->chart, "Draw the evidence over the answers, as SVG")
      ->type_name(kFileWritten);
  command->add_flag("--fail", options->fail, "Exit with 4 where something is found");
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
