// What a reader of tables is told beside the file: how far it may unfold, and where to say what it
// took for granted.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "ifd/data/read_limits.h"

namespace ifd {

// Receives sentences such as "p.csv: separated by ';'": the file, and what was assumed about it.
using NoteSink = std::function<void(const std::string&)>;

struct ReadOptions {
  ReadOptions() = default;
  ReadOptions(const ReadLimits& file_limits, NoteSink notes = {})
      : limits(file_limits), sink(std::move(notes)) {}

  void note(const std::string& sentence) const {
    if (sink) sink(sentence);
  }

  ReadLimits limits;
  NoteSink sink;  // empty: nobody listens
};

}  // namespace ifd
