// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/tests/tool_run.h"

#include <fmt/format.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <array>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace weft::rtl::hdl::test {

ToolRun run(const std::filesystem::path& directory, const std::string& command) {
  const std::string line = fmt::format("cd '{}' && ({}) 2>&1", directory.string(), command);
  FILE* const pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  ToolRun result;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.output.append(buffer.data(), n);
  }
  result.status = pclose(pipe);
  return result;
}

ScratchDirectory::ScratchDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "weft_hdl_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void ScratchDirectory::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
}

}  // namespace weft::rtl::hdl::test
