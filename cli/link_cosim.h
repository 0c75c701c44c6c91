// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.h"
#include "rtl_gen/emit/emission.h"
#include "testbenches/link/link_cosim.h"

namespace weft::cli {

/// What `weft cosim` is asked for a link.
struct LinkCosimRequest {
  verif::LinkCosimOptions options;
  std::string json;   ///< file, `-` for standard output, or empty
  std::string junit;  ///< file or empty
};

/// Co-simulates two ends of a link and reports, on the terminal and in the files asked for.
[[nodiscard]] ExitStatus cosim_link(const arch::Link& link, const rtl::Emission& emission,
                                    LinkCosimRequest request);

}  // namespace weft::cli
