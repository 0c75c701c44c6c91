// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/emitted_switch.h"

#include "rtl_gen/switch/switch.h"

namespace weft::verif {

SwitchRtl emitted_switch(const arch::Switch& design) {
  SwitchRtl rtl;
  rtl.top = design.name;
  for (const auto& [name, text] : rtl::build_switch(design, {}).render()) {
    rtl.files.push_back({name, text});
  }
  return rtl;
}

}  // namespace weft::verif
