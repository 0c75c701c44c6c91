// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arch/tensor_array.h"
#include "verif/dut_description.h"

namespace weft::verif {

/// Numbers of the streams of a tensor array's DutDescription.
enum ArrayStream : std::size_t { stationary_source = 0, moving_source = 1, result_sink = 0 };

/// Fields of their packed beats.
enum ArrayField : std::size_t { data_field = 0, tag_field = 1, last_field = 2 };

/// The tensor array `array` as a design under test: `files` with module `top`, whose ports are
/// those of docs/tensor_array.md. `parameters` overrides the module's Verilog parameters: a module
/// emitted for another size becomes this one.
[[nodiscard]] DutDescription describe_array(const arch::TensorArray& array,
                                            std::vector<VerilogFile> files, std::string top,
                                            std::map<std::string, std::string> parameters = {});

}  // namespace weft::verif
