#include "ifd/data/npz.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::ElementsAre;

// Bytes that NumPy 1.24 wrote, by the line above each.
//
// np.savez(f, a=np.array([[1.5, -2], [3, 4e-3]], '<f4'))
constexpr std::string_view kStored =
    "504b030414000000000000002100cc67d1c2900000009000000005001400612e6e707901001000900000000000"
    "00009000000000000000934e554d5059010076007b276465736372273a20273c6634272c2027666f727472616e"
    "5f6f72646572273a2046616c73652c20277368617065273a2028322c2032292c207d2020202020202020202020"
    "202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020"
    "20200a0000c03f000000c0000040406f12833b504b0102140314000000000000002100cc67d1c2900000009000"
    "0000050000000000000000000000800100000000612e6e7079504b0506000000000100010033000000c7000000"
    "0000";

// np.savez_compressed(f, n=np.arange(-3, 3, dtype='<i2'))
constexpr std::string_view kDeflated =
    "504b030414000000080000002100292d5799510000008c000000050014006e2e6e7079010010008c0000000000"
    "000051000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9369a4aea3a09e965f54529498"
    "179f5f94920a12774bcc294e058a17672416a402f91a663a9a3a0ab50a1400aebffffffdffff9f818191818901"
    "00504b0102140314000000080000002100292d5799510000008c00000005000000000000000000000080010000"
    "00006e2e6e7079504b0506000000000100010033000000880000000000";

// np.savez_compressed(f, f=np.asfortranarray(np.arange(24, dtype='<f8').reshape(2, 3, 4)))
constexpr std::string_view kFortran =
    "504b030414000000080000002100b81e58eb890000004001000005001400662e6e707901001000400100000000"
    "000089000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a1aea3a09e965f54529498"
    "179f5f94920a120f292a4d050a17672416a402b91a463a0ac63a0a269a3a0ab50a64022e0614a0e100a105a0b4"
    "01945680d22650fa833d84d682f245a0b421945682d2a6509a014aeb406909286d04a555a0b41994e680d27a50"
    "5a064a1b436935286dee0000504b0102140314000000080000002100b81e58eb89000000400100000500000000"
    "00000000000000800100000000662e6e7079504b0506000000000100010033000000c00000000000";

// np.savez_compressed(f, u=np.array(['a', 'na\u00efve', '\u65e5\u672c', '\U0001f600']))
constexpr std::string_view kUnicode =
    "504b03041400000008000000210028a19c9e5f000000d000000005001400752e6e707901001000d00000000000"
    "00005f000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e136aaaaea3a09e965f54529498"
    "179f5f94920a12774bcc294e058a17672416a402f91a263a9a3a0ab50a1400ae44064c9007c420f1f7405c06c4"
    "a940fc1448e8a4a329fcc688a11700504b010214031400000008000000210028a19c9e5f000000d00000000500"
    "00000000000000000000800100000000752e6e7079504b0506000000000100010033000000960000000000";

// np.savez_compressed(f, b=np.array([True, False]), h=np.array([.5, 65504, 6e-8, -np.inf], '<f2'),
//                     q=np.array([2**64 - 1], '<u8'), s=np.array([b'xy', b'z']), z=np.float64(7))
constexpr std::string_view kMixed =
    "504b030414000000080000002100ee19bb5d460000008200000005001400622e6e707901001000820000000000"
    "000046000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a05e9364a8aea3a09e965f54529498"
    "179f5f94920a12774bcc294e058a17672416a402f91a463a9a3a0ab50a14002e460600504b0304140000000800"
    "00002100d1910c364c0000008800000005001400682e6e70790100100088000000000000004c00000000000000"
    "9bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a4aea3a09e965f54529498179f5f94920a12774bcc"
    "294e058a17672416a402f91a263a9a3a0ab50a14002e068bffd58c0c0c7f00504b030414000000080000002100"
    "72c9d83e470000008800000005001400712e6e707901001000880000000000000047000000000000009bec17ea"
    "1b10c9c850c650ad9e925a9c5ca46ea5a06e536aa1aea3a09e965f54529498179f5f94920a12774bcc294e058a"
    "17672416a402f91a863a9a3a0ab50a1400aeff500000504b0304140000000800000021002ac893714800000084"
    "00000005001400732e6e707901001000840000000000000048000000000000009bec17ea1b10c9c850c650ad9e"
    "925a9c5ca46ea5a05e136ca4aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a46"
    "3a9a3a0ab50a1400ae8aca2a0600504b0304140000000800000021006c2c21114700000088000000050014007a"
    "2e6e707901001000880000000000000047000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a0"
    "6e9366a1aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a9a3a0ab50a14012e06"
    "3090710000504b0102140314000000080000002100ee19bb5d4600000082000000050000000000000000000000"
    "800100000000622e6e7079504b0102140314000000080000002100d1910c364c00000088000000050000000000"
    "00000000000080017d000000682e6e7079504b010214031400000008000000210072c9d83e4700000088000000"
    "050000000000000000000000800100010000712e6e7079504b01021403140000000800000021002ac893714800"
    "00008400000005000000000000000000000080017e010000732e6e7079504b0102140314000000080000002100"
    "6c2c211147000000880000000500000000000000000000008001fd0100007a2e6e7079504b0506000000000500"
    "0500ff0000007b0200000000";

// Versions 2.0 and 3.0 of np.array([7, 8]), '<u4' and '|i1', written by zipfile to a pipe, which
// makes data descriptors
constexpr std::string_view kVersions =
    "504b0304140008000800000021000000000000000000000000000600000076322e6e70799bec17ea1b10c9c450"
    "c2c0c050ad9e925a9c5ca46ea5a06e536aa2aea3a09e965f54529498179f5f94920a12774bcc294e058a176724"
    "16a402f91a463a9a3a0ab50a64032e76a0bd1c400c00504b07088cbfed8f4c00000088000000504b0304140008"
    "000000000021000000000000000000000000000600000076332e6e7079934e554d50590300740000007b276465"
    "736372273a20277c6931272c2027666f727472616e5f6f72646572273a2046616c73652c20277368617065273a"
    "2028322c292c207d20202020202020202020202020202020202020202020202020202020202020202020202020"
    "2020202020202020202020202020202020202020200a0708504b070864fd0af68200000082000000504b010214"
    "03140008000800000021008cbfed8f4c0000008800000006000000000000000000000080010000000076322e6e"
    "7079504b010214031400080000000000210064fd0af68200000082000000060000000000000000000000800180"
    "00000076332e6e7079504b0506000000000200020068000000360100000000";

// np.savez_compressed(f, o=np.array([None]))
constexpr std::string_view kObjects =
    "504b030414000000080000002100675d3e47ca0000001a010000050014006f2e6e7079010010001a0100000000"
    "0000ca000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a05ee3afaea3a09e965f5452949817"
    "9f5f94920a12764bcc294e058a17672416a402f91a863a9a3a0ab50a9400ae06e6e4bcd2dc824abde4fca254bd"
    "dcd29c92ccc4a2a2c44aaef8a2d4e4fcbce292a2d2e412ae4206882aaebc14886c21a337436b21933363522173"
    "7b214b5021ab8637a337636b211b54614a4965412a57217b0413030383bf45214767477b216750219786377304"
    "2350aca690dbcfcfcfeb3f1080096ffb92429ea4ced8425ebfc49242be243d00504b0102140314000000080000"
    "002100675d3e47ca0000001a0100000500000000000000000000008001000000006f2e6e7079504b0506000000"
    "000100010033000000010100000000";

// np.savez_compressed(f, e=np.array([1], '>i4'))
constexpr std::string_view kBigEndian =
    "504b0304140000000800000021004fe8a576480000008400000005001400652e6e707901001000840000000000"
    "000048000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9769a2aea3a09e965f54529498"
    "179f5f94920a12774bcc294e058a17672416a402f91a863a9a3a0ab50a14002e0606064600504b010214031400"
    "00000800000021004fe8a5764800000084000000050000000000000000000000800100000000652e6e7079504b"
    "05060000000001000100330000007f0000000000";

std::string unhex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

NpzFile npz(std::string_view digits) { return NpzFile::from_bytes(unhex(digits), "x.npz"); }

TEST(Npz, ReadsWhatNumpyWrites) {
  const NpyArray a = npz(kStored).at("a");
  EXPECT_THAT(a.shape(), ElementsAre(2, 2));
  EXPECT_THAT(a.as_floats(), ElementsAre(1.5F, -2.0F, 3.0F, 4e-3F));
  EXPECT_THAT(npz(kDeflated).at("n").as_integers(), ElementsAre(-3, -2, -1, 0, 1, 2));
  EXPECT_THAT(npz(kDeflated).at("n").as_strings(), ElementsAre("-3", "-2", "-1", "0", "1", "2"));
  EXPECT_THAT(npz(kUnicode).at("u").as_strings(),
              ElementsAre("a", "na\u00efve", "\u65e5\u672c", "\U0001f600"));
  EXPECT_THAT(npz(kVersions).at("v2").as_integers(), ElementsAre(7, 8));
  EXPECT_THAT(npz(kVersions).at("v3").as_integers(), ElementsAre(7, 8));
}

// Whatever the order in the file, the last index runs fastest.
TEST(Npz, FortranOrderBecomesCOrder) {
  const NpyArray f = npz(kFortran).at("f");
  EXPECT_TRUE(npz(kFortran).header("f").fortran_order);
  EXPECT_THAT(f.shape(), ElementsAre(2, 3, 4));
  std::vector<double> expected(24);
  for (std::size_t i = 0; i < 24; ++i) expected[i] = static_cast<double>(i);
  EXPECT_EQ(f.as_doubles(), expected);
}

TEST(Npz, ReadsTheRarerTypes) {
  const NpzFile file = npz(kMixed);
  EXPECT_THAT(file.names(), ElementsAre("b", "h", "q", "s", "z"));
  EXPECT_THAT(file.at("b").as_integers(), ElementsAre(1, 0));
  EXPECT_THAT(file.at("h").as_floats(), ElementsAre(0.5F, 65504.0F, std::ldexp(1.0F, -24),
                                                    -std::numeric_limits<float>::infinity()));
  EXPECT_THAT(file.at("s").as_strings(), ElementsAre("xy", "z"));
  EXPECT_THAT(file.at("z").shape(), ElementsAre());
  EXPECT_THAT(file.at("z").as_doubles(), ElementsAre(7.0));
  EXPECT_EQ(refusal([&] { file.at("q").as_integers(); }),
            "x.npz: 'q': 18446744073709551615 is too large; expected at most 2^63-1");
  EXPECT_EQ(refusal([&] { file.at("h").as_integers(); }),
            "x.npz: 'h': holds floats; expected integers");
  EXPECT_EQ(refusal([&] { file.at("s").as_floats(); }), "x.npz: 's': holds text; expected numbers");
  EXPECT_EQ(refusal([&] { file.at("b").as_strings(); }),
            "x.npz: 'b': holds neither text nor integers; expected names");
  EXPECT_EQ(refusal([&] { file.at("h").as_bytes(); }),
            "x.npz: 'h': does not hold bytes; expected uint8");
  EXPECT_EQ(refusal([&] { file.at("x"); }), "x.npz: no array 'x'; found b, h, q, s, z");
}

TEST(Npz, RefusesWhatItCannotRead) {
  EXPECT_EQ(
      refusal([] { npz(kObjects).at("o"); }),
      "x.npz: 'o': holds Python objects, which are never unpickled; expected numbers or text");
  EXPECT_EQ(refusal([] { npz(kBigEndian).at("e"); }),
            "x.npz: 'e': type '>i4' is big-endian; expected bool, integers, floats or text");
}

// Half-precision numbers by their definition in IEEE 754, all 65536 of them.
TEST(Npz, EveryHalfIsItsValue) {
  NpyHeader header{NpyKind::kFloat, 2, {65536}, false};
  std::vector<std::uint8_t> data(2 * 65536);
  for (std::size_t i = 0; i < 65536; ++i) {
    data[2 * i] = static_cast<std::uint8_t>(i);
    data[2 * i + 1] = static_cast<std::uint8_t>(i >> 8);
  }
  const std::vector<double> values = NpyArray(header, data, "x").as_doubles();
  for (std::size_t i = 0; i < 65536; ++i) {
    const double sign = i < 32768 ? 1 : -1;
    const int exponent = static_cast<int>(i >> 10 & 31);
    const double fraction = static_cast<double>(i & 1023) / 1024;
    if (exponent == 31 && fraction != 0) {
      ASSERT_TRUE(std::isnan(values[i]));
    } else if (exponent == 31) {
      ASSERT_EQ(values[i], sign * std::numeric_limits<double>::infinity());
    } else if (exponent == 0) {
      ASSERT_EQ(values[i], sign * std::pow(2, -14) * fraction);
    } else {
      ASSERT_EQ(values[i], sign * std::pow(2, exponent - 15) * (1 + fraction));
    }
  }
}

TEST(Npz, WhatIsWrittenIsRead) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t n = key.with("n").below(40);
    const std::size_t d = key.with("d").below(5);
    std::vector<float> floats(n * d);
    std::vector<double> doubles(n);
    std::vector<std::int64_t> integers(n);
    std::vector<std::uint8_t> bytes(n);
    std::vector<std::string> texts(n);
    for (std::size_t i = 0; i < n * d; ++i) {
      floats[i] = static_cast<float>(key.with("f").normal(i));
    }
    for (std::size_t i = 0; i < n; ++i) {
      doubles[i] = key.with("d").normal(i);
      integers[i] = static_cast<std::int64_t>(key.with("i").bits(i));
      bytes[i] = static_cast<std::uint8_t>(key.with("b").bits(i));
      const std::vector<std::string> pieces{"", "a", "\u00e9", "\u65e5", "\U0001f600", "word"};
      for (std::size_t p = 0; p < 3; ++p) {
        texts[i] += pieces[key.with("t").with(i).below(pieces.size(), p)];
      }
    }
    for (const NpzPacking packing : {NpzPacking::kStored, NpzPacking::kDeflated}) {
      const auto archive = [&] {
        NpzWriter writer(packing);
        writer.add("floats", {n, d}, std::span<const float>(floats));
        writer.add("doubles", {n}, std::span<const double>(doubles));
        writer.add("integers", {n, 1}, std::span<const std::int64_t>(integers));
        writer.add("bytes", {1, n, 1}, std::span<const std::uint8_t>(bytes));
        writer.add("texts", texts);
        return std::move(writer).bytes();
      };
      const std::string written = archive();
      EXPECT_EQ(written, archive());
      const NpzFile file = NpzFile::from_bytes(written, "x.npz");
      EXPECT_EQ(file.at("floats").shape(), (std::vector<std::size_t>{n, d}));
      EXPECT_EQ(file.at("floats").as_floats(), floats);
      EXPECT_EQ(file.at("doubles").as_doubles(), doubles);
      EXPECT_EQ(file.at("integers").as_integers(), integers);
      EXPECT_EQ(file.at("bytes").as_bytes(), bytes);
      EXPECT_EQ(file.at("texts").as_strings(), texts);
      EXPECT_EQ(file.header("bytes").shape, (std::vector<std::size_t>{1, n, 1}));
    }
  }
}

// One changed byte is noticed, or lies where nothing depends on it; a cut file is always refused.
TEST(Npz, DamageIsNoticed) {
  NpzWriter writer(NpzPacking::kDeflated);
  const std::vector<float> values{1, 2, 3, 4};
  writer.add("a", {4}, std::span<const float>(values));
  const std::string bytes = std::move(writer).bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal([&] { NpzFile::from_bytes(bytes.substr(0, size), "x.npz").at("a"); }), "");
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x10, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      try {
        EXPECT_EQ(NpzFile::from_bytes(damaged, "x.npz").at("a").as_floats(), values);
      } catch (const Error&) {
      }
    }
  }
}

// A zip archive with one stored entry of these bytes.
std::string zip_of(const std::string& entry) {
  NpzWriter writer;
  const std::vector<std::uint8_t> filler(entry.size());
  writer.add("a", {filler.size()}, std::span<const std::uint8_t>(filler));
  std::string bytes = std::move(writer).bytes();
  // Replace the entry, its sizes and its checksum in both records.
  const std::size_t begin = 30 + 5 + 20;
  const std::size_t directory = bytes.find("PK\x01\x02");
  const std::size_t old_size = directory - begin;
  const auto sum = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(entry.data()), static_cast<uInt>(entry.size())));
  const std::uint64_t size = entry.size();
  std::memcpy(bytes.data() + directory + 16, &sum, 4);
  std::memcpy(bytes.data() + directory + 46 + 5 + 4, &size, 8);
  std::memcpy(bytes.data() + directory + 46 + 5 + 12, &size, 8);
  const std::size_t end = bytes.find("PK\x06\x06");
  const std::uint64_t directory_offset = begin + entry.size();
  std::memcpy(bytes.data() + end + 48, &directory_offset, 8);
  const std::uint64_t end64 = end - old_size + entry.size();
  std::memcpy(bytes.data() + bytes.find("PK\x06\x07") + 8, &end64, 8);
  return bytes.replace(begin, old_size, entry);
}

std::string npy(const std::string& dictionary, std::size_t data_size) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(dictionary.size() & 0xFF);
  bytes += static_cast<char>(dictionary.size() >> 8);
  return bytes + dictionary + std::string(data_size, '\0');
}

TEST(Npz, HeadersAreReadStrictly) {
  const auto message = [](const std::string& dictionary, std::size_t data_size) {
    return refusal(
        [&] { NpzFile::from_bytes(zip_of(npy(dictionary, data_size)), "x.npz").at("a"); });
  };
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", 8), "");
  EXPECT_EQ(message("{\"shape\":(2,1),\"fortran_order\":True,\"descr\":\"=f4\"}", 8), "");
  EXPECT_EQ(message("{'descr': '|u1', 'fortran_order': False, 'shape': ()}", 1), "");
  EXPECT_EQ(message("{'descr': '<U0', 'fortran_order': False, 'shape': (3,)}", 0), "");

  const std::string damaged =
      "x.npz: 'a': the array's header is damaged; expected descr, fortran_order, shape";
  for (const std::string bad :
       {"", "{}", "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': [2]}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} exit()",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", "__import__('os')"}) {
    EXPECT_EQ(message(bad, 8), damaged) << bad;
  }
  const std::string rest = ", 'fortran_order': False, 'shape': (2,)}";
  for (const std::string type : {"<c8", "<f16", "<i3", "|b2", "<M8", "f", "xf4", "<f", "<f4x"}) {
    EXPECT_THAT(message("{'descr': '" + type + "'" + rest, 8),
                testing::HasSubstr("is not known; expected bool, integers, floats or text"));
  }
  EXPECT_EQ(message("{'descr': [('x', '<f4')]" + rest, 8),
            "x.npz: 'a': a structured array; expected numbers or text");
}

// A header that promises more than there is must not take the memory it promises.
TEST(Npz, SizesMustAgreeBeforeMemoryIsTaken) {
  const auto message = [](const std::string& shape, std::size_t data_size) {
    return refusal([&] {
      const std::string dictionary =
          "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + "}";
      NpzFile::from_bytes(zip_of(npy(dictionary, data_size)), "x.npz").at("a");
    });
  };
  EXPECT_EQ(message("(1000000000000,)", 8),
            "x.npz: 'a': 8 bytes of data; expected as many as the shape (1000000000000) needs");
  EXPECT_EQ(message("(4294967296, 4294967296)", 0),
            "x.npz: 'a': 0 bytes of data; expected as many as the shape (4294967296, 4294967296) "
            "needs");
  EXPECT_EQ(message("(1,)", 9),
            "x.npz: 'a': 9 bytes of data; expected as many as the shape (1) needs");

  NpzWriter writer(NpzPacking::kDeflated);
  writer.add("a", {2}, std::span<const std::uint8_t>(std::vector<std::uint8_t>{1, 2}));
  std::string bytes = std::move(writer).bytes();
  const std::uint64_t huge = std::uint64_t{1} << 40;
  std::memcpy(bytes.data() + bytes.find("PK\x01\x02") + 46 + 5 + 4, &huge, 8);
  EXPECT_EQ(refusal([&] { NpzFile::from_bytes(bytes, "x.npz"); }),
            "x.npz: 'a': the sizes of the zip entry cannot be right");
}

// All arrays together, by what they declare, before any is decoded.
TEST(Npz, TheLimitIsForTheArchiveAsAWhole) {
  const std::vector<std::uint8_t> zeros(100'000, 0);
  NpzWriter writer(NpzPacking::kDeflated);
  writer.add("a", {zeros.size()}, std::span<const std::uint8_t>(zeros));
  writer.add("b", {zeros.size()}, std::span<const std::uint8_t>(zeros));
  const std::string bytes = std::move(writer).bytes();
  ASSERT_LT(bytes.size(), 1000u);
  const auto said = [&](const ReadLimits& limits) {
    return refusal([&] { NpzFile::from_bytes(bytes, "x.npz", limits); });
  };
  EXPECT_EQ(said({}), "");
  EXPECT_EQ(said({.max_expansion = 1, .always_allowed = 200'256}), "");
  const std::string numbers = fmt::format(
      "x.npz: {} bytes of archive declare arrays of 200256 bytes or more; expected at most ",
      bytes.size());
  EXPECT_EQ(said({.max_expansion = 1, .always_allowed = 200'255}),
            numbers + "200255; --max-expansion allows more");
  EXPECT_EQ(said({.max_expansion = 150, .always_allowed = 0}),
            numbers + fmt::format("{}; --max-expansion allows more", 150 * bytes.size()));
}

// A letter is a byte in the file and a text of 32 in memory; a bool is a number of 8.
TEST(Npz, ConversionsStayWithinTheLimit) {
  const std::string letters = npy_bytes("|S1", {1000}, std::string(1000, 'x'));
  const auto array = [&](std::uint64_t allowed) {
    std::string_view left = letters;
    const auto read = [&](std::span<std::uint8_t> out) {
      std::copy_n(left.data(), out.size(), reinterpret_cast<char*>(out.data()));
      left.remove_prefix(out.size());
    };
    return read_npy(read, letters.size(), "x.npz: 's'", allowed);
  };
  EXPECT_EQ(array(32'000).as_strings().size(), 1000u);
  EXPECT_EQ(refusal([&] { array(31'999).as_strings(); }),
            "x.npz: 's': 1000 elements take 32 bytes each in memory; expected at most 31999 bytes; "
            "--max-expansion allows more");
}

TEST(Npz, OtherFilesAreRefused) {
  EXPECT_EQ(refusal([] { NpzFile::from_bytes("case,a,b\n", "x.npz"); }),
            "x.npz: is not an .npz file; expected a zip archive");
  EXPECT_EQ(refusal([] { NpzFile::from_bytes("PK\x03\x04", "x.npz"); }),
            "x.npz: the zip archive has no end; is the file cut short?");
  EXPECT_EQ(refusal([] { NpzFile::from_bytes(zip_of("hello, this is text"), "x.npz").at("a"); }),
            "x.npz: 'a': is not an .npy array");
}

}  // namespace
}  // namespace ifd
