// Environment variables as a test wants them, and at its end as they were.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

namespace ifd {

inline std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return {};
  return value;
}

// Takes the variables away for as long as it lives.
class CleanEnvironment {
 public:
  CleanEnvironment(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      before_[name] = variable(name);
      ::unsetenv(name);
    }
  }
  ~CleanEnvironment() {
    for (const auto& [name, value] : before_) {
      if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
      } else {
        ::unsetenv(name.c_str());
      }
    }
  }
  CleanEnvironment(const CleanEnvironment&) = delete;
  CleanEnvironment& operator=(const CleanEnvironment&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace ifd
