// Any bytes as contexts and as answers, on cases with and without names and labels.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
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

// The format of the ways that ask for a kind of truth, numbers for names, or blanks.
ifd::AnswersFormat unusual(ifd::TruthKind truth) {
  ifd::AnswersFormat format;
  format.truth = truth;
  if (truth == ifd::TruthKind::kRow) {
    format.labels = ifd::LabelKind::kNumbers;
    format.blanks = ifd::BlankAnswers::kWrong;
  } else {
    format.may_be_empty = true;
  }
  return format;
}

void read(const std::string& bytes) {
  static const Predictions labelled = cases({"x", "y"}, {ClassId{0}, ClassId{1}});
  static const Predictions unlabelled = cases({"x", "y"}, {});
  static const Predictions numbered = cases({}, {ClassId{0}, ClassId{1}});
  const auto contexts_with = [&](ifd::TruthKind truth) {
    ifd::contexts_from_bytes(bytes, "c.csv", classes(), &labelled, {}, unusual(truth));
  };
  switch (ifd::fuzz::one_way(bytes, 16)) {
    case 0:
      ifd::count_outside(ifd::contexts_from_bytes(bytes, "c.csv", classes()));
      break;
    case 1:
      ifd::contexts_from_bytes(bytes, "c.csv", classes(), &labelled);
      break;
    case 2:
      ifd::contexts_from_bytes(bytes, "c.csv", ifd::ClassNames({"a", "z"}), &labelled);
      break;
    case 3:
      ifd::contexts_beside_from_bytes(bytes, "c.csv", numbered);
      break;
    case 4:
      ifd::answers_from_bytes(bytes, "a.csv", labelled);
      break;
    case 5:
      ifd::answers_from_bytes(bytes, "a.csv", unlabelled);
      break;
    case 6:
      ifd::answers_from_bytes(bytes, "a.csv", numbered);
      break;
    case 7: {
      const ifd::NamedBytes files[] = {{"c.csv", bytes}};
      ifd::contexts_from_bytes(bytes, "c.csv", ifd::truth_names(files));
      break;
    }
    case 8: {
      ifd::AnswersFormat format;
      format.labels = ifd::LabelKind::kNumbers;
      format.blanks = ifd::BlankAnswers::kSkip;
      ifd::answers_from_bytes(bytes, "a.csv", labelled, {}, format);
      break;
    }
    case 9:
      contexts_with(ifd::TruthKind::kRow);
      break;
    case 10:
      contexts_with(ifd::TruthKind::kOthers);
      break;
    case 11:
      contexts_with(ifd::TruthKind::kMajority);
      break;
    case 12:
      contexts_with(ifd::TruthKind::kDawidSkene);
      break;
    case 13:
      ifd::read_contexts(ifd::fuzz::memory_file(bytes), classes(), &labelled);
      break;
    case 14:
      ifd::read_contexts_beside(ifd::fuzz::memory_file(bytes), labelled);
      break;
    default:
      ifd::read_answers(ifd::fuzz::memory_file(bytes), labelled);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read({reinterpret_cast<const char*>(data), size});
  } catch (const ifd::Error&) {
  }
  return 0;
}
