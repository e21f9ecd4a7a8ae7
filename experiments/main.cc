// ifd-reproduce: the command behind `ifd reproduce`.
#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <new>

#include "experiments/options.h"
#include "experiments/reproduction.h"
#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

namespace {

int run(int argc, char** argv) {
  const auto options = ifd::experiments::parse_options(argc, argv);
  if (!options) return 0;
  const ifd::experiments::Ranks ranks;
  return ifd::experiments::reproduce(*options, ranks, IFD_VERSION);
}

// Results are whole files: what was running is lost, nothing else.
void on_interrupt(int signal) {
  ifd::remove_pending_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);
  const auto fail = [](std::string_view message, int code) {
    fmt::print(stderr, "ifd: {}\n", message.substr(0, message.find('\n')));
    return code;
  };
  try {
    return run(argc, argv);
  } catch (const ifd::Error& error) {
    return fail(error.what(), ifd::outside_meaning(error.kind()).exit_code);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 5);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}
