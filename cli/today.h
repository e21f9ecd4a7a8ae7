// The day, which the library never asks for.
#pragma once

#include "ifd/certificate/calendar_date.h"

namespace ifd::cli {

// In UTC.
CalendarDate today();

}  // namespace ifd::cli
