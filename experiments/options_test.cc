#include "experiments/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/claims/stored_expectations.h"
#include "experiments/experiment_table.h"
#include "experiments/result/labels.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Options parsed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"ifd-reproduce", "reproduce"});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return *parse_options(static_cast<int>(argv.size()), argv.data());
}

TEST(Options, WithoutOnlyEveryExperimentIsSelectedThatNeedNotBeNamed) {
  EXPECT_EQ(parsed({}).selected(), experiment_names(Runs::kAlways));
  EXPECT_THAT(parsed({}).selected(), Not(Contains(kJoint)));
  EXPECT_THAT(parsed({"--only", "joint"}).selected(), ElementsAre(kJoint));
  EXPECT_THAT(parsed({"--only", "toy,lcb"}).selected(), ElementsAre(kToy, kAblation));
}

TEST(Options, CheckMayGoWithoutAFile) {
  EXPECT_FALSE(parsed({}).check);
  EXPECT_EQ(parsed({"--check"}).check, "");
  EXPECT_EQ(parsed({"--check", "own.json"}).check, "own.json");
}

// Fewer cohorts are fewer everywhere; more are more only where all cohorts are used.
TEST(Options, EffortFollows) {
  const Effort whole = parsed({}).effort();
  EXPECT_EQ(whole.cohorts, 10U);
  EXPECT_EQ(parsed({"--quick"}).effort().epochs, quick_effort().epochs);
  const Effort fewer = parsed({"--cohorts", "3", "--epochs", "7", "--seed", "5"}).effort();
  EXPECT_EQ(fewer.cohorts, 3U);
  EXPECT_EQ(fewer.ablation_seeds, 3U);
  EXPECT_EQ(fewer.epochs, 7U);
  EXPECT_EQ(fewer.joint_epochs, 7U);
  EXPECT_EQ(parsed({"--epochs", "500"}).effort().joint_epochs, whole.joint_epochs);
  EXPECT_EQ(fewer.patience, whole.patience);
  EXPECT_EQ(fewer.seed, 5U);
  EXPECT_EQ(parsed({"--cohorts", "20"}).effort().ablation_seeds, whole.ablation_seeds);
}

// The paper's protocol brings its contexts for L2D-Pop along, unless others are asked for.
TEST(Options, TheProtocolDecidesWhereContextsComeFrom) {
  const Effort population = parsed({}).effort();
  EXPECT_EQ(population.protocol, Protocol::kPopulation);
  EXPECT_EQ(population.pop_context, PopContext::kAllCases);
  const Effort paper = parsed({"--protocol", "paper"}).effort();
  EXPECT_EQ(paper.protocol, Protocol::kPaper);
  EXPECT_EQ(paper.pop_context, PopContext::kPool);
  EXPECT_EQ(parsed({"--protocol", "paper", "--pop-context", "all"}).effort().pop_context,
            PopContext::kAllCases);
  EXPECT_EQ(parsed({"--pop-context", "pool"}).effort().pop_context, PopContext::kPool);
  EXPECT_NE(paper.text(), population.text());
  EXPECT_NE(paper.text(), parsed({"--protocol", "paper", "--pop-context", "all"}).effort().text());
}

TEST(Options, RemembersTheCommand) {
  EXPECT_THAT(parsed({"--quick", "-o", "my out"}).command,
              ElementsAre("ifd", "reproduce", "--quick", "-o", "my out"));
}

void refused(const std::vector<std::string>& arguments, const std::string& why) {
  try {
    parsed(arguments);
    FAIL() << why;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr(why));
  }
}

// What comes with the program was measured in a study as it comes: another is compared with a file.
TEST(Options, RefusesTheProgramsExpectationsOfAnotherStudy) {
  refused({"--quick", "--protocol", "paper", "--check"},
          "--check: no expectations of the quick study under the paper's protocol come with the "
          "program; expected --check FILE, as --propose writes it");
  for (const auto& [option, value] :
       {std::pair("--cohorts", "3"), std::pair("--epochs", "7"), std::pair("--patience", "50"),
        std::pair("--pop-context", "pool"), std::pair("--seed", "5")}) {
    refused({option, value, "--check"},
            std::string(option) +
                " and --check: the program's own expectations are of a study without it; expected "
                "--check FILE, as --propose writes it");
    refused({"--quick", option, value, "--check"}, option);
    EXPECT_EQ(parsed({option, value, "--check", "own.json"}).check, "own.json");
  }
  // What would be so anyway may be said.
  EXPECT_EQ(parsed({"--cohorts", "10", "--pop-context", "all", "--seed", "0", "--check"}).check,
            "");
  EXPECT_EQ(parsed({"--quick", "--protocol", "paper", "--check", "own.json"}).check, "own.json");
}

// The paper's protocol has expectations of its own, which are of its own contexts for L2D-Pop.
TEST(Options, ThePapersProtocolIsComparedWithItsOwnExpectations) {
  if (stored_expectations(StoredStudy::kPaper).empty()) GTEST_SKIP() << "not stored yet";
  EXPECT_EQ(parsed({"--protocol", "paper", "--check"}).check, "");
  EXPECT_EQ(parsed({"--protocol", "paper", "--pop-context", "pool", "--check"}).check, "");
  refused({"--protocol", "paper", "--pop-context", "all", "--check"}, "--pop-context and --check");
}

TEST(Options, RefusesAnExperimentThatIsNotThere) { refused({"--only", "table9"}, "table9"); }

TEST(Options, RefusesImagesWhereThereAreNone) {
  refused({"--quick", "--only", "toy,joint"},
          "--quick has no images; --only joint goes without it");
}

}  // namespace
}  // namespace ifd::experiments
