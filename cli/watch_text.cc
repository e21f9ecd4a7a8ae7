#include "cli/watch_text.h"

#include <fmt/format.h>

#include "cli/text_table.h"

namespace ifd::cli {
namespace {

std::string share_text(const RightAnswers& counts) {
  return counts.of == 0 ? "-" : fmt::format("{:.2f} ({})", counts.share(), counts.of);
}

std::string found_text(const Finding& finding, const ClassNames& classes) {
  const std::string name = finding.class_id ? classes.name(*finding.class_id) : "all classes";
  switch (finding.kind) {
    case FindingKind::kCoin:
      return "no better than a coin";
    case FindingKind::kExchanged:
      return fmt::format("{} and {} exchanged", name, classes.name(*finding.other));
    case FindingKind::kWorse:
    case FindingKind::kBetter:
      break;
  }
  return fmt::format("{} on {}", word_for(finding.kind), name);
}

std::string since_text(const WatchReport::Expert& expert, const Finding& finding) {
  if (finding.since == 0) return "old answers";
  const std::string& name = expert.new_cases[finding.since - 1];
  return fmt::format("answer {}", finding.since) + (name.empty() ? "" : ", case " + name);
}

std::string quiet_text(const WatchReport::Expert& expert) {
  if (expert.standing.after.of == 0) return "no new answers";
  if (!expert.tried_falls) return "nothing";
  if (!expert.visible_fall) return "nothing; too few answers to find a fall";
  return fmt::format("nothing; a fall by {:.1f} would show", *expert.visible_fall);
}

}  // namespace

std::string watch_text(const WatchReport& report, const ClassNames& classes) {
  TextTable table({"expert", "found", "since about", "before", "after", "p"});
  std::uint64_t answers = 0;
  for (const WatchReport::Expert& expert : report.experts) {
    const std::string& name = expert.standing.name;
    answers += expert.standing.after.of;
    for (const Finding& finding : expert.findings) {
      table.add({name, found_text(finding, classes), since_text(expert, finding),
                 share_text(finding.before), share_text(finding.after),
                 fmt::format("{:.1g}", finding.p)});
    }
    if (expert.findings.empty()) {
      table.add({name, quiet_text(expert), "-", share_text(expert.standing.before),
                 share_text(expert.standing.after), fmt::format("{:.1g}", expert.standing.p)});
    }
  }
  std::string text = table.text();
  text += wrapped(fmt::format(
      "accuracy (answers) before and after; 'a fall by 0.3' is one on all classes, found in four "
      "of "
      "five such watches. {} experts, {} classes, {} new answers: where nothing is to be found, at "
      "most {:g} of 100 watches ever find anything. Cases must be alike within each class: who is "
      "sent harder ones looks worse",
      report.experts.size(), classes.size(), answers, 100 * report.options.false_alarms));
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace ifd::cli
