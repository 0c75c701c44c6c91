// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/owned_directory.h"
#include "rtl_gen/emit/emission.h"

namespace weft::rtl {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw UserError(
      fmt::format("cannot write '{}': {}", path.string(), std::generic_category().message(error)));
}

/// Removes the directories that were made on the way, unless the work was done.
class NewDirectories {
 public:
  explicit NewDirectories(const fs::path& path) {
    std::error_code ignored;
    for (fs::path p = fs::absolute(path); !fs::exists(p, ignored); p = p.parent_path()) {
      if (p.has_filename()) made_.push_back(p);
    }
    base::make_directories(path);
  }
  NewDirectories(const NewDirectories&) = delete;
  NewDirectories& operator=(const NewDirectories&) = delete;
  ~NewDirectories() {
    std::error_code ignored;  // innermost first; one that is not empty stays
    for (const fs::path& path : made_) fs::remove(path, ignored);
  }
  void keep() { made_.clear(); }

 private:
  std::vector<fs::path> made_;
};

/// The Verilog files that a manifest of weft's lists; none if there is no such manifest.
std::set<std::string> listed_files(const fs::path& manifest) {
  std::error_code ignored;
  if (!fs::is_regular_file(manifest, ignored)) return {};
  const auto json = nlohmann::json::parse(base::read_file(manifest), nullptr, false);
  if (!json.is_object() || json.value("generator", nlohmann::json()) != "weft") return {};
  std::set<std::string> names;
  for (const auto& entry : json.value("files", nlohmann::json::array())) {
    if (!entry.is_string()) continue;
    const fs::path name = entry.get<std::string>();
    if (name == name.filename() && name.extension() == ".v") names.insert(name);
  }
  return names;
}

}  // namespace

void write(const Emission& emission, const fs::path& directory) {
  if (directory.empty()) fail(directory, ENOENT);
  NewDirectories made(directory);
  // Inside the output directory, so that renaming out of it is one step.
  const base::OwnedDirectory staging(directory);
  for (const auto& [name, text] : emission.files) {
    // A directory in the way is found now, before anything is replaced.
    if (fs::is_directory(directory / name)) fail(directory / name, EISDIR);
    base::write_file_atomic(staging.path() / name, text);
    base::check_interrupt();
  }
  std::error_code error;
  std::set<std::string> stale = listed_files(directory / "manifest.json");
  for (const auto& [name, text] : emission.files) {
    fs::rename(staging.path() / name, directory / name, error);
    if (error) fail(directory / name, error.value());
    stale.erase(name);
  }
  for (const auto& name : stale) fs::remove(directory / name, error);
  made.keep();
}

}  // namespace weft::rtl
