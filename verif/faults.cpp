// SPDX-License-Identifier: Apache-2.0
#include "verif/faults.h"

#include <fmt/format.h>

#include <stdexcept>

namespace weft::verif {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n'; }

/// Characters of `text` from `at` on that `pattern` matches, 0 if it does not.
std::size_t matched(const std::string& text, std::size_t at, const std::string& pattern) {
  std::size_t end = at;
  for (const char c : pattern) {
    if (end == text.size()) return 0;
    if (c != ' ') {
      if (text[end++] != c) return 0;
      continue;
    }
    if (!is_space(text[end])) return 0;
    while (end < text.size() && is_space(text[end])) ++end;
  }
  return end - at;
}

}  // namespace

std::vector<VerilogFile> plant(const Fault& fault, std::vector<VerilogFile> files) {
  std::size_t found = 0;
  for (VerilogFile& file : files) {
    if (!file.name.ends_with(fault.file)) continue;
    for (std::size_t at = 0; at < file.text.size(); ++at) {
      const std::size_t length = matched(file.text, at, fault.find);
      if (length == 0) continue;
      file.text.replace(at, length, fault.replace);
      at += fault.replace.size();
      ++found;
    }
  }
  if (found != fault.times) {
    throw std::logic_error(
        fmt::format(R"(the fault "{}" is out of date: "{}" stands {} times in *{}, not {} times)",
                    fault.name, fault.find, found, fault.file, fault.times));
  }
  return files;
}

}  // namespace weft::verif
