#include "command_line/program.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <string_view>

#include "command_line/command_description.h"
#include "command_line/file_options.h"
#include "command_line/old_names.h"
#include "command_line/signals.h"
#include "command_line/terminal.h"
#include "command_line/usage_message.h"
#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

namespace ifd {
namespace {

constexpr int kFailure = 1;

// LibTorch and oneDNN throw exceptions of their own where memory is lacking, known by their words
// alone.
bool is_lack_of_memory(std::string_view message) {
  constexpr std::string_view kWords[] = {"DefaultCPUAllocator", "std::bad_alloc",
                                         "could not create a memory object",
                                         "annot allocate memory"};
  return std::ranges::any_of(kWords, [&](std::string_view words) {
    return message.find(words) != std::string_view::npos;
  });
}

int fail(std::string_view message, int code) noexcept {
  complain(message);
  return code;
}

int fail_for_memory() noexcept {
  return fail("out of memory", outside_meaning(ErrorKind::kStorage).exit_code);
}

// Tells of the exception that is being handled; its exit code.
int fail_for_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return fail(error.what(), outside_meaning(error.kind()).exit_code);
  } catch (const std::bad_alloc&) {
    return fail_for_memory();
  } catch (const std::exception& error) {
    const std::string_view all = error.what();  // LibTorch adds a stack trace
    if (is_lack_of_memory(all)) return fail_for_memory();
    return fail(all.substr(0, all.find('\n')), kFailure);
  } catch (...) {
    return fail("an exception without a name", kFailure);
  }
}

// Where an exception may not pass: destructors that need memory (those of JSON values do), threads
// of other libraries.
[[noreturn]] void end_program() noexcept {
  if (!std::current_exception()) std::abort();
  const int code = fail_for_exception();
  remove_pending_files();
  std::_Exit(code);
}

}  // namespace

int run_program(const std::function<int()>& body) {
  occupy_standard_descriptors();
  set_signals();
  std::set_terminate(end_program);
  try {
    return body();
  } catch (...) {
    return fail_for_exception();
  }
}

bool parse_command_line(CLI::App& app, int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--describe") {
    write_output("", to_json(describe(app)));
    return false;
  }
  refuse_signs_of_counts(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    app.exit(asked, text, text);
    write_output("", text.str());
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kUsage, usage_message(app, error));
  }
  check_file_options(app);
  tell_old_names(app);
  return true;
}

int run_command_line(CLI::App& app, int argc, char** argv, const std::function<int()>& work) {
  return parse_command_line(app, argc, argv) ? work() : 0;
}

}  // namespace ifd
