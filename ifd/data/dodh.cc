#include "ifd/data/dodh.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ifd/data/case_votes.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/json_text.h"
#include "ifd/error.h"

namespace ifd {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEpochs = 100'000;
constexpr int kLargestShift = 120;

// What most of the lists say about an epoch.
std::vector<std::optional<ClassId>> majorities(const std::vector<Hypnogram>& lists) {
  CaseVotes votes(dodh_classes().size());
  std::vector<std::optional<ClassId>> majority(lists.empty() ? 0 : lists.front().size());
  std::vector<Answer> stages;
  for (std::size_t epoch = 0; epoch < majority.size(); ++epoch) {
    stages.clear();
    for (const Hypnogram& list : lists) stages.push_back(list[epoch]);
    votes.count(stages);
    majority[epoch] = votes.majority();
  }
  return majority;
}

void require_equal_lengths(const ScoredRecording& recording, const std::vector<Hypnogram>& lists,
                           const char* whose) {
  for (const Hypnogram& list : lists) {
    if (list.size() == lists.front().size()) continue;
    throw bad_input(fmt::format("recording {}: {} have {} and {} epochs; expected as many",
                                recording.name, whose, lists.front().size(), list.size()));
  }
}

// Files RECORDING.json of a folder, by their names without the end.
std::map<std::string, fs::path> recordings_in(const fs::path& folder) {
  std::map<std::string, fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.emplace(entry.path().stem().string(), entry);
  }
  return files;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

Hypnogram read_hypnogram(const fs::path& path, const ReadLimits& limits) {
  return hypnogram_from_bytes(read_file(path, limits), path.string());
}

// The epochs that both saw become cases.
class SleepTable {
 public:
  explicit SleepTable(std::size_t scorers) : scorers_(scorers) {}

  void add(const ScoredRecording& recording, std::size_t number) {
    const int shift = shift_of_networks(recording);
    const auto epochs = static_cast<int>(recording.scorers.front().size());
    const auto seen = static_cast<int>(recording.networks.front().size());
    for (int epoch = 0; epoch < epochs; ++epoch) {
      const int of_networks = epoch + shift;
      if (of_networks < 0 || of_networks >= seen) continue;
      parts_.cases.push_back(fmt::format("r{:02}-{:04}", number, epoch));
      add_votes(recording.networks, static_cast<std::size_t>(of_networks));
      for (const Hypnogram& scorer : recording.scorers) {
        stages_.push_back(scorer[static_cast<std::size_t>(epoch)]);
      }
    }
  }

  ScoredSleep made(const std::vector<std::string>& names) && {
    if (parts_.cases.empty()) {
      throw bad_input("DOD-H: no epoch that scorers and networks both saw; expected some");
    }
    AnswerTable answers(names, parts_.cases.size());
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      answers.set(case_id(i / scorers_), expert_id(i % scorers_), stages_[i]);
    }
    return {Predictions(std::move(parts_)), std::move(answers)};
  }

 private:
  void add_votes(const std::vector<Hypnogram>& networks, std::size_t epoch) {
    const std::size_t classes = parts_.classes.size();
    std::vector<double> votes(classes, .5);
    for (const Hypnogram& network : networks) {
      if (!network[epoch].is_missing()) votes[index(network[epoch].as_class())] += 1;
    }
    double all = 0;
    for (const double count : votes) all += count;
    for (const double count : votes) {
      parts_.probabilities.push_back(static_cast<float>(count / all));
    }
  }

  std::size_t scorers_;
  Predictions::Parts parts_ = {dodh_classes(), {}, {}, {}, {}};
  std::vector<Answer> stages_;  // by case and scorer
};

}  // namespace

const ClassNames& dodh_classes() {
  static const ClassNames kClasses({"wake", "n1", "n2", "n3", "rem"});
  return kClasses;
}

Hypnogram hypnogram_from_bytes(std::string_view bytes, const std::string& name) {
  const JsonValue json = JsonValue::parse(bytes, name + ": the list");
  const std::vector<JsonValue> items = json.items();
  if (items.size() > kMostEpochs) {
    json.refuse(fmt::format("has {} epochs; expected at most {}", items.size(), kMostEpochs));
  }
  Hypnogram stages;
  stages.reserve(items.size());
  for (const JsonValue& item : items) {
    const std::int64_t stage = item.integer();
    const bool scored = stage >= 0 && stage < static_cast<std::int64_t>(dodh_classes().size());
    stages.push_back(scored ? Answer(class_id(static_cast<std::size_t>(stage)))
                            : Answer::missing());
  }
  return stages;
}

int shift_of_networks(const ScoredRecording& recording) {
  const auto people = majorities(recording.scorers);
  const auto networks = majorities(recording.networks);
  const auto agreeing = [&](int shift) {
    std::size_t same = 0;
    for (std::size_t epoch = 0; epoch < people.size(); ++epoch) {
      const auto at = static_cast<std::ptrdiff_t>(epoch) + shift;
      if (at < 0 || at >= static_cast<std::ptrdiff_t>(networks.size()) || !people[epoch]) continue;
      same += people[epoch] == networks[static_cast<std::size_t>(at)] ? 1 : 0;
    }
    return same;
  };
  int best = 0;
  std::size_t most = agreeing(0);
  for (int distance = 1; distance <= kLargestShift; ++distance) {
    for (const int shift : {distance, -distance}) {
      const std::size_t same = agreeing(shift);
      if (same > most) {
        most = same;
        best = shift;
      }
    }
  }
  return best;
}

ScoredSleep scored_sleep(const std::vector<std::string>& scorers,
                         const std::vector<ScoredRecording>& recordings) {
  SleepTable table(scorers.size());
  for (std::size_t r = 0; r < recordings.size(); ++r) {
    const ScoredRecording& recording = recordings[r];
    if (recording.scorers.size() != scorers.size() || scorers.empty() ||
        recording.networks.empty()) {
      throw bad_input(fmt::format(
          "recording {}: {} scorers and {} networks; expected {} scorers and some network",
          recording.name, recording.scorers.size(), recording.networks.size(), scorers.size()));
    }
    require_equal_lengths(recording, recording.scorers, "the scorers");
    require_equal_lengths(recording, recording.networks, "the networks");
    table.add(recording, r);
  }
  return std::move(table).made(scorers);
}

bool is_dodh_clone(const fs::path& folder) {
  return fs::is_directory(folder / "scorers/dodh") && fs::is_directory(folder / "results/dodh");
}

ScoredSleep read_dodh_clone(const fs::path& folder, const ReadLimits& limits) {
  std::vector<std::string> names;
  std::map<std::string, ScoredRecording> recordings;
  for (const fs::path& scorer : folders_in(folder / "scorers/dodh")) {
    std::string name = scorer.filename().string();
    std::erase(name, '_');
    names.push_back(std::move(name));
    for (const auto& [recording, file] : recordings_in(scorer)) {
      recordings[recording].scorers.push_back(read_hypnogram(file, limits));
    }
  }
  for (const fs::path& family : folders_in(folder / "results/dodh")) {
    for (const fs::path& network : folders_in(family)) {
      for (const auto& [recording, file] : recordings_in(network)) {
        const auto scored = recordings.find(recording);
        if (scored != recordings.end()) {
          scored->second.networks.push_back(read_hypnogram(file, limits));
        }
      }
    }
  }
  std::vector<ScoredRecording> in_order;
  for (auto& [name, recording] : recordings) {
    recording.name = name;
    in_order.push_back(std::move(recording));
  }
  return scored_sleep(names, in_order);
}

}  // namespace ifd
