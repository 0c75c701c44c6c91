// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/emitted_rtl.h"

#include <string>

#include "rtl_gen/array/tensor_array.h"

namespace weft::verif {

ArrayRtl emitted_rtl(const arch::TensorArray& array) {
  const rtl::hdl::Design design = rtl::build_tensor_array(array, {});
  ArrayRtl rtl;
  rtl.top = array.name;
  for (const auto& [name, text] : design.render()) rtl.files.push_back({name, text});
  return rtl;
}

ArrayRtl emitted_rtl(const arch::TensorArray& emitted, const arch::TensorArray& array) {
  ArrayRtl rtl = emitted_rtl(emitted);
  const auto set = [&rtl](const char* name, int value) {
    rtl.parameters[name] = std::to_string(value);
  };
  set("ROWS", array.rows);
  set("COLS", array.cols);
  set("MACS", array.macs_per_pe);
  set("STATIONARY_WIDTH", array.stationary_format.bits);
  set("MOVING_WIDTH", array.moving_format.bits);
  set("ACC_WIDTH", array.accumulator_width);
  set("TAG_WIDTH", array.tag_width);
  set("PE_REGISTERS", array.pe_registers);
  if (!array.output_stationary()) set("LOAD_ROWS", array.load_rows_per_cycle);
  return rtl;
}

}  // namespace weft::verif
