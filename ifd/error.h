// The one exception of the project and the one table that maps its kinds to the outside.
#pragma once

#include <stdexcept>
#include <string>

namespace ifd {

enum class ErrorKind {
  kBadInput,     // a file or value that does not say what it must
  kUsage,        // a command or option that does not exist or does not go with another
  kNotFound,     // a name or file that is not there
  kConflict,     // two things that cannot both hold
  kCorruptFile,  // bytes that are not what they claim to be
  kStorage,      // the disk or the network failed
  kLostPeer,     // another process of the same work is gone or cannot be reached
  kCancelled,    // the caller asked for the work to stop
};

// Thrown for everything a user can cause. The message is one line: where, what, what was allowed,
// as in "answers.csv:2: '9' is not a class; expected 0..6".
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

struct OutsideMeaning {
  int exit_code;
  int http_status;
};

// 1 failure, 2 usage, 3 bad input, 5 storage; documented in docs/formats.md.
OutsideMeaning outside_meaning(ErrorKind kind);

inline Error bad_input(const std::string& message) { return {ErrorKind::kBadInput, message}; }

}  // namespace ifd
