// SPDX-License-Identifier: Apache-2.0
#include "verif/waveform.h"

#include <array>
#include <cstdint>
#include <fstream>

namespace weft::verif {

bool is_whole_waveform(const std::filesystem::path& path) {
  // An FST file is a row of blocks: a byte for the kind, eight for the length of what follows
  // (themselves included), the most significant first. The hierarchy is written last.
  constexpr std::uint64_t length_bytes = 8;
  constexpr auto is_hierarchy = [](std::uint8_t kind) {
    return kind == 4 || kind == 6 || kind == 7;
  };
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return false;
  std::ifstream file(path, std::ios::binary);
  std::uint8_t kind = 0;
  for (std::uint64_t at = 0; at < size;) {
    std::array<char, 1 + length_bytes> start{};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(start.data(), start.size())) return false;
    kind = static_cast<std::uint8_t>(start[0]);
    std::uint64_t length = 0;
    for (std::size_t i = 1; i < start.size(); ++i) {
      length = length << 8 | static_cast<std::uint8_t>(start[i]);
    }
    // The length of a block is written when the block is complete.
    if (length < length_bytes || length > size - at - 1) return false;
    at += 1 + length;
  }
  return is_hierarchy(kind);
}

}  // namespace weft::verif
