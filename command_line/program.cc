#include "command_line/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <sstream>
#include <string_view>

#include "command_line/signals.h"
#include "command_line/terminal.h"
#include "command_line/usage_message.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"

namespace ifd {
namespace {

constexpr int kFailure = 1;

// One line, whatever a file or its names hold.
int fail(std::string_view message, int code) {
  fmt::print(stderr, "{} {}\n", bold("ifd:", STDERR_FILENO), visible_text(message));
  return code;
}

}  // namespace

int run_program(const std::function<int()>& body) {
  set_signals();
  try {
    return body();
  } catch (const Error& error) {
    return fail(error.what(), outside_meaning(error.kind()).exit_code);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", outside_meaning(ErrorKind::kStorage).exit_code);
  } catch (const std::exception& error) {
    const std::string_view all = error.what();  // LibTorch adds a stack trace
    return fail(all.substr(0, all.find('\n')), kFailure);
  }
}

bool parse_command_line(CLI::App& app, int argc, char** argv) {
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
  return true;
}

int run_command_line(CLI::App& app, int argc, char** argv, const std::function<int()>& work) {
  return parse_command_line(app, argc, argv) ? work() : 0;
}

}  // namespace ifd
