// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/emitted_rtl.h"

#include "rtl_gen/array/tensor_array.h"

namespace weft::verif {

ArrayRtl emitted_rtl(const arch::TensorArray& array) {
  const rtl::hdl::Design design = rtl::build_tensor_array(array, {});
  const auto texts = design.render();
  ArrayRtl rtl;
  rtl.top = array.name;
  for (const std::string& name : design.file_order()) rtl.files.push_back({name, texts.at(name)});
  return rtl;
}

}  // namespace weft::verif
