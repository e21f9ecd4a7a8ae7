#include "ifd/data/safetensors.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

// The format by hand: the length of the header in eight bytes, the header, the data.
std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(header.size()) >> shift));
  }
  return bytes + header + data;
}

SafetensorsFile read(const std::string& header, const std::string& data) {
  return SafetensorsFile::from_bytes(file_of(header, data), "w.safetensors");
}

std::string said(const std::string& header, const std::string& data) {
  return refusal([&] { read(header, data); });
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

TEST(Safetensors, ReadsAFileWrittenByHand) {
  const std::string data("\x00\x00\x80\x3f\x00\x00\x20\xc0", 8);  // 1, -2.5
  const auto file = read(
      R"({"__metadata__":{"format":"pt"},"a.weight":)" + entry("F32", "[2,1]", "[0,8]") + "}   ",
      data);
  EXPECT_EQ(file.metadata().at("format"), "pt");
  EXPECT_EQ(file.names(), std::vector<std::string>{"a.weight"});
  EXPECT_EQ(file.at("a.weight").shape, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(file.floats("a.weight"), (std::vector<float>{1, -2.5F}));
}

// Published bit patterns: half 0x3c00 = 1, 0x0001 = 2^-24, 0x7bff = 65504, 0xfc00 = -inf;
// bfloat16 is the upper half of a float.
TEST(Safetensors, ReadsEveryFloatType) {
  const auto half = read(R"({"x":)" + entry("F16", "[4]", "[0,8]") + "}",
                         std::string("\x00\x3c\x01\x00\xff\x7b\x00\xfc", 8));
  EXPECT_EQ(half.floats("x"), (std::vector<float>{1, 0x1p-24F, 65504, -INFINITY}));
  const auto brain =
      read(R"({"x":)" + entry("BF16", "[2]", "[0,4]") + "}", std::string("\x80\x3f\x20\xc0", 4));
  EXPECT_EQ(brain.floats("x"), (std::vector<float>{1, -2.5F}));
  const auto wide = read(R"({"x":)" + entry("F64", "[]", "[0,8]") + "}",
                         std::string("\x00\x00\x00\x00\x00\x00\xf8\x3f", 8));
  EXPECT_EQ(wide.floats("x"), std::vector<float>{1.5F});
}

TEST(Safetensors, ReadsEveryIntegerType) {
  const auto file =
      read(R"({"a":)" + entry("I64", "[1]", "[0,8]") + R"(,"b":)" + entry("I32", "[1]", "[8,12]") +
               R"(,"c":)" + entry("U8", "[2]", "[12,14]") + "}",
           std::string("\xfe\xff\xff\xff\xff\xff\xff\xff\x07\x00\x00\x80\x01\xff", 14));
  EXPECT_EQ(file.integers("a"), std::vector<std::int64_t>{-2});
  EXPECT_EQ(file.integers("b"), std::vector<std::int64_t>{-2147483641});
  EXPECT_EQ(file.integers("c"), (std::vector<std::int64_t>{1, 255}));
  EXPECT_EQ(refusal([&] { file.floats("a"); }), "w.safetensors: 'a' holds I64; expected floats");
  EXPECT_EQ(refusal([&] { file.at("d"); }), "w.safetensors: no tensor 'd'");
}

TEST(Safetensors, WhatIsWrittenIsRead) {
  const ScratchDirectory scratch;
  const std::vector<float> weights = {1, -0.F, INFINITY, 1e-45F, 5, 6};
  const std::vector<std::int64_t> count = {-7};
  const std::vector<float> none;
  SafetensorsWriter writer;
  writer.set_metadata("classes", "[\"\xc3\xa9\", \"\\\"\"]");
  writer.add("w", {2, 3}, weights);
  writer.add("n", {}, count);
  writer.add("empty", {0, 4}, none);
  std::move(writer).write(scratch / "m.safetensors");
  const auto file = SafetensorsFile::read(scratch / "m.safetensors");
  EXPECT_EQ(file.metadata().at("classes"), "[\"\xc3\xa9\", \"\\\"\"]");
  const auto got = file.floats("w");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(weights[i]));
  }
  EXPECT_EQ(file.integers("n"), count);
  EXPECT_EQ(file.at("empty").items, 0U);
  EXPECT_EQ(scratch.files(), 1U);
}

// Whatever is changed, moved or left out, the checksum is another; the order of tensors is no
// content.
TEST(Safetensors, TheChecksumIsOfEverything) {
  const auto made = [](const std::string& setting, const std::vector<std::size_t>& shape,
                       float first, const std::string& name, bool other_order = false) {
    const std::vector<float> w = {first, 2, 3, 4, 5, 6};
    const std::vector<std::int64_t> n = {7};
    SafetensorsWriter writer;
    writer.set_metadata("settings", setting);
    if (other_order) writer.add("n", {1}, n);
    writer.add(name, shape, w);
    if (!other_order) writer.add("n", {1}, n);
    writer.add_checksum();
    return SafetensorsFile::from_bytes(std::move(writer).bytes(), "x");
  };
  const auto sum = [](const SafetensorsFile& file) {
    EXPECT_NO_THROW(file.require_checksum());
    return file.metadata().at("checksum");
  };
  const std::string good = sum(made("a", {2, 3}, 1, "w"));
  EXPECT_EQ(sum(made("a", {2, 3}, 1, "w", true)), good);
  EXPECT_NE(sum(made("b", {2, 3}, 1, "w")), good);
  EXPECT_NE(sum(made("a", {3, 2}, 1, "w")), good);
  EXPECT_NE(sum(made("a", {2, 3}, -1, "w")), good);
  EXPECT_NE(sum(made("a", {2, 3}, 1, "v")), good);
  SafetensorsWriter without;
  const std::vector<float> w = {1};
  without.add("w", {1}, w);
  EXPECT_EQ(refusal([&] {
              SafetensorsFile::from_bytes(std::move(without).bytes(), "x").require_checksum();
            }),
            "x: has no checksum; expected a file that this version wrote");
}

// Every byte of the data, and of the header all but the spaces behind it.
TEST(Safetensors, AFlippedByteIsNoticed) {
  SafetensorsWriter writer;
  const std::vector<float> w = {1, 2, 3, 4, 5, 6};
  writer.set_metadata("settings", "a");
  writer.add("w", {2, 3}, w);
  writer.add_checksum();
  const std::string good = std::move(writer).bytes();
  const std::size_t header_end = good.rfind('}') + 1, data_begin = good.size() - 4 * w.size();
  for (std::size_t i = 0; i < good.size(); ++i) {
    if (i >= header_end && i < data_begin) continue;
    std::string bytes = good;
    bytes[i] ^= 1;
    EXPECT_NE(refusal([&] { SafetensorsFile::from_bytes(bytes, "x").require_checksum(); }), "")
        << "byte " << i;
  }
}

TEST(Safetensors, RefusesWhatIsNotOne) {
  EXPECT_EQ(refusal([] { SafetensorsFile::from_bytes("PK", "x"); }),
            "x: 2 bytes; expected a safetensors file");
  EXPECT_EQ(refusal([] { SafetensorsFile::from_bytes("IFDPOLI1 and more", "x"); }),
            "x: a header of 3551453684691125833 bytes; expected at most 9 (is it a safetensors "
            "file?)");
  EXPECT_EQ(said("[1]", ""), "w.safetensors: the header is not a JSON object");
  EXPECT_EQ(said("{", ""), "w.safetensors: the header is not JSON from byte 2 on");
  EXPECT_EQ(
      said(R"({"x":[[[[1]]]]})", ""),
      "w.safetensors: the header nests lists and objects deeper than 3 levels; expected at most "
      "3");
}

TEST(Safetensors, RefusesTensorsThatDoNotFit) {
  const auto with = [](const std::string& dtype, const std::string& shape,
                       const std::string& offsets) {
    return said(R"({"x":)" + entry(dtype, shape, offsets) + "}", "12345678");
  };
  const std::string x = "w.safetensors: 'x': ";
  EXPECT_EQ(with("F32", "[2]", "[0,8]"), "");
  EXPECT_EQ(with("BOOL", "[8]", "[0,8]"),
            x + "type 'BOOL'; expected F64, F32, F16, BF16, I64, I32 or U8");
  EXPECT_EQ(with("F32", "[2]", "[0,12]"), x + "bytes 0..12; expected them within 0..8");
  EXPECT_EQ(with("F32", "[2]", "[8,0]"), x + "bytes 8..0; expected them within 0..8");
  EXPECT_EQ(with("F32", "[2]", "[-1,8]"),
            x + "data_offsets are not two whole numbers of 0 or more");
  EXPECT_EQ(with("F32", "[1]", "[0,8]"), x + "8 bytes; expected 4 for shape (1) of F32");
  EXPECT_EQ(with("F32", "[-2]", "[0,8]"), x + "an extent is not a whole number of 0 or more");
  EXPECT_EQ(with("F32", "[4294967296,4294967296]", "[0,0]"),
            x + "shape (4294967296, 4294967296) does not fit the file");
  EXPECT_EQ(with("U8", "[0,18446744073709551615]", "[0,0]"),
            "w.safetensors: 8 bytes of data; expected 0");
  EXPECT_EQ(with("F32", "[1]", "[4,8]"),
            x + "begins at byte 4 of the data; expected 0, without holes or overlaps");
  EXPECT_EQ(with("F32", "[1]", "[0,4]"), "w.safetensors: 8 bytes of data; expected 4");
  EXPECT_EQ(said(R"({"x":{"dtype":"F32"}})", ""), x + "expected dtype, shape and data_offsets");
}

TEST(Safetensors, RefusesOverlapsAndDoubles) {
  EXPECT_EQ(said(R"({"a":)" + entry("F32", "[2]", "[0,8]") + R"(,"b":)" +
                     entry("F32", "[1]", "[4,8]") + "}",
                 "12345678"),
            "w.safetensors: 'b': begins at byte 4 of the data; expected 8, without holes or "
            "overlaps");
  EXPECT_EQ(said(R"({"a":)" + entry("U8", "[1]", "[0,1]") + R"(,"a":)" +
                     entry("U8", "[1]", "[1,2]") + "}",
                 "12"),
            "w.safetensors: the header has 'a' twice; expected distinct keys");
  EXPECT_EQ(said(R"({"__metadata__":{"a":"1","a":"2"}})", ""),
            "w.safetensors: the header has 'a' twice; expected distinct keys");
  EXPECT_EQ(said(R"({"__metadata__":{"a":1}})", ""),
            "w.safetensors: '__metadata__': 'a' is not text");
  EXPECT_EQ(said(R"({"a\n":1})", ""),
            "w.safetensors: 'a\\x0a': expected dtype, shape and data_offsets");
}

// Any one changed byte is read or refused; nothing else happens.
TEST(Safetensors, AFlippedByteIsReadOrRefused) {
  SafetensorsWriter writer;
  writer.set_metadata("k", "v");
  writer.add("a", {2}, std::vector<float>{1, 2});
  writer.add("b", {1}, std::vector<std::int64_t>{3});
  const std::string bytes = std::move(writer).bytes();
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    std::string damaged = bytes;
    damaged[key.below(bytes.size(), 0)] ^= static_cast<char>(1 + key.below(255, 1));
    if (key.below(4, 2) == 0) damaged.resize(key.below(bytes.size(), 3));
    try {
      const auto file = SafetensorsFile::from_bytes(damaged, "x");
      std::size_t total = 0;
      for (const auto& name : file.names()) total += file.at(name).data.size();
      EXPECT_LE(total, damaged.size());
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace ifd
