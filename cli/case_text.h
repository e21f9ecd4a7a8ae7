// A case's story as text for people.
#pragma once

#include <string>

#include "ifd/router/case_words.h"

namespace ifd::cli {

std::string text_of(const CaseStory& story, const CaseWording& wording);

}  // namespace ifd::cli
