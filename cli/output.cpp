// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files.h"

namespace weft::cli {
namespace {

/// The text of `json`: what fits in one line stands in one, so that tables stay tables.
std::string layout(const nlohmann::ordered_json& json, std::size_t indent) {
  constexpr std::size_t columns = 120;
  std::string line = json.dump();
  if (json.is_primitive() || json.empty() || indent + line.size() <= columns) return line;
  const std::string margin(indent + 2, ' ');
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += text.empty() ? "\n" : ",\n";
    text += margin;
    if (json.is_object()) text += nlohmann::ordered_json(key).dump() + ": ";
    text += layout(value, indent + 2);
  }
  const auto [open, close] = json.is_object() ? std::pair('{', '}') : std::pair('[', ']');
  return open + text + "\n" + std::string(indent, ' ') + close;
}

}  // namespace

void print(std::string_view text) {
  base::write_descriptor(STDOUT_FILENO, text, "standard output");
}

void write_json(const nlohmann::ordered_json& json, const std::string& path) {
  const std::string text = layout(json, 0) + "\n";
  if (path == "-") {
    print(text);
  } else {
    base::write_file_atomic(path, text);
  }
}

void report(std::string_view text, const nlohmann::ordered_json& json, const std::string& file) {
  if (file != "-") print(text);
  if (!file.empty()) write_json(json, file);
}

void require_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  const std::filesystem::path path = std::filesystem::absolute(file);
  std::error_code ignored;
  int error = 0;
  if (std::filesystem::is_directory(path, ignored)) {
    error = EISDIR;
  } else if (::access(path.parent_path().c_str(), W_OK | X_OK) != 0) {
    error = errno;
  }
  if (error != 0) {
    throw UserError(
        fmt::format("cannot write '{}': {}", file, std::generic_category().message(error)));
  }
}

}  // namespace weft::cli
