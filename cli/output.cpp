// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files.h"

namespace weft::cli {
namespace {

[[noreturn]] void refuse() {
  throw UserError(fmt::format("cannot write to the standard output: {}",
                              std::generic_category().message(errno)));
}

/// The text of `json`: what fits in one line stands in one, so that tables stay tables.
std::string layout(const nlohmann::ordered_json& json, std::size_t indent) {
  constexpr std::size_t columns = 120;
  std::string line = json.dump();
  if (json.is_primitive() || json.empty() || indent + line.size() <= columns) return line;
  const std::string margin(indent + 2, ' ');
  std::string text;
  for (const auto& [key, value] : json.items()) {
    const std::string label =
        json.is_object() ? nlohmann::ordered_json(key).dump() + ": " : std::string();
    text += (text.empty() ? "\n" : ",\n") + margin + label + layout(value, indent + 2);
  }
  const auto [open, close] = json.is_object() ? std::pair('{', '}') : std::pair('[', ']');
  return open + text + "\n" + std::string(indent, ' ') + close;
}

}  // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse();
}

void flush_output() {
  if (!std::cout.flush() || std::fflush(stdout) != 0) refuse();
}

void write_json(const nlohmann::ordered_json& json, const std::string& path) {
  const std::string text = layout(json, 0) + "\n";
  if (path == "-") {
    print(text);
  } else {
    base::write_file_atomic(path, text);
  }
}

}  // namespace weft::cli
