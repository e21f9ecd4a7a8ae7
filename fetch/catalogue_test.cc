#include "fetch/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ifd/error.h"

namespace ifd {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string message_for(std::string_view name) {
  try {
    find_known(name);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kNotFound);
    return error.what();
  }
  ADD_FAILURE() << name << " is known";
  return "";
}

TEST(Catalogue, NoTwoFilesShareANameAPlaceOrAChecksum) {
  std::set<std::string_view> names, file_names, addresses, checksums;
  for (const KnownFile& file : known_files()) {
    EXPECT_TRUE(names.insert(file.name).second) << file.name;
    EXPECT_TRUE(file_names.insert(file.file_name).second) << file.name;
    EXPECT_TRUE(addresses.insert(file.address).second) << file.name;
    EXPECT_TRUE(checksums.insert(file.checksum).second) << file.name;
  }
  for (const KnownGroup& group : known_groups()) EXPECT_TRUE(names.insert(group.name).second);
}

TEST(Catalogue, EveryEntryIsWellFormed) {
  for (const KnownFile& file : known_files()) {
    SCOPED_TRACE(file.name);
    EXPECT_TRUE(file.address.starts_with("https://"));
    EXPECT_EQ(file.checksum.size(), hex_length(file.checksum_kind));
    EXPECT_EQ(file.checksum.find_first_not_of("0123456789abcdef"), std::string_view::npos);
    EXPECT_EQ(file.file_name.find('/'), std::string_view::npos);
    EXPECT_FALSE(file.licence.empty());
    EXPECT_FALSE(file.description.empty());
    EXPECT_GE(file.classes, 2);
  }
}

// The MD5 that the MedMNIST project states for the data sets of the paper, and the class counts of
// its tables: HAM10000 has 7, the blood cells 8, the organs 11.
TEST(Catalogue, HoldsThePapersDataSets) {
  EXPECT_EQ(find_known("dermamnist").at(0)->checksum, "0744692d530f8e62ec473284d019b0c7");
  EXPECT_EQ(find_known("dermamnist").at(0)->classes, 7);
  EXPECT_EQ(find_known("bloodmnist").at(0)->checksum, "7053d0359d879ad8a5505303e11de1dc");
  EXPECT_EQ(find_known("bloodmnist").at(0)->classes, 8);
  EXPECT_EQ(find_known("organamnist").at(0)->classes, 11);
}

TEST(Catalogue, AGroupIsItsMembers) {
  const auto files = find_known("imagenet16h");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0]->name, "imagenet16h-annotations");
  EXPECT_EQ(files[1]->name, "imagenet16h-baseline");
  for (const KnownGroup& group : known_groups()) {
    for (const KnownFile* file : find_known(group.name)) EXPECT_NE(file, nullptr);
  }
}

TEST(Catalogue, AnUnknownNameIsToldTheKnownOnes) {
  const std::string message = message_for("cifar10");
  for (const KnownFile& file : known_files()) EXPECT_THAT(message, HasSubstr(file.name));
  EXPECT_THAT(message, HasSubstr("imagenet16h"));
  EXPECT_THAT(message, Not(HasSubstr("did you mean")));
  EXPECT_THAT(message_for(""), Not(HasSubstr("did you mean")));
}

TEST(Catalogue, ANearMissIsToldTheNearestName) {
  EXPECT_THAT(message_for("bloodmist"), HasSubstr("did you mean 'bloodmnist'?"));
  EXPECT_THAT(message_for("BloodMNIST"), HasSubstr("did you mean 'bloodmnist'?"));
  EXPECT_THAT(message_for("imagenet-16h"), HasSubstr("did you mean 'imagenet16h'?"));
  EXPECT_THAT(message_for("imagenet16h-epoch1"), HasSubstr("did you mean 'imagenet16h-epoch"));
}

}  // namespace
}  // namespace ifd
