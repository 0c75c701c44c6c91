// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "synth/hierarchy.h"
#include "synth/survey.h"
#include "synth/synth.h"

namespace weft::synth {

/// What a survey found, and what it took.
struct Survey {
  std::map<BlockKey, Contents> contents;  ///< of each module that was asked for
  double cpu_seconds = 0;
  double peak_rss_mib = 0;
  bool cached = false;
};

/// Lets Yosys' front end look at the modules `keys` of a design: those in `apart` stay black boxes.
/// Scripts and logs are left in `survey` of the request's output directory; of the rest of the
/// request the Verilog, Yosys, cache and limits are used. Throws ToolError.
Survey survey_modules(const Request& request, const Hierarchy& hierarchy,
                      const std::vector<BlockKey>& keys, const std::set<std::string>& apart);

/// The files that hold these modules.
std::vector<std::filesystem::path> files_of(const std::vector<std::filesystem::path>& verilog,
                                            const std::set<std::string>& modules);

}  // namespace weft::synth
