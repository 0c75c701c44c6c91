// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arch/params/document.h"
#include "arch/params/kind.h"

namespace weft::arch {

/// A configuration file, read and found legal.
struct Reading {
  const Kind* kind;
  Values values;  ///< what the file gives and the defaults of the rest, some possibly `auto`
  std::map<std::string, Place> places;  ///< of the values that the file gives
  Place start;                          ///< of the file's first parameter

  /// Where the file gives the first of `parameters` that it gives at all; else its start.
  [[nodiscard]] Place place_of(const std::vector<std::string>& parameters) const;
};

/// Reads a configuration of one of `kinds` from YAML or JSON. `file` is the name that errors begin
/// with. Throws UserError that lists every problem of the file, one a line.
[[nodiscard]] Reading read_configuration(std::string_view text, const std::string& file,
                                         const std::vector<const Kind*>& kinds);

}  // namespace weft::arch
