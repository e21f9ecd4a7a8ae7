#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/text_table.h"
#include "fetch/catalogue.h"
#include "fetch/download.h"
#include "ifd/data/medmnist.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/rings.h"
#include "ifd/error.h"

namespace ifd::cli {
namespace {

constexpr int kInterrupted = 130;
constexpr std::size_t kMostRings = 100'000'000;

std::filesystem::path default_directory() {
  if (const char* own = std::getenv("IFD_DATA"); own != nullptr && *own != '\0') return own;
  if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg != '\0') {
    return std::filesystem::path(xdg) / "ifd";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return std::filesystem::path(home) / ".local/share/ifd";
  }
  return "ifd-data";
}

struct Options {
  std::filesystem::path directory = default_directory();
  std::vector<std::string> names;
  std::string mirror;
  bool verify = false;
  bool json = false;
  std::filesystem::path file;
  std::filesystem::path output;
  RingsOptions rings;
};

const char* presence_text(const LocalState& state) {
  if (state.verification == Verification::kWrong) return "wrong bytes";
  switch (state.presence) {
    case Presence::kAbsent:
      return "absent";
    case Presence::kPartial:
      return "partial";
    case Presence::kPresent:
      return state.verification == Verification::kVerified ? "verified" : "present";
  }
  return "";
}

int list(const Options& options) {
  const auto states =
      list_local(options.directory, options.verify ? Scrutiny::kChecksum : Scrutiny::kSize);
  if (options.json) {
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const LocalState& state : states) {
      files.push_back({{"name", state.file->name},
                       {"file", (options.directory / state.file->file_name).string()},
                       {"state", presence_text(state)},
                       {"bytes", state.bytes},
                       {"classes", state.file->classes},
                       {"licence", state.file->licence},
                       {"address", state.file->address}});
    }
    const nlohmann::ordered_json out = {{"directory", options.directory.string()},
                                        {"files", files}};
    // A path may be any bytes; JSON is UTF-8.
    using Handler = nlohmann::ordered_json::error_handler_t;
    write_output("", out.dump(2, ' ', false, Handler::replace) + "\n");
    return 0;
  }
  TextTable table({"name", "state", "classes", "licence", "what"});
  for (const LocalState& state : states) {
    table.add({std::string(state.file->name), presence_text(state),
               std::to_string(state.file->classes), std::string(state.file->licence),
               std::string(state.file->description)});
  }
  write_output("", table.text() + "\nin " + options.directory.string() + "\n");
  return 0;
}

std::atomic<bool> interrupted = false;

int fetch_all(const Options& options, const Program& program) {
  // A download keeps what has arrived, so Ctrl-C ends it in order instead of ending the process.
  std::signal(SIGINT, [](int) { interrupted = true; });
  for (const std::string& name : options.names) {
    for (const KnownFile* file : find_known(name)) {
      DownloadOptions download;
      download.directory = options.directory;
      download.mirror = options.mirror;
      download.cancelled = [] { return interrupted.load(); };
      download.progress = [&](std::uint64_t done, std::uint64_t total) {
        program.terminal.progress(
            total == 0
                ? fmt::format("{}: {:.1f} MB", file->name, static_cast<double>(done) / 1e6)
                : fmt::format("{}: {:.1f} of {:.1f} MB ({:.0f} %)", file->name,
                              static_cast<double>(done) / 1e6, static_cast<double>(total) / 1e6,
                              100.0 * static_cast<double>(done) / static_cast<double>(total)));
      };
      const DownloadResult result = fetch(*file, download);
      program.terminal.end_progress();
      switch (result.outcome) {
        case DownloadOutcome::kAlreadyThere:
          program.terminal.note(
              fmt::format("{}: already there and verified", result.path.string()));
          break;
        case DownloadOutcome::kDownloaded:
          program.terminal.note(fmt::format(
              "{}: {} bytes, verified{}", result.path.string(), result.bytes,
              result.resumed_at > 0 ? fmt::format(" (resumed at {})", result.resumed_at) : ""));
          break;
        case DownloadOutcome::kCancelled:
          program.terminal.note(fmt::format(
              "stopped; {} bytes are kept and the next fetch goes on from there", result.bytes));
          return kInterrupted;
      }
    }
  }
  return 0;
}

int show(const Options& options) {
  const MedmnistSummary summary = summarize_medmnist(options.file);
  if (options.json) {
    nlohmann::ordered_json splits = nlohmann::ordered_json::array();
    for (const auto& split : summary.splits) {
      splits.push_back({{"split", split_name(split.split)},
                        {"cases", split.count},
                        {"height", split.height},
                        {"width", split.width},
                        {"channels", split.channels},
                        {"class_counts", split.class_counts}});
    }
    write_output(
        "",
        nlohmann::ordered_json{{"classes", summary.classes}, {"splits", splits}}.dump(2) + "\n");
    return 0;
  }
  TextTable table({"split", "cases", "image", "cases a class"});
  for (const auto& split : summary.splits) {
    table.add({std::string(split_name(split.split)), std::to_string(split.count),
               fmt::format("{}x{}x{}", split.height, split.width, split.channels),
               fmt::format("{}", fmt::join(split.class_counts, " "))});
  }
  write_output("", table.text());
  return 0;
}

int rings(const Options& options, const Program& program) {
  RingsOptions wanted = options.rings;
  wanted.seed = program.seed;
  if (wanted.cases < 1 || wanted.cases > kMostRings) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--cases {}: expected 1..{}", wanted.cases, kMostRings));
  }
  const Rings made = make_rings(wanted);
  Predictions::Parts parts{ClassNames({"inner", "middle", "outer"}), {}, {}, made.labels, {}, 2};
  for (std::size_t i = 0; i < made.cases.size(); ++i) {
    for (const double p : ring_posterior(made.x[i], made.y[i], wanted)) {
      parts.probabilities.push_back(static_cast<float>(p));
    }
    parts.features.insert(parts.features.end(), {made.x[i], made.y[i]});
    // Case 7 of one split is not case 7 of another.
    parts.cases.push_back(fmt::format("{}-{}", wanted.split, made.cases[i]));
  }
  write_predictions(options.output, Predictions(std::move(parts)));
  program.terminal.note(
      fmt::format("{}: {} cases of split '{}' with their true class probabilities",
                  options.output.string(), made.cases.size(), wanted.split));
  return 0;
}

}  // namespace

void add_data_commands(CLI::App& app, Program& program) {
  CLI::App* data = app.add_subcommand("data", "Public data sets, and the toy's rings");
  data->require_subcommand(1);
  data->footer("Example:\n  ifd data list");
  const auto options = std::make_shared<Options>();
  const auto add_directory = [&](CLI::App* command) {
    command
        ->add_option("--directory", options->directory,
                     "Where the files are; otherwise $IFD_DATA, else ~/.local/share/ifd")
        ->type_name("DIR");
  };

  CLI::App* command = add_leaf(*data, program, "list", "Say which data sets are known and here",
                               "ifd data list --verify", [options] { return list(*options); });
  add_directory(command);
  command->add_flag("--verify", options->verify, "Read the files and compare their checksums");
  command->add_flag("--json", options->json, "Print JSON instead of a table");

  command = add_leaf(*data, program, "fetch", "Download data sets, resumed and verified",
                     "ifd data fetch bloodmnist dermamnist",
                     [options, &program] { return fetch_all(*options, program); });
  command->add_option("NAME", options->names, "Names from 'ifd data list', or imagenet16h")
      ->required();
  add_directory(command);
  command
      ->add_option("--mirror", options->mirror,
                   "Fetch from this http(s) folder instead of the public address")
      ->type_name("URL");

  command = add_leaf(*data, program, "show", "Say what an NPZ of images in MedMNIST layout holds",
                     "ifd data show bloodmnist.npz", [options] { return show(*options); });
  command->add_option("FILE", options->file, "The file")->required();
  command->add_flag("--json", options->json, "Print JSON instead of a table");

  command = add_leaf(*data, program, "rings",
                     "Generate the toy's three rings with their true class probabilities",
                     "ifd data rings --cases 1000 --split test -o rings.npz",
                     [options, &program] { return rings(*options, program); });
  command->add_option("--cases", options->rings.cases, "How many")->capture_default_str();
  command->add_option("--base-noise", options->rings.base_noise, "Of the radius")
      ->capture_default_str();
  command->add_option("--sigma", options->rings.gaussian_sigma, "Of the Gaussian noise on top")
      ->capture_default_str();
  command->add_option("--split", options->rings.split, "Another split has other draws")
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "NPZ or CSV (which has no features)")
      ->required()
      ->type_name("FILE");
}

}  // namespace ifd::cli
