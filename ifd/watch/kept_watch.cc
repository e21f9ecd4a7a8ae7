#include "ifd/watch/kept_watch.h"

#include <fmt/format.h>

#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ifd/data/answer_bytes.h"
#include "ifd/data/binary_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

constexpr BinaryFormat kWatchFormat{"IFDWATC1", kWatchFileVersion, "watch file"};

CountsByKind by_kind(std::span<const AnswerCount> answers) {
  CountsByKind counts;
  for (const AnswerCount& one : answers) {
    counts[{one.truth, code_of(one.answer)}] += one.count;
  }
  return counts;
}

// Right answers stand by class, whether there are any or not: nobody is shorter than the memory
// that a class takes. The others stand by what they were.
void write_old_answers(BinaryWriter& out, const ClassNames& classes, CountsByKind counts) {
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const auto right = counts.extract({class_id(k), static_cast<std::int32_t>(k)});
    out.number(right.empty() ? std::uint64_t{0} : right.mapped());
  }
  write_counts(out, counts);
}

// What a class that is tested takes in memory, and two classes that were confused.
constexpr std::uint64_t kTestBytes = 1024;

std::vector<AnswerCount> read_old_answers(BinaryReader& reader, const ClassNames& classes,
                                          ReadRoom& room) {
  std::vector<AnswerCount> answers;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const auto right = reader.number<std::uint64_t>();
    if (right > kMaxAnswerCount) {
      reader.refuse(fmt::format("{} right answers; expected at most {}", right, kMaxAnswerCount));
    }
    if (right > 0) answers.push_back({class_id(k), Answer(class_id(k)), right});
  }
  for (const auto& [kind, count] : read_counts(reader, classes)) {
    const Answer answer = answer_of(kind.answer);
    if (answer.is(kind.truth)) reader.refuse("a right answer among the wrong ones");
    room.take(kTestBytes);
    answers.push_back({kind.truth, answer, count});
  }
  return answers;
}

// No other could be read again.
void check_name(std::string_view name) {
  if (is_too_long(name)) throw name_too_long(name);
  if (first_invalid_utf8(name) == name.size()) return;
  throw bad_input(fmt::format("the name '{}' is not UTF-8; expected UTF-8", excerpt(name)));
}

std::vector<ContextRow> read_new_answers(BinaryReader& reader, const ClassNames& classes,
                                         ReadRoom& room) {
  std::vector<ContextRow> rows;
  std::vector<bool> tested(classes.size(), false);
  const std::size_t count = reader.count_of(kLeastRowBytes, "new answers");
  for (std::size_t i = 0; i < count; ++i) {
    rows.push_back(read_row(reader, classes));
    const ContextRow& row = rows.back();
    const std::size_t truth = index(row.truth);
    room.take(sizeof(row) + row.case_name.size() + (tested[truth] ? 0 : kTestBytes) +
              (row.answer.is(row.truth) ? 0 : kTestBytes));
    tested[truth] = true;
  }
  return rows;
}

// What was written of one expert, and of all of them.
struct FedExpert {
  OldAnswers before;
  std::vector<ContextRow> after;
};
struct FedExperts {
  std::vector<FedExpert> all;
  std::size_t founders;
};

FedExpert read_expert(BinaryReader& reader, const ClassNames& classes, ReadRoom& room) {
  FedExpert fed{{reader.text(kMaxNameBytes, "bytes of an expert's name"), {}}, {}};
  if (fed.before.expert.empty()) reader.refuse("an expert has no name");
  fed.before.counts = read_old_answers(reader, classes, room);
  fed.after = read_new_answers(reader, classes, room);
  return fed;
}

FedExperts read_experts(BinaryReader& reader, const ClassNames& classes, ReadRoom& room) {
  std::unordered_set<std::string> names;
  const std::size_t count = reader.count_of(
      3 * sizeof(std::uint32_t) + sizeof(std::uint64_t) * classes.size(), "experts");
  room.take(count, sizeof(FedExpert) + Watch::bytes_per_expert(classes.size()));
  FedExperts experts{{}, reader.count(count, "who were there from the beginning")};
  for (std::size_t j = 0; j < count; ++j) {
    experts.all.push_back(read_expert(reader, classes, room));
    const FedExpert& fed = experts.all.back();
    if (!names.insert(fed.before.expert).second) {
      reader.refuse(fmt::format("expert '{}' is there twice", excerpt(fed.before.expert)));
    }
    if (j < experts.founders) continue;
    // They join with their first answer.
    if (!fed.before.counts.empty() || fed.after.empty()) {
      reader.refuse(fmt::format("expert '{}' came later, with old answers or without new ones",
                                excerpt(fed.before.expert)));
    }
  }
  return experts;
}

Watch fed_again(const ClassNames& classes, const FedExperts& experts, const WatchOptions& options) {
  std::vector<OldAnswers> before;
  for (std::size_t j = 0; j < experts.founders; ++j) before.push_back(experts.all[j].before);
  Watch watch(classes.size(), before, {}, options);
  for (const FedExpert& expert : experts.all) {
    for (const ContextRow& row : expert.after) {
      watch.observe(expert.before.expert, row);
    }
  }
  return watch;
}

}  // namespace

KeptWatch::KeptWatch(ClassNames named, Watch kept)
    : classes(std::move(named)), watch(std::move(kept)) {
  if (classes.size() == watch.classes()) return;
  throw bad_input(
      fmt::format("a watch of {} classes; expected one of {}", watch.classes(), classes.allowed()));
}

std::optional<std::string> KeptWatch::difference(const ClassNames& others) const {
  if (others == classes) return {};
  return fmt::format("it began with the classes {}, and these are {}", classes.allowed(),
                     others.allowed());
}

std::optional<std::string> KeptWatch::difference(std::span<const OldAnswers> before) const {
  std::map<std::string_view, CountsByKind> given;
  for (const OldAnswers& one : before) {
    for (const auto& [kind, count] : by_kind(one.counts)) given[one.expert][kind] += count;
  }
  for (std::size_t j = 0; j < watch.founders(); ++j) {
    const std::string& name = watch.names()[j];
    const auto found = given.find(name);
    if (found == given.end()) {
      return fmt::format("it began with '{}', of whom there are no past answers", excerpt(name));
    }
    if (found->second != by_kind(watch.old_answers(j))) {
      return fmt::format("it began with other past answers of '{}'", excerpt(name));
    }
    given.erase(found);
  }
  if (given.empty()) return {};
  return fmt::format("it began without '{}', of whom there are past answers",
                     excerpt(given.begin()->first));
}

std::optional<std::string> KeptWatch::difference(const WatchOptions& options) const {
  const WatchOptions& begun = watch.options();
  if (begun.false_alarms != options.false_alarms) {
    return fmt::format("it began with false alarms of {}, and this is {}", begun.false_alarms,
                       options.false_alarms);
  }
  if (begun.seed != options.seed) {
    return fmt::format("it began with the seed {}, and this is {}", begun.seed, options.seed);
  }
  return {};
}

std::string KeptWatch::to_bytes() const {
  for (const std::string& name : classes.names()) check_name(name);
  BinaryWriter out;
  out.raw(kWatchFormat.magic);
  out.number(kWatchFormat.version);
  out.real(watch.options().false_alarms);
  out.number(watch.options().seed);
  write_classes(out, classes);
  out.number(static_cast<std::uint32_t>(watch.names().size()));
  out.number(static_cast<std::uint32_t>(watch.founders()));
  for (std::size_t j = 0; j < watch.names().size(); ++j) {
    check_name(watch.names()[j]);
    out.text(watch.names()[j]);
    write_old_answers(out, classes, by_kind(watch.old_answers(j)));
    const std::vector<ContextRow>& fed = watch.new_answers(j);
    out.number(static_cast<std::uint32_t>(fed.size()));
    for (const ContextRow& row : fed) {
      check_name(row.case_name);
      write_row(out, row);
    }
  }
  return std::move(out).with_checksum();
}

void KeptWatch::write(const std::filesystem::path& path) const {
  write_file_atomically(path, to_bytes());
}

KeptWatch KeptWatch::from_bytes(std::string_view bytes, const std::string& source,
                                const ReadLimits& limits) {
  BinaryReader reader(checked_body(bytes, kWatchFormat, source), source);
  reader.raw(kWatchFormat.magic.size() + sizeof(kWatchFormat.version));
  const double false_alarms = reader.real();
  if (!(false_alarms > 0 && false_alarms < 1)) {
    reader.refuse(fmt::format("false alarms {}; expected more than 0, less than 1", false_alarms));
  }
  const WatchOptions options{false_alarms, reader.number<std::uint64_t>()};
  try {
    const ClassNames classes = read_classes(reader);
    ReadRoom room(source, limits.allowed(bytes.size()));
    const FedExperts experts = read_experts(reader, classes, room);
    reader.finish();
    return {classes, fed_again(classes, experts, options)};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kCorruptFile) throw;
    reader.refuse(error.what());
  }
}

KeptWatch KeptWatch::read(const std::filesystem::path& path, const ReadLimits& limits) {
  const FileContents file = read_contents(path, limits);
  return from_bytes(file.bytes, source_name(path), file.limits);
}

}  // namespace ifd
