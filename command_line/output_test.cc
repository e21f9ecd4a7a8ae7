#include "command_line/output.h"

#include <gtest/gtest.h>

#include "tests/scratch_directory.h"

namespace ifd {
namespace {

// More than any buffer, in pieces of every size.
std::string write_pieces(Output& output) {
  std::string all;
  for (int i = 0; i < 3000; ++i) {
    const std::string piece(static_cast<std::size_t>(i) % 97, static_cast<char>('a' + i % 26));
    output.write(piece);
    all += piece;
  }
  return all;
}

TEST(Output, TheFileAppearsWholeWithTheCommit) {
  const ScratchDirectory folder;
  Output output(folder / "out");
  const std::string all = write_pieces(output);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  output.commit();
  EXPECT_EQ(folder.get("out"), all);
}

TEST(Output, GoesToStdoutWithoutAFile) {
  for (const char* path : {"", "-"}) {
    testing::internal::CaptureStdout();
    Output output(path);
    const std::string all = write_pieces(output);
    output.commit();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), all);
  }
}

}  // namespace
}  // namespace ifd
