#include "command_line/file_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

namespace fs = std::filesystem;

bool is_stream(const NamedFile& file) { return file.path.empty() || file.path == "-"; }

const CLI::App& chosen_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

// Values of NAME=FILE are files behind the sign.
std::vector<NamedFile> files_of(const CLI::App& command, std::string_view type) {
  std::vector<NamedFile> files;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_type_name();
    const bool named = type == kFileRead && name == "NAME=FILE";
    if (name != type && !named) continue;
    for (const std::string& value : option->results()) {
      const std::size_t equals = named ? value.find('=') : std::string::npos;
      files.push_back(
          {option->get_name(), equals == std::string::npos ? value : value.substr(equals + 1)});
    }
  }
  return files;
}

// A device or a pipe may be named as often as one likes.
bool is_one_file(const fs::path& a, const fs::path& b) {
  std::error_code unknown;
  if (fs::exists(a, unknown) && !fs::is_regular_file(a, unknown)) return false;
  if (fs::equivalent(a, b, unknown) && !unknown) return true;
  // Of a relative path that is not there yet, only an absolute one has a canonical form.
  const fs::path one = fs::weakly_canonical(fs::absolute(a), unknown);
  if (unknown) return a.lexically_normal() == b.lexically_normal();
  const fs::path other = fs::weakly_canonical(fs::absolute(b), unknown);
  return unknown ? false : one == other;
}

bool is_standard_output(const fs::path& path) {
  if (path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1") {
    return true;
  }
  std::error_code unknown;
  return fs::is_regular_file(path, unknown) && fs::equivalent(path, "/dev/stdout", unknown) &&
         !unknown;
}

// --json and --csv as flags print the result.
void check_standard_output(const CLI::App& command, const std::vector<NamedFile>& written) {
  std::vector<std::string> printing;
  for (const char* name : {"--json", "--csv"}) {
    const CLI::Option* flag = command.get_option_no_throw(name);
    if (flag != nullptr && flag->count() > 0 && flag->get_items_expected_max() == 0) {
      printing.emplace_back(name);
    }
  }
  for (const NamedFile& file : written) {
    if (is_standard_output(file.path)) printing.push_back(file.option);
  }
  if (printing.size() < 2) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("{} and {} would both write to standard output; expected one of them to",
                          printing[0], printing[1]));
}

Error not_writable(const fs::path& path, const std::string& why) {
  return {ErrorKind::kStorage, fmt::format("{}: {}", path.string(), why)};
}

// The folder of all that a command writes, which the command makes where it is missing; empty:
// none.
fs::path folder_made(const CLI::App& command) {
  const CLI::Option* option = command.get_option_no_throw("--output");
  if (option == nullptr || option->get_type_name() != kFolder) return {};
  const fs::path folder =
      option->count() > 0 ? option->results().back() : option->get_default_str();
  return folder.has_filename() ? folder : folder.parent_path();  // a slash at its end says nothing
}

// Of a folder that is to be made: whether there is room for it.
bool can_be_made(const fs::path& folder) {
  std::error_code unknown;
  fs::path above = fs::weakly_canonical(fs::absolute(folder), unknown);
  while (!fs::exists(above, unknown) && above.has_relative_path()) above = above.parent_path();
  return fs::is_directory(above, unknown) && ::access(above.c_str(), W_OK | X_OK) == 0;
}

// `made` is a folder that the command makes.
void check_writable(const fs::path& path, const fs::path& made) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) {
    throw not_writable(path, "is a directory; expected a file");
  }
  if (fs::exists(path, unknown) && !fs::is_regular_file(path, unknown)) return;
  // A link is followed: what it points to is written, beside which there must be room.
  const fs::path target =
      fs::is_symlink(path, unknown) ? fs::weakly_canonical(path, unknown) : path;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
  const int why = errno;
  if (why == ENOENT && !made.empty() && is_one_file(folder, made) && can_be_made(folder)) {
    return;
  }
  throw not_writable(path, "cannot be written: " + std::generic_category().message(why));
}

}  // namespace

std::vector<NamedFile> files_read(const CLI::App& command) { return files_of(command, kFileRead); }

std::vector<NamedFile> files_written(const CLI::App& command) {
  return files_of(command, kFileWritten);
}

void refuse_standard_input(CLI::Option& option) {
  option.check(CLI::Validator(
      [](const std::string& value) {
        return value == "-" ? std::string(
                                  "standard input can be read once, and this is read more often; "
                                  "expected a file")
                            : std::string();
      },
      ""));
}

void check_file_options(const CLI::App& app) {
  const CLI::App& command = chosen_command(app);
  const std::vector<NamedFile> read = files_read(command);
  const std::vector<NamedFile> written = files_written(command);
  const NamedFile* standard_input = nullptr;
  for (const NamedFile& file : read) {
    if (file.path != "-") continue;
    if (standard_input != nullptr) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{} and {} would both read standard input; expected one of them to",
                              standard_input->option, file.option));
    }
    standard_input = &file;
  }
  check_standard_output(command, written);
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (is_stream(written[i])) continue;
    for (const NamedFile& input : read) {
      if (!is_stream(input) && is_one_file(written[i].path, input.path)) {
        throw Error(
            ErrorKind::kUsage,
            fmt::format("{} {} is the file of {}, which would be lost; expected another",
                        written[i].option, excerpt(written[i].path.string()), input.option));
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!is_stream(written[j]) && is_one_file(written[i].path, written[j].path)) {
        throw Error(
            ErrorKind::kUsage,
            fmt::format("{} and {} would both write {}; expected two files", written[j].option,
                        written[i].option, excerpt(written[i].path.string())));
      }
    }
    check_writable(written[i].path, folder_made(command));
  }
}

}  // namespace ifd
