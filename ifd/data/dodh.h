// DOD-H (Guillot et al. 2020): sleep recordings of healthy people, scored by five people and many
// networks, in the files as published (github.com, repository
// Dreem-Organization/dreem-learning-evaluation, commit 1e4c142):
//
//   scorers/dodh/SCORER/RECORDING.json          a list of stages, one per epoch of thirty seconds
//   results/dodh/FAMILY/NETWORK/RECORDING.json  the same by a network
//
// 0 wake, 1 n1, 2 n2, 3 n3, 4 rem; any other number: not scored.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/class_names.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_limits.h"

namespace ifd {

// wake, n1, n2, n3, rem.
const ClassNames& dodh_classes();

// The stages of one recording, as one scorer or network saw it.
using Hypnogram = std::vector<Answer>;
// What was not scored is Answer::missing(). At most 100,000 epochs (a month); Error(kBadInput or
// kCorruptFile) for what is no such list.
Hypnogram hypnogram_from_bytes(std::string_view bytes, const std::string& name);

struct ScoredRecording {
  std::string name;
  std::vector<Hypnogram> scorers;   // everybody's, as long as each other
  std::vector<Hypnogram> networks;  // likewise
};

// By how many epochs the networks began before the scorers (negative: after them): some published
// recordings are shifted against each other. It is the shift of at most 120 epochs at which most
// epochs have the same majority; the smallest of those that are as good.
int shift_of_networks(const ScoredRecording& recording);

struct ScoredSleep {
  Predictions predictions;  // (votes of the networks + 1/2), normalised; cases "r03-0017"
  AnswerTable answers;      // of the scorers
};
// Recordings are numbered r00, r01, ... in this order; epochs that only scorers or only networks
// saw are left out. Error(kBadInput) where lists that must be as long as each other are not, or
// where no epoch is left.
ScoredSleep scored_sleep(const std::vector<std::string>& scorers,
                         const std::vector<ScoredRecording>& recordings);

// Whether the folder holds the published files.
bool is_dodh_clone(const std::filesystem::path& folder);
// Recordings in the order of their names, networks of all families. Scorers "scorer_1" are called
// "scorer1". A recording that somebody did not score, or that has no network, is an Error.
ScoredSleep read_dodh_clone(const std::filesystem::path& folder, const ReadLimits& limits = {});

}  // namespace ifd
