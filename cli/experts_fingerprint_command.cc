#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/command.h"
#include "cli/text_table.h"
#include "ifd/data/imagenet16h.h"
#include "ifd/data/visible_text.h"
#include "ifd/experts/fingerprint_findings.h"

namespace ifd::cli {
namespace experts_fingerprint_command {
namespace {

struct Options {
  std::filesystem::path annotations;
  std::size_t clusters = 2;
  bool json = false;
};

FingerprintFindings find(const Options& options, const Program& program, const LongWork& work) {
  return find_fingerprints(read_imagenet16h_annotations(options.annotations, program.limits),
                           options.clusters, program.seed, work);
}

std::string to_text(const FingerprintFindings& found) {
  TextTable noise({"noise", "answers", "accuracy"});
  for (const NoiseAccuracy& level : accuracy_by_noise(found.annotations)) {
    noise.add({std::to_string(level.noise), std::to_string(level.answers),
               fmt::format("{:.3f}", level.accuracy())});
  }
  TextTable groups({"cluster", "people", "mean accuracy"});
  for (std::size_t c = 0; c < found.clusters.size.size(); ++c) {
    groups.add({std::to_string(c), std::to_string(found.clusters.size[c]),
                fmt::format("{:.3f}", found.clusters.mean_accuracy[c])});
  }
  return fmt::format(
      "{} people, {} answers\naverage pairwise correlation of the fingerprints {:.4f}\n\n"
      "{}\n{}\nthe low-skill filter drops {} people ({:.3f} right on average): {}\n",
      found.prints.size(), found.annotations.rows.size(), found.correlation, noise.text(),
      groups.text(), found.filter.dropped_participants.size(), found.filter.dropped_mean_accuracy,
      visible_text(fmt::format("{}", fmt::join(found.filter.dropped_participants, ", "))));
}

int run(const Options& options, const Program& program) {
  LongWork work;
  work.progress = [&](std::string_view step) { program.terminal.progress(step); };
  const FingerprintFindings found = find(options, program, work);
  program.terminal.end_progress();
  write_output("", options.json ? escaped_json(fingerprints_json(found)) : to_text(found));
  return 0;
}

}  // namespace
}  // namespace experts_fingerprint_command

void add_experts_fingerprint_command(CLI::App& experts, Program& program) {
  using namespace experts_fingerprint_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_leaf(experts, program, "fingerprint", "How alike annotators are, and who is of low skill",
               "ifd experts fingerprint --annotations annotations.csv",
               [options, &program] { return run(*options, program); });
  command
      ->add_option("--annotations", options->annotations,
                   "ImageNet-16H annotations with the published column names")
      ->required()
      ->type_name("FILE");
  command->add_option("--clusters", options->clusters, "Of the k-means")->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON instead of tables");
}

}  // namespace ifd::cli
