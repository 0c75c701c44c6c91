// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace weft::cli {

/// Writes to the standard output, which carries results only; what happens meanwhile is told on
/// stderr (progress.h). Throws UserError if the output cannot be written, for example on a full
/// disk.
void print(std::string_view text);

/// Writes a JSON text to the file `path`, all or nothing, or to the standard output if `path` is
/// "-".
void write_json(const nlohmann::ordered_json& json, const std::string& path);

}  // namespace weft::cli
