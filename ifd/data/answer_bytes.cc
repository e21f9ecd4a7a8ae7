#include "ifd/data/answer_bytes.h"

#include <fmt/format.h>

#include <vector>

#include "ifd/error.h"

namespace ifd {

std::int32_t code_of(Answer answer) {
  return answer.is_outside() ? kOutsideCode : static_cast<std::int32_t>(answer.as_class());
}

Answer answer_of(std::int32_t code) {
  return code == kOutsideCode ? Answer::outside() : Answer(static_cast<ClassId>(code));
}

void write_classes(BinaryWriter& out, const ClassNames& classes) {
  out.number(static_cast<std::uint32_t>(classes.size()));
  for (const std::string& name : classes.names()) out.text(name);
}

void write_code(BinaryWriter& out, std::int32_t code) {
  out.number(static_cast<std::uint32_t>(code));
}

void write_class(BinaryWriter& out, ClassId id) { out.number(static_cast<std::uint32_t>(id)); }

void write_counts(BinaryWriter& out, const CountsByKind& counts) {
  out.number(static_cast<std::uint32_t>(counts.size()));
  for (const auto& [kind, count] : counts) {
    write_class(out, kind.truth);
    write_code(out, kind.answer);
    out.number(count);
  }
}

void write_row(BinaryWriter& out, const ContextRow& row) {
  out.text(row.case_name);
  write_class(out, row.truth);
  write_code(out, code_of(row.answer));
}

ClassNames read_classes(BinaryReader& reader) {
  std::vector<std::string> names(reader.count_of(sizeof(std::uint32_t), "classes"));
  for (std::string& name : names) name = reader.text(kMaxNameBytes, "bytes of a class's name");
  try {
    return ClassNames(std::move(names));
  } catch (const Error& error) {
    reader.refuse(error.what());
  }
}

ClassId read_class(BinaryReader& reader, const ClassNames& classes) {
  return class_id(reader.count(classes.size() - 1, "as a class number"));
}

std::int32_t read_code(BinaryReader& reader, const ClassNames& classes) {
  const auto code = static_cast<std::int32_t>(reader.number<std::uint32_t>());
  if (code < kOutsideCode || code >= static_cast<std::int32_t>(classes.size())) {
    reader.refuse(fmt::format("answer {}; expected a class number or {}", code, kOutsideCode));
  }
  return code;
}

CountsByKind read_counts(BinaryReader& reader, const ClassNames& classes) {
  CountsByKind counts;
  const std::size_t kinds = reader.count_of(16, "kinds of answers");
  for (std::size_t i = 0; i < kinds; ++i) {
    const ClassId truth = read_class(reader, classes);
    const std::int32_t code = read_code(reader, classes);
    const auto count = reader.number<std::uint64_t>();
    if (count == 0 || count > kMaxAnswerCount ||
        !counts.emplace(AnswerKind{truth, code}, count).second) {
      reader.refuse(fmt::format("answers are counted twice, or {} times", count));
    }
  }
  return counts;
}

ContextRow read_row(BinaryReader& reader, const ClassNames& classes) {
  ContextRow row{reader.text(kMaxNameBytes, "bytes of a case's name"), {}, Answer::outside()};
  row.truth = read_class(reader, classes);
  row.answer = answer_of(read_code(reader, classes));
  return row;
}

}  // namespace ifd
