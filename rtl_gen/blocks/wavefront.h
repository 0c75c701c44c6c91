// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// `<prefix>_wavefront`: see add_allocator.
const hdl::Module& add_wavefront(hdl::Design& design, const std::string& prefix, bool speculative);

}  // namespace weft::rtl
