#include "command_line/output.h"

#include <utility>

#include "command_line/terminal.h"

namespace ifd {

Output::Output(const std::filesystem::path& path) {
  if (!path.empty() && path != "-") file_ = std::make_unique<AtomicFile>(path);
}

void Output::write(std::string_view bytes) {
  constexpr std::size_t kEnough = std::size_t{1} << 16;
  pending_ += bytes;
  if (pending_.size() < kEnough) return;
  file_ ? file_->write(pending_) : write_output("", pending_);
  pending_.clear();
}

void Output::commit() {
  if (!file_) return write_output("", std::exchange(pending_, {}));
  file_->write(std::exchange(pending_, {}));
  file_->commit();
}

}  // namespace ifd
