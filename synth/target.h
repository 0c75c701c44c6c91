// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "synth/liberty.h"

namespace weft::synth {

/// The cell library that a design is mapped to, ready for the tools.
struct Target {
  std::string name;          ///< as the user gave it
  std::string liberty_path;  ///< where it was read from; several files: separated by ", "
  std::string liberty_text;  ///< decompressed, with the changes that `notes` tells
  Liberty library;
  std::string driving_cell;  ///< the buffer that is taken to drive every input
  double load_ff = 0;        ///< the capacitance at every output
  std::vector<std::string> notes;

  /// Whether the library has a flip-flop that may be used.
  [[nodiscard]] bool has_flip_flops() const;
};

/// What a caller may say about a target; empty and zero: chosen from the library.
struct TargetOptions {
  std::string driving_cell{};
  double load_ff = 0;
  /// Cells that must not be used, beside those that the library itself rules out. `*` stands for
  /// any characters.
  std::vector<std::string> dont_use{};
};

/// The names that stand for libraries of Debian packages: osu018, osu035, osu050.
std::vector<std::string> known_targets();

/// Loads a target: a known name, or the path of a Liberty file (.lib or .lib.gz), or several of
/// them, separated by commas, that are merged into one library (merge_libraries).
///
/// Driving cell and load model the block's surroundings: the smallest buffer of the library and 1.6
/// times the capacitance of its input, rounded to two digits. For the OSU 180 nm library these are
/// BUFX2 and 15 fF.
///
/// Libraries merged from several files sometimes refer to table templates that they no longer
/// declare, and timing analysis would pass over such tables. If a template is declared under the
/// missing name plus a suffix (`delay_7x7_x1` for `delay_7x7`) its declaration is copied, and a
/// note says so.
///
/// Wire load models that a library applies by default are taken out: no wires are counted anywhere.
///
/// Throws UserError if the target is unknown, unreadable, not Liberty, or has no buffer to drive
/// the inputs with; ToolError if a known target's package is not installed.
Target load_target(const std::string& names, const TargetOptions& options = {});

}  // namespace weft::synth
