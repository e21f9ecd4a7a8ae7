#include "experiments/jobs/workshop.h"

#include <fmt/format.h>

#include "ifd/data/file_bytes.h"
#include "ifd/error.h"
#include "ifd/fnv_hash.h"

namespace ifd::experiments {

std::string hash_of(const std::string& text) {
  FnvHash hash;
  hash.add(text);
  return hash.hex();
}

Workshop::Workshop(std::filesystem::path folder, std::string code_version, Note note)
    : folder_(std::move(folder)), code_version_(std::move(code_version)), note_(std::move(note)) {}

void Workshop::note_damaged(const std::string& why) const {
  if (!note_) return;
  const std::lock_guard lock(mutex_);
  note_("note: made again, because it is damaged: " + why);
}

void Workshop::add(DataSet data_set) {
  const DataName name = data_set.name;
  data_sets_.insert_or_assign(name, std::move(data_set));
}

PolicyFile Workshop::policy(const std::string& settings, const std::function<PolicyFile()>& train) {
  const std::string key = hash_of(code_version_ + "\n" + settings);
  const std::filesystem::path path = folder_ / "policies" / (key + ".ifd");
  std::mutex* making = nullptr;
  {
    const std::lock_guard lock(mutex_);
    auto& entry = being_made_[key];
    if (!entry) entry = std::make_unique<std::mutex>();
    making = entry.get();
  }
  const std::lock_guard lock(*making);
  if (std::filesystem::exists(path)) {
    try {
      return PolicyFile::read(path);
    } catch (const Error& error) {
      note_damaged(error.what());
    }
  }
  make_folder(path.parent_path());
  PolicyFile made = train();
  made.write(path);
  return made;
}

}  // namespace ifd::experiments
