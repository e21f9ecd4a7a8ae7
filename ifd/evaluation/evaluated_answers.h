// What becomes of blank answers where answers are evaluated, and what is said of it.
#pragma once

#include <string>

#include "ifd/data/answers_file.h"
#include "ifd/data/answers_format.h"

namespace ifd {

// For where missing answers are allowed: a blank one is missing, unless the format says otherwise.
AnswersFormat blanks_are_missing(AnswersFormat format);

// A warning for the verdict where many answers are wrong for being none of the classes: perhaps
// nobody was asked there. Empty where they are few.
std::string wrong_by_blanks(const AnswersFile& answers);

}  // namespace ifd
