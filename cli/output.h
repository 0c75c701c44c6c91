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

/// Hands over a result: `text` for people to the standard output, and `json` to the file of that
/// name if it is not empty. With "-" the standard output gets the JSON alone.
void report(std::string_view text, const nlohmann::ordered_json& json, const std::string& file);

/// Throws UserError if `file` (not empty, not "-") can certainly not be written later, so that a
/// long run does not end with that news.
void require_writable(const std::string& file);

}  // namespace weft::cli
