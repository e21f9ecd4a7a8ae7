#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/answer_options.h"
#include "cli/command.h"
#include "cli/policy_inputs.h"
#include "cli/today.h"
#include "command_line/file_options.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/groups_file.h"
#include "ifd/data/utf8.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"
#include "ifd/router.h"
#include "ifd/router/certify.h"

namespace ifd::cli {
namespace certify_command {
namespace {

constexpr int kCannotBeHad = 4;

struct CertifyOptions {
  PolicyInputs inputs;
  std::string policy = "plug-in";
  std::filesystem::path answers;
  std::optional<double> error;
  std::vector<std::string> class_errors;  // CLASS=LIMIT
  std::filesystem::path subgroups;
  std::optional<double> subgroup_error;
  std::optional<double> cost;
  double confidence = .9;
  std::filesystem::path groups;
  bool independent_cases = false;
  std::optional<double> most_deferred;
  std::string date;
  std::string expires;
  bool json = false;
  std::filesystem::path output;
};

void check_certify(const CertifyOptions& options) {
  const auto usage = [](const std::string& message) { throw Error(ErrorKind::kUsage, message); };
  const auto share = [&](std::string_view option, const std::optional<double>& value) {
    if (!value || (*value > 0 && *value < 1)) return;
    usage(fmt::format("{} {}: expected a number between 0 and 1, both out", option, *value));
  };
  const bool of_errors = options.error || !options.class_errors.empty() || options.subgroup_error;
  if (!of_errors && !options.cost) {
    usage("certify needs --error, --class-error, --subgroup-error or --cost");
  }
  if (of_errors && options.cost) {
    usage("--cost is promised by itself; expected no error beside it");
  }
  if (options.cost && options.inputs.costs.costs.empty()) {
    usage("--cost needs to know what mistakes cost; expected --costs too");
  }
  share("--error", options.error);
  share("--subgroup-error", options.subgroup_error);
  share("--confidence", options.confidence);
  if (options.subgroup_error.has_value() != !options.subgroups.empty()) {
    usage("--subgroup-error and --subgroups go together; expected both");
  }
  if (!options.groups.empty() && !options.inputs.format.group.empty()) {
    usage("--group names a column of the calibration file, --groups a file; expected one of them");
  }
}

// CLASS=LIMIT; a class may have '=' in its name.
std::pair<std::string, double> class_error(const std::string& word) {
  const std::size_t equals = word.rfind('=');
  double limit = 0;
  if (equals != std::string::npos && equals > 0) {
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data() + equals + 1, end, limit);
    if (error == std::errc() && stopped == end && limit > 0 && limit < 1) {
      return {word.substr(0, equals), limit};
    }
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("--class-error '{}': expected CLASS=SHARE with a share between 0 and 1, "
                          "as in --class-error melanoma=0.02",
                          excerpt(word)));
}

CertificateRequest request_of(const CertifyOptions& options, const LoadedInputs& loaded,
                              const Program& program) {
  CertificateRequest request;
  request.error = options.error;
  for (const std::string& word : options.class_errors) {
    if (!request.class_errors.insert(class_error(word)).second) {
      throw Error(ErrorKind::kUsage, fmt::format("--class-error '{}': the class is there twice; "
                                                 "expected once",
                                                 excerpt(word)));
    }
  }
  request.cost = options.cost;
  request.confidence = options.confidence;
  request.subgroup_error = options.subgroup_error;
  if (!options.subgroups.empty()) {
    NamedGroups read = read_named_groups(options.subgroups, loaded.predictions, program.reading());
    request.subgroups = Subgroups{std::move(read.of_case), std::move(read.names)};
  }
  request.groups = options.groups.empty()
                       ? loaded.groups
                       : read_groups(options.groups, loaded.predictions, program.reading());
  request.independent_cases = options.independent_cases;
  request.most_deferred = options.most_deferred;
  request.date = options.date.empty()
                     ? today()
                     : placed("--date", [&] { return CalendarDate::parse(options.date); });
  if (!options.expires.empty()) {
    request.expires = placed("--expires", [&] { return CalendarDate::parse(options.expires); });
    if (*request.expires < *request.date) {
      throw bad_input(fmt::format("--expires {}: is before {}; expected a day to come",
                                  request.expires->text(), request.date->text()));
    }
  }
  return request;
}

nlohmann::ordered_json threshold_number(double threshold) {
  if (std::isfinite(threshold)) return threshold;
  return threshold_word(threshold);
}

std::string certification_json(const CertifyOptions& options, const Certification& found) {
  nlohmann::ordered_json out = {{"schema", "ifd certification 1"},
                                {"certified", found.certificate.has_value()},
                                {"threshold", nullptr},
                                {"error", nullptr},
                                {"confidence", options.confidence},
                                {"deferral", nullptr},
                                {"deferral_low", nullptr},
                                {"deferral_high", nullptr},
                                {"why", nullptr}};
  if (options.error) out["error"] = *options.error;
  if (found.certificate) {
    out["threshold"] = threshold_number(found.certificate->threshold);
    out["deferral"] = found.certificate->deferral;
    out["deferral_low"] = found.certificate->deferral_low;
    out["deferral_high"] = found.certificate->deferral_high;
    out["certificate"] = nlohmann::ordered_json::parse(found.certificate->to_json());
  } else {
    out["why"] = found.why;
  }
  return out.dump(2) + "\n";
}

std::string certification_text(const Certification& found) {
  if (!found.certificate) return fmt::format("cannot be promised: {}\n", found.why);
  const Certificate& made = *found.certificate;
  std::string text = certificate_sentence(made) + "\n";
  text += fmt::format("threshold {}, from {} calibration cases", threshold_word(made.threshold),
                      made.cases);
  const char* separator = "; measured: ";
  for (const CertifiedPromise& promise : made.promises) {
    const bool cost = promise.kind == CertifiedPromise::Kind::kCost;
    text += separator;
    if (!cost && !promise.name.empty()) text += excerpt(promise.name) + " ";
    text += cost ? fmt::format("{:.6g} {}", promise.measured, excerpt(promise.name))
                 : fmt::format("{:.1f} %", 100 * promise.measured);
    text += fmt::format("{}on {} {}s", text.back() == ' ' ? "" : " ", promise.units, made.unit);
    separator = ", ";
  }
  return text + "\n";
}

int run_certify(const CertifyOptions& options, const Program& program) {
  LoadedInputs loaded = load(options.inputs, {options.policy}, program);
  const Router router = loaded.take_router(options.policy);
  note_calibration(router, options.policy, program.terminal);
  const AnswersFile answers = read_answers(options.answers, loaded.predictions, program.reading(),
                                           options.inputs.answers_format());
  if (!loaded.predictions.has_labels() && answers.truths.empty()) {
    throw bad_input(
        fmt::format("{}: the truth of some cases is not known; expected a 'truth' for every "
                    "calibration case, or labels in {}",
                    source_name(options.answers), source_name(options.inputs.predictions)));
  }
  const Predictions cases = loaded.predictions.has_labels()
                                ? loaded.predictions
                                : loaded.predictions.with_labels(answers.truths);
  const CertificateRequest request = request_of(options, loaded, program);
  const Certification found = placed(source_name(options.inputs.predictions), [&] {
    return certify(router, cases, answers.table, request);
  });
  for (const std::string& note : found.notes) program.terminal.note("note: " + note);
  write_output("", options.json ? escaped_json(certification_json(options, found))
                                : certification_text(found));
  if (!found.certificate) return kCannotBeHad;
  if (!options.output.empty()) {
    write_output(options.output, escaped_json(found.certificate->to_json()));
    program.terminal.note(fmt::format("certificate: {}", options.output.string()));
  }
  return 0;
}

void add_promise_options(CLI::App& command, CertifyOptions& options) {
  command.add_option("--error", options.error, "Most errors of the system, a share of all cases");
  command
      .add_option("--class-error", options.class_errors,
                  "Most missed cases of a class, a share of its cases; may be given again")
      ->type_name("CLASS=SHARE");
  command.add_option("--subgroup-error", options.subgroup_error,
                     "Most errors of the system in each of the --subgroups");
  command
      .add_option("--subgroups", options.subgroups,
                  "CSV case,group: parts of the cases that are promised to by themselves")
      ->type_name("FILE");
  command.add_option("--cost", options.cost,
                     "Most that a case costs on average, in the unit of --costs");
  command.add_option("--confidence", options.confidence, "That all promises hold, between 0 and 1")
      ->capture_default_str();
  command
      .add_option("--groups", options.groups,
                  "CSV case,group: cases of one group (patient, recording) are not independent")
      ->type_name("FILE");
  command.add_flag("--independent-cases", options.independent_cases,
                   "The cases are independent although their names look grouped");
  command.add_option("--most-deferred", options.most_deferred,
                     "Only thresholds that defer at most this share of the cases");
}

}  // namespace
}  // namespace certify_command

void add_certify_command(CLI::App& app, Program& program) {
  using namespace certify_command;
  const auto options = std::make_shared<CertifyOptions>();
  CLI::App* command = add_leaf(
      app, program, "certify", "A threshold with an error that is promised, or why there is none",
      "ifd certify --context answers.csv --calibration past.csv \\\n"
      "      --calibration-answers past_answers.csv --error 0.08 --confidence 0.9 \\\n"
      "      -o certificate.json",
      [options, &program] {
        check_certify(*options);
        return run_certify(*options, program);
      });
  command
      ->add_option("--calibration", options->inputs.predictions,
                   "Predictions of past cases like those to come, none of them in the context")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--calibration-answers", options->answers,
                   "The experts' answers on them, CSV expert,case,answer[,truth]")
      ->required()
      ->type_name("FILE");
  add_promise_options(*command, *options);
  add_policy_option(*command, options->policy);
  options->inputs.add_all_but_predictions(*command);
  add_answer_option(*command, options->inputs.answer);
  add_paper_flag(*command);
  command->add_option("--expires", options->expires, "The last day on which the promise holds")
      ->type_name("YYYY-MM-DD");
  command->add_option("--date", options->date, "The day of the certificate, instead of today")
      ->type_name("YYYY-MM-DD");
  command->add_flag("--json", options->json, "Print JSON instead of a sentence");
  command->add_option("-o,--output", options->output, "Write the certificate for route here")
      ->type_name(kFileWritten);
}

}  // namespace ifd::cli
