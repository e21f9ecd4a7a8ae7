// Prints what the reader makes of NPZ archives, one line of JSON for each array, for
// npz_against_numpy.py: npz_print FOLDER
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "ifd/data/npz.h"
#include "ifd/error.h"

namespace {

using nlohmann::json;

json values_of(const ifd::NpyArray& array) {
  switch (array.header().kind) {
    case ifd::NpyKind::kText:
    case ifd::NpyKind::kBytes:
      return array.as_strings();
    case ifd::NpyKind::kBool:
    case ifd::NpyKind::kSigned:
    case ifd::NpyKind::kUnsigned:
      return array.as_integers();
    case ifd::NpyKind::kFloat:
      break;
  }
  json numbers = json::array();
  for (const double number : array.as_doubles()) numbers.push_back(fmt::format("{:a}", number));
  return numbers;
}

// Names of arrays may be any bytes.
void print(const json& line) {
  std::puts(line.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
}

void print_array(const std::string& path, const ifd::NpzFile& npz, const std::string& name) {
  try {
    const ifd::NpyArray array = npz.at(name);
    print(
        {{"file", path}, {"array", name}, {"shape", array.shape()}, {"values", values_of(array)}});
  } catch (const ifd::Error& error) {
    print({{"file", path}, {"array", name}, {"refused", error.what()}});
  }
}

void print_archive(const std::string& path) {
  try {
    const auto npz = ifd::NpzFile::read(path);
    for (const std::string& name : npz.names()) print_array(path, npz, name);
  } catch (const ifd::Error& error) {
    print({{"file", path}, {"refused", error.what()}});
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  for (const auto& file : std::filesystem::directory_iterator(words[1])) {
    print_archive(file.path().string());
  }
}
