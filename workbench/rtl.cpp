// SPDX-License-Identifier: Apache-2.0
#include "workbench/rtl.h"

#include "base/installation.h"

namespace weft::workbench {

verif::Rtl rtl_of(const rtl::Emission& emission) {
  verif::Rtl rtl;
  rtl.top = emission.top;
  for (const auto& name : emission.verilog) rtl.files.push_back({name, emission.files.at(name)});
  return rtl;
}

std::filesystem::path digits_folder() { return base::data_directory() / "digits"; }

}  // namespace weft::workbench
