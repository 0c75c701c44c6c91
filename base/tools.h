// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft::base {

/// The executable that `name` stands for: `name` itself if it has a slash, else the first match in
/// PATH; nothing if there is none.
std::optional<std::filesystem::path> find_executable(const std::string& name);

/// Text for a tool that is not there: "yosys is not installed (Debian package yosys)".
std::string not_installed(const std::string& name);

/// As find_executable; throws ToolError if the tool is not installed.
std::filesystem::path find_tool(const std::string& name);

/// What a tool says of itself.
struct ToolVersion {
  std::string number;  ///< the first dotted number, for instance "5.006"
  std::string banner;  ///< the line that it stands in: identifies the build, for cache keys
  std::filesystem::path path;
};

/// Asks a tool for its version, once per executable and process. Throws ToolError if the tool is
/// not installed, doesn't tell its version, or is older than `minimum` (empty: any will do).
ToolVersion tool_version(const std::string& name, std::string_view minimum = {});

/// Compares dotted numbers by component: "5.006" < "5.010" < "10.1".
bool version_less(std::string_view a, std::string_view b);

}  // namespace weft::base
