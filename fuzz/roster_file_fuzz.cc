// Whatever the bytes, mostly behind a right checksum, a roster file is read or refused; what is
// read writes the same state.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "fuzz/right_checksum.h"
#include "ifd/error.h"
#include "ifd/router/roster_state.h"

namespace {

// An answer that is forgotten leaves the state as it was.
void observe_and_forget(const ifd::RosterState& state, ifd::ExpertId expert) {
  ifd::RosterState changed = state;
  const ifd::Observation answer{ifd::Answer::outside(), ifd::ClassId{0}, {}};
  changed.observe(expert, answer);
  if (changed == state) std::abort();
  changed.forget(expert, answer);
  if (!(changed == state)) std::abort();
}

void read(const std::string& bytes, ifd::fuzz::Draws& draws) {
  const ifd::RosterState state = draws.once_in(64)
                                     ? ifd::RosterState::read(ifd::fuzz::memory_file(bytes))
                                     : ifd::RosterState::from_bytes(bytes, "fuzz");
  const std::string written = state.to_bytes();
  const ifd::RosterState again = ifd::RosterState::from_bytes(written, "fuzz");
  if (!(again == state) || again.to_bytes() != written) std::abort();
  if (state.size() == 0) return;
  const ifd::ExpertId expert = ifd::expert_id(draws.below(state.size()));
  state.profile(expert);
  observe_and_forget(state, expert);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  ifd::fuzz::Draws draws(bytes);
  if (!draws.once_in(16)) ifd::fuzz::set_checksum(bytes);
  try {
    read(bytes, draws);
  } catch (const ifd::Error&) {
  }
  return 0;
}
