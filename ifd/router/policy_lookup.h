// Policies by the names that a router is asked for.
#pragma once

#include <string>

#include "ifd/policy/policy_catalogue.h"
#include "ifd/router.h"

namespace ifd {

// A file in memory where one has that name; otherwise the method or policy file of that name.
PolicySource source_named(const std::string& name, const PolicyFilesByName& files,
                          const PolicySettings& settings);

}  // namespace ifd
