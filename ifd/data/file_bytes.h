// Whole files in, whole files out: gzip is undone on the way in, and nothing is half-written on
// the way out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "ifd/data/read_limits.h"

struct stat;

namespace ifd {

// A path as messages name it: "standard input" for "-".
std::string source_name(const std::filesystem::path& path);

// All bytes of a file, or of standard input for "-", which can be read once; gzip (recognised by
// its first bytes, any number of members) is inflated. Error: kNotFound where there is no such
// file, kBadInput for a directory, kStorage where reading fails or standard input is asked for a
// second time, kCorruptFile for a gzip file that is damaged, cut short, or unfolds beyond the
// limits, and for a pipe or device that goes on beyond them.
std::string read_file(const std::filesystem::path& path, const ReadLimits& limits = {});

// The same, for files that may hold compressed data themselves: `limits` are what is left of them
// after gzip.
struct FileContents {
  std::string bytes;
  ReadLimits limits;
};
FileContents read_contents(const std::filesystem::path& path, const ReadLimits& limits = {});

bool is_gzip(std::string_view bytes);

// `name` is the place in messages.
std::string inflate_gzip(std::string_view bytes, const std::string& name,
                         const ReadLimits& limits = {});

// Writes a file that is there either whole or not at all. The bytes go to a temporary file beside
// the target, which commit() flushes to the disk and renames; until then the old file stays, and
// without commit() the temporary file goes away. What a process that was killed left there goes
// away when the same target is written again. What is not a regular file (a pipe, /dev/null,
// /dev/stdout) is written directly.
//
// A symbolic link keeps pointing where it points, and the file there is written, also if it is not
// there yet. A new file has the permissions that the process's mask leaves; one that is replaced
// keeps its own and its owner, as far as the system allows, but never the bits that let a program
// run as somebody else.
//
// Every failure is Error(kStorage). Not thread-safe.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void open_temporary();
  void keep_owner_and_permissions(const struct ::stat& replaced) noexcept;
  void write_out(std::string_view bytes);
  void discard() noexcept;

  std::string name_;              // as the caller wrote it, for messages
  std::filesystem::path target_;  // with links resolved
  std::string temporary_;         // empty: written directly
  std::string buffer_;
  int descriptor_ = -1;
  int pending_slot_ = -1;
};

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// The folder and those above it, where they are not there yet.
void make_folder(const std::filesystem::path& folder);

// Removes the temporary files of every AtomicFile of the process that is not yet committed. Safe
// to call in a signal handler, which must then end the process. Up to 16 files open at a time are
// remembered.
void remove_pending_files() noexcept;

}  // namespace ifd
