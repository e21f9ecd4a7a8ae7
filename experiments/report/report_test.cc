#include "experiments/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "experiments/claims/claims.h"
#include "experiments/claims/recommendation.h"
#include "experiments/claims/wording.h"
#include "experiments/report/invented_run.h"
#include "experiments/report/latex_table.h"
#include "experiments/report/result_csv.h"
#include "experiments/report/sections.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;
using Verdict = Claim::Verdict;

Claim claim_of(const InventedStudy& study, const std::string& id) {
  for (Claim& claim : check_claims(Summary(rows_of(invent(study))))) {
    if (claim.id == id) return claim;
  }
  ADD_FAILURE() << "no claim " << id;
  return {};
}

std::string file_of(const std::vector<NamedFile>& files, const std::string& name) {
  for (const auto& [path, bytes] : files) {
    if (path == name) return bytes;
  }
  return "";
}

// A small study: a report is the same whatever the number of cohorts.
InventedStudy small() {
  InventedStudy study;
  study.cohorts = 3;
  return study;
}

const std::vector<NamedFile>& small_report() {
  static const std::vector<NamedFile> files = study_report(invent(small()));
  return files;
}

TEST(Claims, FlipWhenTheNumbersFlip) {
  EXPECT_EQ(claim_of(small(), "ifd-ahead-ood").verdict(), Verdict::kHolds);
  InventedStudy study = small();
  study.level["ifd-peak"] = .80;
  EXPECT_EQ(claim_of(study, "ifd-ahead-ood").verdict(), Verdict::kFails);
  study.level["pop-qi"] = .78;
  const Claim mixed = claim_of(study, "ifd-ahead-ood");
  EXPECT_EQ(mixed.verdict(), Verdict::kInPart);
  EXPECT_EQ(verdict_text(mixed), "holds in 2 of 4");

  EXPECT_EQ(claim_of(small(), "pop-falls").verdict(), Verdict::kHolds);
  study = small();
  study.fall["pop-qi"] = study.fall["pop-qc"] = -.02;
  EXPECT_EQ(claim_of(study, "pop-falls").verdict(), Verdict::kFails);
  EXPECT_EQ(claim_of(study, "ifd-falls-less").verdict(), Verdict::kFails);

  EXPECT_EQ(claim_of(small(), "ifd-does-not-fall").verdict(), Verdict::kHolds);
  study = small();
  study.fall["ifd-peak"] = .05;
  EXPECT_EQ(claim_of(study, "ifd-does-not-fall").verdict(), Verdict::kFails);

  EXPECT_EQ(claim_of(small(), "plug-in-near-ceiling").verdict(), Verdict::kHolds);
  study = small();
  study.level["ceiling"] = .99;
  EXPECT_EQ(claim_of(study, "plug-in-near-ceiling").verdict(), Verdict::kFails);

  EXPECT_EQ(claim_of(small(), "residual-above-plug-in").verdict(), Verdict::kHolds);
  study = small();
  study.level["ifd-residual"] = .85;
  EXPECT_EQ(claim_of(study, "residual-above-plug-in").verdict(), Verdict::kFails);

  EXPECT_EQ(claim_of(small(), "calibration-helps").verdict(), Verdict::kHolds);
  study = small();
  study.level["plug-in-context-calibrated"] = .90;
  EXPECT_EQ(claim_of(study, "calibration-helps").verdict(), Verdict::kFails);
}

// The certificate allows nothing: the smallest change of a margin breaks the claim.
TEST(Claims, ExactInvarianceIsExact) {
  EXPECT_EQ(claim_of(small(), "exactly-invariant").verdict(), Verdict::kHolds);
  InventedStudy study = small();
  study.largest_change_of_ifd = 1e-300;
  EXPECT_EQ(claim_of(study, "exactly-invariant").verdict(), Verdict::kFails);
}

TEST(Claims, WithoutNumbersNothingIsClaimed) {
  for (const Claim& claim : check_claims(Summary({}))) {
    EXPECT_EQ(verdict_text(claim), "not measured") << claim.id;
  }
}

// By hand: the interval of (+.3, -.1) includes 0, that of (+.3, +.3) does not.
TEST(Claims, SayWhereMoreCohortsCouldTurnThem) {
  const auto rows = [](double first, double second) {
    std::vector<ResultRow> all;
    for (const auto& [cohort, ahead] : {std::pair{0, first}, std::pair{1, second}}) {
      all.push_back({"table1", "blood", "variable", "ood", "ifd-peak", "", "probability", "aursac",
                     0, cohort, .5 + ahead});
      all.push_back({"table1", "blood", "variable", "ood", "pop-qi", "", "probability", "aursac", 0,
                     cohort, .5});
    }
    return all;
  };
  const Claim unsure = check_claims(Summary(rows(.3, -.1))).front();
  ASSERT_EQ(unsure.findings.size(), 1u);
  EXPECT_TRUE(unsure.findings[0].holds);
  EXPECT_TRUE(unsure.findings[0].open);
  EXPECT_THAT(unsure.findings[0].numbers, HasSubstr("+0.100"));
  EXPECT_THAT(unsure.findings[0].numbers, HasSubstr("1 of 2; published +0.06"));
  EXPECT_FALSE(check_claims(Summary(rows(.3, .3))).front().findings[0].open);
}

// The prior is overcome from the first size on after which it never leaves the distance again.
TEST(Claims, APriorIsOvercomeForGood) {
  std::vector<ResultRow> rows;
  const auto add = [&](const std::string& setting, double n, double error) {
    rows.push_back(
        {"priors", "ham", "stable", "ood", "", setting, "probability", "mae", n, 0, error});
  };
  for (const double n : {0., 5., 10., 20.}) add("uninformative", n, .10);
  add("adversarial S=10", 0, .11);
  add("adversarial S=10", 5, .30);
  add("adversarial S=10", 10, .119);
  add("adversarial S=10", 20, .10);
  add("adversarial S=30", 20, .30);
  const Summary summary(rows);
  EXPECT_EQ(prior_overcome_at(summary, "ham", "stable", "adversarial S=10"), 10);
  EXPECT_EQ(prior_overcome_at(summary, "ham", "stable", "adversarial S=30"), std::nullopt);
  EXPECT_EQ(prior_overcome_at(summary, "ham", "stable", "adversarial S=100"), std::nullopt);
}

TEST(Recommendation, ATrainedPolicyMustEarnItsPlace) {
  const auto policy = [](const InventedStudy& study) {
    return recommend(Summary(rows_of(invent(study)))).policy;
  };
  InventedStudy study = small();
  study.level["plug-in-context-calibrated"] = .922;
  EXPECT_EQ(policy(study), "plug-in-context-calibrated");  // worth .015 on ImageNet-16H
  study.level["plug-in-context-calibrated"] = .918;  // behind at home, though ahead on average
  EXPECT_GT(recommend(Summary(rows_of(invent(study))))
                .of("plug-in-context-calibrated")
                .against_plug_in->mean.value,
            .001);
  EXPECT_EQ(policy(study), "plug-in");
  study.level["plug-in-context-calibrated"] = .90;
  EXPECT_EQ(policy(study), "plug-in");
  study.level["ifd-residual"] = .96;
  EXPECT_EQ(policy(study), "ifd-residual");
  study.cohorts = 1;  // no interval, no proof
  EXPECT_EQ(policy(study), "plug-in");
  EXPECT_EQ(recommend(Summary({})).policy, "");
}

TEST(Recommendation, NamesScaleAndContextSize) {
  InventedStudy study = small();
  study.noise = 0;
  const Recommendation r = recommend(Summary(rows_of(invent(study))));
  EXPECT_EQ(r.scale, "probability");
  ASSERT_TRUE(r.probability_minus_logit);
  EXPECT_NEAR(r.probability_minus_logit->mean.value, .0035, .001);  // invented: .004 and .003
  // Invented: .6 / (n + 10) below the limit, so within .005 of the last from about 110 on.
  EXPECT_EQ(r.enough_answers, 120);
}

TEST(StudyReport, HasEveryExperimentWithChartsAndTables) {
  const std::string html = file_of(small_report(), "report.html");
  for (const char* id : {"summary", "recommendation", "toy", "table1", "imagenet16h", "lcb",
                         "context", "priors", "invariance", "beyond", "time", "provenance"}) {
    const std::size_t from = html.find("<h2 id=\"" + std::string(id) + "\">");
    ASSERT_NE(from, std::string::npos) << id;
    const std::string part = html.substr(from, html.find("<h2 ", from + 1) - from);
    EXPECT_THAT(part, Not(HasSubstr("Not part of this run"))) << id;
    if (std::string(id) == "provenance" || std::string(id) == "summary") continue;
    EXPECT_THAT(part, HasSubstr("<table")) << id;
    if (std::string(id) == "recommendation") continue;
    EXPECT_THAT(part, HasSubstr("<figure class=\"chart")) << id;
  }
  EXPECT_THAT(html, HasSubstr("0123456789abcdef"));
  EXPECT_THAT(html, HasSubstr("ifd reproduce -o full --only table1"));
  EXPECT_THAT(html, HasSubstr("none of organamnist.npz"));
  EXPECT_THAT(html, HasSubstr("Better than published: "));
}

TEST(StudyReport, EveryFigureIsAFileOfItsOwn) {
  std::size_t figures = 0;
  std::set<std::string> names;
  for (const auto& [path, bytes] : small_report()) {
    EXPECT_TRUE(names.insert(path).second) << path;
    if (!path.starts_with("figures/")) continue;
    ++figures;
    EXPECT_TRUE(bytes.find("<svg") != std::string::npos && path.ends_with(".svg")) << path;
    EXPECT_EQ(path.find(' '), std::string::npos) << path;
  }
  const std::string html = file_of(small_report(), "report.html");
  std::size_t charts = 0;
  for (std::size_t at = 0; (at = html.find("<figure class=\"chart", at)) != std::string::npos;
       ++at) {
    ++charts;
  }
  EXPECT_EQ(figures, charts);
  EXPECT_GT(figures, 30u);
}

TEST(StudyReport, TheSameRunGivesTheSameBytes) {
  EXPECT_EQ(study_report(invent(small())), small_report());
}

TEST(StudyReport, ResultsRoundTrip) {
  const StudyRun run = invent(small());
  EXPECT_EQ(rows_from_csv(file_of(small_report(), "results.csv"), "results.csv"), rows_of(run));
  const auto json = nlohmann::json::parse(file_of(small_report(), "results.json"));
  EXPECT_EQ(json["cells"].size(), Summary(rows_of(run)).cells().size());
  EXPECT_EQ(json["jobs"].size(), run.jobs.size());
}

// Invented: ifd-peak reaches .9120 on Variable OOD without noise, published .80.
TEST(StudyReport, StandsPublishedNumbersBeside) {
  InventedStudy study = small();
  study.noise = 0;
  study.data = {"blood"};
  const std::string markdown = file_of(study_report(invent(study)), "results.md");
  EXPECT_THAT(markdown, HasSubstr("| ifd-peak | 0.914 ± 0.000 | 0.81 | +0.104 | 0.912 ± 0.000 | "
                                  "0.80 | +0.112 | +0.002 |"));
}

// Invented: at noise 125 the oracle reaches .42 + .976 - .92; published for ifd-peak .64.
TEST(StudyReport, SaysWherePublishedNumbersAreOutOfReach) {
  InventedStudy study = small();
  study.noise = 0;
  const auto markdown = [&] { return file_of(study_report(invent(study)), "results.md"); };
  EXPECT_THAT(markdown(), HasSubstr("noise 125, ID: 0.64 against 0.476;"));
  study.level["oracle"] = 1.2;
  EXPECT_THAT(markdown(), Not(HasSubstr("above what our oracle reaches")));
}

TEST(StudyReport, ExplainsWhatWeExpectedAndDidNotSee) {
  InventedStudy study = small();
  study.noise = 0;
  const auto markdown = [&] { return file_of(study_report(invent(study)), "results.md"); };
  study.level["ceiling"] = study.level["plug-in"];
  EXPECT_THAT(markdown(), Not(HasSubstr("the worst cohort is")));
  study.level["ceiling"] = study.level["plug-in"] + .05;
  EXPECT_THAT(markdown(), HasSubstr("ID: the worst cohort is 0 with −0.050, the median −0.050."));
}

TEST(StudyReport, MarkdownHasEveryTopicBeyondThePaper) {
  const std::string markdown = file_of(small_report(), "results.md");
  for (const char* head :
       {"| method | experts | setting | at 0 | at 2 |",
        "| method | anti-experts | generalists | independent noise | multi-strength |",
        "| method | setting | at 0 | at 0.25 |", "| method | at 1 | at 2 | at 4 |"}) {
    EXPECT_THAT(markdown, HasSubstr(head));
  }
}

TEST(StudyReport, MarkdownTablesHaveEqualRows) {
  std::istringstream lines(file_of(small_report(), "results.md"));
  std::string line;
  std::ptrdiff_t bars = 0;
  bool any = false;
  while (std::getline(lines, line)) {
    if (!line.starts_with("|")) {
      bars = 0;
      continue;
    }
    any = true;
    const std::ptrdiff_t here = std::count(line.begin(), line.end(), '|');
    if (bars == 0) bars = here;
    EXPECT_EQ(here, bars) << line;
  }
  EXPECT_TRUE(any);
}

TEST(StudyReport, WorksWithAnyPart) {
  const StudyRun whole = invent(small());
  for (const std::string& only : whole.selected) {
    SCOPED_TRACE(only);
    StudyRun run = whole;
    run.selected = {only};
    for (JobResult& result : run.results) {
      std::erase_if(result.rows, [&](const ResultRow& row) { return row.experiment != only; });
      if (only != "toy") result.points.clear();
    }
    const auto files = study_report(run);
    const std::string markdown = file_of(files, "results.md");
    EXPECT_THAT(markdown, HasSubstr("Not part of this run."));
    EXPECT_EQ(file_of(files, "table1.tex").empty(), only != "table1" && only != "imagenet16h");
  }
  StudyRun nothing;
  nothing.selected = {"table1"};
  nothing.jobs = {{"table1/blood/variable/ifd-peak/cohort-0", 0, "out of memory"}};
  nothing.results.resize(1);
  const std::string markdown = file_of(study_report(nothing), "results.md");
  EXPECT_THAT(markdown, HasSubstr("Not measured"));
  EXPECT_THAT(markdown, HasSubstr("out of memory"));
}

TEST(StudyReport, NamesTheCommandOfOneExperiment) {
  StudyRun run;
  run.command = "ifd reproduce --only toy,table1 --quick -o out";
  EXPECT_EQ(command_for(run, "lcb"), "ifd reproduce --quick -o out --only lcb");
  run.command = "ifd reproduce --only=toy --quick";
  EXPECT_EQ(command_for(run, "lcb"), "ifd reproduce --quick --only lcb");
}

TEST(StudyText, NumbersAsWritten) {
  EXPECT_EQ(signed_number(.0434), "+0.043");
  EXPECT_EQ(signed_number(-.05), "−0.050");
  EXPECT_EQ(signed_number(.0001), "0.000");
  EXPECT_EQ(mean_text(mean_of({.8, .9})), "0.850 ± 0.071");
  EXPECT_EQ(mean_text(mean_of({.8})), "0.800");
  EXPECT_EQ(mean_text({}), "–");
  EXPECT_EQ(duration_text(11520), "3 h 12 min");
}

// booktabs needs every row to have as many cells as the head has columns: 3 + 6 x 2.
TEST(LatexTable, EveryRowFillsEveryColumn) {
  const std::string latex = file_of(small_report(), "table1.tex");
  EXPECT_THAT(latex, HasSubstr("\\begin{tabular}{lll*{6}{cc}}"));
  std::istringstream lines(latex);
  std::string line;
  std::size_t rows = 0;
  while (std::getline(lines, line)) {
    if (!line.ends_with("\\\\") || line.find("multicolumn") != std::string::npos) continue;
    ++rows;
    EXPECT_EQ(std::count(line.begin(), line.end(), '&'), 14) << line;
  }
  EXPECT_EQ(rows, 1u + 2 * (2 * 2 * 2 + 3 * 2));  // measures; ours and published
  EXPECT_EQ(table1_latex(Summary({})), "");
  EXPECT_THAT(latex, HasSubstr("\\emph{published} & .80$\\pm$.01 & .69$\\pm$.03 & -- & --"));
}

// Jobs side by side count once, and what lies between two runs does not count.
TEST(WorkingTime, IsTheUnionOfAllJobs) {
  StudyRun run;
  EXPECT_EQ(working_time(run).pieces, 0U);
  const auto add = [&](double began, double seconds) {
    run.results.emplace_back();
    run.results.back().began = began;
    run.results.back().seconds = seconds;
  };
  add(1000, 100);
  add(1050, 20);   // within the first
  add(1090, 60);   // goes on after it
  add(1180, 10);   // half a minute later
  add(0, 0);       // failed
  add(9000, 300);  // another run
  EXPECT_EQ(working_time(run).seconds, 150 + 10 + 300);
  EXPECT_EQ(working_time(run).pieces, 2U);
}

}  // namespace
}  // namespace ifd::experiments
