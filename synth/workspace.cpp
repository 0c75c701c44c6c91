// SPDX-License-Identifier: Apache-2.0
#include "synth/workspace.h"

#include <fmt/format.h>

#include <array>

#include "base/files.h"
#include "synth/scripts.h"

namespace weft::synth {
namespace {

namespace fs = std::filesystem;

constexpr std::array products{files::modules,      files::clocks,     files::cells,
                              files::area,         files::netlist,    files::hierarchy,
                              files::memories,     files::block_rams, files::lut_rams,
                              files::fpga_netlist, files::routed,     files::module_netlist,
                              files::macro_counts, files::report};
constexpr std::array inputs_and_logs{
    files::library_packed,   files::constraints,   files::synthesis_script, files::synthesis_log,
    files::hierarchy_script, files::hierarchy_log, files::timing_script,    files::timing_log,
    files::fpga_script,      files::fpga_log,      files::route_log,        files::icetime_log,
    files::run_script,       files::macro_verilog, files::macro_library};
constexpr std::array directories{files::sources, files::survey, files::blocks, files::flat};

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace

Workspace::Workspace(const fs::path& directory, const std::shared_ptr<const FolderLock>& held,
                     const std::function<void(std::string_view)>& waiting)
    : lock_(hold_folder(directory, held, waiting)) {
  discard();
  base::make_directories(temporary());
}

Workspace::~Workspace() {
  remove_quietly(temporary());
  remove_quietly(path(files::library));  // run.sh unpacks it again
  if (kept_) return;
  for (const char* name : products) remove_quietly(path(name));
}

fs::path Workspace::path(const std::string& name) const { return directory() / name; }

void Workspace::write(const std::string& name, std::string_view content) const {
  base::make_directories(path(name).parent_path());
  base::write_file_atomic(path(name), content);
}

std::string Workspace::read(const std::string& name) const { return base::read_file(path(name)); }

FileSet Workspace::collect() const {
  FileSet result;
  const auto take = [&](const std::string& name) {
    if (fs::exists(path(name))) result[name] = read(name);
  };
  for (const char* name : products) take(name);
  for (const char* name : inputs_and_logs) take(name);
  if (!fs::exists(path(files::sources))) return result;
  for (const auto& entry : fs::directory_iterator(path(files::sources)))
    take(fmt::format("{}/{}", files::sources, entry.path().filename().string()));
  return result;
}

void Workspace::discard() {
  for (const char* name : products) remove_quietly(path(name));
  for (const char* name : inputs_and_logs) remove_quietly(path(name));
  for (const char* name : directories) remove_quietly(path(name));
}

}  // namespace weft::synth
