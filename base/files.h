// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace weft::base {

/// The bytes of a file, pipe or device. Throws UserError, naming path and reason, if it cannot be
/// read, is a directory, or has more than `limit` bytes.
[[nodiscard]] std::string read_file(const std::filesystem::path& path,
                                    std::size_t limit = std::numeric_limits<std::size_t>::max());

/// Writes a file so that at every moment `path` holds either its old content or all of the new one:
/// the bytes go to a temporary file beside it, which is then renamed. A symbolic link is followed;
/// pipes and devices are written to directly. Throws UserError, naming path and reason (disk full,
/// no permission ...), and leaves no temporary file behind.
void write_file_atomic(const std::filesystem::path& path, std::string_view bytes);

/// Writes to an open file descriptor, which errors call `name`. Throws as write_file_atomic does,
/// and Interrupted when a signal ends the wait for a slow reader.
void write_descriptor(int descriptor, std::string_view bytes, const std::string& name);

/// Makes a directory and its parents; one that exists already is fine. Throws UserError, naming
/// path and reason.
void make_directories(const std::filesystem::path& path);

}  // namespace weft::base
