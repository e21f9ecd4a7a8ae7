// How a file writes the class of a case: by its name or by its number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ifd/data/class_names.h"

namespace ifd {

// Numbers count from 0, in the order of the classes. Where numbers are asked for, a text that is
// not a number may still be a name: some files of a user have names, others numbers.
enum class LabelKind { kNames, kNumbers };

// The class that the text stands for; a number may be written 2 or, as data frames do, 2.0.
std::optional<ClassId> find_class(const ClassNames& classes, std::string_view text,
                                  LabelKind kind = LabelKind::kNames);

// The class that the text is but for letter case, blanks, underscores, dashes and dots, where it is
// none itself: "; is it 'cat'? it must be written so", or nothing.
std::string spelling_hint(const ClassNames& classes, std::string_view text);

// What follows "'2' is not a class; ": what is expected, and what the texts may be instead, as in
// "expected cat, dog; class numbers? --labels numbers".
std::string expected_class(const ClassNames& classes, std::string_view text,
                           LabelKind kind = LabelKind::kNames);

}  // namespace ifd
