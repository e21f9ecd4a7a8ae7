// Brings a known file onto this machine, whole and verified.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fetch/catalogue.h"

namespace ifd {

struct DownloadOptions {
  std::filesystem::path directory;  // made if it is not there

  // Replaces everything before the last part of the public address:
  // "http://mirror/x" turns https://host/a/b.npz?q into http://mirror/x/b.npz?q.
  // Empty: the public address.
  std::string mirror;

  // Called now and then from the calling thread; total is 0 while it is unknown.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;

  // Asked about once a second, more often while bytes arrive; true ends the download.
  std::function<bool()> cancelled;

  // After 5xx, 408, 429 and broken connections. The wait doubles each time.
  int retries = 3;
  std::chrono::milliseconds first_wait{1000};

  std::chrono::seconds connect_timeout{20};
  // A transfer below 100 bytes a second for this long counts as broken.
  std::chrono::seconds stall_timeout{60};

  // A file whose size is not known is refused beyond this; the largest of them has a fifth of it.
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
};

enum class DownloadOutcome {
  kAlreadyThere,  // verified; the network was not touched
  kDownloaded,
  kCancelled,  // what has arrived stays in the .part file
};

struct DownloadResult {
  DownloadOutcome outcome;
  std::filesystem::path path;  // of the file under its final name
  std::uint64_t bytes;         // on disk, in the file or in its .part
  std::uint64_t received;      // over the network, in this call
  std::uint64_t resumed_at;    // what an earlier call had left in the .part file and was kept
};

// Downloads to FILE.part, verifies size and checksum, makes the bytes durable and renames to FILE:
// a file under its final name is whole. After a failure FILE.part stays and the next call asks the
// server for the rest only; should the whole then be wrong, it is downloaded once more from the
// start. A file that is there but is not the known one is replaced, once its
// replacement is verified.
//
// Errors: kCorruptFile if the bytes are not the known ones, or more are announced or sent than the
// file has (FILE.part is removed); kNotFound if the
// server says so; kConflict if another process downloads the same file; kBadInput for a mirror that
// is not http or https; kStorage for the disk and the network, in one line that names the address,
// the reason and where the file may be put by hand.
//
// https is verified against the system's certificates and never redirected to plain http. The usual
// proxy variables of the environment are honoured, as by every program that uses libcurl.
DownloadResult fetch(const KnownFile& file, const DownloadOptions& options);

enum class Presence { kAbsent, kPartial, kPresent };
enum class Verification { kNotChecked, kVerified, kWrong };

struct LocalState {
  const KnownFile* file;
  Presence presence;
  std::uint64_t bytes;  // on disk, in the file or in its .part
  Verification verification;
};

// kSize compares sizes where they are known and says kWrong or kNotChecked; kChecksum reads every
// file that is there.
enum class Scrutiny { kSize, kChecksum };

LocalState local_state(const KnownFile& file, const std::filesystem::path& directory,
                       Scrutiny scrutiny = Scrutiny::kSize);

// One state for each of known_files(), in their order. A directory that is not there holds nothing.
std::vector<LocalState> list_local(const std::filesystem::path& directory,
                                   Scrutiny scrutiny = Scrutiny::kSize);

}  // namespace ifd
