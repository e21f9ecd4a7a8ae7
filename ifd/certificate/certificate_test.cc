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

// docs/formats.md: a day as text, or null for none. Whatever else must not read as "for ever".
TEST(Certificate, LastDayIsADateOrNull) {
  const std::string good = example_certificate().to_json();
  for (const std::string key : {"date", "expires"}) {
    const std::string day = key == "date" ? "\"2026-11-18\"" : "\"2027-06-30\"";
    const auto with = [&](const std::string& value) {
      std::string text = good;
      const std::string old = "\"" + key + "\": " + day;
      const std::size_t at = text.find(old);
      EXPECT_NE(at, std::string::npos);
      return text.replace(at, old.size(), "\"" + key + "\": " + value);
    };
    for (const char* value :
         {"-1", "0", "true", "false", "{}", "[]", "20270630", "[\"2027-06-30\"]"}) {
      EXPECT_EQ(refusal([&] { Certificate::from_json(with(value), "c.json"); }),
                "c.json key '" + key + "' is neither a date nor null; expected one of them")
          << value;
    }
    EXPECT_THROW(Certificate::from_json(with("\"\""), "c.json"), Error);
    const Certificate open = Certificate::from_json(with("null"), "c.json");
    EXPECT_FALSE(key == "date" ? open.date : open.expires);
  }
}

// No calibration writes these.
TEST(Certificate, RefusesWhatCannotHaveBeenCertified) {
  const auto refused = [](const auto& change) {
    Certificate made = example_certificate();
    change(made);
    return refusal([&] { Certificate::from_json(made.to_json(), "c.json"); });
  };
  const auto has = [&](const auto& change, const std::string& words) {
    EXPECT_EQ(refused(change), "c.json " + words);
  };
  has([](Certificate& c) { c.promises.clear(); }, "key 'promises' is empty; expected one or more");
  has([](Certificate& c) { c.cases = 0; }, "key 'cases' is 0; expected 1 to 9007199254740992");
  has([](Certificate& c) { c.promises[0].units = 0; },
      "key 'promises[0].units' is 0; expected 1 to 400");
  has([](Certificate& c) { c.promises[1].units = 401; },
      "key 'promises[1].units' is 401; expected 1 to 400");
  has([](Certificate& c) { c.promises[0].measured = .09; },
      "key 'promises[0].measured' is 0.09; expected at most the limit of 0.08");
  has([](Certificate& c) { std::swap(c.deferral_low, c.deferral_high); },
      "key 'deferral_high' is 0.17; expected 0.29 to 1");
  has([](Certificate& c) { c.deferral = .3; }, "key 'deferral' is 0.3; expected 0.17 to 0.29");
  has([](Certificate& c) { c.deferral_high = 1.5; },
      "key 'deferral_high' is 1.5; expected 0.17 to 1");
  has([](Certificate& c) { c.confidence = 1; },
      "key 'confidence' is 1; expected more than 0, less than 1");
  // At less than an even chance, a limit may be passed from above.
  Certificate unsure = example_certificate();
  unsure.confidence = .3;
  unsure.promises[0].measured = .081;
  EXPECT_EQ(Certificate::from_json(unsure.to_json(), "c.json").promises, unsure.promises);
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
