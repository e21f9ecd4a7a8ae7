// What a call is refused with: the message, and nothing where it goes through.
#pragma once

#include <string>

#include "ifd/error.h"

namespace ifd {

template <typename Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

template <typename Call>
ErrorKind refusal_kind(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  throw std::logic_error("was not refused");
}

}  // namespace ifd
