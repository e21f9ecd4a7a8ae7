// A trained policy as Python callers hold it: the file, in memory.
#pragma once

#include <memory>
#include <string>

#include "ifd/policy/policy_file.h"
#include "python/core/bindings.h"

namespace ifd::python {

struct Policy {
  std::shared_ptr<const PolicyFile> file;

  const std::string& name() const { return file->source; }
};

}  // namespace ifd::python
