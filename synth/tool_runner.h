// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/process.h"
#include "synth/flow.h"
#include "synth/scripts.h"

namespace weft::synth {

/// Calls the tools of a run in its directory, within the limits of the request, and sums up what
/// they take.
class ToolRunner {
 public:
  ToolRunner(const Request& request, const std::vector<Source>& sources, const Workspace& workspace,
             Result& result)
      : request_(request), sources_(sources), workspace_(workspace), result_(result) {}

  /// Writes the Verilog; gives the names of the files to read.
  [[nodiscard]] std::vector<std::string> write_sources() const;

  base::ProcessResult call(const Step& step);
  void call_yosys(const Step& step) { check_yosys(call(step), step); }
  /// Throws unless Yosys did its work: UserError for mistakes in the Verilog, with the user's file
  /// names, else ToolError.
  void check_yosys(const base::ProcessResult& process, const Step& step) const;
  /// Adds Yosys' warnings about the design to the result.
  void collect_warnings(const Step& step);

 private:
  const Request& request_;
  const std::vector<Source>& sources_;
  const Workspace& workspace_;
  Result& result_;
};

}  // namespace weft::synth
