// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::synth {

/// A signal pin of a library cell (supply pins are not kept).
struct LibertyPin {
  std::string name;
  bool is_input = false;
  bool is_output = false;
  double capacitance_ff = 0;
  std::string function;  ///< of an output, as written; empty if it has none
};

/// A library cell.
struct LibertyCell {
  double area = 0;     ///< in the library's unit, by convention um2
  int flip_flops = 0;  ///< bits that it stores at a clock edge
  int latches = 0;     ///< bits that it stores at a level
  bool dont_use = false;
  bool is_pad = false;  ///< of the chip's edge, not for logic
  std::vector<LibertyPin> pins;
  std::size_t body = 0;  ///< offset of the first character after the cell's opening brace
};

/// A table template that tables refer to, by kind (lu_table_template or power_lut_template) and
/// name.
using TemplateId = std::pair<std::string, std::string>;

/// What weft needs to know of a Liberty library.
struct Liberty {
  std::string name;
  double time_unit_ps = 1000;
  std::map<std::string, LibertyCell> cells;
  std::map<TemplateId, std::string> templates;   ///< declared ones: their bodies with braces
  std::map<TemplateId, std::size_t> undeclared;  ///< used but not declared, number of uses
  std::size_t first_cell = 0;                    ///< offset of the first cell group
  /// Offsets of the attributes that have a wire load model applied unless another is chosen.
  std::vector<std::size_t> default_wire_loads;
};

/// Reads a Liberty library. `file` names it in messages. Throws UserError with the line of the
/// first thing that is not Liberty, or if there are no cells.
Liberty parse_liberty(std::string_view text, const std::string& file);

}  // namespace weft::synth
