// Any text as a certificate: read or refused. What is read makes sense, and written and read again
// it is the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/memory_file.h"
#include "ifd/certificate/certificate.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const ifd::Certificate read = size % 64 == 0
                                      ? ifd::Certificate::read(ifd::fuzz::memory_file(text))
                                      : ifd::Certificate::from_json(text, "fuzz");
    if (!(read.deferral >= 0 && read.deferral <= 1)) std::abort();
    if (!(read.threshold == read.threshold)) std::abort();
    const std::string written = read.to_json();
    const ifd::Certificate again = ifd::Certificate::from_json(written, "fuzz");
    if (again.to_json() != written || !(again.scope == read.scope)) std::abort();
    if (ifd::certificate_sentence(read).find('\n') != std::string::npos) std::abort();
    ifd::require_scope(again, read.scope);
    ifd::DecisionScope other = read.scope;
    other.roster.push_back({"somebody else", true});
    bool refused = false;
    try {
      ifd::require_scope(read, other);
    } catch (const ifd::Error&) {
      refused = true;
    }
    if (!refused) std::abort();
    ifd::require_in_force(read, ifd::CalendarDate::parse("2026-11-18"));
  } catch (const ifd::Error&) {
  }
  return 0;
}
