// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/switch.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// Builds the modules of a switch; the last one is the top, named `device.name`. The contract of
/// its ports and times is docs/switch.md. `device` is legal and complete (as a configuration file
/// that was read). Same switch, same text.
hdl::Design build_switch(const arch::Switch& device, const hdl::Provenance& provenance);

}  // namespace weft::rtl
