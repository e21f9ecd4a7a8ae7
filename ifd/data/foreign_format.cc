#include "ifd/data/foreign_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "ifd/data/name_spelling.h"
#include "ifd/data/npy.h"
#include "ifd/data/npz.h"
#include "ifd/data/safetensors.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kFromTorch =
    "in Python, np.savez('p.npz', probabilities=torch.load(...).numpy())";

struct Mark {
  std::string_view begin;
  std::string_view what;
  std::string_view remedy;
  std::string_view end = {};  // of the file, where the beginning could be text
};

constexpr std::array kMarks{
    Mark{"PAR1"sv, "a Parquet file", "in pandas, pd.read_parquet(...).to_csv(..., index=False)",
         "PAR1"sv},
    Mark{"FEA1"sv, "a Feather file", "in pandas, pd.read_feather(...).to_csv(..., index=False)",
         "FEA1"sv},
    Mark{"ARROW1\0"sv, "an Arrow file", "in pandas, pd.read_feather(...).to_csv(..., index=False)"},
    Mark{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an old Excel or other Office file",
         "save the sheet as CSV"},
    Mark{"\x89HDF\r\n\x1A\n"sv, "an HDF5 file", "in Python, np.savez(...) of what h5py reads"},
    Mark{"MATLAB 5.0 MAT-file"sv, "a MATLAB file",
         "in Python, np.savez(...) of what scipy.io.loadmat reads"},
    Mark{"SQLite format 3\0"sv, "an SQLite database", "export the table as CSV"},
    Mark{"RDX2\n"sv, "an R data file", "in R, write.csv(..., row.names = FALSE)"},
    Mark{"RDX3\n"sv, "an R data file", "in R, write.csv(..., row.names = FALSE)"},
    // The number that torch.save wrote first, in a pickle of its own.
    Mark{"\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19"sv, "an old PyTorch file",
         kFromTorch},
    Mark{"%PDF-"sv, "a PDF document", ""},
    Mark{"\x89PNG\r\n\x1A\n"sv, "an image (PNG)", ""},
    Mark{"\xFF\xD8\xFF"sv, "an image (JPEG)", ""},
    Mark{"GIF87a"sv, "an image (GIF)", ""},
    Mark{"GIF89a"sv, "an image (GIF)", ""},
    Mark{"II*\0"sv, "an image (TIFF)", ""},
    Mark{"MM\0*"sv, "an image (TIFF)", ""},
    Mark{"\x7F"
         "ELF"sv,
         "a program", ""},
    Mark{"BZh91AY&SY"sv, "compressed by bzip2", kUnpack},
    Mark{"\xFD"
         "7zXZ\0"sv,
         "compressed by xz", kUnpack},
    Mark{"\x28\xB5\x2F\xFD"sv, "compressed by zstd", kUnpack},
    Mark{"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", kUnpack},
    Mark{"Rar!\x1A\x07"sv, "a RAR archive", kUnpack},
    Mark{"IFDPOLI1"sv, "a policy file of ifd", ""},
    Mark{"version https://git-lfs"sv, "a placeholder of Git LFS", "git lfs pull"},
};

bool is_pickle(std::string_view bytes) {
  return bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

bool is_tar(std::string_view bytes) {
  return bytes.size() >= 512 && bytes.substr(257, 5) == "ustar" &&
         bytes.substr(0, 257).find('\0') != std::string_view::npos;
}

// Text that is no table. A header may begin with a bracket, so what follows it counts.
std::optional<ForeignFormat> foreign_text(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const auto skip_blanks = [&] {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  };
  skip_blanks();
  const std::string begin = lower_case(bytes.substr(0, 15));
  if (begin.starts_with("<!doctype html") || begin.starts_with("<html")) {
    return ForeignFormat{"a web page", "was it a login page instead of the download?"};
  }
  if (begin.starts_with("<?xml")) return ForeignFormat{"XML", ""};
  const bool object = bytes.starts_with('{');
  if (!object && !bytes.starts_with('[')) return std::nullopt;
  bytes.remove_prefix(1);
  skip_blanks();
  if (bytes.empty() || (object ? "\"}"sv : "{[\"]"sv).find(bytes[0]) == std::string_view::npos) {
    return std::nullopt;
  }
  return ForeignFormat{"JSON",
                       "in pandas, pd.read_json(...).to_csv(..., index=False), with lines=True for "
                       "one object per line"};
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) {
    text += (i == 0 ? "" : ", ") + excerpt(names[i]);
  }
  if (names.size() > kShown) text += ", ...";
  return text;
}

ForeignFormat archive_format(std::string_view bytes) {
  const std::vector<std::string> members = zip_member_names(bytes);
  const auto any = [&](auto&& test) { return std::any_of(members.begin(), members.end(), test); };
  const auto ends_in = [&](std::string_view end) {
    return any([&](const std::string& name) { return name.ends_with(end); });
  };
  const auto starts_with = [&](std::string_view begin) {
    return any([&](const std::string& name) { return name.starts_with(begin); });
  };
  if (members.empty()) return {"a zip archive", ""};
  if (starts_with("xl/")) {
    return {"an Excel workbook",
            "save the sheet as CSV, or in pandas, pd.read_excel(...).to_csv(..., index=False)"};
  }
  if (starts_with("mimetype") && starts_with("META-INF/")) {
    return {"an OpenDocument file", "save the sheet as CSV"};
  }
  if (ends_in("/data.pkl") || ends_in("/constants.pkl")) {
    return {"a PyTorch file", std::string(kFromTorch)};
  }
  if (ends_in(".npy")) return {fmt::format("an NPZ archive of {}", listed(members)), ""};
  return {fmt::format("a zip archive of {}", listed(members)), std::string(kUnpack)};
}

ForeignFormat array_format(std::string_view bytes) {
  const std::size_t size = bytes.size();
  try {
    const NpyHeader header = read_npy_header(
        [&](std::span<std::uint8_t> out) {
          if (out.size() > bytes.size()) throw bad_input("cut short");
          std::copy_n(bytes.begin(), out.size(), out.begin());
          bytes.remove_prefix(out.size());
        },
        size, "");
    return {fmt::format("a NumPy array, {}", type_and_shape(header)), ""};
  } catch (const Error&) {
    return {"a NumPy array that cannot be read", ""};
  }
}

}  // namespace

std::optional<ForeignFormat> foreign_format(std::string_view bytes) {
  for (const Mark& mark : kMarks) {
    if (bytes.starts_with(mark.begin) && bytes.ends_with(mark.end)) {
      return ForeignFormat{std::string(mark.what), std::string(mark.remedy)};
    }
  }
  if (is_zip(bytes)) return archive_format(bytes);
  if (is_npy(bytes)) return array_format(bytes);
  if (is_pickle(bytes)) {
    return ForeignFormat{"a Python pickle, which is never unpickled",
                         "in Python, DataFrame.to_csv(..., index=False) or np.savez(...)"};
  }
  if (is_tar(bytes)) return ForeignFormat{"a tar archive", std::string(kUnpack)};
  if (is_safetensors(bytes)) return ForeignFormat{"a safetensors file", ""};
  return foreign_text(bytes);
}

void refuse_foreign_format(std::string_view bytes, const std::string& name,
                           std::string_view expected) {
  const auto found = foreign_format(bytes);
  if (!found) return;
  throw bad_input(fmt::format("{}: is {}; expected {}{}{}", name, found->what, expected,
                              found->remedy.empty() ? "" : ": ", found->remedy));
}

bool is_foreign_archive(std::string_view bytes) {
  if (!is_zip(bytes)) return false;
  const std::vector<std::string> members = zip_member_names(bytes);
  return !members.empty() &&
         std::none_of(members.begin(), members.end(),
                      [](const std::string& name) { return name.ends_with(".npy"); });
}

}  // namespace ifd
