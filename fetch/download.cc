#include "fetch/download.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include "fetch/content_range.h"
#include "ifd/error.h"

namespace ifd {
namespace {

namespace fs = std::filesystem;

Error storage_error(const fs::path& path, std::string_view what, int error_number) {
  return {ErrorKind::kStorage,
          fmt::format("{}: {}: {}", path.string(), what, std::strerror(error_number))};
}

fs::path part_path(const fs::path& path) {
  fs::path part = path;
  part += ".part";
  return part;
}

// Nothing if there is no regular file.
std::optional<std::uint64_t> size_on_disk(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return std::nullopt;
  return size;
}

// FILE.part, held against other processes while it is open.
class PartFile {
 public:
  explicit PartFile(fs::path path) : path_(std::move(path)) {
    for (;;) {
      descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
      if (descriptor_ < 0) throw storage_error(path_, "cannot be written", errno);
      if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        ::close(descriptor_);
        if (reason != EWOULDBLOCK) throw storage_error(path_, "cannot be locked", reason);
        throw Error(
            ErrorKind::kConflict,
            fmt::format("{}: another process is downloading it; wait for it", path_.string()));
      }
      // Between our open and our lock another process may have finished and renamed the file;
      // what we hold would then be its verified result.
      struct stat held, named;
      if (::fstat(descriptor_, &held) == 0 && ::stat(path_.c_str(), &named) == 0 &&
          held.st_dev == named.st_dev && held.st_ino == named.st_ino) {
        size_ = static_cast<std::uint64_t>(held.st_size);
        break;
      }
      ::close(descriptor_);
    }
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() { ::close(descriptor_); }

  const fs::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }

  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count =
          ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw storage_error(path_, "cannot be written", errno);
      size_ += static_cast<std::uint64_t>(count);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void clear() {
    if (::ftruncate(descriptor_, 0) != 0) throw storage_error(path_, "cannot be emptied", errno);
    size_ = 0;
  }

  void remove() { ::unlink(path_.c_str()); }

  // Durable before it bears its final name, and its final name durable too.
  void publish(const fs::path& path) {
    if (::fsync(descriptor_) != 0) throw storage_error(path_, "cannot be written", errno);
    if (::rename(path_.c_str(), path.c_str()) != 0) {
      throw storage_error(path, "cannot be put in place", errno);
    }
    const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) throw storage_error(directory, "cannot be opened", errno);
    const int failed = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    // Some network file systems cannot sync a directory.
    if (failed != 0 && failed != EINVAL) throw storage_error(directory, "cannot be synced", failed);
  }

 private:
  fs::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

std::string address_of(const KnownFile& file, std::string mirror) {
  if (mirror.empty()) return std::string(file.address);
  if (!mirror.starts_with("http://") && !mirror.starts_with("https://")) {
    throw bad_input(fmt::format("mirror '{}': expected http://... or https://...", mirror));
  }
  while (mirror.ends_with('/')) mirror.pop_back();
  return mirror + std::string(file.address.substr(file.address.rfind('/')));
}

// One request, as the callbacks of libcurl see it. They may not throw through C, so what they throw
// waits in `thrown`.
struct Transfer {
  const KnownFile& file;
  const DownloadOptions& options;
  PartFile& part;
  CURL* curl;
  std::uint64_t asked_from;       // the first byte we want
  std::uint64_t answer_from = 0;  // the first byte the server says it sends
  std::uint64_t received = 0;
  bool body_begun = false;
  bool cancelled = false;
  bool wrong_range = false;
  std::uint64_t announced = 0;  // bytes of the whole file, where they are too many
  bool too_long = false;
  std::exception_ptr thrown;

  long status() const {
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    return code;
  }

  // How many bytes the file may have.
  std::uint64_t most() const { return file.bytes != 0 ? file.bytes : options.most_bytes; }

  // A server that ignores the range answers 200 with the whole file.
  void begin_body() {
    body_begun = true;
    if (status() == 200) {
      answer_from = 0;
      part.clear();
    }
    wrong_range = answer_from != part.size();
    curl_off_t length = -1;  // where the server does not say
    curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (length > 0 && static_cast<std::uint64_t>(length) > most() - std::min(most(), answer_from)) {
      announced = answer_from + static_cast<std::uint64_t>(length);
    }
  }

  // Whether to go on.
  bool take(std::string_view bytes) {
    if (status() != 200 && status() != 206) return true;  // the page that explains an error
    if (!body_begun) begin_body();
    if (wrong_range || announced > 0) return false;
    if (bytes.size() > most() - std::min(most(), part.size())) {
      too_long = true;
      return false;
    }
    part.append(bytes);
    received += bytes.size();
    return true;
  }

  // "HTTP/1.1 206 ..." begins the headers of an answer (there are several after redirects), then
  // "Content-Range: bytes 100-199/200".
  void read_header(std::string_view line) {
    if (line.starts_with("HTTP/")) answer_from = 0;
    if (const auto first = first_byte_sent(line)) answer_from = *first;
  }

  bool go_on(curl_off_t expected_in_answer) {
    if (options.progress) {
      std::uint64_t total = file.bytes;
      if (total == 0 && body_begun && expected_in_answer > 0) {
        total = answer_from + static_cast<std::uint64_t>(expected_in_answer);
      }
      options.progress(part.size(), total);
    }
    cancelled = options.cancelled && options.cancelled();
    return !cancelled;
  }

  template <typename Action>
  bool guarded(Action action) {
    try {
      return action();
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  }
};

std::size_t on_body(char* bytes, std::size_t, std::size_t count, void* transfer) {
  auto* self = static_cast<Transfer*>(transfer);
  // Any other number than `count` makes libcurl stop.
  return self->guarded([&] { return self->take({bytes, count}); }) ? count : count + 1;
}

std::size_t on_header(char* bytes, std::size_t, std::size_t count, void* transfer) {
  static_cast<Transfer*>(transfer)->read_header({bytes, count});
  return count;
}

int on_progress(void* transfer, curl_off_t total, curl_off_t, curl_off_t, curl_off_t) {
  auto* self = static_cast<Transfer*>(transfer);
  return self->guarded([&] { return self->go_on(total); }) ? 0 : 1;
}

enum class Verdict { kDone, kCancelled, kTransient, kFinal };

struct Answer {
  Verdict verdict;
  ErrorKind kind = ErrorKind::kStorage;
  std::string reason;
  std::uint64_t received = 0;
};

bool is_transient(CURLcode code) {
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    default:
      return false;
  }
}

struct CurlGlobal {
  CurlGlobal() : code(curl_global_init(CURL_GLOBAL_DEFAULT)) {}
  CURLcode code;
};

// What to ask for, and who is told of the answer. `reason` has room for libcurl's words.
void set_up(Transfer& transfer, const std::string& address, char* reason) {
  const auto set = [&](CURLoption option, auto value) {
    curl_easy_setopt(transfer.curl, option, value);
  };
  const bool secure = address.starts_with("https://");
  set(CURLOPT_URL, address.c_str());
  set(CURLOPT_USERAGENT, "ifd");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, 10L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
  set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(transfer.options.connect_timeout.count()));
  set(CURLOPT_LOW_SPEED_LIMIT, 100L);
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(transfer.options.stall_timeout.count()));
  // CURLOPT_RESUME_FROM would fail when the server ignores the range. libcurl copies the text.
  const std::string range = fmt::format("{}-", transfer.asked_from);
  if (transfer.asked_from > 0) set(CURLOPT_RANGE, range.c_str());
  set(CURLOPT_WRITEFUNCTION, &on_body);
  set(CURLOPT_WRITEDATA, &transfer);
  set(CURLOPT_HEADERFUNCTION, &on_header);
  set(CURLOPT_HEADERDATA, &transfer);
  set(CURLOPT_XFERINFOFUNCTION, &on_progress);
  set(CURLOPT_XFERINFODATA, &transfer);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_ERRORBUFFER, reason);
}

// What the server's status says, where all that it sent arrived.
Answer answer_for_status(Transfer& transfer) {
  const long status = transfer.status();
  const auto answer = [&](Verdict verdict, ErrorKind kind, std::string reason) {
    return Answer{verdict, kind, std::move(reason), transfer.received};
  };
  if (status == 200 || status == 206) {
    if (!transfer.body_begun) transfer.begin_body();  // an empty body
    return answer(Verdict::kDone, ErrorKind::kStorage, "");
  }
  // The range begins at or behind the end: the part may be whole.
  if (status == 416 && transfer.asked_from > 0) {
    return answer(Verdict::kDone, ErrorKind::kStorage, "");
  }
  const std::string reason = fmt::format("the server answers {}", status);
  if (status >= 500 || status == 408 || status == 429) {
    return answer(Verdict::kTransient, ErrorKind::kStorage, reason);
  }
  const bool gone = status == 404 || status == 410;
  return answer(Verdict::kFinal, gone ? ErrorKind::kNotFound : ErrorKind::kStorage, reason);
}

// One request for what is missing in the part file.
Answer request_rest(const KnownFile& file, const std::string& address,
                    const DownloadOptions& options, PartFile& part) {
  static const CurlGlobal global;
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                 &curl_easy_cleanup);
  if (global.code != CURLE_OK || curl == nullptr) {
    return {Verdict::kFinal, ErrorKind::kStorage, "libcurl cannot be started", 0};
  }
  Transfer transfer{.file = file,
                    .options = options,
                    .part = part,
                    .curl = curl.get(),
                    .asked_from = part.size(),
                    .thrown = nullptr};
  std::array<char, CURL_ERROR_SIZE> curl_reason{};
  set_up(transfer, address, curl_reason.data());
  const CURLcode code = curl_easy_perform(curl.get());
  const auto answer = [&](Verdict verdict, ErrorKind kind, std::string reason) {
    return Answer{verdict, kind, std::move(reason), transfer.received};
  };

  if (transfer.thrown) std::rethrow_exception(transfer.thrown);
  if (transfer.cancelled) return answer(Verdict::kCancelled, ErrorKind::kStorage, "");
  if (transfer.wrong_range) {
    part.clear();
    return answer(Verdict::kTransient, ErrorKind::kStorage,
                  fmt::format("the server was asked for the bytes from {} and sent those from {}",
                              transfer.asked_from, transfer.answer_from));
  }
  if (transfer.announced > 0 || transfer.too_long) {
    part.remove();
    return answer(
        Verdict::kFinal, ErrorKind::kCorruptFile,
        transfer.too_long
            ? fmt::format("the server sends more than the expected {} bytes", transfer.most())
            : fmt::format("the server announces {} bytes; expected at most {}", transfer.announced,
                          transfer.most()));
  }
  if (code != CURLE_OK) {
    std::string reason = curl_reason[0] != '\0' ? curl_reason.data() : curl_easy_strerror(code);
    std::ranges::replace(reason, '\n', ' ');
    // Nobody answers: another try in a second would only make the user wait.
    curl_off_t connected_after = 0;
    curl_easy_getinfo(curl.get(), CURLINFO_CONNECT_TIME_T, &connected_after);
    const bool again = is_transient(code) && connected_after > 0;
    return answer(again ? Verdict::kTransient : Verdict::kFinal, ErrorKind::kStorage, reason);
  }
  return answer_for_status(transfer);
}

// False if cancelled meanwhile.
bool wait(std::chrono::milliseconds duration, const DownloadOptions& options) {
  constexpr std::chrono::milliseconds kStep{50};
  for (; duration.count() > 0; duration -= kStep) {
    if (options.cancelled && options.cancelled()) return false;
    std::this_thread::sleep_for(std::min(duration, kStep));
  }
  return !(options.cancelled && options.cancelled());
}

// What differs from the known file, or nothing.
std::optional<std::string> difference(const KnownFile& file, const fs::path& path,
                                      std::uint64_t bytes) {
  if (file.bytes != 0 && bytes != file.bytes) {
    return fmt::format("{} bytes, expected {}", bytes, file.bytes);
  }
  const std::string found = file_checksum(file.checksum_kind, path);
  if (found == file.checksum) return std::nullopt;
  return fmt::format("{} {}, expected {}", checksum_name(file.checksum_kind), found, file.checksum);
}

// Requests until the part is whole, as far as size and server can tell. False if cancelled.
bool receive(const KnownFile& file, const std::string& address, const DownloadOptions& options,
             PartFile& part, DownloadResult& result) {
  std::chrono::milliseconds pause = options.first_wait;
  for (int retries_left = options.retries;; --retries_left, pause *= 2) {
    if (file.bytes != 0 && part.size() == file.bytes) return true;
    const Answer answer = request_rest(file, address, options, part);
    result.received += answer.received;
    // A server that ignored the range has made us begin anew.
    result.resumed_at = std::min(result.resumed_at, part.size() - answer.received);
    if (answer.verdict == Verdict::kDone) return true;
    const bool again = answer.verdict == Verdict::kTransient && retries_left > 0;
    if (again && wait(pause, options)) continue;
    if (part.size() == 0) part.remove();
    if (again || answer.verdict == Verdict::kCancelled) return false;
    throw Error(answer.kind, fmt::format("{}: {}; the file may be put by hand at {}", address,
                                         answer.reason, result.path.string()));
  }
}

}  // namespace

DownloadResult fetch(const KnownFile& file, const DownloadOptions& options) {
  const std::string address = address_of(file, options.mirror);
  const fs::path path = options.directory / file.file_name;
  DownloadResult result{DownloadOutcome::kAlreadyThere, path, 0, 0, 0};

  if (const auto bytes = size_on_disk(path); bytes && !difference(file, path, *bytes)) {
    result.bytes = *bytes;
    return result;
  }
  std::error_code error;
  fs::create_directories(options.directory, error);
  if (error) throw storage_error(options.directory, "cannot be made", error.value());
  if (fs::is_directory(path, error)) throw storage_error(path, "cannot be replaced", EISDIR);

  PartFile part(part_path(path));
  if (part.size() > (file.bytes != 0 ? file.bytes : options.most_bytes)) part.clear();
  result.resumed_at = part.size();
  for (;;) {
    const bool complete = receive(file, address, options, part, result);
    result.bytes = part.size();
    if (!complete) {
      result.outcome = DownloadOutcome::kCancelled;
      return result;
    }
    const auto wrong = difference(file, part.path(), part.size());
    if (!wrong) break;
    if (result.resumed_at == 0) {
      part.remove();
      throw Error(ErrorKind::kCorruptFile,
                  fmt::format("{}: not the known {}: {}; what was downloaded has been removed",
                              address, file.name, *wrong));
    }
    // What an earlier call left may be at fault, not the server: once more, without it.
    part.clear();
    result.resumed_at = 0;
  }
  part.publish(path);
  result.outcome = DownloadOutcome::kDownloaded;
  return result;
}

LocalState local_state(const KnownFile& file, const std::filesystem::path& directory,
                       Scrutiny scrutiny) {
  const fs::path path = directory / file.file_name;
  if (const auto bytes = size_on_disk(path)) {
    Verification verification = Verification::kNotChecked;
    if (file.bytes != 0 && *bytes != file.bytes) {
      verification = Verification::kWrong;
    } else if (scrutiny == Scrutiny::kChecksum) {
      verification =
          difference(file, path, *bytes) ? Verification::kWrong : Verification::kVerified;
    }
    return {&file, Presence::kPresent, *bytes, verification};
  }
  if (const auto bytes = size_on_disk(part_path(path))) {
    return {&file, Presence::kPartial, *bytes, Verification::kNotChecked};
  }
  return {&file, Presence::kAbsent, 0, Verification::kNotChecked};
}

std::vector<LocalState> list_local(const std::filesystem::path& directory, Scrutiny scrutiny) {
  std::vector<LocalState> states;
  for (const KnownFile& file : known_files()) {
    states.push_back(local_state(file, directory, scrutiny));
  }
  return states;
}

}  // namespace ifd
