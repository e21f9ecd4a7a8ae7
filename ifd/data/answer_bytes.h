// Classes and answers in our own binary files: the roster file and the watch file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ifd/data/answer_count.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/binary_file.h"
#include "ifd/data/class_names.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/name_spelling.h"
#include "ifd/ids.h"

namespace ifd {

// Sums of so many are exact as integers and as doubles.
inline constexpr std::uint64_t kMaxAnswerCount = std::uint64_t{1} << 32;
inline constexpr std::int32_t kOutsideCode = -1;

// A class, or kOutsideCode. Never missing.
std::int32_t code_of(Answer answer);
Answer answer_of(std::int32_t code);

void write_classes(BinaryWriter& out, const ClassNames& classes);
void write_code(BinaryWriter& out, std::int32_t code);
void write_class(BinaryWriter& out, ClassId id);
void write_counts(BinaryWriter& out, const CountsByKind& counts);
void write_row(BinaryWriter& out, const ContextRow& row);

// Each refuses, as a BinaryReader does, what cannot be.
ClassNames read_classes(BinaryReader& reader);
ClassId read_class(BinaryReader& reader, const ClassNames& classes);
std::int32_t read_code(BinaryReader& reader, const ClassNames& classes);
CountsByKind read_counts(BinaryReader& reader, const ClassNames& classes);
ContextRow read_row(BinaryReader& reader, const ClassNames& classes);
inline constexpr std::size_t kLeastRowBytes = 12;

}  // namespace ifd
