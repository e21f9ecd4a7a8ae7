#include "command_line/csv_safe_flag.h"

namespace ifd {

CLI::Option* add_csv_safe_flag(CLI::App& command, CsvText& text) {
  return command.add_flag_callback(
      "--csv-safe", [&text] { text = CsvText::kSpreadsheetSafe; },
      "An apostrophe before names that a spreadsheet would run as formulas");
}

}  // namespace ifd
