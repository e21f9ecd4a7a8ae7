#include "experiments/jobs/methods.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/refusal.h"

namespace ifd::experiments {
namespace {

TEST(Methods, ThePapersSettingsAreThePapers) {
  EXPECT_EQ(method_named("ifd-peak", {}).settings.to_json().dump(),
            R"({"objective":"peak","weight":"one","lcb_width":1.0,"state":"paper","head":"plain",)"
            R"("width":256,"context_size":35})");
}

// No policy in the cache is taken for another method's, or for one trained otherwise.
TEST(Methods, SettingsTellPoliciesApart) {
  std::set<std::string> texts;
  std::size_t trainings = 0;
  const auto add = [&](const Method& method, const char* lesson, const train::Schedule& schedule) {
    texts.insert(training_settings(method, lesson, schedule));
    ++trainings;
  };
  for (const char* name :
       {"ifd-peak", "ifd-peak-lcb", "ifd-peak-mean", "ifd-peak-binary", "ifd-expected",
        "ifd-residual", "pop-qi", "pop-qc", "pop-qi-perm", "pop-qc-perm", "multi-expert"}) {
    add(method_named(name, {}), "blood", {});
  }
  for (const char* name : {"pop-qi", "pop-qc", "pop-qi-perm", "pop-qc-perm"}) {
    add(method_named(name, PopContext::kPool), "blood", {});
  }
  Method smaller = method_named("ifd-peak", {});
  smaller.settings.set("context_size", std::size_t{10});
  add(smaller, "blood", {});
  add(method_named("ifd-peak", {}), "ham10000", {});
  add(method_named("ifd-peak", {}), "blood", {.seed = 1});
  EXPECT_EQ(texts.size(), trainings);
}

TEST(Methods, RefusesANameThatNoTableHas) {
  EXPECT_EQ(refusal([] { method_named("ifd", {}); }), "'ifd' is not a method of the tables");
}

}  // namespace
}  // namespace ifd::experiments
