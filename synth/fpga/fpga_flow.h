// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "synth/flow.h"
#include "synth/fpga/device.h"

namespace weft::synth {

/// Versions of the tools that run_fpga_flow will call, for the cache key. Throws ToolError if one
/// is missing; UserError if the request asks for place and route of a device that has none.
std::map<std::string, std::string> fpga_tools(const Request& request, const FpgaDevice& device);

/// Maps a design to an FPGA: counts of its resources, and, if the request asks for place and route,
/// the routed design's clock. Errors as of run(); UserError if the design does not fit.
Result run_fpga_flow(const Request& request, const std::vector<Source>& sources,
                     const FpgaDevice& device, Workspace& workspace);

}  // namespace weft::synth
