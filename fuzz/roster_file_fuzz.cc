// Whatever the bytes, a roster file is read or refused; what is read writes the same state.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "fuzz/memory_file.h"
#include "ifd/data/binary_file.h"
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

void read(const std::string& bytes) {
  try {
    const ifd::RosterState state = bytes.size() % 64 == 0
                                       ? ifd::RosterState::read(ifd::fuzz::memory_file(bytes))
                                       : ifd::RosterState::from_bytes(bytes, "fuzz");
    const std::string written = state.to_bytes();
    const ifd::RosterState again = ifd::RosterState::from_bytes(written, "fuzz");
    if (!(again == state) || again.to_bytes() != written) std::abort();
    for (std::size_t j = 0; j < state.size(); ++j) {
      state.profile(ifd::expert_id(j));
      observe_and_forget(state, ifd::expert_id(j));
    }
  } catch (const ifd::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  // Behind the checksum: the same bytes with a right one at the end.
  ifd::BinaryWriter checked;
  checked.raw(bytes);
  read(std::move(checked).with_checksum());
  return 0;
}
