#include "ifd/data/class_order.h"

#include <fmt/format.h>

#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

// The names that the others lack: "'cow', 'pig'"; empty where there are none.
std::string names_beyond(const ClassNames& names, const ClassNames& others) {
  constexpr std::size_t kShown = 6;
  std::string shown;
  std::size_t count = 0;
  for (const std::string& name : names.names()) {
    if (others.find(name)) continue;
    if (++count <= kShown) shown += fmt::format("{}'{}'", count == 1 ? "" : ", ", excerpt(name));
  }
  if (count > kShown) shown += fmt::format(", ... ({} in all)", count);
  return shown;
}

}  // namespace

Predictions in_class_order(const Predictions& predictions, const ClassNames& wanted,
                           const std::string& place) {
  const ClassNames& found = predictions.classes();
  if (found == wanted) return predictions;
  const std::string missing = names_beyond(wanted, found);
  const std::string besides = names_beyond(found, wanted);
  if (!missing.empty() || !besides.empty()) {
    throw bad_input(fmt::format("{}: {}{}{}{}{}; expected the classes {}", place,
                                missing.empty() ? "" : "lacks class ", missing,
                                missing.empty() || besides.empty() ? "" : " and ",
                                besides.empty() ? "" : "has class ", besides, wanted.allowed()));
  }
  const std::size_t k = wanted.size();
  std::vector<std::size_t> place_of(k);  // of each class there is, among the wanted
  for (std::size_t c = 0; c < k; ++c) place_of[c] = index(*wanted.find(found.name(class_id(c))));
  Predictions::Parts parts = predictions.parts();
  parts.classes = wanted;
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    const auto values = predictions.probabilities(row);
    for (std::size_t c = 0; c < k; ++c) parts.probabilities[row * k + place_of[c]] = values[c];
  }
  for (ClassId& label : parts.labels) label = class_id(place_of[index(label)]);
  return Predictions(std::move(parts));
}

}  // namespace ifd
