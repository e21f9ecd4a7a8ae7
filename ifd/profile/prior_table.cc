#include "ifd/profile/prior_table.h"

#include <fmt/format.h>

#include <unordered_set>

#include "ifd/data/csv.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/label_kind.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/profile/prior.h"

namespace ifd {

PriorTable PriorTable::read(const std::filesystem::path& path, const ClassNames& classes,
                            const ReadOptions& options) {
  FileContents file = read_contents(path, options.limits);
  return from_bytes(std::move(file.bytes), source_name(path), classes,
                    ReadOptions(file.limits, options.sink));
}

PriorTable PriorTable::from_bytes(std::string bytes, const std::string& name,
                                  const ClassNames& classes, const ReadOptions& options) {
  CsvReader csv(std::move(bytes), name, options);
  const std::size_t expert_column = csv.required_column("expert");
  const std::size_t class_column = csv.required_column("class");
  const std::size_t strength = csv.required_column("strength");
  const auto mean = csv.column("mean");
  const auto accuracy = csv.column("accuracy");
  const auto confidence = csv.column("confidence");
  const bool by_mean = mean && !accuracy && !confidence;
  const bool by_word = !mean && accuracy && confidence;
  if (!by_mean && !by_word) {
    throw bad_input(
        fmt::format("{}: expected the columns 'mean' and 'strength', or 'accuracy', 'confidence' "
                    "and 'strength'",
                    name));
  }
  PriorTable table;
  // The expert's name stands in the key, in the list and among those seen.
  constexpr std::uint64_t kRowBytes =
      3 * (sizeof(std::string) + kNodeBytes) + sizeof(std::size_t) + sizeof(BetaPrior);
  std::unordered_set<std::string> seen = {"*"};
  while (csv.next()) {
    const std::string expert(csv.field(expert_column));
    csv.take_room(kRowBytes + 3 * expert.size());
    const std::string_view class_name = csv.field(class_column);
    std::size_t class_index = kEveryClass;
    if (class_name != "*") {
      const auto id = classes.find(class_name);
      if (!id) {
        throw bad_input(fmt::format("{}: '{}' is not a class; expected {} or *{}", csv.place(),
                                    excerpt(class_name), classes.allowed(),
                                    spelling_hint(classes, class_name)));
      }
      class_index = index(*id);
    }
    if (expert.empty()) {
      throw bad_input(fmt::format("{}: the expert has no name; expected one or *", csv.place()));
    }
    if (is_too_long(expert)) throw name_too_long(expert, csv.place());
    BetaPrior prior;
    try {
      prior = by_mean ? prior_with_mean(csv.number(*mean), csv.number(strength))
                      : self_assessed_prior(csv.number(*accuracy), csv.number(*confidence),
                                            csv.number(strength));
    } catch (const Error& error) {
      const std::string what = error.what();
      // A number the reader could not parse already says where it is.
      if (what.starts_with(csv.place())) throw;
      throw bad_input(fmt::format("{}: {}", csv.place(), what));
    }
    if (!table.priors_.emplace(std::pair(expert, class_index), prior).second) {
      throw bad_input(fmt::format("{}: expert '{}' and class '{}' are there twice; expected once",
                                  csv.place(), excerpt(expert), excerpt(class_name)));
    }
    if (seen.insert(expert).second) table.experts_.push_back(expert);
  }
  return table;
}

std::optional<BetaPrior> PriorTable::stated(const std::string& expert,
                                            std::size_t class_index) const {
  if (priors_.empty()) return {};
  for (const auto& key :
       {std::pair(expert, class_index), std::pair(expert, kEveryClass),
        std::pair(std::string("*"), class_index), std::pair(std::string("*"), kEveryClass)}) {
    const auto found = priors_.find(key);
    if (found != priors_.end()) return found->second;
  }
  return {};
}

std::vector<BetaPrior> PriorTable::of(const std::string& expert, std::size_t classes) const {
  std::vector<BetaPrior> priors(classes);
  for (std::size_t k = 0; k < classes; ++k) priors[k] = stated(expert, k).value_or(BetaPrior());
  return priors;
}

}  // namespace ifd
