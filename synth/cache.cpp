// SPDX-License-Identifier: Apache-2.0
#include "synth/cache.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/warning.h"
#include "synth/gzip.h"

namespace weft::synth {

namespace fs = std::filesystem;

fs::path Cache::entry(const std::string& key) const { return directory_ / (key + ".synth"); }

std::optional<FileSet> Cache::find(const std::string& key) const {
  if (directory_.empty() || !fs::exists(entry(key))) return std::nullopt;
  try {
    const auto packed = gunzip(base::read_file(entry(key)));
    if (!packed) return std::nullopt;
    FileSet files;
    const auto json = nlohmann::json::from_cbor(*packed);
    for (const auto& [name, content] : json.items()) {
      const auto& bytes = content.get_binary();
      files[name].assign(bytes.begin(), bytes.end());
    }
    return files;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const UserError&) {  // gone or unreadable since
    return std::nullopt;
  }
}

void Cache::store(const std::string& key, const FileSet& files) const {
  if (directory_.empty()) return;
  auto json = nlohmann::json::object();
  for (const auto& [name, content] : files)
    json[name] = nlohmann::json::binary(std::vector<std::uint8_t>(content.begin(), content.end()));
  const auto packed = nlohmann::json::to_cbor(json);
  try {
    base::make_directories(directory_);
    base::write_file_atomic(entry(key),
                            gzip({reinterpret_cast<const char*>(packed.data()), packed.size()}));
  } catch (const UserError&) {
    base::warn_once(
        fmt::format("the cache {} cannot be written: results are not kept; --cache or "
                    "WEFT_CACHE names another place",
                    directory_.string()));
  }
}

}  // namespace weft::synth
