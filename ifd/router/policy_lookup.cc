#include "ifd/router/policy_lookup.h"

namespace ifd {

PolicySource source_named(const std::string& name, const PolicyFilesByName& files,
                          const PolicySettings& settings) {
  const auto found = files.find(name);
  return found == files.end() ? PolicySource::named(name, settings)
                              : PolicySource::from_file(*found->second, settings);
}

}  // namespace ifd
