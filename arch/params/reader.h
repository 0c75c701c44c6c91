// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/params/kind.h"

namespace weft::arch {

/// A configuration file, read and found legal.
struct Reading {
  const Kind* kind;
  Values values;  ///< what the file gives and the defaults of the rest, some possibly `auto`
};

/// Reads a configuration of one of `kinds` from YAML or JSON. `file` is the name that errors begin
/// with. Throws UserError that lists every problem of the file, one a line.
[[nodiscard]] Reading read_configuration(std::string_view text, const std::string& file,
                                         const std::vector<const Kind*>& kinds);

}  // namespace weft::arch
