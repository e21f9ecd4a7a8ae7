// What becomes of names in CSV that is written.
#pragma once

namespace ifd {

// kExact: every reader gets the names as they are.
// kSpreadsheetSafe: a spreadsheet takes a cell that begins with = + - @, a tab or a carriage return
// for a formula and runs it; such text gets an apostrophe in front, which makes it another name for
// whoever reads the file back. Numbers are no text and stay.
enum class CsvText { kExact, kSpreadsheetSafe };

}  // namespace ifd
