#include "ifd/watch/watch_report.h"

#include <map>
#include <nlohmann/json.hpp>

#include "ifd/watch/visible_fall.h"

namespace ifd {
namespace {

std::vector<ClassId> truths_of(const ExpertContext& context) {
  std::vector<ClassId> truths;
  for (const ContextRow& row : context.rows) truths.push_back(row.truth);
  return truths;
}

nlohmann::ordered_json counts_json(const RightAnswers& counts) {
  return {{"right", counts.right}, {"answers", counts.of}};
}

// Null for answers of before.
nlohmann::ordered_json case_json(const WatchReport::Expert& expert, std::uint64_t answer) {
  if (answer == 0 || answer > expert.new_cases.size()) return nullptr;
  return expert.new_cases[answer - 1];
}

}  // namespace

std::size_t WatchReport::found() const {
  std::size_t count = 0;
  for (const Expert& expert : experts) count += expert.findings.size();
  return count;
}

WatchReport watch_answers(const ClassNames& classes, std::span<const ExpertContext> before,
                          std::span<const ExpertContext> after, const WatchOptions& options) {
  std::map<std::string, const ExpertContext*, std::less<>> old_of, new_of;
  std::vector<std::string> others;
  for (const ExpertContext& context : before) old_of.emplace(context.expert, &context);
  for (const ExpertContext& context : after) {
    new_of.emplace(context.expert, &context);
    others.push_back(context.expert);
  }
  Watch watch(classes.size(), old_answers(before), others, options);
  for (const ExpertContext& context : after) {
    for (const ContextRow& row : context.rows) {
      watch.observe(context.expert, row.truth, row.answer);
    }
  }
  WatchReport report{{}, options};
  const std::vector<WatchedExpert> standings = watch.experts();
  std::size_t falls = 0;
  for (const WatchedExpert& standing : standings) {
    WatchReport::Expert expert{standing, watch.findings(standing.name), {}, false, {}};
    const auto fresh = new_of.find(standing.name);
    if (fresh != new_of.end()) {
      for (const ContextRow& row : fresh->second->rows) expert.new_cases.push_back(row.case_name);
      expert.tried_falls = expert.findings.empty() && falls++ < kMostFalls;
    }
    if (expert.tried_falls) {
      const auto old = old_of.find(standing.name);
      expert.visible_fall =
          visible_fall(old == old_of.end() ? std::span<const ContextRow>() : old->second->rows,
                       truths_of(*fresh->second), {classes.size(), standings.size()}, options);
    }
    report.experts.push_back(std::move(expert));
  }
  return report;
}

nlohmann::ordered_json finding_json(const Finding& finding, const ClassNames& classes) {
  const auto name = [&](const std::optional<ClassId>& id) -> nlohmann::ordered_json {
    if (!id) return nullptr;
    return classes.name(*id);
  };
  return {{"expert", finding.expert},
          {"kind", word_for(finding.kind)},
          {"class", name(finding.class_id)},
          {"other", name(finding.other)},
          {"since", finding.since},
          {"found_at", finding.found_at},
          {"before", counts_json(finding.before)},
          {"after", counts_json(finding.after)},
          {"p", finding.p}};
}

std::string watch_json(const WatchReport& report, const ClassNames& classes) {
  nlohmann::ordered_json experts = nlohmann::ordered_json::array();
  for (const WatchReport::Expert& expert : report.experts) {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const Finding& finding : expert.findings) {
      findings.push_back(finding_json(finding, classes));
      findings.back()["since_case"] = case_json(expert, finding.since);
      findings.back()["found_case"] = case_json(expert, finding.found_at);
    }
    nlohmann::ordered_json row = {{"expert", expert.standing.name},
                                  {"old", counts_json(expert.standing.before)},
                                  {"new", counts_json(expert.standing.after)},
                                  {"p", expert.standing.p},
                                  {"findings", findings}};
    if (expert.tried_falls) {
      row["visible_fall"] = nullptr;
      if (expert.visible_fall) row["visible_fall"] = *expert.visible_fall;
    }
    experts.push_back(std::move(row));
  }
  const nlohmann::ordered_json document = {{"schema", "ifd watch 1"},
                                           {"classes", classes.names()},
                                           {"false_alarms", report.options.false_alarms},
                                           {"seed", report.options.seed},
                                           {"found", report.found()},
                                           {"experts", experts}};
  return document.dump(2) + "\n";
}

}  // namespace ifd
