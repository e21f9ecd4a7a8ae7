// Policies trained with a calibration: the commands hand them what they were trained on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ifd/data/predictions_file.h"
#include "ifd/policy/policy_calibration.h"
#include "tests/command.h"

namespace ifd {
namespace {

using testing::HasSubstr;

class CalibratedPolicy : public testing::Test {
 protected:
  CalibratedPolicy() {
    put_example(folder_);
    folder_.put(
        "x.csv",
        "case,label,cat,dog\n"
        "x1,cat,0.75,0.25\nx2,cat,0.5625,0.4375\nx3,dog,0.625,0.375\nx4,dog,0.0625,0.9375\n");
    write_policy("plain.ifd", {});
  }

  void write_policy(const std::string& name, const std::optional<PolicyCalibration>& calibration) {
    PolicyFile file = PolicyFile::read(IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd");
    if (calibration) {
      auto metadata = nlohmann::json::parse(file.metadata_json);
      metadata["calibration"] = nlohmann::json::parse(to_json(*calibration));
      file.metadata_json = metadata.dump();
    }
    file.write(folder_ / name);
  }

  CommandResult run(const std::string& words) const {
    return run_command(folder_.path(), split_words(words));
  }
  std::string routes(const std::string& words) const {
    const CommandResult result = run("route --budget 0.6 --context c.csv " + words);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }

  ScratchDirectory folder_;
};

// Stored numbers are applied: as if the predictions had been calibrated by them beforehand. The
// offsets are large enough to change the model's own answer, which must follow.
TEST_F(CalibratedPolicy, AppliesWhatItsFileStores) {
  PolicyCalibration stored{CalibrationKind::kBias, CalibrationSource::kValidation, {.5, {-1, 1}}};
  stored.classes = {"cat", "dog"};
  write_policy("stored.ifd", stored);
  const Predictions read = read_predictions(folder_ / "p.csv");
  write_predictions(folder_ / "calibrated.npz", calibrated(read, stored.fitted));
  const std::string expected = routes("--policy plain.ifd --predictions calibrated.npz");
  EXPECT_EQ(routes("--policy stored.ifd --predictions p.csv"), expected);
  EXPECT_NE(routes("--policy plain.ifd --predictions p.csv"), expected);
  // Its own calibration takes the place of the one asked for.
  EXPECT_EQ(routes("--policy stored.ifd --predictions p.csv --calibrate temperature "
                   "--context-predictions x.csv"),
            expected);
}

TEST_F(CalibratedPolicy, StoredOffsetsRefuseOtherClasses) {
  PolicyCalibration stored{CalibrationKind::kBias, CalibrationSource::kValidation, {.5, {-1, 1}}};
  stored.classes = {"cat", "cow"};
  write_policy("stored.ifd", stored);
  const CommandResult result =
      run("route --budget 0.6 --context c.csv --predictions p.csv --policy stored.ifd");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.err,
            "ifd: stored.ifd: its calibration has an offset for each of the classes cat, cow and "
            "works for no others; the predictions have cat, dog\n");
}

// Fitted on the context in use: what --calibrate does for a policy without a calibration.
TEST_F(CalibratedPolicy, RefitsOnTheContextInUse) {
  for (const auto kind : {CalibrationKind::kTemperature, CalibrationKind::kBias}) {
    write_policy("own.ifd", PolicyCalibration{kind, CalibrationSource::kContext, {3, {9, -9}}});
    const std::string inputs = " --predictions p.csv --context-predictions x.csv ";
    const std::string asked = std::string("--calibrate ") + word_for(kind);
    EXPECT_EQ(routes("--policy own.ifd" + inputs), routes("--policy plain.ifd" + inputs + asked));
    const CommandResult result =
        run("evaluate --json --bootstrap 0 --context c.csv --answers a.csv "
            "--policy own.ifd,plain.ifd" +
            inputs + asked);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("own.ifd: calibrated ("));
    const auto policies = nlohmann::json::parse(result.out)["policies"];
    EXPECT_EQ(policies[0]["aursac"], policies[1]["aursac"]);
  }
  const CommandResult result =
      run("route --budget 0.6 --context c.csv --predictions p.csv --policy own.ifd");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("there is nothing to calibrate on"));
}

}  // namespace
}  // namespace ifd
