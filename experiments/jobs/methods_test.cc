#include "experiments/jobs/methods.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ifd::experiments {
namespace {

TEST(Methods, ThePapersSettingsAreThePapers) {
  const Method method = method_named("ifd-peak");
  EXPECT_EQ(method.settings.to_json().dump(),
            R"({"objective":"peak","weight":"one","lcb_width":1.0,"state":"paper","head":"plain",)"
            R"("width":256,"context_size":35})");
}

}  // namespace
}  // namespace ifd::experiments
