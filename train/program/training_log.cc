#include "train/program/training_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "ifd/data/visible_text.h"
#include "ifd/error.h"

namespace ifd::train {

TrainingLog::TrainingLog(const std::filesystem::path& file, Stdout standard_output)
    : standard_output_(standard_output) {
  if (!file.empty()) file_ = std::make_unique<AtomicFile>(file);
}

void TrainingLog::write(nlohmann::ordered_json line) {
  line["schema"] = "ifd training 1";
  const std::string text = escaped_json(line.dump() + "\n");
  if (file_) file_->write(text);
  if (standard_output_ == Stdout::kSilent) return;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return;
  if (errno != EPIPE) {
    throw Error(ErrorKind::kStorage, fmt::format("standard output: {}", std::strerror(errno)));
  }
  standard_output_ = Stdout::kSilent;
}

void TrainingLog::commit() {
  if (file_) file_->commit();
}

}  // namespace ifd::train
