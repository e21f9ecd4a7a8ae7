// Who may include whom: the one place where the architecture's arrows are written down.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// A folder may include itself and what is listed. Lowest first.
const std::map<std::string, std::set<std::string>> kAllowed = {
    {"ifd", {}},  // error.h, ids.h, fnv_hash.h, long_work.h
    {"ifd/random", {}},
    {"ifd/data", {"ifd", "ifd/random"}},
    {"ifd/profile", {"ifd", "ifd/data", "ifd/random"}},
    {"ifd/watch", {"ifd", "ifd/data", "ifd/random"}},
    {"ifd/role", {"ifd", "ifd/profile"}},
    {"ifd/decision", {"ifd", "ifd/data", "ifd/profile", "ifd/role"}},
    {"ifd/network", {"ifd"}},
    {"ifd/rejector",
     {"ifd", "ifd/network", "ifd/role"}},  // and see IdentityFreePartCannotSeeAClassId
    {"ifd/routing", {"ifd"}},
    {"ifd/certificate", {"ifd", "ifd/data", "ifd/routing"}},
    {"ifd/policy",
     {"ifd", "ifd/data", "ifd/decision", "ifd/network", "ifd/profile", "ifd/random", "ifd/rejector",
      "ifd/role", "ifd/routing"}},
    {"ifd/evaluation",
     {"ifd", "ifd/data", "ifd/decision", "ifd/policy", "ifd/profile", "ifd/random", "ifd/role",
      "ifd/routing"}},
    {"ifd/router",
     {"ifd", "ifd/certificate", "ifd/data", "ifd/decision", "ifd/evaluation", "ifd/network",
      "ifd/policy", "ifd/profile", "ifd/random", "ifd/rejector", "ifd/report", "ifd/role",
      "ifd/routing", "ifd/watch"}},
    {"ifd/experts", {"ifd", "ifd/data", "ifd/random"}},
    {"ifd/report", {"ifd"}},
    {"fetch", {"ifd", "ifd/data"}},
    {"command_line", {"ifd", "ifd/data"}},
    {"cli",
     {"command_line", "fetch", "ifd", "ifd/certificate", "ifd/data", "ifd/decision",
      "ifd/evaluation", "ifd/experts", "ifd/network", "ifd/policy", "ifd/profile", "ifd/random",
      "ifd/rejector", "ifd/report", "ifd/role", "ifd/router", "ifd/routing", "ifd/watch"}},
    {"python/core",
     {"ifd", "ifd/certificate", "ifd/data", "ifd/decision", "ifd/evaluation", "ifd/experts",
      "ifd/network", "ifd/policy", "ifd/profile", "ifd/random", "ifd/rejector", "ifd/report",
      "ifd/role", "ifd/router", "ifd/routing", "ifd/watch"}},
    {"train",
     {"ifd", "ifd/data", "ifd/experts", "ifd/network", "ifd/policy", "ifd/profile", "ifd/random",
      "ifd/rejector", "ifd/role"}},
    {"train/program",
     {"command_line", "ifd", "ifd/data", "ifd/experts", "ifd/policy", "ifd/profile", "ifd/random",
      "ifd/report", "train"}},
    {"experiments/result", {"ifd", "ifd/data"}},
    {"experiments/jobs",
     {"experiments/result", "ifd", "ifd/data", "ifd/decision", "ifd/evaluation", "ifd/experts",
      "ifd/policy", "ifd/profile", "ifd/random", "ifd/rejector", "ifd/role", "ifd/routing",
      "train"}},
    {"experiments/run", {"experiments/jobs", "experiments/result", "ifd", "ifd/data"}},
    {"experiments/claims",
     {"experiments/result", "ifd", "ifd/data", "ifd/profile", "ifd/random", "ifd/report"}},
    {"experiments/report",
     {"command_line", "experiments/claims", "experiments/result", "ifd", "ifd/data", "ifd/report"}},
    {"experiments",
     {"command_line", "experiments/claims", "experiments/jobs", "experiments/report",
      "experiments/result", "experiments/run", "ifd", "ifd/data"}},
};

std::vector<std::string> includes_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> found;
  const std::regex include(R"re(^\s*#\s*include\s*"([^"]+)")re");
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, include)) found.push_back(match[1]);
  }
  return found;
}

std::vector<fs::path> sources() {
  std::vector<fs::path> found;
  for (const char* top :
       {"ifd", "fetch", "command_line", "cli", "python", "train", "experiments"}) {
    const fs::path root = fs::path(IFD_SOURCE_DIR) / top;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const std::string name = entry.path().filename();
      const bool test = name.find("_test.cc") != std::string::npos;
      if ((name.ends_with(".h") || name.ends_with(".cc")) && !test) found.push_back(entry.path());
    }
  }
  return found;
}

// The front door stands in the first folder and belongs to the last.
std::string folder_of_include(const std::string& include) {
  return include == "ifd/router.h" ? "ifd/router" : fs::path(include).parent_path().string();
}

std::string folder_of(const fs::path& file) {
  return folder_of_include(fs::relative(file, IFD_SOURCE_DIR).string());
}

TEST(IncludeGraph, ArrowsPointOneWay) {
  const auto all = sources();
  ASSERT_GT(all.size(), 20u);
  for (const fs::path& file : all) {
    const std::string folder = folder_of(file);
    const auto allowed = kAllowed.find(folder);
    ASSERT_NE(allowed, kAllowed.end()) << folder << " is not in the table";
    for (const std::string& include : includes_of(file)) {
      const std::string from = folder_of_include(include);
      EXPECT_TRUE(from == folder || allowed->second.contains(from))
          << file << " may not include " << include;
    }
  }
}

TEST(IncludeGraph, TableHasNoCycle) {
  std::set<std::string> done;
  bool grew = true;
  while (grew) {
    grew = false;
    for (const auto& [folder, needs] : kAllowed) {
      if (done.contains(folder)) continue;
      bool ready = true;
      for (const std::string& need : needs) ready &= done.contains(need);
      if (ready) grew = done.insert(folder).second;
    }
  }
  EXPECT_EQ(done.size(), kAllowed.size());
}

// What decides must start without the half second and the 160 MB that LibTorch takes.
TEST(IncludeGraph, OnlyTheTrainingLibraryIncludesTorch) {
  const std::regex torch(R"re(^\s*#\s*include\s*<(torch|ATen|c10)/)re");
  std::size_t with_torch = 0;
  for (const fs::path& file : sources()) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      if (!std::regex_search(line, torch)) continue;
      EXPECT_TRUE(folder_of(file) == "train" || folder_of(file) == "train/program") << file;
      ++with_torch;
    }
  }
  EXPECT_GT(with_torch, 0u);
}

void reach(const std::string& include, std::set<std::string>& seen) {
  if (!seen.insert(include).second) return;
  for (const std::string& next : includes_of(fs::path(IFD_SOURCE_DIR) / include)) reach(next, seen);
}

// Nothing that a rejector includes, however indirectly, defines a class id or a class's name.
TEST(IncludeGraph, IdentityFreePartCannotSeeAClassId) {
  std::size_t files = 0;
  for (const fs::path& file : sources()) {
    if (folder_of(file) != "ifd/rejector") continue;
    ++files;
    std::set<std::string> seen;
    reach(fs::relative(file, IFD_SOURCE_DIR).string(), seen);
    for (const char* forbidden :
         {"ifd/ids.h", "ifd/data/class_names.h", "ifd/role/role_reader.h"}) {
      EXPECT_FALSE(seen.contains(forbidden)) << file << " reaches " << forbidden;
    }
  }
  EXPECT_GE(files, 3u);
  // The check itself can fail: the door does reach a class id.
  std::set<std::string> seen;
  reach("ifd/role/role_reader.h", seen);
  EXPECT_TRUE(seen.contains("ifd/ids.h"));
}

}  // namespace
