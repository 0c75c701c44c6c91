// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/link.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// Builds the modules of an endpoint of a link; the last one is the top, named `link.name`. A link
/// is two of them. The contract of its ports and times is docs/link.md. Same link, same text.
hdl::Design build_link(const arch::Link& link, const hdl::Provenance& provenance);

}  // namespace weft::rtl
