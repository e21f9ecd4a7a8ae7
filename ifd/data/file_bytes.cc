#include "ifd/data/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <system_error>
#include <utility>

#include "ifd/data/part_file.h"
#include "ifd/error.h"

namespace ifd {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

Error storage_error(const std::string& name, std::string_view failed, int error) {
  return {ErrorKind::kStorage, fmt::format("{}: {}: {}", name, failed, reason(error))};
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }

 private:
  int value_;
};

// A descriptor of its own for standard input, whose bytes are gone once they were read.
int open_standard_input() {
  static std::atomic<bool> was_read{false};
  if (was_read.exchange(true)) {
    throw Error(ErrorKind::kStorage,
                "standard input: was read already and cannot be read again; expected a file");
  }
  return ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
}

std::string read_bytes(const std::filesystem::path& path, const ReadLimits& limits) {
  const std::string name = source_name(path);
  const Descriptor file(path == "-" ? open_standard_input()
                                    : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      throw Error(ErrorKind::kNotFound, name + ": no such file");
    }
    throw storage_error(name, "cannot be read", errno);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw storage_error(name, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) throw bad_input(name + ": is a directory; expected a file");

  // A pipe has no size and a file may grow meanwhile, so the size is what to reserve, and what is
  // read beyond it has a limit. The string zeroes what it grows by; a piece at a time, that happens
  // in the cache, and for a small file it is as small.
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  const std::size_t own = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  std::size_t piece = own > 0 ? std::min(own + 1, kPiece) : kPiece;
  const std::uint64_t most = own + limits.of_stream();
  std::string bytes;
  if (own > 0) bytes.reserve(own + 2 * piece);
  std::size_t size = 0;
  for (;;) {
    bytes.resize(size + piece);
    const ssize_t got = ::read(file.get(), bytes.data() + size, piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw storage_error(name, "cannot be read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > most) throw streams_too_far(name, most);
    piece = std::min(2 * piece, kPiece);
  }
  bytes.resize(size);
  return bytes;
}

class Inflater {
 public:
  Inflater() {
    // 15 window bits, and 16 for the gzip wrapper with its checksum.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

// The paths a signal handler would remove. A slot is taken before its file exists and given back
// after it is gone, so that no moment leaves a file behind.
struct PendingSlot {
  static constexpr int kFree = 0;
  static constexpr int kChanging = 1;
  static constexpr int kPending = 2;
  std::atomic<int> state{kFree};
  std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<int>::is_always_lock_free);
std::array<PendingSlot, 16> pending_slots;

int take_slot(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < pending_slots.size(); ++i) {
    PendingSlot& slot = pending_slots[i];
    int expected = PendingSlot::kFree;
    if (!slot.state.compare_exchange_strong(expected, PendingSlot::kChanging)) continue;
    std::copy_n(path.c_str(), path.size() + 1, slot.path.begin());
    slot.state.store(PendingSlot::kPending);
    return static_cast<int>(i);
  }
  return -1;
}

void give_back_slot(int slot) noexcept {
  if (slot >= 0) pending_slots[static_cast<std::size_t>(slot)].state.store(PendingSlot::kFree);
}

// What the path stands for, through every symbolic link, whether or not the last one leads to a
// file.
std::filesystem::path behind_links(std::filesystem::path path, const std::string& name) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  for (int links = 0; links <= kMostLinks; ++links) {
    std::error_code no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(path, no_link);
    if (no_link) return path;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  throw Error(ErrorKind::kStorage,
              name + ": symbolic links without an end; expected a file behind them");
}

constexpr std::size_t kWriteBuffer = std::size_t{1} << 20;

}  // namespace

std::string source_name(const std::filesystem::path& path) {
  return path == "-" ? "standard input" : path.string();
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string inflate_gzip(std::string_view bytes, const std::string& name,
                         const ReadLimits& limits) {
  const auto corrupt = [&](std::string_view what) {
    return Error(ErrorKind::kCorruptFile, fmt::format("{}: {}", name, what));
  };
  // The last four bytes say the size of the last member, modulo 2^32: right for most files.
  std::uint64_t promised = 0;
  if (bytes.size() >= 18) {
    for (std::size_t i = 1; i <= 4; ++i) {
      promised = promised << 8 | static_cast<unsigned char>(bytes[bytes.size() - i]);
    }
  }
  const std::uint64_t limit = limits.allowed(bytes.size());
  // What promises too much is refused in the end. It is read nevertheless, without keeping it, to
  // tell a large file from a damaged one.
  const bool keep = promised <= limit;
  const std::uint64_t expected = keep ? std::min(promised, std::uint64_t{bytes.size()} * 8) : 0;
  std::string inflated(std::max<std::uint64_t>(expected + 1, std::size_t{1} << 16), '\0');

  Inflater inflater;
  z_stream& stream = inflater.stream();
  std::size_t consumed = 0;
  std::size_t size = 0;
  for (;;) {
    if (keep && size == inflated.size()) {
      inflated.resize(std::min<std::uint64_t>(2 * size, limit + 1));
    }
    const std::size_t begin = keep ? size : 0;
    // zlib counts in 32 bits.
    constexpr std::size_t kMost = std::size_t{1} << 30;
    const auto in = static_cast<uInt>(std::min(bytes.size() - consumed, kMost));
    const auto out = static_cast<uInt>(std::min(inflated.size() - begin, kMost));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + consumed));
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(inflated.data() + begin);
    stream.avail_out = out;
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    consumed += in - stream.avail_in;
    size += out - stream.avail_out;
    if (size > limit) {
      throw expands_too_far(
          name, bytes.size(),
          fmt::format("of gzip unfold to {} or more", std::max<std::uint64_t>(size, promised)),
          limits);
    }
    if (result == Z_STREAM_END) {
      const std::string_view rest = bytes.substr(consumed);
      // Tapes and some tools pad with zeros.
      if (rest.find_first_not_of('\0') == std::string_view::npos) break;
      if (!is_gzip(rest)) throw corrupt("bytes after the end of the gzip data");
      inflateReset(&stream);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      throw corrupt(
          fmt::format("damaged gzip data ({})", stream.msg != nullptr ? stream.msg : "no reason"));
    } else if (consumed == bytes.size() && stream.avail_out != 0) {
      throw corrupt("the gzip data is cut short");
    }
  }
  inflated.resize(size);
  return inflated;
}

std::string read_file(const std::filesystem::path& path, const ReadLimits& limits) {
  return read_contents(path, limits).bytes;
}

FileContents read_contents(const std::filesystem::path& path, const ReadLimits& limits) {
  std::string bytes = read_bytes(path, limits);
  if (!is_gzip(bytes)) return {std::move(bytes), limits};
  std::string inflated = inflate_gzip(bytes, source_name(path), limits);
  const ReadLimits left = limits.within(bytes.size(), inflated.size());
  return {std::move(inflated), left};
}

AtomicFile::AtomicFile(std::filesystem::path target)
    : name_(target.string()), target_(std::move(target)) {
  // Opening /dev/stdout anew would start at the beginning of a file that others append to.
  if (name_ == "/dev/stdout") {
    descriptor_ = ::dup(STDOUT_FILENO);
    if (descriptor_ < 0) throw storage_error(name_, "cannot be written", errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::kStorage, name_ + ": is a directory; expected a file");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw storage_error(name_, "cannot be written", errno);
    return;
  }
  target_ = behind_links(target_, name_);
  remove_abandoned_parts(target_);
  open_temporary();
  if (exists) keep_owner_and_permissions(status);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::open_temporary() {
  static std::atomic<unsigned> serial{0};
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary_ = part_path(target_, ::getpid(), serial.fetch_add(1));
    pending_slot_ = take_slot(temporary_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error = descriptor_ < 0 ? errno : EEXIST;
    if (descriptor_ >= 0 && hold_part(descriptor_)) return;
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    give_back_slot(std::exchange(pending_slot_, -1));
    temporary_.clear();
    if (error != EEXIST) throw storage_error(name_, "cannot be written", error);
  }
  throw storage_error(name_, "cannot be written", EEXIST);
}

void AtomicFile::keep_owner_and_permissions(const struct ::stat& replaced) noexcept {
  // Only root may give a file away; others may choose among their groups. Where the group is
  // another one, it may do nothing.
  const bool kept = ::fchown(descriptor_, replaced.st_uid, replaced.st_gid) == 0 ||
                    ::fchown(descriptor_, static_cast<uid_t>(-1), replaced.st_gid) == 0;
  ::fchmod(descriptor_, replaced.st_mode & (kept ? 0777U : 0707U));
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kWriteBuffer) {
    write_out(std::exchange(buffer_, {}));
    if (bytes.size() >= kWriteBuffer) return write_out(bytes);
  }
  if (buffer_.capacity() < kWriteBuffer) buffer_.reserve(kWriteBuffer);
  buffer_.append(bytes);
}

void AtomicFile::write_out(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      discard();
      throw storage_error(name_, "cannot be written", error);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  write_out(std::exchange(buffer_, {}));
  const auto fail = [&](int error) {
    discard();
    return storage_error(name_, "cannot be written", error);
  };
  if (temporary_.empty()) {
    if (::close(std::exchange(descriptor_, -1)) != 0) throw fail(errno);
    return;
  }
  if (::fsync(descriptor_) != 0) throw fail(errno);
  // Closed only afterwards: without its lock the part would seem abandoned.
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw fail(errno);
  ::close(std::exchange(descriptor_, -1));
  temporary_.clear();
  give_back_slot(std::exchange(pending_slot_, -1));
  // The new name is itself data of the directory. Some file systems cannot flush one.
  const std::filesystem::path parent = target_.parent_path();
  const Descriptor directory(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  give_back_slot(std::exchange(pending_slot_, -1));
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::kStorage, fmt::format("{}: {}", folder.string(), error.message()));
  }
}

void remove_pending_files() noexcept {
  for (const PendingSlot& slot : pending_slots) {
    if (slot.state.load() == PendingSlot::kPending) ::unlink(slot.path.data());
  }
}

}  // namespace ifd
