// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/tensor_array.h"
#include "base/files.h"
#include "testbenches/tensor_array/cosim.h"

namespace weft::verif {

/// The hand-written array as RTL of `array`, which must be one of those that it can be.
inline ArrayRtl reference_rtl(const arch::TensorArray& array) {
  ArrayRtl rtl;
  rtl.files = {
      {"reference_array.v",
       base::read_file(WEFT_SOURCE_DIR "/testbenches/tensor_array/tests/reference_array.v")}};
  rtl.top = "reference_array";
  rtl.parameters = {{"ROWS", std::to_string(array.rows)},
                    {"COLS", std::to_string(array.cols)},
                    {"STATIONARY_WIDTH", std::to_string(array.stationary_format.bits)},
                    {"MOVING_WIDTH", std::to_string(array.moving_format.bits)},
                    {"ACC_WIDTH", std::to_string(array.accumulator_width)},
                    {"TAG_WIDTH", std::to_string(array.tag_width)}};
  return rtl;
}

}  // namespace weft::verif
