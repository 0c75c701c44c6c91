// SPDX-License-Identifier: Apache-2.0
#include "synth/gzip.h"

#include <zlib.h>

#include <array>
#include <limits>
#include <new>

namespace weft::synth {
namespace {

constexpr int gzip_window = 15 + 16;  // zlib's largest window; +16 selects the gzip format

Bytef* input_of(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads it
}

/// zlib counts input in 32 bits.
std::string_view take(std::string_view& bytes) {
  const auto part = bytes.substr(0, std::numeric_limits<uInt>::max());
  bytes.remove_prefix(part.size());
  return part;
}

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int memory_level = 8;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, gzip_window, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string file;
  std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0 && !bytes.empty()) {
      const auto part = take(bytes);
      stream.next_in = input_of(part);
      stream.avail_in = static_cast<uInt>(part.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = buffer.size();
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    file.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return file;
}

std::optional<std::string> gunzip(std::string_view file) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) throw std::bad_alloc();
  std::string bytes;
  std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0 && !file.empty()) {
      const auto part = take(file);
      stream.next_in = input_of(part);
      stream.avail_in = static_cast<uInt>(part.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = buffer.size();
    status = inflate(&stream, Z_NO_FLUSH);  // Z_BUF_ERROR once the input is used up
    bytes.append(buffer.data(), buffer.size() - stream.avail_out);
    // A gzip file may consist of several members.
    if (status == Z_STREAM_END && (stream.avail_in > 0 || !file.empty()))
      status = inflateReset(&stream);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) return std::nullopt;
  return bytes;
}

}  // namespace weft::synth
