#include "ifd/certificate/certificate.h"

#include <gtest/gtest.h>

#include "ifd/certificate/certified_thresholds.h"
#include "ifd/error.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

Certificate example_certificate() {
  Certificate made{};
  made.threshold = .12345678901234567;
  made.confidence = .9;
  made.promises = {{CertifiedPromise::Kind::kError, "", .08, .0625, 400},
                   {CertifiedPromise::Kind::kClassError, "mel\"anoma", .025, .01, 100}};
  made.deferral = .23;
  made.deferral_low = .17;
  made.deferral_high = .29;
  made.cases = 400;
  made.scope.roster = {{"ann", true}, {"bob", false}};
  made.scope.policy = "plug-in";
  made.scope.settings = "0123456789abcdef";
  made.scope.profiles = "fedcba9876543210";
  made.calibration = "0011223344556677";
  made.date = CalendarDate::parse("2026-11-18");
  made.expires = CalendarDate::parse("2027-06-30");
  return made;
}

TEST(Certificate, IsReadAsItWasWritten) {
  for (const double threshold : {.12345678901234567, -3e-300, kDeferAll, kDeferNone}) {
    Certificate made = example_certificate();
    made.threshold = threshold;
    const Certificate again = Certificate::from_json(made.to_json(), "c.json");
    EXPECT_EQ(again.to_json(), made.to_json());
    EXPECT_EQ(again.threshold, threshold);
    EXPECT_EQ(again.promises, made.promises);
    EXPECT_EQ(again.scope, made.scope);
    EXPECT_EQ(again.expires, made.expires);
    EXPECT_EQ(again.source, "c.json");
  }
  const ScratchDirectory folder;
  example_certificate().write(folder.path() / "c.json");
  EXPECT_EQ(Certificate::read(folder.path() / "c.json").to_json(), example_certificate().to_json());
}

TEST(Certificate, SaysItsPromisesInASentence) {
  EXPECT_EQ(certificate_sentence(example_certificate()),
            "system error <= 8 %, mel\"anoma missed <= 2.5 % with 90 % confidence, deferring 23 % "
            "(17-29 %)");
}

TEST(Certificate, RefusesAnotherScope) {
  const Certificate made = example_certificate();
  EXPECT_NO_THROW(require_scope(made, made.scope));
  DecisionScope other = made.scope;
  other.roster[1].on_duty = true;
  EXPECT_EQ(refusal([&] { require_scope(made, other); }),
            "certificate: another roster: it is for 'ann', 'bob' (off duty), and there are 'ann', "
            "'bob'; expected the same, or a certificate for this one");
  other = made.scope;
  other.policy = "confidence";
  EXPECT_THROW(require_scope(made, other), Error);
  other = made.scope;
  other.profiles = "0";
  EXPECT_THROW(require_scope(made, other), Error);
  other = made.scope;
  other.settings = "0";
  EXPECT_THROW(require_scope(made, other), Error);
}

TEST(Certificate, HoldsUntilItsLastDay) {
  Certificate made = example_certificate();
  EXPECT_NO_THROW(require_in_force(made, CalendarDate::parse("2027-06-30")));
  EXPECT_EQ(refusal([&] { require_in_force(made, CalendarDate::parse("2027-07-01")); }),
            "certificate: it held until 2027-06-30; expected one that is in force today");
  made.expires.reset();
  EXPECT_NO_THROW(require_in_force(made, CalendarDate::parse("2999-01-01")));
}

TEST(Certificate, RefusesWhatMakesNoSense) {
  const std::string good = example_certificate().to_json();
  const auto with = [&](const std::string& what, const std::string& instead) {
    std::string text = good;
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), instead);
    return text;
  };
  for (const std::string& text :
       {std::string("{}"), std::string("[]"), std::string("no JSON"),
        with("certificate 1", "certificate 2"), with("\"confidence\": 0.9", "\"confidence\": 9"),
        with("\"deferral\": 0.23", "\"deferral\": \"much\""), with("2027-06-30", "2027-02-30"),
        with("\"kind\": \"error\"", "\"kind\": \"joy\""), with("\"case\"", "\"dozen\""),
        with("\"threshold\": 0.12345678901234566", "\"threshold\": \"some\"")}) {
    EXPECT_THROW(Certificate::from_json(text, "c.json"), Error) << text;
  }
}

TEST(CalendarDate, IsADayOfTheCalendar) {
  EXPECT_EQ(CalendarDate::parse("2024-02-29").text(), "2024-02-29");
  EXPECT_LT(CalendarDate::parse("2024-12-31"), CalendarDate::parse("2025-01-01"));
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-1-1", "", "20240229", "2024-02-2x",
                           "2024/02/29", "0000-01-01", "2024-00-10", "2024-01-00"}) {
    EXPECT_THROW(CalendarDate::parse(text), Error) << text;
  }
}

}  // namespace
}  // namespace ifd
