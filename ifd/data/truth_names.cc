#include "ifd/data/truth_names.h"

#include <fmt/format.h>

#include <unordered_set>

#include "ifd/data/answer_cells.h"
#include "ifd/data/csv.h"
#include "ifd/error.h"

namespace ifd {

ClassNames truth_names(std::span<const NamedBytes> files, const ReadOptions& options) {
  ReadOptions silent;
  silent.limits = options.limits;
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const NamedBytes& file : files) {
    CsvReader csv(file.bytes, file.name, silent);
    auto column = csv.column("truth");
    if (!column) column = csv.column("label");
    if (!column) {
      throw bad_input(fmt::format("{}: no column 'truth'; expected one", file.name));
    }
    while (csv.next()) {
      const std::string name(csv.field(*column));
      if (is_blank(name) || !seen.insert(name).second) continue;
      if (names.size() == kMaxClasses) {
        throw bad_input(fmt::format("{}: more than {} truths; expected at most that many classes",
                                    csv.place(), kMaxClasses));
      }
      names.push_back(name);
    }
  }
  if (names.size() < 2) {
    throw bad_input(fmt::format("{}: {} truths; expected two classes or more",
                                files.empty() ? "" : files.front().name, names.size()));
  }
  return ClassNames(std::move(names));
}

}  // namespace ifd
