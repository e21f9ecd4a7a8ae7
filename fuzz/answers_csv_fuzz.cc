// Any bytes as contexts and as answers, on cases with and without names and labels.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/memory_file.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/truth_names.h"
#include "ifd/error.h"

namespace {

using ifd::ClassId;
using ifd::Predictions;

const ifd::ClassNames& classes() {
  static const ifd::ClassNames names({"a", "b"});
  return names;
}

Predictions cases(std::vector<std::string> names, std::vector<ClassId> labels) {
  return Predictions(
      {classes(), std::move(names), {0.5F, 0.5F, 0.25F, 0.75F}, std::move(labels), {}, 0});
}

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const ifd::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Predictions labelled = cases({"x", "y"}, {ClassId{0}, ClassId{1}});
  static const Predictions unlabelled = cases({"x", "y"}, {});
  static const Predictions numbered = cases({}, {ClassId{0}, ClassId{1}});
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] { ifd::count_outside(ifd::contexts_from_bytes(bytes, "c.csv", classes())); });
  attempt([&] { ifd::contexts_from_bytes(bytes, "c.csv", classes(), &labelled); });
  attempt([&] {
    ifd::contexts_from_bytes(bytes, "c.csv", ifd::ClassNames({"a", "z"}), &labelled);
  });
  attempt([&] { ifd::contexts_beside_from_bytes(bytes, "c.csv", numbered); });
  attempt([&] { ifd::answers_from_bytes(bytes, "a.csv", labelled); });
  attempt([&] { ifd::answers_from_bytes(bytes, "a.csv", unlabelled); });
  attempt([&] { ifd::answers_from_bytes(bytes, "a.csv", numbered); });
  attempt([&] {
    const ifd::NamedBytes files[] = {{"c.csv", bytes}};
    ifd::contexts_from_bytes(bytes, "c.csv", ifd::truth_names(files));
  });
  ifd::AnswersFormat format;
  format.labels = ifd::LabelKind::kNumbers;
  format.blanks = ifd::BlankAnswers::kSkip;
  attempt([&] { ifd::answers_from_bytes(bytes, "a.csv", labelled, {}, format); });
  format.blanks = ifd::BlankAnswers::kWrong;
  for (const ifd::TruthKind kind : {ifd::TruthKind::kRow, ifd::TruthKind::kOthers,
                                    ifd::TruthKind::kMajority, ifd::TruthKind::kDawidSkene}) {
    format.truth = kind;
    attempt([&] { ifd::contexts_from_bytes(bytes, "c.csv", classes(), &labelled, {}, format); });
    format.labels = ifd::LabelKind::kNames;
    format.blanks.reset();
    format.may_be_empty = true;
  }
  if (size % 16 != 0) return 0;
  const auto path = ifd::fuzz::memory_file(bytes);
  attempt([&] { ifd::read_contexts(path, classes(), &labelled); });
  attempt([&] { ifd::read_contexts_beside(path, labelled); });
  attempt([&] { ifd::read_answers(path, labelled); });
  return 0;
}
