#include "fetch/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "ifd/error.h"

namespace ifd {
namespace {

constexpr auto kMd5 = ChecksumKind::kMd5;
constexpr auto kSha256 = ChecksumKind::kSha256;

// MedMNIST at 28x28: Zenodo record 10519652, the checksums as published with MedMNIST 3.0.2.
// ImageNet-16H: OSF project 2ntrf.
constexpr std::array kFiles = {
    KnownFile{"pathmnist", "pathmnist.npz",
              "https://zenodo.org/records/10519652/files/pathmnist.npz?download=1", kMd5,
              "a8b06965200029087d5bd730944a56c1", 0, "CC BY 4.0", "colon tissue, colour", 9},
    KnownFile{"chestmnist", "chestmnist.npz",
              "https://zenodo.org/records/10519652/files/chestmnist.npz?download=1", kMd5,
              "02c8a6516a18b556561a56cbdd36c4a8", 0, "CC BY 4.0",
              "chest X-rays, grey; several findings per image", 14},
    KnownFile{"dermamnist", "dermamnist.npz",
              "https://zenodo.org/records/10519652/files/dermamnist.npz?download=1", kMd5,
              "0744692d530f8e62ec473284d019b0c7", 0, "CC BY-NC 4.0",
              "skin lesions (HAM10000), colour", 7},
    KnownFile{"octmnist", "octmnist.npz",
              "https://zenodo.org/records/10519652/files/octmnist.npz?download=1", kMd5,
              "c68d92d5b585d8d81f7112f81e2d0842", 0, "CC BY 4.0", "retinal OCT, grey", 4},
    KnownFile{"pneumoniamnist", "pneumoniamnist.npz",
              "https://zenodo.org/records/10519652/files/pneumoniamnist.npz?download=1", kMd5,
              "28209eda62fecd6e6a2d98b1501bb15f", 0, "CC BY 4.0", "children's chest X-rays, grey",
              2},
    KnownFile{"retinamnist", "retinamnist.npz",
              "https://zenodo.org/records/10519652/files/retinamnist.npz?download=1", kMd5,
              "bd4c0672f1bba3e3a89f0e4e876791e4", 0, "CC BY 4.0",
              "grades of diabetic retinopathy, colour", 5},
    KnownFile{"breastmnist", "breastmnist.npz",
              "https://zenodo.org/records/10519652/files/breastmnist.npz?download=1", kMd5,
              "750601b1f35ba3300ea97c75c52ff8f6", 0, "CC BY 4.0", "breast ultrasound, grey", 2},
    KnownFile{"bloodmnist", "bloodmnist.npz",
              "https://zenodo.org/records/10519652/files/bloodmnist.npz?download=1", kMd5,
              "7053d0359d879ad8a5505303e11de1dc", 0, "CC BY 4.0", "blood cells, colour", 8},
    KnownFile{"tissuemnist", "tissuemnist.npz",
              "https://zenodo.org/records/10519652/files/tissuemnist.npz?download=1", kMd5,
              "ebe78ee8b05294063de985d821c1c34b", 0, "CC BY 4.0", "kidney cortex cells, grey", 8},
    KnownFile{"organamnist", "organamnist.npz",
              "https://zenodo.org/records/10519652/files/organamnist.npz?download=1", kMd5,
              "68e3f8846a6bd62f0c9bf841c0d9eacc", 0, "CC BY 4.0",
              "organs in abdominal CT (LiTS), axial, grey", 11},
    KnownFile{"organcmnist", "organcmnist.npz",
              "https://zenodo.org/records/10519652/files/organcmnist.npz?download=1", kMd5,
              "b9ceb9546e10131b32923c5bbeaea2b1", 0, "CC BY 4.0",
              "organs in abdominal CT (LiTS), coronal, grey", 11},
    KnownFile{"organsmnist", "organsmnist.npz",
              "https://zenodo.org/records/10519652/files/organsmnist.npz?download=1", kMd5,
              "9ab87b696fb54e2a387ebe992d6ed5f1", 0, "CC BY 4.0",
              "organs in abdominal CT (LiTS), sagittal, grey", 11},
    KnownFile{"imagenet16h-annotations", "human_only_classification_6per_img_export.csv",
              "https://osf.io/download/k2syr", kSha256,
              "cb8321e05a99b1df8956ce3a7c2c88074898a23e028d928cfa7d118a7f560ec8", 13985546,
              "see https://osf.io/2ntrf", "ImageNet-16H: answers of people", 16},
    KnownFile{"imagenet16h-baseline", "hai_baseline_model_preds_max_normalized.csv",
              "https://osf.io/download/up8dj", kSha256,
              "4f197144e299fbe24efb43c68eb65f9f45b082bc651f78ab2b1cd8678f07ad2e", 14009900,
              "see https://osf.io/2ntrf", "ImageNet-16H: predictions of models, not fine-tuned",
              16},
    KnownFile{"imagenet16h-epoch00", "hai_epoch00_model_preds_max_normalized.csv",
              "https://osf.io/download/9gqc6", kSha256,
              "4cf106c57fffc4ada2dc3d4205d685288a05e14d05ac7f215c4869ad045a5ec9", 39846150,
              "see https://osf.io/2ntrf", "ImageNet-16H: predictions of models, epoch 0", 16},
    KnownFile{"imagenet16h-epoch01", "hai_epoch01_model_preds_max_normalized.csv",
              "https://osf.io/download/6hb3y", kSha256,
              "4753345afd4403f2038c4e05cf34b357720af7b39fceaa65a15d87efc37e4d7f", 14202399,
              "see https://osf.io/2ntrf", "ImageNet-16H: predictions of models, epoch 1", 16},
    KnownFile{"imagenet16h-epoch10", "hai_epoch10_model_preds_max_normalized.csv",
              "https://osf.io/download/dfhvs", kSha256,
              "27a716f3a61c178178866d1370b0330d69e37428c37df88410e32fc0028713bc", 40336446,
              "see https://osf.io/2ntrf", "ImageNet-16H: predictions of models, epoch 10", 16},
};

constexpr std::array<std::string_view, 2> kImageNet16h = {"imagenet16h-annotations",
                                                          "imagenet16h-baseline"};
constexpr std::array kGroups = {
    KnownGroup{"imagenet16h", kImageNet16h, "ImageNet-16H: answers of people and of models"},
};

const KnownFile* find_file(std::string_view name) {
  const auto found = std::ranges::find(kFiles, name, &KnownFile::name);
  return found == kFiles.end() ? nullptr : &*found;
}

// Levenshtein's: the fewest letters to add, drop or change.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

Error unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const KnownGroup& group : kGroups) names.push_back(group.name);
  for (const KnownFile& file : kFiles) names.push_back(file.name);

  constexpr std::size_t kLongest = 64;  // a longer one is near no name
  constexpr std::size_t kNear = 3;
  std::string lower(name.substr(0, kLongest));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto distance = [&](std::string_view known) { return edit_distance(lower, known); };
  const std::string_view nearest = *std::ranges::min_element(names, {}, distance);
  const std::string hint =
      distance(nearest) <= kNear ? fmt::format("did you mean '{}'? ", nearest) : "";
  return {ErrorKind::kNotFound, fmt::format("no public data is called '{}'; {}expected one of {}",
                                            name, hint, fmt::join(names, ", "))};
}

}  // namespace

std::span<const KnownFile> known_files() { return kFiles; }

std::span<const KnownGroup> known_groups() { return kGroups; }

std::vector<const KnownFile*> find_known(std::string_view name) {
  if (const KnownFile* file = find_file(name)) return {file};
  const auto group = std::ranges::find(kGroups, name, &KnownGroup::name);
  if (group == kGroups.end()) throw unknown(name);
  std::vector<const KnownFile*> files;
  for (const std::string_view member : group->members) files.push_back(find_file(member));
  return files;
}

}  // namespace ifd
