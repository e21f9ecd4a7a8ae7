#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "command_line/data_directory.h"
#include "command_line/signals.h"
#include "fetch/catalogue.h"
#include "fetch/download.h"

namespace ifd::cli {
namespace data_fetch_command {
namespace {

struct Options {
  std::filesystem::path directory = data_directory();
  std::vector<std::string> names;
  std::string mirror;
};

std::string progress_text(std::string_view name, std::uint64_t done, std::uint64_t total) {
  const double megabytes = static_cast<double>(done) / 1e6;
  if (total == 0) return fmt::format("{}: {:.1f} MB", name, megabytes);
  return fmt::format("{}: {:.1f} of {:.1f} MB ({:.0f} %)", name, megabytes,
                     static_cast<double>(total) / 1e6,
                     100.0 * static_cast<double>(done) / static_cast<double>(total));
}

std::string outcome_text(const DownloadResult& result) {
  switch (result.outcome) {
    case DownloadOutcome::kAlreadyThere:
      return fmt::format("{}: already there and verified", result.path.string());
    case DownloadOutcome::kDownloaded:
      return fmt::format(
          "{}: {} bytes, verified{}", result.path.string(), result.bytes,
          result.resumed_at > 0 ? fmt::format(" (resumed at {})", result.resumed_at) : "");
    case DownloadOutcome::kCancelled:
      return fmt::format("stopped; {} bytes are kept and the next fetch goes on from there",
                         result.bytes);
  }
  return "";
}

int run(const Options& options, const Program& program) {
  // A download keeps what has arrived, so Ctrl-C ends it in order instead of ending the process.
  heed_interrupts();
  for (const std::string& name : options.names) {
    for (const KnownFile* file : find_known(name)) {
      DownloadOptions download;
      download.directory = options.directory;
      download.mirror = options.mirror;
      download.cancelled = interrupted;
      download.progress = [&](std::uint64_t done, std::uint64_t total) {
        program.terminal.progress(progress_text(file->name, done, total));
      };
      const DownloadResult result = fetch(*file, download);
      program.terminal.end_progress();
      program.terminal.note(outcome_text(result));
      if (result.outcome == DownloadOutcome::kCancelled) return kInterrupted;
    }
  }
  return 0;
}

}  // namespace
}  // namespace data_fetch_command

void add_data_fetch_command(CLI::App& data, Program& program) {
  using namespace data_fetch_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_leaf(data, program, "fetch", "Download data sets, resumed and verified",
                               "ifd data fetch bloodmnist dermamnist",
                               [options, &program] { return run(*options, program); });
  command->add_option("NAME", options->names, "Names from 'ifd data list', or imagenet16h")
      ->required();
  add_data_directory_option(*command, options->directory);
  command
      ->add_option("--mirror", options->mirror,
                   "Fetch from this http(s) folder instead of the public address")
      ->type_name("URL");
}

}  // namespace ifd::cli
