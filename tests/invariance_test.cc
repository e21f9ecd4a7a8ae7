// Permutation invariance (Prop. ifd-invariance, and Prop. bayes-equiv for the classifier): renaming
// the classes of model and experts together changes no state, margin or route, to the last bit. Few
// answers per class and coarse probabilities make ties common, and ties are where a name could
// leak.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "ifd/policy/conformal_policy.h"
#include "ifd/policy/role_policy.h"
#include "ifd/policy/scoring.h"
#include "ifd/policy/untrained.h"
#include "ifd/random/keyed_random.h"
#include "ifd/rejector/peak_rule.h"
#include "ifd/rejector/trained_rejector.h"
#include "ifd/role/role_reader.h"
#include "tests/instruction_sets.h"

namespace ifd {
namespace {

constexpr std::size_t kCases = 10;
constexpr std::size_t kExperts = 4;
constexpr std::uint64_t kWorlds = 25000;  // x 10 cases x 4 experts = a million draws

// A classifier's outputs and a roster over the same classes, rich in ties.
struct World {
  Predictions predictions;
  Roster roster;
};

enum class Scores { kProbabilities, kLogits };

World make_world(std::uint64_t seed, Scores scores) {
  const Key key = Key(seed).with("world");
  const std::size_t classes = 2 + key.below(7);
  std::vector<float> probabilities;
  if (scores == Scores::kProbabilities) {
    for (std::size_t i = 0; i < kCases; ++i) {
      std::vector<float> row(classes, 0);
      // Eight equal parts dealt to the classes: exact ties and zeros.
      for (std::size_t part = 0; part < 8; ++part) {
        row[key.with("case").with(i).below(classes, part)] += .125F;
      }
      probabilities.insert(probabilities.end(), row.begin(), row.end());
    }
  } else {
    std::vector<double> logits(kCases * classes);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      logits[i] = static_cast<double>(key.with("logit").below(5, i)) * .7;
    }
    probabilities = Predictions::from_logits(logits, classes);
  }
  Roster roster;
  for (std::size_t j = 0; j < kExperts; ++j) {
    ExpertProfile profile(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      const Key cell = key.with("expert").with(j).with(k);
      const std::size_t answers = cell.below(4);
      for (std::size_t i = 0; i < answers; ++i) {
        profile.observe(
            {.truth = class_id(k),
             .answer = cell.uniform(1 + i) < .6 ? Answer(class_id(k)) : Answer::outside()});
      }
    }
    roster.names.push_back("expert " + std::to_string(j));
    roster.profiles.push_back(std::move(profile));
  }
  return {Predictions({ClassNames::numbered(classes), {}, probabilities, {}, {}, 0}), roster};
}

// Class k becomes class renamed[k] everywhere.
World relabel(const World& world, const std::vector<std::size_t>& renamed) {
  const std::size_t classes = renamed.size();
  std::vector<float> probabilities(kCases * classes);
  for (std::size_t i = 0; i < kCases; ++i) {
    for (std::size_t k = 0; k < classes; ++k) {
      probabilities[i * classes + renamed[k]] = world.predictions.probabilities(i)[k];
    }
  }
  Roster roster;
  roster.names = world.roster.names;
  for (const ExpertProfile& profile : world.roster.profiles) {
    ExpertProfile moved(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      const BetaPosterior& posterior = profile.at(class_id(k));
      const ClassId to = class_id(renamed[k]);
      for (std::uint64_t i = 0; i < posterior.answers(); ++i) {
        moved.observe(
            {.truth = to, .answer = i < posterior.correct() ? Answer(to) : Answer::outside()});
      }
    }
    roster.profiles.push_back(std::move(moved));
  }
  return {Predictions({ClassNames::numbered(classes), {}, probabilities, {}, {}, 0}), roster};
}

std::vector<std::size_t> random_permutation(const Key& key, std::size_t size) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[key.below(i, i)]);
  return order;
}

// A network with random weights: nothing in it knows a class.
std::vector<Mlp::Layer> random_layers(std::size_t width) {
  const Key key = Key(5).with("network").with(width);
  std::uint64_t draw = 0;
  std::vector<Mlp::Layer> layers;
  for (const std::size_t out : {20, 9, 1}) {
    Mlp::Layer layer{width, out, std::vector<float>(width * out), std::vector<float>(out)};
    for (float& weight : layer.weights) weight = static_cast<float>(key.normal(draw++) * .7);
    for (float& bias : layer.bias) bias = static_cast<float>(key.normal(draw++) * .3);
    layers.push_back(std::move(layer));
    width = out;
  }
  return layers;
}

std::unique_ptr<RoleRejector> random_network(StateSet state_set, Head head, MarginScale scale) {
  static const auto kSixNumbers = random_layers(6);
  static const auto kTwelveNumbers = random_layers(12);
  return std::make_unique<TrainedRejector>(
      TrainedRejectorParts{
          state_set, head, state_set == StateSet::kPaper ? kSixNumbers : kTwelveNumbers, {}},
      scale);
}

// The sets of a model that is right with its top class on these cases.
ConformalSets sets_by_top_classes(const Predictions& predictions) {
  std::vector<ClassId> labels;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const auto p = predictions.probabilities(i);
    labels.push_back(
        class_id(static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin())));
  }
  return ConformalSets(predictions.with_labels(std::move(labels)));
}

std::vector<std::unique_ptr<DeferralPolicy>> policies(const World& world, TieRule ties) {
  const Roster& roster = world.roster;
  const ConformalSets sets = sets_by_top_classes(world.predictions);
  std::vector<std::unique_ptr<DeferralPolicy>> all;
  for (const MarginScale scale : {MarginScale::kProbability, MarginScale::kLogit}) {
    all.push_back(plug_in_policy(roster, scale));
    all.push_back(role_policy(roster, std::make_unique<PeakRule>(scale), ties));
    all.push_back(confidence_policy(roster, scale));
    all.push_back(conformal_policy(roster, sets, scale));
    for (const StateSet state_set : {StateSet::kPaper, StateSet::kExtended}) {
      for (const Head head : {Head::kPlain, Head::kResidual}) {
        all.push_back(role_policy(roster, random_network(state_set, head, scale), ties));
      }
    }
  }
  return all;
}

struct Differences {
  std::size_t states = 0;
  std::size_t margins = 0;
  std::size_t routes = 0;
};

Differences compare(const World& world, const World& renamed, TieRule ties) {
  Differences found;
  const RosterReadings readings(world.roster.profiles, ties);
  const RosterReadings renamed_readings(renamed.roster.profiles, ties);
  RosterReader reader(readings);
  RosterReader renamed_reader(renamed_readings);
  std::vector<ExtendedRoleState> before(kExperts), after(kExperts);
  for (std::size_t i = 0; i < kCases; ++i) {
    reader.extended_states(world.predictions.probabilities(i), before);
    renamed_reader.extended_states(renamed.predictions.probabilities(i), after);
    for (std::size_t j = 0; j < kExperts; ++j) found.states += before[j] != after[j];
  }
  const auto policies_before = policies(world, ties);
  const auto policies_after = policies(renamed, ties);
  const Availability everybody(kExperts);
  for (std::size_t p = 0; p < policies_before.size(); ++p) {
    const auto margins_before = all_margins(*policies_before[p], world.predictions, everybody);
    const auto margins_after = all_margins(*policies_after[p], renamed.predictions, everybody);
    for (std::size_t i = 0; i < margins_before.size(); ++i) {
      found.margins += margins_before[i] != margins_after[i];
    }
    const auto winners_before =
        winning_margins(*policies_before[p], world.predictions, world.roster.names, everybody);
    const auto winners_after =
        winning_margins(*policies_after[p], renamed.predictions, renamed.roster.names, everybody);
    for (std::size_t i = 0; i < kCases; ++i) {
      found.routes += winners_before.margin[i] != winners_after.margin[i] ||
                      winners_before.expert[i] != winners_after.expert[i];
    }
  }
  return found;
}

void expect_invariance(std::uint64_t worlds) {
  for (const Scores scores : {Scores::kProbabilities, Scores::kLogits}) {
    for (std::uint64_t seed = 0; seed < worlds; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const World world = make_world(seed, scores);
      const World renamed =
          relabel(world, random_permutation(Key(seed), world.predictions.classes().size()));
      const Differences found = compare(world, renamed, TieRule::kByReadings);
      ASSERT_EQ(found.states, 0u);
      ASSERT_EQ(found.margins, 0u);
      ASSERT_EQ(found.routes, 0u);
    }
  }
}

TEST(Invariance, CoherentRelabellingChangesNoBit) { expect_invariance(kWorlds); }

TEST(Invariance, HoldsOnEveryInstructionSet) {
  on_every_instruction_set([] { expect_invariance(200); });
}

// The textbook argmax fails the same comparison, so the test above is able to fail.
TEST(Invariance, LowestIndexBreaksIt) {
  Differences found;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const World world = make_world(seed, Scores::kProbabilities);
    const World renamed =
        relabel(world, random_permutation(Key(seed), world.predictions.classes().size()));
    const Differences here = compare(world, renamed, TieRule::kLowestIndex);
    found.states += here.states;
    found.margins += here.margins;
    found.routes += here.routes;
  }
  EXPECT_GT(found.states, 1000u);
  EXPECT_GT(found.margins, 1000u);
  EXPECT_GT(found.routes, 1000u);
}

// Logits that are renamed before the softmax give probabilities renamed bit for bit.
TEST(Invariance, SoftmaxCommutesWithRenaming) {
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t classes = 2 + key.below(15);
    const auto renamed = random_permutation(key, classes);
    std::vector<double> logits(classes), moved(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      moved[renamed[k]] = logits[k] = key.with("g").normal(k) * 5;
    }
    const auto before = Predictions::from_logits(logits, classes);
    const auto after = Predictions::from_logits(moved, classes);
    for (std::size_t k = 0; k < classes; ++k) ASSERT_EQ(before[k], after[renamed[k]]);
  }
}

}  // namespace
}  // namespace ifd
