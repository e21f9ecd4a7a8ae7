// Files that are something else: what they are, and how to make of them what was expected.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ifd {

struct ForeignFormat {
  std::string what;    // "a Parquet file", "a zip archive of a.csv, b.csv"
  std::string remedy;  // "in pandas, pd.read_parquet(...)..."; empty where there is none
};

// What the first bytes say; nothing for text that may be a table, and for gzip, which is undone
// elsewhere. NumPy's own files (.npy, .npz) are foreign to who expects a table. Never more than a
// glance: only of an archive the directory is read, and what is damaged is not looked into.
std::optional<ForeignFormat> foreign_format(std::string_view bytes);

// Error(kBadInput) where they are foreign: "p.parquet: is a Parquet file; expected CSV: in pandas,
// ...". `expected` is what the reader takes.
void refuse_foreign_format(std::string_view bytes, const std::string& name,
                           std::string_view expected);

// Whether it is an archive without a single array.
bool is_foreign_archive(std::string_view bytes);

}  // namespace ifd
