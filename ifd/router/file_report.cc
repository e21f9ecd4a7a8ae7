#include "ifd/router/file_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "ifd/data/answers_file.h"
#include "ifd/data/answers_format.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/groups_file.h"
#include "ifd/data/imagenet16h.h"
#include "ifd/data/label_kind.h"
#include "ifd/data/medmnist.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/npz.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/safetensors.h"
#include "ifd/data/utf8.h"
#include "ifd/decision/cost_unit.h"
#include "ifd/decision/costs_file.h"
#include "ifd/error.h"
#include "ifd/policy/policy_file.h"
#include "ifd/profile/prior_table.h"
#include "ifd/router/capacities_file.h"
#include "ifd/router/roster_state.h"
#include "ifd/watch/kept_watch.h"

namespace ifd {
namespace {

// "'a', 'b', ... (5 in all)"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
    shown.push_back(fmt::format("'{}'", excerpt(names[i])));
  }
  std::string out = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > kShown) out += fmt::format(", ... ({} in all)", names.size());
  return out;
}

void tell_names_alike(FileReport& report, const std::vector<std::string>& names,
                      std::string_view what) {
  for (const auto& [first, second] : near_equal_names(names)) {
    report.odd.push_back(fmt::format("the {} '{}' and '{}' are nearly the same name", what,
                                     excerpt(first), excerpt(second)));
  }
}

// The classes of which nothing was counted.
std::vector<std::string> never_counted(const ClassNames& classes,
                                       const std::vector<std::size_t>& counts) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) names.push_back(classes.name(class_id(k)));
  }
  return names;
}

void tell_columns(FileReport& report, const TableSummary& table) {
  report.rows = table.rows;
  for (const ColumnSummary& column : table.columns) {
    report.columns.push_back(column.name);
    const auto tell = [&](std::size_t count, std::string_view what) {
      if (count == 0) return;
      report.odd.push_back(fmt::format("column '{}': {} {}", excerpt(column.name), count, what));
    };
    tell(column.empty, "empty");
    tell(column.not_available, "not available (NA, NaN, null, none or -)");
  }
}

// What the predictions of the first file that has some say to the others.
struct Reference {
  std::string file;
  Predictions predictions;
  CaseIndex cases;
};

class Reporting {
 public:
  Reporting(const std::optional<Reference>& reference, const ReadLimits& limits,
            const PredictionsFormat& format, FileReport& report)
      : reference_(reference),
        format_(format),
        report_(report),
        options_(limits, [&report](const std::string& note) {
          // The summary and the reader read the same file.
          if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end()) {
            report.notes.push_back(note);
          }
        }) {}

  // The predictions, where it holds some.
  std::optional<Predictions> operator()(const std::filesystem::path& path) {
    FileContents contents = read_contents(path, options_.limits);
    options_.limits = contents.limits;
    return (*this)(std::move(contents.bytes));
  }
  std::optional<Predictions> operator()(std::string bytes) {
    summary_ = summarize_file(bytes, report_.file, options_);
    if (holds_logits()) summary_.kind = FileKind::kPredictions;
    report_.kind = summary_.kind;
    report_.arrays = summary_.arrays;
    if (summary_.table) tell_columns(report_, *summary_.table);
    return read(std::move(bytes));
  }

 private:
  std::optional<Predictions> read(std::string bytes) {
    switch (summary_.kind) {
      case FileKind::kPredictions:
        return predictions(std::move(bytes));
      case FileKind::kAnswers:
      case FileKind::kWideAnswers:
        answers(std::move(bytes));
        break;
      case FileKind::kPrior:
        prior(std::move(bytes));
        break;
      case FileKind::kCapacities:
        capacities(std::move(bytes));
        break;
      case FileKind::kCosts:
        costs(std::move(bytes));
        break;
      case FileKind::kFees:
        fees(std::move(bytes));
        break;
      case FileKind::kGroups:
        groups(std::move(bytes));
        break;
      case FileKind::kRoutes:
        routes();
        break;
      case FileKind::kMargins:
      case FileKind::kAccuracies:
        by_case_and_expert(std::move(bytes));
        break;
      case FileKind::kMedmnist:
        images(std::move(bytes));
        break;
      case FileKind::kImagenet16hAnswers:
        annotations(std::move(bytes));
        break;
      case FileKind::kImagenet16hPredictions:
        report_.classes = imagenet16h_classes().names();
        break;
      case FileKind::kPolicy:
        policy(bytes);
        break;
      case FileKind::kRoster:
        roster(bytes);
        break;
      case FileKind::kWatch:
        watch(bytes);
        break;
      case FileKind::kSafetensors:
        tensors(std::move(bytes));
        break;
      case FileKind::kOther:
        // Its reader says best what a file is instead.
        predictions_from_bytes(std::move(bytes), report_.file, format_, options_);
        throw bad_input(fmt::format("{}: is nothing that is read here", report_.file));
    }
    return {};
  }

  // Where logits are said to be, a table of whole numbers beside its cases is one of them, and no
  // table of class numbers.
  bool holds_logits() const {
    return format_.scores == ScoreKind::kLogits && summary_.kind == FileKind::kWideAnswers &&
           summary_.table->has_class_numbers && summary_.table->find("truth") == nullptr;
  }

  Predictions predictions(std::string bytes) {
    GroupedPredictions grouped =
        grouped_predictions_from_bytes(std::move(bytes), report_.file, format_, options_);
    Predictions read = std::move(grouped.cases);
    if (!grouped.groups.empty()) {
      const auto last = *std::max_element(grouped.groups.begin(), grouped.groups.end());
      report_.facts.push_back(
          fmt::format("{} groups in column '{}'", last + 1, excerpt(format_.group_column)));
    } else if (!format_.group_column.empty()) {
      report_.odd.push_back(
          fmt::format("no column '{}' for --group", excerpt(format_.group_column)));
    }
    report_.cases = read.size();
    report_.classes = read.classes().names();
    tell_names_alike(report_, report_.classes, "classes");
    if (read.numbers_its_cases()) report_.facts.push_back("cases go by their row numbers");
    if (read.feature_width() > 0) {
      report_.facts.push_back(fmt::format("{} features per case", read.feature_width()));
    }
    tell_labels(read);
    if (reference_ && !(reference_->predictions.classes() == read.classes())) {
      report_.odd.push_back(
          fmt::format("the classes, or their order, are not those of {}", reference_->file));
    }
    return read;
  }

  void tell_labels(const Predictions& read) {
    if (!read.has_labels()) {
      report_.odd.push_back("no labels: enough to route, but evaluate needs truths");
      return;
    }
    std::vector<std::size_t> counts(read.classes().size(), 0);
    std::size_t right = 0;
    for (std::size_t row = 0; row < read.size(); ++row) {
      ++counts[index(read.label(row))];
      right += top_class(read.probabilities(row)) == read.label(row) ? 1 : 0;
    }
    report_.facts.push_back(
        fmt::format("with labels; the model is right on {:.1f} %",
                    100.0 * static_cast<double>(right) / static_cast<double>(read.size())));
    if (const auto never = never_counted(read.classes(), counts); !never.empty()) {
      report_.odd.push_back(fmt::format("no case has the label {}", some_of(never)));
    }
  }

  bool named_cases() const { return reference_ && !reference_->predictions.numbers_its_cases(); }

  // The classes of the predictions, or those that a column of the table names.
  std::optional<ClassNames> classes_by(std::initializer_list<std::string_view> columns) const {
    if (reference_) return reference_->predictions.classes();
    std::vector<std::string> names;
    for (const std::string_view column : columns) {
      const ColumnSummary* found = summary_.table ? summary_.table->find(column) : nullptr;
      if (found == nullptr) continue;
      for (const std::string& name : found->values) {
        if (name != "*") names.push_back(name);
      }
      break;
    }
    if (names.size() < 2 || names.size() > kMaxClasses) return {};
    return ClassNames(std::move(names));
  }

  void answers(std::string bytes) {
    const bool has_truths = summary_.table->find("truth") != nullptr;
    const auto classes = classes_by({"truth", "answer"});
    if (const ColumnSummary* experts = summary_.table->find("expert")) {
      report_.experts = experts->values;
    }
    if (summary_.kind == FileKind::kWideAnswers) {
      for (const std::string& column : report_.columns) {
        const std::string name = lower_case(trimmed(column));
        if (name != "case" && name != "truth" && name != "label") report_.experts.push_back(column);
      }
    }
    if (classes) report_.classes = classes->names();
    report_.facts.push_back(has_truths ? "with truths: a context, or answers to evaluate"
                                       : "without truths: these come from labels of the cases, or "
                                         "from what most experts say (--truth others)");
    AnswersFormat format;
    format.labels = format_.labels;
    if (classes && format.labels == LabelKind::kNames && has_class_numbers(*classes)) {
      format.labels = LabelKind::kNumbers;
      report_.facts.push_back("class numbers: read with --labels numbers");
    }
    // Row numbers are no names: the cases of a context are not looked for among them.
    const bool labelled = named_cases() && reference_->predictions.has_labels();
    if (has_truths && classes) {
      tell_contexts(
          contexts_from_bytes(std::move(bytes), report_.file, *classes,
                              labelled ? &reference_->predictions : nullptr, options_, format),
          *classes);
    } else if (!has_truths && reference_) {
      without_truths(std::move(bytes), format);
    }
    tell_names_alike(report_, report_.experts, "experts");
  }

  // Whether the first row has whole numbers where the names of the classes are not numbers.
  bool has_class_numbers(const ClassNames& classes) const {
    bool numbers = false;
    for (const ColumnSummary& column : summary_.table->columns) {
      const std::string name = lower_case(trimmed(column.name));
      const bool is_answer = summary_.kind == FileKind::kWideAnswers
                                 ? name != "case" && name != "truth" && name != "label"
                                 : name == "answer";
      if (!is_answer) continue;
      if (!column.first_number) return false;
      numbers = true;
    }
    return numbers && !classes.find("0");
  }

  // Answers on the cases of the predictions, or on past cases whose truths nobody knows.
  void without_truths(std::string bytes, AnswersFormat format) {
    format.truth = TruthKind::kMajority;
    AnswersFormat as_context = format;
    as_context.may_be_empty = true;
    const ClassNames& classes = reference_->predictions.classes();
    const NoteSink sink =
        std::exchange(options_.sink, {});  // the file is read twice; notes are wanted once
    const std::vector<ExpertContext> contexts =
        contexts_from_bytes(bytes, report_.file, classes, nullptr, options_, as_context);
    options_.sink = sink;
    const bool elsewhere =
        named_cases() && std::none_of(contexts.begin(), contexts.end(), [&](const auto& context) {
          return std::any_of(context.rows.begin(), context.rows.end(), [&](const ContextRow& row) {
            return reference_->cases.find(row.case_name).has_value();
          });
        });
    if (elsewhere && !contexts.empty()) return tell_contexts(contexts, classes);
    format.blanks = BlankAnswers::kSkip;  // a case with blanks alone has no answer
    tell_answers(answers_from_bytes(std::move(bytes), report_.file, reference_->predictions,
                                    options_, format));
  }

  void tell_answers(const AnswersFile& read) {
    report_.experts = read.table.expert_names();
    std::size_t answered = 0;
    for (std::size_t row = 0; row < read.table.cases(); ++row) {
      bool by_somebody = false;
      for (std::size_t j = 0; j < read.table.experts() && !by_somebody; ++j) {
        by_somebody = !read.table.at(case_id(row), expert_id(j)).is_missing();
      }
      answered += by_somebody ? 1 : 0;
    }
    report_.shared = answered;
    report_.facts.push_back(fmt::format("{} of the {} cases of {} have an answer", answered,
                                        read.table.cases(), reference_->file));
    if (read.unused > 0) {
      report_.odd.push_back(
          fmt::format("{} answer(s) on cases that {} lacks", read.unused, reference_->file));
    }
    if (read.outside > 0) {
      report_.odd.push_back(fmt::format("{} answer(s) are none of the classes", read.outside));
    }
  }

  void tell_contexts(const std::vector<ExpertContext>& contexts, const ClassNames& classes) {
    std::unordered_set<std::string> cases;
    std::vector<std::size_t> counts(classes.size(), 0);
    std::size_t here = 0;
    report_.experts.clear();
    for (const ExpertContext& context : contexts) {
      report_.experts.push_back(context.expert);
      for (const ContextRow& row : context.rows) {
        ++counts[index(row.truth)];
        if (!cases.insert(row.case_name).second || !named_cases()) continue;
        here += reference_->cases.find(row.case_name) ? 1 : 0;
      }
    }
    report_.cases = cases.size();
    report_.shared = here;
    if (named_cases()) {
      report_.facts.push_back(
          here == 0 ? fmt::format("none of its cases is in {}: fine for a context of past cases",
                                  reference_->file)
                    : fmt::format("{} of its cases are in {}", here, reference_->file));
    }
    if (const std::size_t outside = count_outside(contexts); outside > 0) {
      report_.odd.push_back(
          fmt::format("{} answer(s) are {}", outside,
                      reference_ ? "none of the classes" : "no class of a truth"));
    }
    if (const auto never = never_counted(classes, counts); !never.empty()) {
      report_.odd.push_back(fmt::format("no answers on cases of {}", some_of(never)));
    }
    tell_uneven(contexts, classes.size());
  }

  // Experts with fewer answers than there are classes: nothing is known of them on some.
  void tell_uneven(const std::vector<ExpertContext>& contexts, std::size_t classes) {
    std::vector<std::string> few;
    for (const ExpertContext& context : contexts) {
      if (context.rows.size() < classes) few.push_back(context.expert);
    }
    if (!few.empty()) {
      report_.odd.push_back(fmt::format("fewer answers than there are classes: {}", some_of(few)));
    }
  }

  void prior(std::string bytes) {
    const auto classes = classes_by({"class"});
    report_.experts = summary_.table->find("expert")->values;
    if (!classes) return;
    report_.classes = classes->names();
    report_.experts =
        PriorTable::from_bytes(std::move(bytes), report_.file, *classes, options_).experts();
  }

  void capacities(std::string bytes) {
    report_.experts = summary_.table->find("expert")->values;
    capacities_from_bytes(std::move(bytes), report_.file, report_.experts, options_);
    tell_names_alike(report_, report_.experts, "experts");
  }

  // `*` is no name.
  static std::vector<std::string> without_star(std::vector<std::string> names) {
    std::erase(names, "*");
    return names;
  }

  // Which classes there are is for the predictions to say: the file may name a few of them.
  void costs(std::string bytes) {
    if (!reference_) return;
    const ClassNames& classes = reference_->predictions.classes();
    report_.classes = classes.names();
    const Costs read = put_together(classes, costs_from_bytes(std::move(bytes), report_.file,
                                                              classes, format_.labels, options_));
    report_.facts.push_back(
        fmt::format("the worst mistake costs {}", CostUnit(read).text(read.largest_cost())));
  }

  void fees(std::string bytes) {
    report_.experts = without_star(summary_.table->find("expert")->values);
    fees_from_bytes(std::move(bytes), report_.file, report_.experts, options_);
    tell_names_alike(report_, report_.experts, "experts");
  }

  void groups(std::string bytes) {
    report_.facts.push_back(fmt::format("{} groups", summary_.table->find("group")->values.size()));
    if (!reference_) return;
    groups_from_bytes(std::move(bytes), report_.file, reference_->predictions, options_);
    report_.shared = reference_->predictions.size();
    report_.facts.push_back(fmt::format("every case of {} has one", reference_->file));
  }

  // An empty expert is the model.
  void routes() {
    const ColumnSummary& expert = *summary_.table->find("expert");
    report_.odd.clear();
    report_.experts = expert.values;
    report_.cases = summary_.table->rows;
    report_.facts.push_back(fmt::format("{} of {} cases go to an expert",
                                        summary_.table->rows - expert.empty, summary_.table->rows));
  }

  void by_case_and_expert(std::string bytes) {
    const NpzFile npz = NpzFile::from_bytes(std::move(bytes), report_.file, options_.limits);
    report_.experts = npz.at("experts").as_strings();
    const std::vector<std::string> cases = npz.at("cases").as_strings();
    report_.cases = cases.size();
    tell_names_alike(report_, report_.experts, "experts");
    if (!reference_) return;
    const std::unordered_set<std::string> there(cases.begin(), cases.end());
    std::vector<std::string> lacking;
    for (std::size_t row = 0; row < reference_->predictions.size(); ++row) {
      std::string name = reference_->predictions.case_name(row);
      if (!there.contains(name)) lacking.push_back(std::move(name));
    }
    if (!lacking.empty()) {
      report_.odd.push_back(
          fmt::format("cases of {} are not in it: {}", reference_->file, some_of(lacking)));
    }
  }

  void images(std::string bytes) {
    const MedmnistSummary summary =
        medmnist_summary_from_bytes(std::move(bytes), report_.file, options_.limits);
    report_.facts.push_back(fmt::format("{} classes", summary.classes));
    for (const auto& split : summary.splits) {
      report_.facts.push_back(fmt::format("{}: {} images of {} x {} x {}", split_name(split.split),
                                          split.count, split.height, split.width, split.channels));
    }
  }

  void annotations(std::string bytes) {
    const AnnotationSet set = imagenet16h_annotations_from_bytes(std::move(bytes), report_.file);
    report_.classes = set.classes.names();
    std::unordered_set<std::string> images;
    std::unordered_set<std::string> people;
    for (const Annotation& row : set.rows) {
      images.insert(row.image);
      if (people.insert(row.participant).second) report_.experts.push_back(row.participant);
    }
    report_.cases = images.size();
  }

  void policy(const std::string& bytes) {
    const PolicyFile file = PolicyFile::from_bytes(bytes, report_.file);
    report_.facts.push_back(
        fmt::format("method '{}', {} tensors", file.method, file.tensors.size()));
  }

  void roster(const std::string& bytes) {
    const RosterState state = RosterState::from_bytes(bytes, report_.file, options_.limits);
    report_.classes = state.classes().names();
    report_.experts = state.names();
  }

  void watch(const std::string& bytes) {
    const KeptWatch kept = KeptWatch::from_bytes(bytes, report_.file, options_.limits);
    report_.classes = kept.classes.names();
    report_.experts = kept.watch.names();
    std::uint64_t answers = 0;
    for (const WatchedExpert& expert : kept.watch.experts()) answers += expert.after.of;
    report_.facts.push_back(fmt::format("{} new answers, {} found; false alarms {:g}", answers,
                                        kept.watch.findings().size(),
                                        kept.watch.options().false_alarms));
  }

  void tensors(std::string bytes) {
    const SafetensorsFile file = SafetensorsFile::from_bytes(std::move(bytes), report_.file);
    for (const std::string& name : file.names()) {
      const SafetensorsFile::Entry entry = file.at(name);
      report_.arrays.push_back(fmt::format("{} {} {}", name, fmt::join(entry.shape, " x "),
                                           safetensors_type_name(entry.type)));
    }
  }

  const std::optional<Reference>& reference_;
  const PredictionsFormat& format_;
  FileReport& report_;
  ReadOptions options_;
  FileSummary summary_;
};

bool is_held_against_predictions(FileKind kind) {
  return kind == FileKind::kAnswers || kind == FileKind::kWideAnswers || kind == FileKind::kPrior ||
         kind == FileKind::kCosts || kind == FileKind::kGroups || kind == FileKind::kMargins ||
         kind == FileKind::kAccuracies;
}

// What cannot be read is part of the report.
template <class Source>
std::optional<Predictions> reported(Source source, const std::optional<Reference>& reference,
                                    const ReadLimits& limits, const PredictionsFormat& format,
                                    FileReport& report) {
  try {
    return Reporting(reference, limits, format, report)(std::move(source));
  } catch (const Error& error) {
    report.error = error.what();
    return {};
  }
}

bool names_staff(FileKind kind) {
  return kind == FileKind::kAnswers || kind == FileKind::kWideAnswers || kind == FileKind::kPrior ||
         kind == FileKind::kRoster || kind == FileKind::kWatch;
}

// Capacities and fees of people whom no other file names, where any does.
void tell_unknown_staff(std::vector<FileReport>& reports) {
  std::unordered_set<std::string> known;
  for (const FileReport& report : reports) {
    if (names_staff(report.kind)) known.insert(report.experts.begin(), report.experts.end());
  }
  if (known.empty()) return;
  for (FileReport& report : reports) {
    if (report.kind != FileKind::kCapacities && report.kind != FileKind::kFees) continue;
    std::vector<std::string> unknown;
    for (const std::string& expert : report.experts) {
      if (!known.contains(expert)) unknown.push_back(expert);
    }
    if (unknown.empty()) continue;
    report.odd.push_back(fmt::format("experts whom no context knows: {}", some_of(unknown)));
  }
}

}  // namespace

FileReport report_bytes(std::string bytes, const std::string& name,
                        const std::optional<Beside>& beside, const ReadLimits& limits,
                        const PredictionsFormat& format) {
  std::optional<Reference> reference;
  if (beside) {
    reference.emplace(Reference{beside->file, beside->predictions, CaseIndex(beside->predictions)});
  }
  FileReport report;
  report.file = name;
  reported(std::move(bytes), reference, limits, format, report);
  return report;
}

std::vector<FileReport> report_files(std::span<const std::filesystem::path> files,
                                     const ReadLimits& limits, const PredictionsFormat& format) {
  constexpr std::size_t kMostReferences = 8;
  std::vector<std::optional<Reference>> references;
  const std::optional<Reference> nothing;
  std::vector<FileReport> reports(files.size());
  std::vector<std::size_t> tried(files.size(), 0);  // references that a file was held against
  for (std::size_t i = 0; i < files.size(); ++i) {
    reports[i].file = files[i].string();
    tried[i] = references.empty() ? 0 : 1;
    const auto predictions = reported(files[i], references.empty() ? nothing : references.front(),
                                      limits, format, reports[i]);
    if (!predictions || references.size() == kMostReferences) continue;
    references.push_back(Reference{reports[i].file, *predictions, CaseIndex(*predictions)});
  }
  // Once more what may be about any of the predictions, beside those it was held against already.
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!is_held_against_predictions(reports[i].kind) || files[i] == "-") continue;
    for (; tried[i] < references.size(); ++tried[i]) {
      FileReport report;
      report.file = files[i].string();
      reported(files[i], references[tried[i]], limits, format, report);
      const bool better = report.readable() != reports[i].readable()
                              ? report.readable()
                              : report.shared > reports[i].shared;
      if (tried[i] == 0 || better) reports[i] = std::move(report);
    }
  }
  tell_unknown_staff(reports);
  return reports;
}

}  // namespace ifd
