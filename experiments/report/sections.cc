#include "experiments/report/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {

bool begin_experiment(StudyDocument& document, const StudyView& view, const std::string& experiment,
                      const std::string& title) {
  document.section(title, experiment);
  CellFilter filter;
  filter.experiment = experiment;
  if (view.summary.has(filter)) return true;
  const auto& selected = view.run.selected;
  const bool asked = std::find(selected.begin(), selected.end(), experiment) != selected.end();
  document.paragraph(asked
                         ? "Not measured: its data was not there, or its jobs failed (see the end "
                           "of the report)."
                         : "Not part of this run.");
  return false;
}

std::string command_for(const StudyRun& run, const std::string& experiment) {
  std::istringstream words(run.command);
  std::string out, word;
  bool skip = false;
  while (words >> word) {
    if (skip || word.starts_with("--only")) {
      skip = !skip && word == "--only";
      continue;
    }
    out += (out.empty() ? "" : " ") + word;
  }
  return out + " --only " + experiment;
}

void write_rerun(StudyDocument& document, const StudyView& view, const std::string& experiment,
                 const std::string& example_job) {
  document.paragraph(
      {plain("This experiment alone: "), inline_code(command_for(view.run, experiment)),
       plain(
           ". Finished jobs are found and not run again; for one cell, remove its file (such as "),
       inline_code("cache/results/" + example_job + ".json"),
       plain(" in the output folder) and run the command.")},
      StudyDocument::Reach::kPageOnly);
}

Series series_along_x(const Summary& summary, Cell cell, const std::string& name) {
  Series series;
  series.name = name;
  CellFilter filter{cell.experiment, cell.data,  cell.experts, cell.group, cell.method,
                    cell.setting,    cell.scale, cell.measure, {}};
  for (const Cell& at : summary.cells(filter)) add_point(series, at.x, *summary.mean(at));
  return series;
}

void add_point(Series& series, double x, const Mean& mean) {
  const bool bands = series.low.size() == series.x.size() && mean.interval;
  series.x.push_back(x);
  series.y.push_back(mean.value);
  if (bands) {
    series.low.push_back(mean.interval->low);
    // Everything drawn over x is a share: no band leaves them.
    series.high.push_back(mean.value <= 1 ? std::min(mean.interval->high, 1.0)
                                          : mean.interval->high);
  } else {
    series.low.clear();
    series.high.clear();
  }
}

void add_series(LineChart& chart, Series series) {
  if (!series.x.empty()) chart.series.push_back(std::move(series));
}

void add_dot(BarChart& chart, const std::string& name, const std::optional<Mean>& mean,
             Emphasis emphasis) {
  if (!mean) return;
  Bar bar{name, mean->value, {}, emphasis};
  if (mean->interval) bar.interval = Range{mean->interval->low, mean->interval->high};
  chart.bars.push_back(std::move(bar));
}

std::string interval_note(std::size_t cohorts) {
  if (cohorts < 2) return "One cohort, so no intervals.";
  return fmt::format("Means over {} cohorts with 95 % intervals (Student's t over cohorts).",
                     cohorts);
}

namespace {

// All findings if they are few, otherwise the two ends.
std::string evidence(const Claim& claim) {
  const auto text = [](const Finding& finding) { return finding.where + ": " + finding.numbers; };
  if (claim.findings.size() <= 2) {
    std::string out;
    for (const Finding& finding : claim.findings) {
      out += (out.empty() ? "" : "; ") + text(finding);
    }
    return out;
  }
  const auto by_value = [](const Finding& a, const Finding& b) { return a.value < b.value; };
  const auto [least, most] =
      std::minmax_element(claim.findings.begin(), claim.findings.end(), by_value);
  if (!least->value) {
    return fmt::format("{}; {}; and {} more", text(claim.findings[0]), text(claim.findings[1]),
                       claim.findings.size() - 2);
  }
  return fmt::format("Smallest, {}. Largest, {}", text(*least), text(*most));
}

std::size_t open_findings(const Claim& claim) {
  return static_cast<std::size_t>(std::count_if(claim.findings.begin(), claim.findings.end(),
                                                [](const Finding& f) { return f.open; }));
}

}  // namespace

void write_claims(StudyDocument& document, const std::vector<Claim>& claims) {
  document.section("What holds and what does not", "summary");
  using Verdict = Claim::Verdict;
  std::map<Verdict, std::size_t> count;
  for (const Claim& claim : claims) ++count[claim.verdict()];
  document.key_figures(
      {{std::to_string(count[Verdict::kHolds]), "claims hold", "everywhere"},
       {std::to_string(count[Verdict::kInPart]), "hold in part", "not everywhere"},
       {std::to_string(count[Verdict::kFails]), "do not hold", "anywhere"},
       {std::to_string(count[Verdict::kNotMeasured]), "not measured", "in this run"}});
  document.paragraph(
      "Each claim is checked by the program against the numbers of this run, on every data set and "
      "group of experts it speaks of. Differences are in AURSAC, paired by cohort; in brackets the "
      "95 % interval by Student's t over cohorts, then the number of cohorts in which the first "
      "was ahead. The claims are the paper's unless marked as ours.");
  constexpr std::pair<Verdict, const char*> kGroups[] = {
      {Verdict::kHolds, "Holds"},
      {Verdict::kInPart, "Holds in part"},
      {Verdict::kFails, "Does not hold"},
      {Verdict::kNotMeasured, "Not measured in this run"}};
  for (const auto& [verdict, title] : kGroups) {
    std::vector<std::vector<Words>> items;
    for (const Claim& claim : claims) {
      if (claim.verdict() != verdict) continue;
      std::vector<Words> item = {strong(claim.text),
                                 plain(claim.source == Claim::Source::kOurs ? " (ours) " : " ")};
      if (verdict == Verdict::kInPart) item.push_back(plain(verdict_text(claim) + ": "));
      std::string numbers = evidence(claim);
      if (const std::size_t open = open_findings(claim); open > 0) {
        numbers += fmt::format(
            ". In {} of {} the interval includes the bound: more cohorts could "
            "turn it",
            open, claim.findings.size());
      }
      if (!numbers.empty()) item.push_back(plain(numbers + "."));
      items.push_back(std::move(item));
    }
    if (items.empty()) continue;
    document.paragraph({strong(title)});
    document.list(std::move(items));
  }
  Table all{"Every finding",
            {{"claim"}, {"where"}, {"numbers"}, {"holds"}, {"interval includes the bound"}},
            {}};
  for (const Claim& claim : claims) {
    for (const Finding& finding : claim.findings) {
      all.rows.push_back({claim.id, finding.where, finding.numbers, finding.holds ? "yes" : "no",
                          finding.open ? "yes" : ""});
    }
  }
  document.table(std::move(all), StudyDocument::Reach::kPageOnly);
}

namespace {

// Whether there were any.
bool write_what_does_not_hold(StudyDocument& document, const std::vector<Claim>& claims,
                              Claim::Source source) {
  bool any = false;
  for (const Claim& claim : claims) {
    const bool differs =
        claim.verdict() == Claim::Verdict::kFails || claim.verdict() == Claim::Verdict::kInPart;
    if (claim.source != source || !differs) continue;
    any = true;
    constexpr std::size_t kMost = 6;
    std::string text;
    std::size_t failed = 0;
    for (const Finding& finding : claim.findings) {
      if (finding.holds) continue;
      if (++failed > kMost) continue;
      text += fmt::format("{}{}: {}{}", text.empty() ? "" : "; ", finding.where, finding.numbers,
                          finding.open ? " (the interval includes the bound)" : "");
    }
    if (failed > kMost) text += fmt::format("; and {} more", failed - kMost);
    document.paragraph(
        {strong(claim.text), plain(fmt::format(" Here it {}. Against it: {}. {}",
                                               verdict_text(claim), text, claim.reading))});
  }
  return any;
}

}  // namespace

void write_contradictions(StudyDocument& document, const std::vector<Claim>& claims) {
  document.section("Where we differ from the paper", "differences");
  if (!write_what_does_not_hold(document, claims, Claim::Source::kPaper)) {
    document.paragraph("Nowhere: every claim of the paper that was measured holds.");
  }
  document.section("What we expected and did not see", "surprises");
  if (!write_what_does_not_hold(document, claims, Claim::Source::kOurs)) {
    document.paragraph("Nothing: every claim of ours that was measured holds.");
  }
}

namespace {

// "+0.012 (+0.003 to +0.021), ahead in 9 of 10 cohorts"
std::string in_cohorts(const std::optional<PairedDifference>& difference) {
  std::string text = difference_text(difference);
  if (!difference || !difference->mean.interval) return text;
  return text.insert(text.find("), ") + 3, "ahead in ") + " cohorts";
}

}  // namespace

void write_recommendation(StudyDocument& document, const Recommendation& r) {
  document.section("What to start with", "recommendation");
  if (r.policy.empty()) {
    document.paragraph("This run measured neither Table 1 nor ImageNet-16H: nothing to recommend.");
    return;
  }
  std::vector<std::vector<Words>> items;
  std::vector<Words> policy = {strong("Policy: "), inline_code(r.policy),
                               plain(", " + method_meaning(r.policy) + ".")};
  if (const auto& ahead = r.of(r.policy).against_plug_in) {
    policy.push_back(plain(" Against plug-in: " + in_cohorts(ahead) + "."));
  }
  if (r.against_peak) {
    policy.push_back(plain(" Against the paper's policy: " + in_cohorts(r.against_peak) + "."));
  }
  items.push_back(std::move(policy));
  const std::string training = training_of(r.policy);
  items.push_back(
      {strong("State and objective: "),
       plain(training.empty()
                 ? "none, since nothing is trained. Another policy is recommended where "
                   "it is ahead by more than .001 with its interval above 0, and behind "
                   "by more than .001 neither with simulated experts nor with people."
                 : training + ".")});
  if (!r.best_trained.empty()) {
    items.push_back({strong("If you train one: "), inline_code(r.best_trained),
                     plain(" (" + training_of(r.best_trained) + "). Against plug-in: " +
                           in_cohorts(r.of(r.best_trained).against_plug_in) + ".")});
  }
  if (r.calibration_simulated || r.calibration_people) {
    std::string text;
    if (r.calibration_simulated) {
      text += "at home " + in_cohorts(r.calibration_simulated);
    }
    if (r.calibration_people) {
      text += (text.empty() ? "" : "; ") + std::string("under a shift of the input ") +
              in_cohorts(r.calibration_people);
    }
    items.push_back({strong("Recalibrating the classifier on the context: "), plain(text + ".")});
  }
  items.push_back({strong("Margin scale: "), inline_code(r.scale),
                   plain(r.probability_minus_logit ? "; probability minus logit " +
                                                         in_cohorts(r.probability_minus_logit) + "."
                                                   : ".")});
  if (r.enough_answers) {
    items.push_back(
        {strong("Answers: "),
         plain(fmt::format("from {:.0f} answers an expert on, {} is within .005 of what "
                           "it reaches with the largest context.",
                           *r.enough_answers, r.enough_answers_of))});
  }
  document.list(std::move(items));
  Table table{"Mean AURSAC over data sets and experts",
              {{"policy"},
               {"simulated, ID", true, "", Column::Best::kHighest},
               {"simulated, OOD", true, "", Column::Best::kHighest},
               {"people, ID", true, "", Column::Best::kHighest},
               {"people, OOD", true, "", Column::Best::kHighest},
               {"minus plug-in", true, "95 % interval, cohorts ahead"}},
              {}};
  const auto number = [](const std::optional<double>& v) { return v ? fixed(*v, 3) : "–"; };
  for (const Standing& s : r.standings) {
    table.rows.push_back({s.method, number(s.simulated_id), number(s.simulated_ood),
                          number(s.people_id), number(s.people_ood),
                          difference_text(s.against_plug_in)});
  }
  document.table(std::move(table));
}

void write_methods(StudyDocument& document, const StudyView& view) {
  document.section("Names and measures", "names");
  document.paragraph(
      "AURSAC is the accuracy of model and experts together, averaged over all deferral budgets "
      "from 0 to 1; AURDAC the accuracy of the experts on what they are given. Seen experts are "
      "those of the training; ID experts have the same specialties and contexts of their own; OOD "
      "experts have the other classes as specialties.");
  std::set<std::string> names;
  for (const auto& [cell, values] : view.summary.cells()) names.insert(cell.method);
  Table table{"Methods", {{"name"}, {"what it is"}}, {}};
  for (const std::string& name : in_report_order({names.begin(), names.end()})) {
    const std::string meaning = method_meaning(name);
    if (!meaning.empty()) table.rows.push_back({name, meaning});
  }
  document.table(std::move(table));
}

namespace {

// experiment and method of "table1/blood/variable/ifd-peak/cohort-3".
std::pair<std::string, std::string> work_of(const std::string& job) {
  std::vector<std::string> parts;
  std::istringstream in(job);
  for (std::string part; std::getline(in, part, '/');) parts.push_back(part);
  if (parts.empty()) return {};
  const bool numbered = parts.back().starts_with("cohort-") || parts.back().starts_with("seed-");
  if (numbered && parts.size() > 2) parts.pop_back();
  return {parts.front(), parts.back()};
}

}  // namespace

void write_provenance(StudyDocument& document, const StudyView& view) {
  const StudyRun& run = view.run;
  document.section("Where the time went", "time");
  std::map<std::string, double> by_experiment;
  std::map<std::pair<std::string, std::string>, std::pair<double, std::size_t>> by_work;
  double all = 0;
  for (const JobRecord& job : run.jobs) {
    const auto work = work_of(job.name);
    by_experiment[work.first] += job.seconds;
    by_work[work].first += job.seconds;
    ++by_work[work].second;
    all += job.seconds;
  }
  BarChart chart;
  chart.title = "Processor seconds by experiment";
  chart.value_label = "seconds";
  for (const auto& [experiment, seconds] : by_experiment)
    chart.bars.push_back({experiment, seconds});
  std::stable_sort(chart.bars.begin(), chart.bars.end(),
                   [](const Bar& a, const Bar& b) { return a.value > b.value; });
  std::string shares;
  for (const Bar& bar : chart.bars) {
    shares +=
        fmt::format("{}{} {}", shares.empty() ? "" : ", ", bar.name, duration_text(bar.value));
  }
  document.paragraph(fmt::format("{} jobs, {} of processor time in all: {}.", run.jobs.size(),
                                 duration_text(all), shares));
  const WorkingTime working = working_time(run);
  document.paragraph(fmt::format(
      "On the clock they took {}{}. This run took {}, {} of it to read the data and train the "
      "classifiers, and found {} of the jobs finished.",
      duration_text(working.seconds),
      working.pieces > 1 ? fmt::format(" in {} pieces", working.pieces) : "",
      duration_text(run.wall_seconds), duration_text(run.preparation_seconds), run.reused));
  const double queue_seconds = run.wall_seconds - run.preparation_seconds;
  if (run.fresh_seconds > 0 && queue_seconds > 0) {
    document.paragraph(fmt::format(
        "Jobs of this run took {} on the clock, {} at a time, who were busy for {:.0f} % of it.",
        duration_text(run.fresh_seconds), run.workers,
        100 * run.fresh_seconds / (queue_seconds * run.workers)));
  }
  document.chart("time", std::move(chart));
  Table table{"Processor seconds by experiment and method",
              {{"experiment"}, {"method"}, {"jobs", true}, {"seconds", true}, {"each", true}},
              {}};
  for (const auto& [work, spent] : by_work) {
    table.rows.push_back({work.first, work.second, std::to_string(spent.second),
                          fixed(spent.first, 1),
                          fixed(spent.first / static_cast<double>(spent.second), 1)});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
    return leading_number(a[3]) > leading_number(b[3]);
  });
  document.table(std::move(table), StudyDocument::Reach::kPageOnly);

  document.section("What it was made from", "provenance");
  Table data{"Data", {{"data"}, {"classifier"}, {"hash"}}, {}};
  for (const DataSource& source : run.data) {
    data.rows.push_back({data_title(source.name), source.description, source.hash});
  }
  document.table(std::move(data));
  std::vector<std::vector<Words>> left_out;
  for (const std::string& line : run.absent) left_out.push_back({plain("Left out: " + line)});
  document.list(std::move(left_out));
  std::vector<std::vector<Words>> failures;
  for (const JobRecord& job : run.jobs) {
    if (job.failure.empty()) continue;
    failures.push_back({plain("Failed: "), inline_code(job.name), plain(": " + job.failure)});
  }
  document.list(std::move(failures));
  Table facts{"The run", {{"what"}, {"value"}}, {}};
  for (const auto& [what, value] : std::vector<std::pair<std::string, std::string>>{
           {"version", run.version},
           {"code", run.code_version},
           {"seed", fmt::format("{}; cohort c has seed {} + c", run.seed, run.seed)},
           {"hardware", run.hardware},
           {"wall time", run.reused < run.jobs.size() ? duration_text(run.wall_seconds) : ""},
           {"date", run.date}}) {
    if (!value.empty()) facts.rows.push_back({what, value});
  }
  document.table(std::move(facts));
  document.code(run.command);
}

}  // namespace ifd::experiments
