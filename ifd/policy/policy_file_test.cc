#include "ifd/policy/policy_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ifd/data/file_bytes.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/scoring.h"
#include "ifd/policy/trained_policy.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// What the golden files hold. Weights and states are small multiples of powers of two, so the
// network is exact on every instruction set.
TrainedRejectorParts golden_parts(StateSet state_set, Head head) {
  TrainedRejectorParts parts;
  parts.state_set = state_set;
  parts.head = head;
  const std::size_t width = state_set == StateSet::kPaper ? 6 : 12;
  Mlp::Layer first{width, 3, std::vector<float>(3 * width), {.5F, -.25F, .125F}};
  for (std::size_t i = 0; i < first.weights.size(); ++i) {
    first.weights[i] = static_cast<float>(static_cast<int>(i * 7 % 11) - 5) / 4;
  }
  parts.layers = {first, {3, 1, {1, -.5F, .25F}, {-.75F}}};
  if (state_set == StateSet::kExtended) {
    parts.standardisation = {std::vector<float>(width, .5F), std::vector<float>(width, .25F)};
  }
  return parts;
}

constexpr const char* kMetadata =
    R"({"objective":"expected","seed":7,"training_classes":7,"versions":{"ifd":"0.1.0"}})";

PolicyFile golden_file(StateSet state_set, Head head) {
  return trained_policy_file(golden_parts(state_set, head), kMetadata);
}

std::filesystem::path golden(const char* name) {
  return std::filesystem::path(IFD_SOURCE_DIR) / "tests/golden" / name;
}

const std::vector<ExtendedRoleState>& states() {
  static const std::vector<ExtendedRoleState> kStates = {
      {{.5, .25, .75, .03125, .875, .0625}, -.5, .0625, 1.25, .25, .125, 0},
      {{.75, .75, .5, .0625, .5, .0625}, -.25, .03125, .75, .5, .25, 1},
      {{.25, .125, .25, .125, .75, .03125}, -1.5, .125, 1.5, .0625, .5, 0},
  };
  return kStates;
}

template <class State>
std::vector<double> values(const TrainedRejector& rule, const std::vector<State>& at) {
  RejectorScratch scratch;
  std::vector<double> found(at.size());
  rule.evaluate(std::span<const State>(at), found, scratch);
  return found;
}

// Files of version 1 must be read, to the same decisions, by every later version.
TEST(PolicyFile, ReadsTheGoldenPlainFile) {
  const PolicyFile file = PolicyFile::read(golden("policy_v1_plain.ifd"));
  const auto rule = make_trained_rejector(file, MarginScale::kLogit);
  std::vector<RoleState> paper;
  for (const ExtendedRoleState& state : states()) paper.push_back(state.roles);
  const std::vector<double> expected = {-0.599609375, -0.63671875, -0.3046875};
  EXPECT_EQ(values(*rule, paper), expected);
  EXPECT_EQ(rule->head(), Head::kPlain);
  EXPECT_DOUBLE_EQ(rule->margin(expected[0], .5, 0), expected[0] - std::log(.5));
}

TEST(PolicyFile, ReadsTheGoldenResidualFile) {
  const PolicyFile file = PolicyFile::read(golden("policy_v1_residual.ifd"));
  const auto rule = make_trained_rejector(file, MarginScale::kProbability);
  const std::vector<double> expected = {-1.0234375, -1.4609375, 1.671875};
  EXPECT_EQ(values(*rule, states()), expected);
  EXPECT_EQ(rule->head(), Head::kResidual);
  const double e = std::exp(expected[0] - .5);
  EXPECT_NEAR(rule->margin(expected[0], .5, -.5), (e - .5) / (1 + e), 1e-15);
}

TEST(PolicyFile, WritesTheGoldenBytes) {
  EXPECT_EQ(golden_file(StateSet::kPaper, Head::kPlain).to_bytes(),
            read_file(golden("policy_v1_plain.ifd")));
  EXPECT_EQ(golden_file(StateSet::kExtended, Head::kResidual).to_bytes(),
            read_file(golden("policy_v1_residual.ifd")));
}

TEST(PolicyFile, KeepsWhatAnyMethodPutsIn) {
  PolicyFile file;
  file.method = "another";
  file.metadata_json = R"({"a":[1,2]})";
  file.tensors = {{"one number", {}, {3.5F}}, {"cube", {2, 1, 3}, {1, -2, 3, -0.F, 1e-45F, 3e38F}}};
  const ScratchDirectory scratch;
  file.write(scratch / "p.ifd");
  const PolicyFile back = PolicyFile::read(scratch / "p.ifd");
  EXPECT_EQ(back.method, file.method);
  EXPECT_EQ(back.metadata_json, file.metadata_json);
  EXPECT_EQ(back.tensors, file.tensors);
  EXPECT_EQ(back.architecture_hash(), file.architecture_hash());
  EXPECT_EQ(back.source, (scratch / "p.ifd").string());
  EXPECT_EQ(back.at("cube").values[5], 3e38F);
  EXPECT_THAT(refusal([&] { back.at("sphere"); }),
              HasSubstr("p.ifd: there is no tensor 'sphere', which method 'another' needs"));
}

TEST(PolicyFile, RefusesEverySingleFlippedBitAndEveryCut) {
  const std::string good = golden_file(StateSet::kPaper, Head::kPlain).to_bytes();
  ASSERT_LT(good.size(), 4096u);
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    ASSERT_THAT(refusal([&] { PolicyFile::from_bytes(bytes, "p.ifd"); }), StartsWith("p.ifd: "))
        << "bit " << bit;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::string_view cut = std::string_view(good).substr(0, size);
    ASSERT_EQ(refusal_kind([&] { PolicyFile::from_bytes(cut, "p.ifd"); }), ErrorKind::kCorruptFile)
        << "size " << size;
  }
}

// The bytes with a checksum that fits, so that what lies behind it is reached.
std::string sealed(std::string body) {
  std::uint32_t sum = 0xffffffff;
  for (const char c : body) {
    sum ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  }
  for (int shift = 0; shift < 32; shift += 8) body.push_back(static_cast<char>(~sum >> shift));
  return body;
}

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
  return text;
}

TEST(PolicyFile, SaysWhatIsWrong) {
  const auto refused = [](const std::string& bytes) {
    return refusal([&] { PolicyFile::from_bytes(bytes, "p.ifd"); });
  };
  std::string body = golden_file(StateSet::kPaper, Head::kPlain).to_bytes();
  body.resize(body.size() - 4);
  ASSERT_EQ(refused(sealed(body)), "");
  EXPECT_THAT(refused(""), HasSubstr("not a policy file; expected it to begin with IFDPOLI1"));
  EXPECT_THAT(refused("PK\3\4 something else"), HasSubstr("not a policy file"));

  std::string newer = body;
  newer[8] = 2;
  EXPECT_EQ(refused(sealed(newer)),
            "p.ifd: a policy file of version 2; this program reads version 1");
  EXPECT_EQ(refusal_kind([&] { PolicyFile::from_bytes(sealed(newer), "p.ifd"); }),
            ErrorKind::kBadInput);
  std::string other = body;
  other[12] = static_cast<char>(other[12] ^ 1);
  EXPECT_THAT(refused(sealed(other)), HasSubstr("p.ifd: made for another architecture"));
  EXPECT_THAT(refused(sealed(body + "x")), HasSubstr("1 bytes too many"));
  EXPECT_THAT(refused(body), HasSubstr("damaged or cut short"));

  const std::string start = "IFDPOLI1" + number(1, 4) + number(0, 8) + number(1, 4) + "m";
  const std::string tensor = start + number(2, 4) + "{}" + number(1, 4) + number(1, 4) + "t";
  EXPECT_THAT(refused(sealed(start + number(2, 4) + "[]")), HasSubstr("not a JSON object"));
  const std::string bytes = "IFDPOLI1" + number(1, 4) + number(0, 8) + number(1, 4) + "\xff";
  EXPECT_EQ(refused(sealed(bytes + number(2, 4) + "{}" + number(0, 4))),
            "p.ifd: byte 25: the bytes of a method's name are not UTF-8");
  EXPECT_THAT(refused(sealed(start + number(2, 4) + "{}" + number(1, 4) + number(1, 4) + "\xff")),
              HasSubstr("the bytes of a tensor's name are not UTF-8"));
  // Read by a call a level, this would exhaust the stack; here and wherever the metadata is used.
  const std::string deep = "{\"x\":" + std::string(66'000, '[') + std::string(66'000, ']') + "}";
  EXPECT_EQ(refused(sealed(start + number(deep.size(), 4) + deep + number(0, 4))),
            "p.ifd: metadata nests lists and objects deeper than 32 levels; expected at most 32");
  EXPECT_THAT(refused(sealed(start + number(0xffffffff, 4))), HasSubstr("4294967295 bytes of"));
  EXPECT_THAT(refused(sealed(start + number(100, 4))), HasSubstr("100 bytes are missing"));
  EXPECT_THAT(refused(sealed(tensor + number(2, 4))), HasSubstr("tensor 't' has type 2"));
  EXPECT_THAT(refused(sealed(tensor + number(1, 4) + number(9, 4))), HasSubstr("9 dimensions"));
  // 2^62 floats would fill no memory: refused before any is asked for.
  EXPECT_THAT(
      refused(sealed(tensor + number(1, 4) + number(1, 4) + number(std::uint64_t{1} << 62, 8))),
      HasSubstr("tensor 't' does not fit the file"));
  EXPECT_THAT(
      refused(sealed(tensor + number(1, 4) + number(2, 4) + number(std::uint64_t{1} << 32, 8) +
                     number(std::uint64_t{1} << 32, 8))),
      HasSubstr("does not fit the file"));
}

TEST(PolicyFile, RefusesToWriteWhatItCouldNotRead) {
  PolicyFile file;
  EXPECT_THAT(refusal([&] { file.to_bytes(); }), HasSubstr("method's name has 0 bytes"));
  file.method = "m";
  file.metadata_json = "{";
  EXPECT_THAT(refusal([&] { file.to_bytes(); }), HasSubstr("metadata is not JSON"));
  file.metadata_json = "[]";
  EXPECT_THAT(refusal([&] { file.to_bytes(); }), HasSubstr("not a JSON object"));
  file.metadata_json = "{}";
  file.method = "\xff";
  EXPECT_THAT(refusal([&] { file.to_bytes(); }), HasSubstr("not UTF-8"));
  file.method = "m";
  file.tensors = {{"\xff", {1}, {1}}};
  EXPECT_THAT(refusal([&] { file.to_bytes(); }), HasSubstr("cannot be written"));
  file.tensors = {{"t", {2}, {1}}};
  EXPECT_THAT(refusal([&] { file.to_bytes(); }), HasSubstr("tensor 't' cannot be written"));
  file.tensors = {{"t", {1}, {1}}, {"t", {1}, {1}}};
  EXPECT_THAT(refusal([&] { file.to_bytes(); }), HasSubstr("a name of its own"));
}

TEST(TrainedPolicy, RefusesFilesThatDoNotFitTogether) {
  const auto refused = [](const PolicyFile& file) {
    return refusal([&] { make_trained_rejector(file, MarginScale::kLogit); });
  };
  const PolicyFile good = golden_file(StateSet::kPaper, Head::kPlain);
  PolicyFile file = good;
  file.method = "pop-qi";
  EXPECT_THAT(refused(file), HasSubstr("method 'pop-qi' is not an identity-free rule"));
  file = good;
  file.metadata_json = R"({"state":"paper"})";
  EXPECT_THAT(refused(file), HasSubstr("metadata 'head' is not known; expected plain or residual"));
  file.metadata_json = R"({"state":"paper","head":5})";
  EXPECT_EQ(refused(file), "policy: metadata key 'head' is a number; expected text");
  file.metadata_json = R"({"state":"extended","head":"plain"})";
  EXPECT_THAT(refused(file), HasSubstr("policy: network: reads 6 numbers; expected 12"));
  file = good;
  file.tensors.pop_back();
  EXPECT_THAT(refused(file), HasSubstr("no tensor 'layer1.bias'"));
  file = good;
  file.tensors.push_back({"layer7.bias", {1}, {0}});
  EXPECT_THAT(refused(file), HasSubstr("5 tensors, of which method 'ifd' knows 4"));
  file = good;
  file.tensors[0].shape = {18};
  EXPECT_THAT(refused(file), HasSubstr("layer 0 has 1 and 1 dimensions; expected 2 and 1"));
  file = good;
  file.tensors[0].values[0] = NAN;
  EXPECT_THAT(refused(file), HasSubstr("not finite"));
}

// A policy file is a policy like any other, for any number of classes.
TEST(NamedPolicy, ReadsAPolicyFile) {
  for (const std::size_t classes : {2, 5, 30}) {
    const Roster roster{{"ann"}, {ExpertProfile(classes)}};
    std::vector<float> p(classes, .5F / static_cast<float>(classes - 1));
    p[0] = .5F;
    const Predictions cases({ClassNames::numbered(classes), {}, p, {}, {}, 0});
    for (const char* name : {"policy_v1_plain.ifd", "policy_v1_residual.ifd"}) {
      const auto policy = make_policy(golden(name).string(), {.roster = roster});
      const double margin = all_margins(*policy, cases, Availability(1)).front();
      EXPECT_TRUE(std::isfinite(margin));
    }
  }
}

TEST(NamedPolicy, RefusesFilesItCannotUse) {
  const Roster roster{{"ann"}, {ExpertProfile(2)}};
  const auto refused = [&](const std::string& name) {
    return refusal([&] { make_policy(name, {.roster = roster}); });
  };
  const ScratchDirectory scratch;
  EXPECT_THAT(refused((scratch / "absent.ifd").string()), HasSubstr("absent.ifd"));
  EXPECT_THAT(refused(scratch.put("notes.txt", "hello").string()),
              HasSubstr("notes.txt: not a policy file"));
  PolicyFile file;
  file.method = "oracle-bones";
  file.write(scratch / "bones.ifd");
  EXPECT_THAT(refused((scratch / "bones.ifd").string()),
              HasSubstr("bones.ifd: method 'oracle-bones' is not known; expected one of ifd"));
  EXPECT_THAT(refused("plugin"),
              HasSubstr("'plugin' is not a policy; expected a policy file or one of plug-in"));
}

}  // namespace
}  // namespace ifd
