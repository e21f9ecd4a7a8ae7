#include "experiments/report/claims_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "experiments/claims/wording.h"

namespace ifd::experiments {
namespace {

using Verdict = Claim::Verdict;

// " From −0.012 to +0.061.", or of a single one its numbers.
std::string extent(const Claim& claim) {
  if (claim.findings.size() == 1) return " " + claim.findings.front().numbers + ".";
  const auto [least, most] = std::ranges::minmax_element(claim.findings, {}, &Finding::value);
  if (least == claim.findings.end() || !least->value) return "";
  return fmt::format(" Differences from {} to {}.", signed_number(*least->value),
                     signed_number(*most->value));
}

std::vector<Words> item_of(const Claim& claim) {
  std::vector<Words> item = {strong(claim.text)};
  if (claim.source == Claim::Source::kOurs) item.push_back(plain(" (ours)"));
  if (claim.verdict() != Verdict::kNotMeasured) {
    item.push_back(plain(fmt::format(" {}.{}", verdict_text(claim), extent(claim))));
  }
  return item;
}

Table every_finding(const std::vector<Claim>& claims) {
  Table all{"Every finding", {{"claim"}, {"where"}, {"numbers"}, {"outcome"}}, {}};
  for (const Claim& claim : claims) {
    for (const Finding& finding : claim.findings) {
      all.rows.push_back({claim.id, finding.where, finding.numbers, outcome_text(finding.outcome)});
    }
  }
  return all;
}

Table readings(const std::vector<Claim>& claims) {
  Table all{"The paper's words, and how to understand what is not shown",
            {{"claim"}, {"the paper"}, {"how to understand it"}},
            {}};
  for (const Claim& claim : claims) {
    const bool explained =
        claim.verdict() != Verdict::kShown && claim.verdict() != Verdict::kNotMeasured;
    const std::string reading = explained ? claim.reading : "";
    if (claim.quote.empty() && reading.empty()) continue;
    all.rows.push_back({claim.id, claim.quote, reading});
  }
  return all;
}

}  // namespace

void write_claims(Document& document, const std::vector<Claim>& claims) {
  document.section("What is shown and what is not", "summary");
  const ClaimCounts count = count_claims(claims);
  std::vector<KeyFigure> figures = {
      {std::to_string(count.shown), "claims are shown", "everywhere"},
      {std::to_string(count.in_part), "are shown in part", "the rest is open"},
      {std::to_string(count.contradicted), "are contradicted", "somewhere at least"},
      {std::to_string(count.open), "are open", "the intervals do not decide"}};
  if (count.missing > 0) {
    figures.push_back({std::to_string(count.missing), "not measured", "in this run"});
  }
  document.key_figures(std::move(figures));
  document.paragraph(
      "The program checks each claim on every data set and group of experts it speaks of, in "
      "AURSAC unless it says otherwise. It is shown where the 95 % interval lies beyond the bound "
      "that the claim names, contradicted where it lies on the other side, and open where it "
      "includes the bound. A claim speaks of all its places: one that contradicts it is enough. "
      "These intervals are each at 95 %, not corrected for there being many; those of the first "
      "screen are. The claims are the paper's unless marked as ours.");
  constexpr std::pair<Verdict, const char*> kGroups[] = {
      {Verdict::kContradicted, "Contradicted"},
      {Verdict::kInPart, "Shown in part, contradicted nowhere"},
      {Verdict::kOpen, "Open"},
      {Verdict::kShown, "Shown"},
      {Verdict::kNotMeasured, "Not measured in this run"}};
  const auto list = [&](const std::string& title, const auto& takes) {
    std::vector<std::vector<Words>> items;
    for (const Claim& claim : claims) {
      if (takes(claim)) items.push_back(item_of(claim));
    }
    if (items.empty()) return;
    document.paragraph({strong(title)});
    document.list(std::move(items));
  };
  for (const auto& [verdict, title] : kGroups) {
    list(title, [wanted = verdict](const Claim& claim) {
      return claim.verdict() == wanted && !claim.by_construction;
    });
  }
  list("By construction: these could not have failed, and are not counted", [](const Claim& claim) {
    return claim.by_construction && claim.verdict() != Verdict::kNotMeasured;
  });
  document.table(readings(claims), Document::Reach::kPageOnly);
  document.table(every_finding(claims), Document::Reach::kPageOnly);
}

}  // namespace ifd::experiments
