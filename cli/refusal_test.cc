// What the command says to bad input: one line that names the place, what is wrong there and what
// was allowed. docs/bad-input.md is this table; IFD_REWRITE_DOCS=1 writes it anew.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>
#include <cstring>

#include "ifd/data/binary_file.h"
#include "ifd/data/npz.h"
#include "ifd/fnv_hash.h"
#include "ifd/random/keyed_random.h"
#include "ifd/watch/kept_watch.h"
#include "tests/command.h"
#include "tests/gzip.h"

namespace ifd {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

struct Refusal {
  std::string what;  // for the document
  std::string words;
  int code;
  std::string message;  // without "ifd: "
  Files files = {};     // instead of those of the example
};

struct Chapter {
  std::string title;
  std::vector<Refusal> refusals;
};

std::string valid_npz() {
  NpzWriter writer;
  const std::vector<float> p = {.5F, .5F, .25F, .75F};
  writer.add("probabilities", {2, 2}, std::span<const float>(p));
  return std::move(writer).bytes();
}

std::string labelled_npz() {
  NpzWriter writer;
  const std::vector<float> p = {.5F, .5F, .25F, .75F};
  const std::vector<std::int64_t> labels = {0, 1};
  writer.add("probabilities", {2, 2}, std::span<const float>(p));
  writer.add("labels", {2}, std::span<const std::int64_t>(labels));
  return std::move(writer).bytes();
}

// The same archive with an array of Python objects, checksum and all.
std::string object_npz() {
  std::string bytes = valid_npz();
  const auto checksum = [&] {
    const std::size_t begin = bytes.find("\x93NUMPY");
    const std::size_t end = bytes.find("PK\x01\x02");
    const auto crc = static_cast<std::uint32_t>(crc32(
        0, reinterpret_cast<const Bytef*>(bytes.data()) + begin, static_cast<uInt>(end - begin)));
    std::string text(4, '\0');
    std::memcpy(text.data(), &crc, 4);
    return text;
  };
  const std::string old_checksum = checksum();
  bytes.replace(bytes.find("<f4"), 3, "|O4");
  const std::string new_checksum = checksum();
  for (std::size_t at = bytes.find(old_checksum); at != std::string::npos;
       at = bytes.find(old_checksum)) {
    bytes.replace(at, 4, new_checksum);
  }
  return bytes;
}

// 272 MB of zeros in 17 members, of which none promises too much.
std::string gzip_bomb() {
  const std::string member = gzip(std::string(std::size_t{16} << 20, '\0'), {9, 9});
  std::string bytes;
  for (int i = 0; i < 17; ++i) bytes += member;
  return bytes;
}

// Three million answers of two bytes each.
std::string answers_bomb() {
  std::string header = "case,truth", row = ",cat";
  for (int j = 0; j < 2000; ++j) header += ",e" + std::to_string(j), row += ",cat";
  std::string text = header + "\n";
  for (int i = 0; i < 1700; ++i) text += std::to_string(i) + row + "\n";
  return gzip(text);
}

// Experts and cases that are as many as the rows.
std::string answers_of_many(int rows) {
  std::string text = "expert,case,answer,truth\n";
  for (int i = 0; i < rows; ++i) {
    text += "e" + std::to_string(i) + ",x" + std::to_string(i) + ",c0,c0\n";
  }
  return text;
}

std::string predictions_of(int cases, int classes) {
  std::string text = "case", row;
  for (int k = 0; k < classes; ++k) text += ",c" + std::to_string(k), row += k == 0 ? ",1" : ",0";
  text += "\n";
  for (int i = 0; i < cases; ++i) text += "x" + std::to_string(i) + row + "\n";
  return text;
}

// 400,000 bytes that deflate makes no smaller, declared to be 300,000,000.
std::string npz_bomb() {
  std::vector<std::uint8_t> noise(400'000);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] = static_cast<std::uint8_t>(Key(1).with(i).below(256));
  }
  NpzWriter writer(NpzPacking::kDeflated);
  writer.add("probabilities", {200'000, 2}, std::span<const std::uint8_t>(noise));
  std::string bytes = std::move(writer).bytes();
  const auto number = [](std::uint64_t value) {
    std::string text(8, '\0');
    std::memcpy(text.data(), &value, 8);
    return text;
  };
  bytes.replace(bytes.rfind(number(400'128)), 8, number(300'000'000));
  return bytes;
}

// A policy file without tensors, whatever the metadata.
std::string policy_with(const std::string& method, const std::string& metadata) {
  FnvHash hash;
  hash.add(std::string_view(method));
  BinaryWriter out;
  out.raw("IFDPOLI1");
  out.number(std::uint32_t{1});
  out.number(hash.value());
  out.text(method);
  out.text(metadata);
  out.number(std::uint32_t{0});
  return std::move(out).with_checksum();
}

// A watch that began with the example's context, and has seen an answer of ann's.
std::string kept_watch() {
  const ClassId cat{0}, dog{1};
  const std::vector<OldAnswers> before = {
      {"ann", {{cat, Answer(cat), 2}, {dog, Answer(dog)}, {dog, Answer(cat)}}},
      {"bob", {{cat, Answer(dog), 2}, {dog, Answer(dog), 2}}}};
  KeptWatch kept(ClassNames({"cat", "dog"}), Watch(2, before));
  kept.watch.observe("ann", {"n1", cat, Answer(cat)});
  return kept.to_bytes();
}

Files kept(const std::string& bytes, const std::string& context = kContext) {
  return {{"w.watch", bytes},
          {"c.csv", context},
          {"n.csv", "expert,case,answer,truth\nann,n2,cat,cat\n"}};
}

const std::string kRouteHalf = "route --predictions p.csv --context c.csv --budget 0.5";
const std::string kEvaluateAll = "evaluate --predictions p.csv --context c.csv --answers a.csv";

Files p(const std::string& bytes) { return {{"p.csv", bytes}}; }
Files row(const std::string& text) { return p("case,label,cat,dog\n" + text + "\n"); }
Files c(const std::string& text) { return {{"c.csv", "expert,case,answer,truth\n" + text + "\n"}}; }
Files prior(const std::string& text) {
  return {{"prior.csv", "expert,class,mean,strength\n" + text + "\n"}};
}
Files capacity(const std::string& text) {
  return {{"capacity.csv", "expert,capacity\n" + text + "\n"}};
}

Files costs(const std::string& text) { return {{"costs.csv", "truth,label,cost\n" + text + "\n"}}; }
Files fees(const std::string& text, const std::string& header = "expert,fee") {
  return {{"costs.csv", "truth,label,cost [EUR]\n*,*,1\ncat,dog,5\n"},
          {"fees.csv", header + "\n" + text + "\n"}};
}

Chapter any_file() {
  return {
      "Any file",
      {{"a file that is not there", "profile --context none.csv --classes cat,dog", 3,
        "none.csv: no such file"},
       {"a directory", "profile --context . --classes cat,dog", 3,
        ".: is a directory; expected a file"},
       {"a device without an end",
        "combine --predictions p.csv --context c.csv --answers /dev/zero --max-expansion 1", 3,
        "/dev/zero: has no size of its own and goes on; expected at most 268435456 bytes; "
        "--max-expansion allows more"},
       {"an empty file", kRouteHalf, 3, "p.csv: is empty; expected a header line", p("")},
       {"bytes that are no text", kRouteHalf, 3,
        "p.csv:2: byte 0xff is not UTF-8, and there are control characters; expected UTF-8 "
        "text",
        row("a\xFF\x01,cat,0.5,0.5")},
       {"UTF-8 with a damaged character", kRouteHalf, 3,
        "p.csv:3: byte 0xff is not UTF-8, as others of the file are; expected UTF-8 text",
        row("\xC3\xA9,cat,0.5,0.5\n\xFF,cat,0.5,0.5")},
       {"a byte that is neither UTF-8 nor Windows-1252", kRouteHalf, 3,
        "p.csv:2: byte 0x81 is not UTF-8 and not Windows-1252; expected UTF-8 text",
        row("\x81,cat,0.5,0.5")},
       {"a NUL byte", kRouteHalf, 3, "p.csv:2: a NUL byte; expected text",
        row(std::string("a\0,cat,0.5,0.5", 14))},
       {"half of UTF-16", kRouteHalf, 3,
        "p.csv:1: half a character of UTF-16; is the file cut short?",
        p("\xFF\xFE"
          "c")},
       {"UTF-32", kRouteHalf, 3, "p.csv: is UTF-32 text; expected UTF-8",
        p(std::string("\xFF\xFE\0\0c\0\0\0", 8))},
       {"two separators that do equally well", kRouteHalf, 3,
        "p.csv:1: ',' and ';' both split the header into 2 columns; expected one separator; a "
        "line 'sep=,' in front tells which",
        p("case,cat;dog\n")},
       {"a separator that is none", kRouteHalf, 3,
        "p.csv:1: '|' is not a separator; expected ',', ';' or a tab", p("sep=|\ncase|cat\n")},
       {"decimal commas and points", kRouteHalf + " -q", 3,
        "p.csv:3: '0.5' in column 'cat' has a decimal point, but line 2 has a decimal comma; "
        "expected one of them in all of the file",
        p("case;cat;dog\na;0,5;0,5\nb;0.5;0.5\n")},
       {"a column in two letter cases", kRouteHalf, 3,
        "p.csv:1: columns 'Case' and 'CASE' may both be 'case'; expected one",
        p("Case,CASE,cat,dog\na,a,0.5,0.5\n")},
       {"a quote that is never closed", kRouteHalf, 3,
        "p.csv:2: a quote that is never closed; expected a second one", row("\"a,cat,0.5,0.5")},
       {"a row with too few fields", kRouteHalf, 3, "p.csv:3: 3 field(s); expected 4",
        row("a,cat,0.5,0.5\nb,cat,0.5")},
       {"a gzip file that ends too early", kRouteHalf, 3, "p.csv: the gzip data is cut short",
        p(gzip(kPredictions).substr(0, 40))},
       {"a gzip file that unfolds to more than 100 times its size and 256 MB", kRouteHalf, 3,
        "p.csv: 277151 bytes of gzip unfold to 268435457 or more; expected at most 268435456; "
        "--max-expansion allows more",
        p(gzip_bomb())},
       {"a gzip file of answers that are more in memory",
        kRouteHalf + " -q",
        3,
        "c.csv: takes 268435512 bytes or more in memory; expected at most 268435456; "
        "--max-expansion allows more",
        {{"c.csv", answers_bomb()}}},
       {"a class with a name of 5000 bytes", kRouteHalf, 3,
        "p.csv:1: the name '" + std::string(60, 'c') + "...' has 5000 bytes; expected at most 4096",
        p("case," + std::string(5000, 'c') + ",dog\na,0.5,0.5\n")}}};
}

std::string array_npz(const std::string& name) {
  NpzWriter writer;
  const std::vector<float> p = {.5F, .5F, .25F, .75F};
  writer.add(name, {2, 2}, std::span<const float>(p));
  return std::move(writer).bytes();
}

// An archive of one file that is no array.
std::string zip_of_csv() {
  std::string bytes = array_npz("p");
  for (std::size_t at = bytes.find("p.npy"); at != std::string::npos; at = bytes.find("p.npy")) {
    bytes.replace(at, 5, "p.csv");
  }
  return bytes;
}

Chapter other_formats() {
  return {
      "Files of other formats",
      {{"Parquet", kRouteHalf, 3,
        "p.csv: is a Parquet file; expected CSV or NPZ: in pandas, "
        "pd.read_parquet(...).to_csv(..., index=False)",
        p("PAR1\x15\x04PAR1")},
       {"a zip archive of CSV", kRouteHalf, 3,
        "p.csv: is a zip archive of p.csv; expected CSV or NPZ: unpack it first", p(zip_of_csv())},
       {"a pickle", kRouteHalf, 3,
        "p.csv: is a Python pickle, which is never unpickled; expected CSV or NPZ: in Python, "
        "DataFrame.to_csv(..., index=False) or np.savez(...)",
        p("\x80\x04\x95...")},
       {"JSON", kRouteHalf, 3,
        "p.csv: is JSON; expected CSV or NPZ: in pandas, pd.read_json(...).to_csv(..., "
        "index=False), with lines=True for one object per line",
        p("{\"case\": \"a\"}\n")},
       {"an image", kRouteHalf, 3, "p.csv: is an image (PNG); expected CSV or NPZ",
        p("\x89PNG\r\n\x1A\n")},
       {"xz", kRouteHalf, 3, "p.csv: is compressed by xz; expected CSV or NPZ: unpack it first",
        p(std::string("\xFD"
                      "7zXZ\0",
                      6))},
       {"an NPZ file with other arrays", kRouteHalf, 3,
        "p.csv: neither 'probabilities' nor 'logits'; expected one of them; found preds: "
        "float32 (2, 2)",
        p(array_npz("preds"))},
       {"a `.npy` file that is no matrix", kRouteHalf, 3,
        "p.csv: shape (4); expected (cases, classes)",
        p(npy_bytes("<f4", {4}, std::string(16, '\0')))},
       {"an NPZ file where a table belongs",
        kRouteHalf,
        3,
        "c.csv: is an NPZ archive of answers.npy; expected CSV text",
        {{"c.csv", array_npz("answers")}}},
       {"a web page", kRouteHalf, 3,
        "p.csv: is a web page; expected CSV or NPZ: was it a login page instead of the "
        "download?",
        p("<!DOCTYPE html>\n<html>")}}};
}

Chapter policy_files() {
  const std::string deep = "{\"x\":" + std::string(66'000, '[') + std::string(66'000, ']') + "}";
  return {"Policy files",
          {{"metadata that is not JSON",
            "policy show p.ifd",
            3,
            "p.ifd: metadata is not JSON from byte 6 on",
            {{"p.ifd", policy_with("ifd", "{\"a\":}")}}},
           {"metadata with a key twice",
            "policy show p.ifd",
            3,
            "p.ifd: metadata has 'a' twice; expected distinct keys",
            {{"p.ifd", policy_with("ifd", "{\"a\":1,\"a\":2}")}}},
           {"metadata nested 66,000 deep",
            "policy show p.ifd",
            3,
            "p.ifd: metadata nests lists and objects deeper than 32 levels; expected at most 32",
            {{"p.ifd", policy_with("ifd", deep)}}},
           {"a number where a word belongs",
            kRouteHalf + " --policy p.ifd",
            3,
            "p.ifd: metadata key 'state' is a number; expected text",
            {{"p.ifd", policy_with("ifd", "{\"state\":5}")}}},
           {"a policy whose method is no text",
            "policy show p.ifd --json",
            3,
            "p.ifd: byte 25: the bytes of a method's name are not UTF-8",
            {{"p.ifd", policy_with("\xff", "{}")}}}}};
}

Chapter predictions() {
  return {
      "Predictions",
      {{"a header and nothing else", kRouteHalf, 3, "p.csv: no rows; expected at least one case",
        p("case,label,cat,dog\n")},
       {"no column `case`", kRouteHalf, 3, "p.csv:1: no column 'case'; found id, label, cat, dog",
        p("id,label,cat,dog\na,cat,0.5,0.5\n")},
       {"one class", kRouteHalf, 3, "p.csv:1: 1 class(es); expected 2..32000",
        p("case,cat\na,1\n")},
       {"two classes of one name", kRouteHalf, 3,
        "p.csv:1: two columns are named 'cat'; expected distinct names",
        p("case,cat,cat\na,0.5,0.5\n")},
       {"other classes in the second file",
        kRouteHalf + " --context-predictions x.csv",
        3,
        "x.csv: lacks class 'dog' and has class 'cow'; expected the classes cat, dog",
        {{"x.csv", "case,label,cow,cat\nx,cat,0.5,0.5\n"}}},
       {"a case that is there twice", kRouteHalf, 3,
        "p.csv:3: case 'a' is there twice; expected distinct cases",
        row("a,cat,0.5,0.5\na,dog,0.5,0.5")},
       {"a name with a line feed in it", kRouteHalf, 3,
        "p.csv:4: case 'a\\x0ab' is there twice; expected distinct cases",
        row("\"a\nb\",cat,0.5,0.5\n\"a\nb\",dog,0.5,0.5")},
       {"a case without a name", kRouteHalf, 3, "p.csv:2: the case has no name; expected one",
        row(",cat,0.5,0.5")},
       {"a column of groups that is not there", kEvaluateAll + " --group patient", 3,
        "p.csv: no column 'patient' for --group; expected a CSV column beside case, label and the "
        "classes (cat, dog)"},
       {"a case without a group", kEvaluateAll + " --group patient", 3,
        "p.csv:2: the group is empty; expected a name",
        p("case,patient,label,cat,dog\na,,cat,0.5,0.5\n")},
       {"an NPZ file that ends too early", kRouteHalf, 3,
        "p.csv: the zip archive has no end; is the file cut short?", p(valid_npz().substr(0, 150))},
       {"an NPZ file that unfolds to more than 100 times its size and 256 MB", kRouteHalf, 3,
        "p.csv: 400489 bytes of archive declare arrays of 300000000 bytes or more; expected at "
        "most "
        "268435456; --max-expansion allows more",
        p(npz_bomb())},
       {"an NPZ file with Python objects", kRouteHalf, 3,
        "p.csv: 'probabilities': holds Python objects, which are never unpickled; expected "
        "numbers or text",
        p(object_npz())}}};
}

Chapter probabilities() {
  return {
      "Probabilities",
      {{"NaN", kRouteHalf, 3, "p.csv:2: nan is not a probability for class 'cat'; expected 0..1",
        row("a,cat,nan,0.5")},
       {"infinity", kRouteHalf, 3,
        "p.csv:2: inf is not a probability for class 'dog'; expected 0..1", row("a,cat,0.5,inf")},
       {"a negative value", kRouteHalf, 3,
        "p.csv:2: -0.5 is not a probability for class 'cat'; expected 0..1", row("a,cat,-0.5,1.5")},
       {"text where a number belongs", kRouteHalf, 3,
        "p.csv:2: 'half' is not a number; expected one in column 'cat'", row("a,cat,half,0.5")},
       {"a percent sign", kRouteHalf, 3,
        "p.csv:2: '60%' is not a number; expected one in column 'cat'; a percentage? --percent "
        "reads those of predictions, others divide by 100",
        row("a,cat,60%,40%")},
       {"decimal commas between commas", kRouteHalf, 3,
        "p.csv:2: 6 field(s); expected 4; decimal commas? write points, or separate the fields by "
        "semicolons",
        row("a,cat,0,6,0,4")},
       {"a decimal comma in quotes", kRouteHalf, 3,
        "p.csv:2: '0,6' is not a number; expected one in column 'cat'; a decimal comma? write a "
        "point, or separate the fields by semicolons",
        row("a,cat,\"0,6\",\"0,4\"")},
       {"a row that does not sum to 1", kRouteHalf, 3,
        "p.csv:2: the probabilities sum to 0.9; expected 1 within 0.001", row("a,cat,0.5,0.4")},
       {"logits without `--logits`", kRouteHalf, 3,
        "p.csv:2: the probabilities sum to 5.5; expected 1 within 0.001", row("a,cat,2.5,3")},
       {"a logit that is not finite", kRouteHalf + " --logits", 3,
        "p.csv:2: inf is not a logit; expected finite numbers", row("a,cat,inf,3")},
       {"percentages", kRouteHalf, 3,
        "p.csv:2: the probabilities sum to 100; expected 1 within 0.001; percentages? divide by "
        "100, or read them with --percent",
        row("a,cat,40,60")},
       {"`--percent` for what is none", kRouteHalf + " --percent", 3,
        "p.csv:2: the probabilities sum to 0.01; expected 1 within 0.001; no percentages? leave "
        "out --percent",
        row("a,cat,0.5,0.5")}}};
}

Chapter labels() {
  return {
      "Labels",
      {{"class numbers without `--labels numbers`", kRouteHalf, 3,
        "p.csv:2: '0' is not a class; expected cat, dog; class numbers? --labels numbers",
        row("a,0,0.5,0.5")},
       {"class numbers that count from 1", kRouteHalf + " --labels numbers", 3,
        "p.csv:3: '2' is not a class; expected a class number, 0..1; counted from 1? subtract 1",
        row("a,1,0.5,0.5\nb,2,0.5,0.5")},
       {"a label that is no class", kRouteHalf, 3,
        "p.csv:2: 'cow' is not a class; expected cat, dog", row("a,cow,0.5,0.5")},
       {"a label in other letters", kRouteHalf, 3,
        "p.csv:2: 'Cat' is not a class; expected cat, dog; is it 'cat'? it must be written so",
        row("a,Cat,0.5,0.5")},
       {"labels on some cases only", kRouteHalf, 3,
        "p.csv:3: some cases have a label and some have none; expected all or none",
        row("a,cat,0.5,0.5\nb,,0.5,0.5")}}};
}

Chapter context_and_answers() {
  return {
      "Context and answers",
      {{"a header and nothing else",
        kRouteHalf,
        3,
        "c.csv: no rows; expected at least one answer",
        {{"c.csv", "expert,case,answer,truth\n"}}},
       {"no column `answer`",
        kRouteHalf,
        3,
        "c.csv:1: no column 'answer'; found expert, case, truth",
        {{"c.csv", "expert,case,truth\nann,x,cat\n"}}},
       {"a context's cases among those of an NPZ without `cases`",
        kRouteHalf + " --calibrate temperature",
        3,
        "p.csv: only numbers its cases, so which of them are the context's is not known; expected "
        "--context-predictions FILE, or an array 'cases' with names in the NPZ",
        {{"p.csv", labelled_npz()}, {"c.csv", "expert,case,answer,truth\nann,0,1,1\n"}}},
       {"class numbers in the context", kRouteHalf, 3,
        "c.csv:2: truth '1' is not a class; expected cat, dog; class numbers? --labels numbers",
        c("ann,x,0,1")},
       {"a context of blanks", kRouteHalf, 3,
        "c.csv: none of the 1 answers counts (1 blank, 0 without a truth); expected at least one",
        c("ann,x,NA,cat")},
       {"a column per expert, and one of something else",
        kRouteHalf,
        3,
        "c.csv:2: '2024-05-01' in column 'date' is not a class; expected cat, dog; without a "
        "column 'expert' every column is an expert's answers: remove what is none",
        {{"c.csv", "case,truth,ann,date\nx,cat,dog,2024-05-01\n"}}},
       {"a column per expert, and two for the truth",
        kRouteHalf,
        3,
        "c.csv:1: a column 'truth' and a column 'label'; expected one of them beside the experts'",
        {{"c.csv", "case,truth,label,ann\nx,cat,cat,dog\n"}}},
       {"a column of an expert without a name",
        kRouteHalf,
        3,
        "c.csv:1: column 2 has no name; expected an expert's",
        {{"c.csv", "case,,ann\nx,cat,dog\n"}}},
       {"answers of blanks that are skipped",
        kEvaluateAll + " --blank skip",
        3,
        "a.csv: all 1 answers are blank; expected at least one answer",
        {{"a.csv", "expert,case,answer\nann,a,NA\n"}}},
       {"two answers of one expert to one case", kRouteHalf, 3,
        "c.csv:3: expert 'ann' answers case 'x' a second time, after line 2; expected one answer",
        c("ann,x,cat,cat\nann,x,dog,cat")},
       {"answers of many experts to many cases",
        kEvaluateAll + " -q",
        3,
        "a.csv: takes 291361152 bytes or more in memory; expected at most 268435456; "
        "--max-expansion allows more",
        {{"p.csv", predictions_of(12'000, 2)},
         {"c.csv", answers_of_many(1)},
         {"a.csv", answers_of_many(12'000)}}},
       {"many experts and many classes",
        kRouteHalf + " -q",
        3,
        "6000 experts or more and 6000 classes; expected at most 33554432 in product",
        {{"p.csv", predictions_of(1, 6000)}, {"c.csv", answers_of_many(6000)}}},
       {"an expert without a name", kRouteHalf, 3, "c.csv:2: the expert has no name; expected one",
        c(",x,cat,cat")},
       {"answers to other cases only",
        kEvaluateAll,
        3,
        "a.csv: none of the 1 answers is on a case of the predictions: such as 'x' here and 'a' in "
        "the "
        "predictions; expected the same names",
        {{"a.csv", "expert,case,answer\nann,x,cat\n"}}},
       {"answers that are missing",
        kEvaluateAll,
        3,
        "a.csv: 9 answers are missing (ann: 4, bob: 5); expected one of every expert on duty on "
        "every one of the 5 cases, or --missing off-duty",
        {{"a.csv", "expert,case,answer\nann,a,cat\n"}}},
       {"nothing to calibrate on", kRouteHalf + " --calibrate temperature", 3,
        "p.csv: none of the context's cases is there, so there is nothing to calibrate on; "
        "expected them in --context-predictions"}}};
}

Chapter truths() {
  return {
      "Truths",
      {{"a truth that is no class", kRouteHalf, 3,
        "c.csv:2: truth 'cow' is not a class; expected cat, dog", c("ann,x,cat,cow")},
       {"a context row without truth", kRouteHalf, 3,
        "c.csv:2: no truth for case 'x'; expected one in column 'truth' or as a label of the case",
        c("ann,x,cat,")},
       {"a context without any truth",
        kRouteHalf,
        3,
        "c.csv:2: no truth for case 'x'; expected a column 'truth' or a label of the case, or "
        "--truth others",
        {{"c.csv", "expert,case,answer\nann,x,cat\n"}}},
       {"two truths for one case", kRouteHalf, 3,
        "c.csv:3: truth 'dog' for case 'x', but line 2 says 'cat'; expected the same, or --truth "
        "row",
        c("ann,x,cat,cat\nbob,x,cat,dog")},
       {"a truth against the label", kRouteHalf, 3,
        "c.csv:2: truth 'dog' for case 'a', but the case's label is 'cat'; expected the same, or "
        "--truth row",
        c("ann,a,cat,dog")},
       {"a context without truth, and an NPZ without `cases`",
        kRouteHalf,
        3,
        "c.csv:2: no truth for case '0'; expected a column 'truth', since the predictions only "
        "number their cases; or --context-predictions FILE, or an array 'cases' with names in the "
        "NPZ",
        {{"p.csv", labelled_npz()}, {"c.csv", "expert,case,answer\nann,0,1\n"}}},
       {"a truth against the label of a row",
        "evaluate --predictions p.csv --context c.csv --answers a.csv --context-predictions x.npz",
        3,
        "c.csv:2: truth '0' for case '1', but the label of that row is '1'; expected the same, or "
        "names of the cases in an array 'cases' of the predictions, or --truth row",
        {{"p.csv", labelled_npz()},
         {"x.npz", labelled_npz()},
         {"c.csv", "expert,case,answer,truth\nann,1,1,0\n"}}},
       {"a truth in other letters", kRouteHalf, 3,
        "c.csv:2: truth 'DOG' is not a class; expected cat, dog; is it 'dog'? it must be written "
        "so",
        c("ann,x,dog,DOG")},
       {"truths of the others where there are none", kRouteHalf + " --truth others", 3,
        "c.csv: none of the 1 answers counts (0 blank, 1 without a truth); expected at least one",
        c("ann,x,cat,cat")},
       {"likeliest truths where there are none", kRouteHalf + " --truth dawid-skene", 3,
        "c.csv: none of the 1 answers counts (0 blank, 1 without a truth); expected at least one",
        c("ann,x,cat,cat")},
       {"a calibration on truths that differ", kRouteHalf + " --truth row --calibrate temperature",
        3,
        "a calibration needs one truth per case, and case 'a' has 'cat' and 'dog' in the context; "
        "expected --truth given or majority, or no calibration on the context",
        c("ann,a,cat,cat\nbob,a,cat,dog")},
       {"nobody knows the truth of the cases",
        kEvaluateAll,
        3,
        "a.csv: the truth of some cases is not known; expected a 'truth' for every case to be "
        "scored, or labels in the predictions",
        {{"p.csv", "case,cat,dog\na,0.5,0.5\n"},
         {"a.csv", "expert,case,answer\nann,a,cat\nbob,a,cat\n"}}}}};
}

Chapter priors_and_capacities() {
  const std::string with_prior = kRouteHalf + " --prior prior.csv";
  const std::string with_capacity = kRouteHalf + " --capacity capacity.csv";
  return {
      "Priors and capacities",
      {{"a prior mean outside 0..1", with_prior, 3,
        "prior.csv:2: 1.5 is not a prior mean; expected more than 0, less than 1",
        prior("ann,cat,1.5,10")},
       {"a prior without strength", with_prior, 3,
        "prior.csv:2: 0 is not a strength; expected more than 0, at most 1000000000",
        prior("ann,cat,0.5,0")},
       {"a prior of more answers than anybody has seen",
        "explain --predictions p.csv --context c.csv --case a --prior prior.csv", 3,
        "prior.csv:2: 1e+25 is not a strength; expected more than 0, at most 1000000000",
        prior("ann,cat,0.5,1e25")},
       {"a prior that leaves no doubt", with_prior, 3,
        "prior.csv:2: mean 1e-300 and strength 10 make Beta(1e-299, 10); expected both 1e-09 or "
        "more",
        prior("ann,cat,1e-300,10")},
       {"a prior for an unknown class", with_prior, 3,
        "prior.csv:2: 'cow' is not a class; expected cat, dog or *", prior("ann,cow,0.5,10")},
       {"a prior that is there twice", with_prior, 3,
        "prior.csv:3: expert 'ann' and class 'cat' are there twice; expected once",
        prior("ann,cat,0.5,10\nann,cat,0.5,10")},
       {"a prior without its columns",
        with_prior,
        3,
        "prior.csv: expected the columns 'mean' and 'strength', or 'accuracy', 'confidence' and "
        "'strength'",
        {{"prior.csv", "expert,class,strength\nann,cat,10\n"}}},
       {"priors that name nobody, and no context",
        "route --predictions p.csv --budget 0.5 --prior prior.csv --prior-only", 3,
        "prior.csv: names no expert, and nobody has answers; expected the name of one",
        prior("*,*,0.5,10")},
       {"a negative capacity", with_capacity, 3,
        "capacity.csv:2: '-1' is not a capacity; expected a whole number, 0 or more",
        capacity("ann,-1")},
       {"a capacity of an unknown expert", with_capacity, 3,
        "capacity.csv:2: 'zoe' is not an expert; expected one of ann, bob", capacity("zoe,1")},
       {"an expert off duty whom nobody knows", kRouteHalf + " --off-duty zoe", 3,
        "--off-duty: 'zoe' is not an expert; expected one of ann, bob"}}};
}

// So many classes, of which mistakes on the first cost more.
Files costs_of_many_classes(std::size_t count) {
  std::string header = "case", row = "a";
  for (std::size_t k = 0; k < count; ++k) {
    header += ",k" + std::to_string(k);
    row += k == 0 ? ",1" : ",0";
  }
  return {{"p.csv", header + "\n" + row + "\n"},
          {"c.csv", "expert,case,answer,truth\nann,x,k0,k0\nbob,y,k1,k1\n"},
          {"costs.csv", "truth,label,cost\n*,*,1\nk0,*,2\n"}};
}

Chapter costs_and_fees() {
  const std::string with_costs = kRouteHalf + " --costs costs.csv";
  const std::string with_fees = with_costs + " --fees fees.csv";
  return {
      "Costs and fees",
      {{"a cost that is missing", with_costs, 3,
        "costs.csv: no cost of 'dog' taken for 'cat'; expected one for every truth and every other "
        "label, or * for all that are not named",
        costs("cat,dog,5")},
       {"a negative cost", with_costs, 3, "costs.csv:3: cost '-1'; expected a number in 0..1e+12",
        costs("*,*,1\ncat,dog,-1")},
       {"a cost that is not finite", with_costs, 3,
        "costs.csv:2: cost 'inf'; expected a number in 0..1e+12", costs("*,*,inf")},
       {"a cost that is no number", with_costs, 3,
        "costs.csv:2: 'much' is not a number; expected one in column 'cost'", costs("*,*,much")},
       {"a cost that is there twice", with_costs, 3,
        "costs.csv:3: 'cat' taken for 'dog' is there twice; expected once",
        costs("cat,dog,1\ncat,dog,1")},
       {"a right answer that costs something", with_costs, 3,
        "costs.csv:3: the right answer 'cat' costs 2; expected 0", costs("*,*,1\ncat,cat,2")},
       {"costs of nothing", with_costs, 3,
        "costs.csv: no mistake costs anything; expected a cost above 0", costs("*,*,0")},
       {"a cost of a class that is none", with_costs, 3,
        "costs.csv:2: 'cow' is not a class; expected cat, dog or *", costs("cow,*,1")},
       {"a fee for nobody", with_fees, 3,
        "fees.csv:2: 'zoe' is not an expert; expected one of ann, bob or * for everybody",
        fees("zoe,1")},
       {"a negative fee", with_fees, 3, "fees.csv:2: fee '-1'; expected a number in 0..1e+12",
        fees("ann,-1")},
       {"a fee that is there twice", with_fees, 3,
        "fees.csv:3: expert 'ann' is there twice; expected once", fees("ann,1\nann,2")},
       {"costs and fees in two units", with_fees, 3,
        "costs.csv: costs in 'EUR' and fees in 'h'; expected one unit",
        fees("ann,1", "expert,fee [h]")},
       {"fees without costs", kRouteHalf + " --fees fees.csv", 2,
        "--fees goes with --costs, which says what they are weighed against"},
       {"costs for a policy whose margins are no expected costs",
        with_costs + " --policy confidence", 3,
        "policy 'confidence' knows no costs, since its margins are not expected costs; expected "
        "plug-in",
        costs("*,*,1")},
       {"costs for margins on another scale", with_costs + " --margin logit", 3,
        "margins on the logit scale know no costs; expected the scale 'probability', which with "
        "costs is their own unit",
        costs("*,*,1")},
       {"advice before the answers, under costs of many classes",
        with_costs + " --answer combined --sure 0.9", 3,
        "advice before the answers, under costs of 201 classes; expected at most 200",
        costs_of_many_classes(201)},
       {"an accuracy to be reached under costs", kEvaluateAll + " --costs costs.csv --target 0.9",
        2, "--target is an accuracy, and with --costs there is none; expected one of them",
        costs("*,*,1")}}};
}

// A certificate for the example's staff with parts of it replaced.
std::string certificate_with(const std::string& what = "", const std::string& instead = "") {
  std::string text =
      R"({"schema": "ifd certificate 1", "threshold": 0.1, "confidence": 0.9,
 "promises": [{"kind": "error", "limit": 0.08, "measured": 0.05, "units": 400}],
 "deferral": 0.2, "deferral_low": 0.1, "deferral_high": 0.3, "cases": 400, "unit": "case",
 "answer": "final", "policy": "plug-in", "settings": "0123456789abcdef",
 "profiles": "0123456789abcdef",
 "roster": [{"expert": "ann", "on_duty": true}, {"expert": "bob", "on_duty": true}],
 "calibration": "0123456789abcdef", "date": "2026-11-18", "expires": null})";
  if (!what.empty()) text.replace(text.find(what), what.size(), instead);
  return text;
}

Files certificate(const std::string& what = "", const std::string& instead = "") {
  return {{"certificate.json", certificate_with(what, instead)}};
}

const std::string kCertify =
    "certify --context c.csv --calibration p.csv --calibration-answers a.csv ";
const std::string kRouteCertified =
    "route --predictions p.csv --context c.csv --certificate certificate.json";

// Of certify.
std::vector<Refusal> promises_that_are_none() {
  return {
      {"an error that is none", kCertify + "--error 1.5", 2,
       "--error 1.5: expected a number between 0 and 1, both out"},
      {"a confidence of 1", kCertify + "--error 0.1 --confidence 1", 2,
       "--confidence 1: expected a number between 0 and 1, both out"},
      {"nothing to promise", kCertify, 2,
       "certify needs --error, --class-error, --subgroup-error or --cost"},
      {"a cost and an error", kCertify + "--error 0.1 --cost 5", 2,
       "--cost is promised by itself; expected no error beside it"},
      {"a cost where nothing costs anything", kCertify + "--cost 5", 2,
       "--cost needs to know what mistakes cost; expected --costs too"},
      {"a class that is none", kCertify + "--class-error bird=0.1", 3,
       "p.csv: 'bird' is not a class; expected cat, dog"},
      {"a class without a limit", kCertify + "--class-error cat", 2,
       "--class-error 'cat': expected CLASS=SHARE with a share between 0 and 1, as in "
       "--class-error melanoma=0.02"},
      {"subgroups without a limit", kCertify + "--error 0.1 --subgroups g.csv", 2,
       "--subgroup-error and --subgroups go together; expected both"},
      {"calibration cases that are also context cases", kCertify + "--error 0.1", 3,
       "p.csv: 2 of the 5 calibration cases are in the context too, such as 'a'; expected cases "
       "that no profile was made from",
       c("ann,a,cat,cat\nann,b,dog,dog\nann,x,dog,dog")},
      {"calibration cases whose truth nobody knows", kCertify + "--error 0.1", 3,
       "a.csv: the truth of some cases is not known; expected a 'truth' for every calibration "
       "case, or labels in p.csv",
       p("case,cat,dog\na,0.75,0.25\nb,0.5,0.5\n")},
      {"a day that is none", kCertify + "--error 0.1 --expires 2027-02-30", 3,
       "--expires: '2027-02-30' is not a day; expected one as in 2027-06-30"},
      {"a last day that is past", kCertify + "--error 0.1 --date 2026-11-18 --expires 2026-11-17",
       3, "--expires 2026-11-17: is before 2026-11-18; expected a day to come"}};
}

// Of route --certificate, by the file.
std::vector<Refusal> certificates_that_do_not_hold() {
  return {
      {"a certificate for another roster", kRouteCertified, 3,
       "certificate.json: another roster: it is for 'ann', 'carl', and there are 'ann', 'bob'; "
       "expected the same, or a certificate for this one",
       certificate("bob", "carl")},
      {"a certificate for another policy", kRouteCertified, 3,
       "certificate.json: it holds for the policy 'peak-rule', and this is 'plug-in'; expected "
       "the same",
       certificate("plug-in", "peak-rule")},
      {"a certificate for what was known before", kRouteCertified, 3,
       "certificate.json: the experts' answers that are known have changed since; expected those "
       "it was made with, or a new certificate",
       certificate()},
      {"a certificate that has expired", kRouteCertified, 3,
       "certificate.json: it held until 2020-01-31; expected one that is in force today",
       certificate("null", "\"2020-01-31\"")},
      {"a certificate whose last day is no day", kRouteCertified, 3,
       "certificate.json key 'expires' is neither a date nor null; expected one of them",
       certificate("null", "-1")},
      {"a certificate that promises nothing", kRouteCertified, 3,
       "certificate.json key 'promises' is empty; expected one or more",
       certificate(R"({"kind": "error", "limit": 0.08, "measured": 0.05, "units": 400})", "")},
      {"a certificate whose limit was exceeded", kRouteCertified, 3,
       "certificate.json key 'promises[0].measured' is 0.5; expected at most the limit of 0.08",
       certificate("0.05", "0.5")},
      {"a certificate over no case", kRouteCertified, 3,
       "certificate.json key 'cases' is 0; expected 1 to 9007199254740992",
       certificate(R"("cases": 400)", R"("cases": 0)")},
      {"a certificate with its ends exchanged", kRouteCertified, 3,
       "certificate.json key 'deferral_high' is 0.3; expected 0.4 to 1",
       certificate(R"("deferral_low": 0.1)", R"("deferral_low": 0.4)")},
      {"a certificate of a newer version", kRouteCertified, 3,
       "certificate.json: the schema is 'ifd certificate 2'; expected 'ifd certificate 1'",
       certificate("certificate 1", "certificate 2")},
      {"an empty certificate",
       kRouteCertified,
       3,
       "certificate.json: is empty; expected a file that 'ifd certify' wrote",
       {{"certificate.json", ""}}},
      {"another file for a certificate",
       kRouteCertified,
       3,
       "certificate.json: no certificate; expected a file that 'ifd certify' wrote",
       {{"certificate.json", "case,route\na,model\n"}}},
      {"a certificate that is none",
       kRouteCertified,
       3,
       "certificate.json: no certificate; expected a file that 'ifd certify' wrote",
       {{"certificate.json", "{}"}}}};
}

// Of route --certificate, by the other words.
std::vector<Refusal> beside_a_certificate() {
  return {
      {"a certificate with a budget", kRouteCertified + " --budget 0.2", 2,
       "--certificate holds without --budget; expected one of them"},
      {"a certificate with a threshold", kRouteCertified + " --threshold 0", 2,
       "--certificate holds without --threshold; expected one of them"},
      {"a certificate with capacities", kRouteCertified + " --capacity k.csv", 2,
       "--certificate holds without --capacity; expected one of them"},
      {"a certificate with somebody off duty", kRouteCertified + " --off-duty bob", 2,
       "--certificate holds without --off-duty; expected one of them"},
      {"a budget with confidence, but no past cases", kRouteHalf + " --budget-confidence 0.9", 2,
       "--budget-confidence needs past cases to rely on; expected --calibration too"},
      {"a budget with a confidence of 1", kRouteHalf + " --calibration p.csv --budget-confidence 1",
       2, "--budget-confidence 1: expected a number between 0 and 1, both out"}};
}

Chapter certificates() {
  Chapter chapter{"Certificates", promises_that_are_none()};
  for (const auto& more : {certificates_that_do_not_hold(), beside_a_certificate()}) {
    chapter.refusals.insert(chapter.refusals.end(), more.begin(), more.end());
  }
  return chapter;
}

Chapter values_of_options() {
  return {
      "Values of options",
      {{"a budget above 1", "route --predictions p.csv --context c.csv --budget 1.5", 3,
        "budget: 1.5 is not a share of the cases; expected 0..1"},
       {"a budget that is not a number", "route --predictions p.csv --context c.csv --budget nan",
        3, "budget: nan is not a share of the cases; expected 0..1"},
       {"a budget in words", "route --predictions p.csv --context c.csv --budget half", 2,
        "--budget: 'half' is not allowed; expected a number; see 'ifd route --help'"},
       {"a budget without its value", "route --predictions p.csv --context c.csv --budget", 2,
        "--budget: the value is missing; expected a number; see 'ifd route --help'"},
       {"a threshold that is not a number",
        "route --predictions p.csv --context c.csv --threshold nan", 2,
        "--threshold nan: expected a number"},
       {"a threshold to be measured that is not a number", kEvaluateAll + " --threshold nan", 2,
        "--threshold nan: expected a number"},
       {"files that may only shrink", kRouteHalf + " --max-expansion 0.5", 2,
        "--max-expansion: '0.5' is not allowed; expected 1..1000000; see 'ifd route --help'"},
       {"a negative count", kRouteHalf + " --threads -1", 2,
        "--threads: '-1' is not allowed; expected a whole number, 0 or more; see 'ifd route "
        "--help'"},
       {"more threads than any machine has", kRouteHalf + " --threads 1000000000", 2,
        "--threads: '1000000000' is not allowed; expected 0..4096; see 'ifd route --help'"},
       {"a choice that is none", kRouteHalf + " --margin percent", 2,
        "--margin: 'percent' is not allowed; expected one of probability, logit; see 'ifd route "
        "--help'"},
       {"a number that is no choice", "experts sample --noise loud", 2,
        "--noise: 'loud' is not allowed; expected one of 80, 95, 110, 125; see 'ifd experts "
        "sample --help'"},
       {"an unknown policy", kRouteHalf + " --policy best", 2,
        "'best' is not a policy; expected a policy file or one of plug-in, peak-rule, confidence, "
        "conformal, random, ceiling, oracle"},
       {"a policy that knows the answers", kRouteHalf + " --policy oracle", 2,
        "policy 'oracle' knows who is right; it can be evaluated but not routed with"},
       {"bf16 for a policy without a network", kRouteHalf + " --amx test", 2,
        "policy 'plug-in' is not computed in bf16; expected a trained identity-free policy"},
       {"a range upside down", kEvaluateAll + " --range 1,0", 2,
        "--range 1,0: expected 0 <= low < high <= 1"},
       {"too many resamples", kEvaluateAll + " --bootstrap 99999999999", 2,
        "--bootstrap 99999999999: expected 0..1000000"},
       {"one class on the command line", "profile --context c.csv --classes cat", 3,
        "--classes: 1 class(es); expected 2..32000"},
       {"no gap between the classes", "plan peak --classes 3", 2,
        "--gap 0: expected more than 0 and no more than --best 0.9"},
       {"two best classes", "plan peak --accuracies 0.9,0.9", 3,
        "plan peak: two classes share the best accuracy 0.9; expected one best class"},
       {"a tolerance of nothing",
        "plan onboarding --predictions p.csv --context c.csv --tolerance 0", 3,
        "plan onboarding: tolerance 0: expected more than 0, less than 1"},
       {"no simulated expert", "plan onboarding --predictions p.csv --context c.csv --draws 0", 3,
        "plan onboarding: 0 draws; expected 1..100000"},
       {"a stranger off duty in a plan",
        "plan onboarding --predictions p.csv --context c.csv --off-duty zoe", 3,
        "--off-duty: 'zoe' is not an expert; expected one of ann, bob"},
       {"an interval of everything",
        "plan staff-prior --context c.csv --classes cat,dog --interval 1", 2,
        "--interval 1: expected more than 0, at most 0.999999999"},
       {"an interval too near to everything",
        "plan staff-prior --context c.csv --classes cat,dog --interval 0.9999999999999999", 2,
        "--interval 0.9999999999999999: expected more than 0, at most 0.999999999"},
       {"an impossible accuracy", "plan prior --accuracy 2", 3,
        "plan prior: 2 is not an accuracy; expected 0..1"},
       {"an expert in no known form",
        "experts simulate --training p.csv --predictions p.csv --expert ann --output made", 2,
        "--expert ann: not a simulated expert; expected NAME=variable:CLASS, stable:CLASS, "
        "independent:CLASS, multi:CLASS+CLASS, generalist:EASY/HARD, anti:TRUTH>ANSWER or "
        "flat:ACC/ACC/..."},
       {"an expert who needs features",
        "experts simulate --training p.csv --predictions p.csv --expert ann=variable:cat --output "
        "made",
        3,
        "p.csv: no features; expected an NPZ with 'features', or only experts of the form "
        "NAME=flat:ACC/ACC/..."},
       {"a data set nobody knows", "data fetch bloodminst --directory .", 3,
        "no public data is called 'bloodminst'; did you mean 'bloodmnist'? expected one of "
        "imagenet16h, pathmnist, chestmnist, dermamnist, octmnist, pneumoniamnist, retinamnist, "
        "breastmnist, bloodmnist, tissuemnist, organamnist, organcmnist, organsmnist, "
        "imagenet16h-annotations, imagenet16h-baseline, imagenet16h-epoch00, imagenet16h-epoch01, "
        "imagenet16h-epoch10"}}};
}

Chapter commands() {
  return {
      "Commands",
      {{"no command", "", 2,
        "a command is missing; expected check, profile, route, combine, explain, evaluate, "
        "certify, watch, experts, plan, train, "
        "classifier, classify, reproduce, doctor, policy, data, demo, man, completion; see 'ifd "
        "--help'"},
       {"an unknown command", "rout", 2,
        "'rout' is not a command; the nearest is 'route'; expected check, profile, route, combine, "
        "explain, evaluate, certify, watch, experts, plan, train, "
        "classifier, classify, reproduce, doctor, policy, data, demo, man, completion; see 'ifd "
        "--help'"},
       {"an unknown command of a group", "plan lunch", 2,
        "'lunch' is not a command; expected peak, prior, threshold, staff-prior, onboarding; see "
        "'ifd plan --help'"},
       {"an unknown option", kRouteHalf + " --fast 3", 2,
        "'--fast' is not an option; see 'ifd route --help'"},
       {"a misspelt option", "route --prediction p.csv --context c.csv --budget 0.5", 2,
        "'--prediction' is not an option; the nearest is '--predictions'; see 'ifd route --help'"},
       {"an option left out", "route --budget 0.5", 2,
        "--predictions is missing; see 'ifd route --help'"},
       {"an option given twice", kRouteHalf + " --budget 0.6", 2,
        "--budget: is there too often; expected it once; see 'ifd route --help'"},
       {"a word too many", kRouteHalf + " more", 2,
        "'more' is one word too many; see 'ifd route --help'"},
       {"an output over an input", kRouteHalf + " -o p.csv", 2,
        "--output p.csv is the file of --predictions, which would be lost; expected another"},
       {"two outputs on one path",
        "evaluate --predictions p.csv --context c.csv --answers a.csv --curve x --report x", 2,
        "--curve and --report would both write x; expected two files"},
       {"standard input for two files", "route --predictions - --context - --budget 0.5", 2,
        "--predictions and --context would both read standard input; expected one of them to"},
       {"JSON and a file on standard output", kEvaluateAll + " --json --curve /dev/stdout", 2,
        "--json and --curve would both write to standard output; expected one of them to"},
       {"a summary among the routes", kRouteHalf + " --summary -", 2,
        "--summary -: the routes go to stdout; expected a file, or --output for the routes"},
       {"a chart on stdout", "plan onboarding --predictions p.csv --context c.csv --chart -", 2,
        "--chart -: the plan itself goes to stdout; expected a file"}}};
}

Chapter options_together() {
  return {"Options that go together",
          {{"groups from a column and from a file", kEvaluateAll + " --group cat --groups g.csv", 2,
            "--group names a column of the predictions, --groups a file; expected one of them"},
           {"no context and no priors", "route --predictions p.csv --budget 0.5", 2,
            "--context is missing; expected it, or --prior with --prior-only"},
           {"experts from a prior that is not there", kRouteHalf + " --prior-only", 2,
            "--prior-only takes experts from a --prior; expected that too"},
           {"a newcomer of whom nothing is known", kRouteHalf + " --newcomer zoe", 2,
            "--newcomer is for experts known from --staff-prior alone; expected that too"},
           {"a staff's prior without a staff",
            "route --predictions p.csv --budget 0.5 --prior prior.csv --prior-only --staff-prior",
            2, "--staff-prior learns from the answers of the staff; expected --context"},
           {"a newcomer who is there already", kRouteHalf + " --staff-prior --newcomer ann", 3,
            "--newcomer ann: has answers in the context, or is named twice; expected somebody new"},
           {"a plan for a new expert without cases",
            "plan onboarding --context c.csv --classes cat,dog", 2,
            "plan onboarding needs --predictions, the mix of cases that are routed"},
           {"a plan without classes", "plan staff-prior --context c.csv", 2,
            "expected either --predictions or --classes"},
           {"neither budget nor threshold", "route --predictions p.csv --context c.csv", 2,
            "route needs --budget, --threshold, both, or --certificate"},
           {"a filled budget with a threshold", kRouteHalf + " --threshold 0 --fill-budget", 2,
            "--fill-budget uses all of a --budget, and goes with no --threshold"},
           {"advice on answers that are final", kRouteHalf + " --sure 0.9", 2,
            "--sure and --worth tell when somebody else should look at a combined answer; expected "
            "--answer combined"},
           {"a label that is never sure", kRouteHalf + " --answer combined --sure 0", 2,
            "--sure 0: expected a probability above 0, up to 1"},
           {"a second reader worth more than everything",
            "combine --predictions p.csv --context c.csv --answers a.csv --worth 2", 2,
            "--worth 2: expected a gain in probability, 0..1"},
           {"answers to combine that are left out", "combine --predictions p.csv --context c.csv",
            2, "--answers is missing; see 'ifd combine --help'"},
           {"neither classes nor predictions", "profile --context c.csv", 2,
            "profile needs either --predictions or --classes"},
           {"a half-life that is none", kRouteHalf + " --half-life 0", 2,
            "--half-life 0: expected a positive number"},
           {"the long table as JSON", "profile --context c.csv --classes cat,dog --long --json", 2,
            "--json has everything; leave out --long"},
           {"a case to explain that is not there",
            "explain --predictions p.csv --context c.csv --case aa", 3,
            "p.csv: no case 'aa'; near it: 'a', 'b', 'c'"}}};
}

Chapter watches() {
  return {
      "Watching",
      {{"a watch that is always wrong", "watch --context c.csv --answers c.csv --false-alarms 1", 2,
        "--false-alarms 1: expected more than 0, less than 1"},
       {"a watch with two names for the classes",
        "watch --context c.csv --answers c.csv --predictions p.csv --classes cat,dog", 2,
        "--predictions and --classes both name the classes; expected one"},
       {"a watch over answers without truths",
        "watch --context c.csv --answers a.csv",
        3,
        "a.csv: no column 'truth'; expected one",
        {{"a.csv", "expert,case,answer\nann,a,cat\n"}}},
       {"a watch over one class", "watch --context c.csv --answers c.csv", 3,
        "c.csv: 1 truths; expected two classes or more", c("ann,x1,cat,cat")}}};
}

Chapter states_of_watches() {
  const std::string words = "watch --context c.csv --answers n.csv --state w.watch";
  std::string newer = kept_watch();
  newer[8] = 2;
  return {
      "States of watches",
      {{"neither a context nor a state", "watch --answers a.csv", 2,
        "--context is missing; expected it, or a --state of an earlier watch"},
       {"a state that is not there, and no answers", "watch --context c.csv --state w.watch", 2,
        "--answers is missing; expected it, or a --state of an earlier watch"},
       {"a picture of a watch on stdout", "watch --context c.csv --answers a.csv --chart -", 2,
        "--chart -: the report itself goes to stdout; expected a file"},
       {"a state on stdout", "watch --context c.csv --answers a.csv --state -", 2,
        "--state -: is read and written; expected a file"},
       {"a state of another staff", words, 3,
        "w.watch: it began with 'bob', of whom there are no past answers; expected what it began "
        "with, or another file",
        kept(kept_watch(),
             "expert,case,answer,truth\n"
             "ann,x1,cat,cat\nann,x2,cat,cat\nann,x3,dog,dog\nann,x4,cat,dog\n")},
       {"a state with somebody missing", words, 3,
        "w.watch: it began without 'carl', of whom there are past answers; expected what it began "
        "with, or another file",
        kept(kept_watch(), kContext + std::string("carl,x1,cat,cat\n"))},
       {"a state of other past answers", words, 3,
        "w.watch: it began with other past answers of 'ann'; expected what it began with, or "
        "another file",
        kept(kept_watch(), kContext + std::string("ann,x5,cat,cat\n"))},
       {"a state of other classes", words + " --classes dog,cat", 3,
        "w.watch: it began with the classes cat, dog, and these are dog, cat; expected what it "
        "began with, or another file",
        kept(kept_watch())},
       {"a state with other false alarms", words + " --false-alarms 0.1", 3,
        "w.watch: it began with false alarms of 0.05, and this is 0.1; expected what it began "
        "with, or another file",
        kept(kept_watch())},
       {"a state with another seed", words + " --seed 7", 3,
        "w.watch: it began with the seed 0, and this is 7; expected what it began with, or another "
        "file",
        kept(kept_watch())},
       {"answers that the state has already",
        "watch --answers d.csv --state w.watch",
        3,
        "d.csv: expert 'ann' has answered case 'n1' in this watch already; expected new answers "
        "only",
        {{"w.watch", kept_watch()}, {"d.csv", "expert,case,answer,truth\nann,n1,cat,cat\n"}}},
       {"a state that is cut short", words, 3,
        "w.watch: the watch file is damaged or cut short; its checksum does not match",
        kept(kept_watch().substr(0, 100))},
       {"a state that is none", words, 3,
        "w.watch: not a watch file; expected it to begin with IFDWATC1", kept("case,cat,dog\n")},
       {"a state of a newer version", words, 3,
        "w.watch: a watch file of version 2; this program reads version 1", kept(newer)}}};
}

Chapter storage() {
  return {"Storage",
          {{"a folder that is not there", kRouteHalf + " -o none/out.csv", 5,
            "none/out.csv: cannot be written: No such file or directory"},
           {"a folder in place of the file", kRouteHalf + " -o .", 5,
            ".: is a directory; expected a file"},
           {"a full disk", kRouteHalf + " -o /dev/full", 5,
            "/dev/full: cannot be written: No space left on device"}}};
}

std::vector<Chapter> chapters() {
  return {any_file(),       other_formats(),       predictions(),  probabilities(),
          labels(),         context_and_answers(), truths(),       priors_and_capacities(),
          costs_and_fees(), policy_files(),        certificates(), values_of_options(),
          commands(),       options_together(),    watches(),      states_of_watches(),
          storage()};
}

std::string document() {
  std::string text =
      "# Bad input, and what `ifd` says to it\n\n"
      "Every refusal is one line on stderr: `ifd: `, the place, what is wrong there, and what was\n"
      "allowed. Exit codes: 2 usage, 3 bad input, 5 storage. `cli/refusal_test.cc` runs every "
      "row\nof these tables and checks this page against them.\n";
  for (const Chapter& chapter : chapters()) {
    text += "\n## " + chapter.title + "\n\n| Input | Exit | Message |\n|---|---|---|\n";
    for (const Refusal& refusal : chapter.refusals) {
      text += "| " + refusal.what + " | " + std::to_string(refusal.code) +
              " | `ifd: " + refusal.message + "` |\n";
    }
  }
  return text;
}

TEST(CommandRefusal, IsOneLineWithPlaceReasonAndWhatWasAllowed) {
  for (const Chapter& chapter : chapters()) {
    for (const Refusal& refusal : chapter.refusals) {
      SCOPED_TRACE(chapter.title + ": " + refusal.what);
      const ScratchDirectory folder;
      put_example(folder);
      for (const auto& [name, bytes] : refusal.files) folder.put(name, bytes);
      const std::size_t files = folder.files();
      const CommandResult result = run_command(folder.path(), split_words(refusal.words));
      EXPECT_EQ(result.code, refusal.code);
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(result.err, "ifd: " + refusal.message + "\n");
      EXPECT_EQ(folder.files(), files) << "left something behind";
    }
  }
}

TEST(CommandRefusal, IsDocumented) {
  const std::filesystem::path path = std::filesystem::path(IFD_SOURCE_DIR) / "docs/bad-input.md";
  if (std::getenv("IFD_REWRITE_DOCS") != nullptr) std::ofstream(path) << document();
  std::ostringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), document()) << "IFD_REWRITE_DOCS=1 writes it anew";
}

TEST(CommandRefusal, FullDiskAsStandardOutput) {
  const ScratchDirectory folder;
  put_example(folder);
  for (const char* words : {"route --predictions p.csv --context c.csv --budget 0.5", "--version",
                            "route --help", "man", "completion bash"}) {
    SCOPED_TRACE(words);
    const CommandResult result =
        RunningCommand(folder.path(), split_words(words), "/dev/full").wait();
    EXPECT_EQ(result.code, 5);
    EXPECT_EQ(result.err, "ifd: standard output: No space left on device\n");
  }
}

}  // namespace
}  // namespace ifd
