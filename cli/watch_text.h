// What `watch` tells people.
#pragma once

#include <string>

#include "ifd/data/class_names.h"
#include "ifd/watch/watch_report.h"

namespace ifd::cli {

std::string watch_text(const WatchReport& report, const ClassNames& classes);

}  // namespace ifd::cli
