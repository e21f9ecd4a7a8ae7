#include "experiments/jobs/workshop.h"

#include <fmt/format.h>

#include <string_view>

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

std::string damage_note(const std::exception& why) {
  const std::string_view what = why.what();
  return fmt::format("note: made again, because it is damaged: {}",
                     what.substr(0, what.find('\n')));
}

void Workshop::note_damaged(const std::exception& why) const {
  if (!note_) return;
  const std::lock_guard lock(mutex_);
  note_(damage_note(why));
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
  try {
    if (std::filesystem::exists(path)) return PolicyFile::read(path);
  } catch (const std::exception& error) {  // the file system's too
    note_damaged(error);
  }
  make_folder(path.parent_path());
  PolicyFile made = train();
  made.write(path);
  return made;
}

}  // namespace ifd::experiments
