// The flag of commands that write CSV with names from files in it.
#pragma once

#include <CLI/CLI.hpp>

#include "ifd/data/csv_text.h"

namespace ifd {

// --csv-safe: makes `text` kSpreadsheetSafe.
CLI::Option* add_csv_safe_flag(CLI::App& command, CsvText& text);

}  // namespace ifd
