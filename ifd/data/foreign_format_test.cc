#include "ifd/data/foreign_format.h"

#include <gtest/gtest.h>

#include "ifd/data/npz.h"
#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using namespace std::string_literals;

std::string what(const std::string& bytes) {
  const auto found = foreign_format(bytes);
  return found ? found->what : "";
}

// An archive with these members: what NpzWriter writes, with other endings of four letters.
std::string zip_of(const std::vector<std::string>& members) {
  NpzWriter writer;
  for (const std::string& member : members) {
    writer.add(member.substr(0, member.size() - 4), {0}, std::span<const float>());
  }
  std::string bytes = std::move(writer).bytes();
  for (const std::string& member : members) {
    const std::string written = member.substr(0, member.size() - 4) + ".npy";
    for (std::size_t at = bytes.find(written); at != std::string::npos; at = bytes.find(written)) {
      bytes.replace(at, written.size(), member);
    }
  }
  return bytes;
}

// The marks are those of the formats' own descriptions (and of file(1)).
TEST(ForeignFormat, FilesAreKnownByTheirFirstBytes) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"PAR1\x15\x04...PAR1", "a Parquet file"},
      {"ARROW1\0\0"s, "an Arrow file"},
      {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an old Excel or other Office file"},
      {"\x89HDF\r\n\x1A\n", "an HDF5 file"},
      {"SQLite format 3\0"s, "an SQLite database"},
      {"\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19.", "an old PyTorch file"},
      {"\x80\x04\x95", "a Python pickle, which is never unpickled"},
      {"%PDF-1.7", "a PDF document"},
      {"\x89PNG\r\n\x1A\n", "an image (PNG)"},
      {"\xFF\xD8\xFF\xE0", "an image (JPEG)"},
      {"\x7F"
       "ELF",
       "a program"},
      {"BZh91AY&SY", "compressed by bzip2"},
      {"\xFD"
       "7zXZ\0"s,
       "compressed by xz"},
      {"\x28\xB5\x2F\xFD", "compressed by zstd"},
      {"a"s + std::string(256, '\0') + "ustar" + std::string(300, '\0'), "a tar archive"},
      {"\x02\0\0\0\0\0\0\0{\"a"s, "a safetensors file"},
      {"\n<!DOCTYPE HTML><html>", "a web page"},
      {"<?xml version", "XML"},
      {"{\"a\": 1}\n{\"a\": 2}", "JSON"},
      {"[ {\"a\": 1}]", "JSON"},
      {"version https://git-lfs.github.com/spec/v1", "a placeholder of Git LFS"},
      {npy_bytes("<f4", {2, 3}, std::string(24, '\0')), "a NumPy array, float32 (2, 3)"},
      {"\x93NUMPY", "a NumPy array that cannot be read"},
      {"PK\x03\x04...", "a zip archive"},
  };
  for (const auto& [bytes, expected] : known) EXPECT_EQ(what(bytes), expected);
}

TEST(ForeignFormat, TextThatMayBeATableIsNotForeign) {
  for (const std::string text :
       {"", "case,a,b\n", "PAR1,PAR2,case\n", "[0,1),[1,2),case\n", "{x},case\n", "GIF,case\n",
        "<5,>5,case\n", "\x1F\x8B", "MM,case\n",
        "\xFF\xFE"
        "a\0"}) {
    EXPECT_EQ(what(text), "") << text;
  }
}

TEST(ForeignFormat, ArchivesTellTheirMembers) {
  EXPECT_EQ(what(zip_of({"a.csv", "b.txt"})), "a zip archive of a.csv, b.txt");
  EXPECT_EQ(what(zip_of({"_rels.xml", "xl/workbook.xml"})), "an Excel workbook");
  EXPECT_EQ(what(zip_of({"mimetype", "META-INF/manifest.xml"})), "an OpenDocument file");
  EXPECT_EQ(what(zip_of({"model/data.pkl", "model/data/0000"})), "a PyTorch file");
  EXPECT_EQ(what(zip_of({"1.csv", "2.csv", "3.csv", "4.csv", "5.csv", "6.csv", "7.csv"})),
            "a zip archive of 1.csv, 2.csv, 3.csv, 4.csv, 5.csv, 6.csv, ...");
  EXPECT_TRUE(is_foreign_archive(zip_of({"a.csv"})));
  NpzWriter arrays;
  arrays.add("x", {0}, std::span<const float>());
  const std::string npz = std::move(arrays).bytes();
  EXPECT_EQ(what(npz), "an NPZ archive of x.npy");
  EXPECT_FALSE(is_foreign_archive(npz));
  EXPECT_FALSE(is_foreign_archive(npz.substr(0, npz.size() - 1)));
  EXPECT_EQ(what(npz.substr(0, npz.size() - 1)), "a zip archive");
}

TEST(ForeignFormat, TheRefusalSaysWhatToDo) {
  EXPECT_EQ(refusal([] { refuse_foreign_format("PAR1PAR1", "p.parquet", "CSV or NPZ"); }),
            "p.parquet: is a Parquet file; expected CSV or NPZ: in pandas, "
            "pd.read_parquet(...).to_csv(..., index=False)");
  EXPECT_EQ(refusal([] { refuse_foreign_format("%PDF-", "p.pdf", "CSV"); }),
            "p.pdf: is a PDF document; expected CSV");
  refuse_foreign_format("case,a,b\n", "p.csv", "CSV");
}

// Names come from strangers: control characters are shown, never passed on.
TEST(ForeignFormat, NamesOfMembersAreShownVisibly) {
  EXPECT_EQ(what(zip_of({"a\x1B[2J.csv"})), "a zip archive of a\\x1b[2J.csv");
}

TEST(ForeignFormat, DamagedArchivesAreOnlyGlancedAt) {
  const std::string whole = zip_of({"a.csv", "b.csv", "c.csv"});
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    std::string bytes = whole;
    for (int i = 0; i < 3; ++i) {
      bytes[4 + key.below(bytes.size() - 4, i)] = static_cast<char>(key.below(256, 10 + i));
    }
    EXPECT_TRUE(foreign_format(bytes).has_value());
  }
}

}  // namespace
}  // namespace ifd
