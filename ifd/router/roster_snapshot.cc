#include "ifd/router/roster_snapshot.h"

namespace ifd {

const RosterReadings& RosterPage::readings() const {
  // Not std::call_once: where memory ends within it, the C library needs some to unwind, and ends
  // the program.
  const std::lock_guard lock(reading_);
  if (!readings_) readings_.emplace(roster_.profiles, ties_);
  return *readings_;
}

ExpertId RosterSnapshot::expert_named(std::string_view name) const {
  const auto found = number_of->find(name);
  if (found == number_of->end()) throw unknown_expert(name, *names);
  return found->second;
}

RosterSnapshot::Place RosterSnapshot::place_of(ExpertId expert) const {
  std::size_t row = index(expert);
  for (std::size_t page = 0; page < pages.size(); ++page) {
    if (row < pages[page]->size()) return {page, row};
    row -= pages[page]->size();
  }
  return {pages.size(), 0};
}

const ExpertProfile& RosterSnapshot::profile(ExpertId expert) const {
  const Place place = place_of(expert);
  return pages[place.page]->roster().profiles[place.row];
}

Roster RosterSnapshot::roster() const {
  Roster all;
  for (const auto& page : pages) {
    const Roster& part = page->roster();
    all.names.insert(all.names.end(), part.names.begin(), part.names.end());
    all.profiles.insert(all.profiles.end(), part.profiles.begin(), part.profiles.end());
  }
  return all;
}

}  // namespace ifd
