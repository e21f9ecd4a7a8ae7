#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/answer_options.h"
#include "cli/command.h"
#include "cli/policy_inputs.h"
#include "command_line/csv_safe_flag.h"
#include "command_line/file_options.h"
#include "command_line/output.h"
#include "ifd/data/file_bytes.h"
#include "ifd/error.h"
#include "ifd/evaluation/evaluated_answers.h"
#include "ifd/router.h"
#include "ifd/router/combination_document.h"

namespace ifd::cli {
namespace combine_command {
namespace {

struct Options {
  PolicyInputs inputs;
  std::filesystem::path answers;
  AdviceInputs advice = {};
  std::string format;
  CsvText text = CsvText::kExact;
  std::filesystem::path output;
};

void note_unused(const AnswersFile& answers, const Router& router, const Terminal& terminal) {
  if (answers.unused > 0) {
    terminal.note(
        fmt::format("note: {} answers are on cases that the predictions lack; not used: {}",
                    answers.unused, answers.unused_hint));
  }
  note_strangers(answers.table, router, ", and not counted", terminal);
}

int run(const Options& options, const Program& program) {
  if (options.text != CsvText::kExact && options.format == "jsonl") {
    throw Error(ErrorKind::kUsage, "--csv-safe is for CSV; JSON lines need nothing of the kind");
  }
  const AdviceOptions advice = options.advice.options();
  LoadedInputs loaded = load(options.inputs, {}, program);
  const Predictions& cases = loaded.predictions;
  const Router router = loaded.take_router("plug-in");
  note_calibration(router, "plug-in", program.terminal);
  const AnswersFile answers = read_answers(options.answers, cases, program.reading(),
                                           blanks_are_missing(options.inputs.answers_format()));
  note_unused(answers, router, program.terminal);
  const Combination made =
      router.combine(cases, columns_of(answers.table, router.experts()), advice);
  if (options.format == "jsonl") {
    write_output(options.output, combination_jsonl(cases, made));
  } else {
    write_csv(options.output, combination_csv(cases, made, options.text));
  }
  program.terminal.note(summary_of(made));
  if (const std::string note = weighing_of(made); !note.empty()) program.terminal.note(note);
  return 0;
}

}  // namespace
}  // namespace combine_command

void add_combine_command(CLI::App& app, Program& program) {
  using namespace combine_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_leaf(app, program, "combine",
                               "Make one label of the model's probabilities and experts' answers",
                               "ifd combine --predictions today.csv --context past_answers.csv \\\n"
                               "      --answers todays_answers.csv -o labels.csv",
                               [options, &program] { return run(*options, program); });
  options->inputs.add_to(*command);
  command
      ->add_option("--answers", options->answers,
                   "The answers that came back, CSV expert,case,answer; one case may have several")
      ->required()
      ->type_name("FILE");
  options->advice.add_to(*command);
  command->add_option("--format", options->format, "csv (default) or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}));
  add_csv_safe_flag(*command, options->text);
  command->add_option("-o,--output", options->output, "Write here instead of to stdout")
      ->type_name(kFileWritten);
}

}  // namespace ifd::cli
