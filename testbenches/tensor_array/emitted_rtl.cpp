// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/emitted_rtl.h"

#include "rtl_gen/array/tensor_array.h"

namespace weft::verif {

ArrayRtl emitted_rtl(const arch::TensorArray& array) {
  const rtl::hdl::Design design = rtl::build_tensor_array(array, {});
  ArrayRtl rtl;
  rtl.top = array.name;
  for (const auto& [name, text] : design.render()) rtl.files.push_back({name, text});
  return rtl;
}

}  // namespace weft::verif
