// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// `<prefix>_weighted`: weighted round robin. Each requester has as many turns in a row as its
/// weight says; the first requester from the one whose turn it is gets the grant, so that nobody's
/// turn is waited for.
///
/// Parameters N >= 1, WEIGHT_WIDTH >= 1. Ports: clk_i, rst_ni; weight_i[N*WEIGHT_WIDTH]: weight of
/// requester k at [k*WEIGHT_WIDTH +: WEIGHT_WIDTH], 1 or more, constant, in reset too;
/// request_i[N]; served_i[N]: who was served in this cycle, one-hot or 0, whether or not it was
/// granted now; grant_o[N] one-hot, 0 without a request. The grant is combinational. With k served:
/// if k has the turn, one turn less is left to it, else the turn is k's with weight(k) - 1 left;
/// when none is left, the turn is the next one's (cyclic) with its whole weight. Reset: requester
/// 0's.
const hdl::Module& add_weighted_arbiter(hdl::Design& design, const std::string& prefix);

}  // namespace weft::rtl
