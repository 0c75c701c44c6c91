// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// Whom an arbiter prefers.
enum class Arbitration {
  round_robin,  ///< the first at or after the pointer; it moves behind the winner
  matrix,       ///< the least recently served; lower numbers first after reset
};

/// `<prefix>_pick`: the first request at or after a pointer, cyclic. Combinational.
///
/// Parameter N >= 1. Ports: request_i[N]; behind_i[N]: the pointer p as the set of k >= p, where
/// both all ones and all zeros are p = 0; grant_o[N] one-hot, 0 without a request; behind_o[N]: the
/// pointer behind the winner in the same form, 0 without a request.
const hdl::Module& add_pick(hdl::Design& design, const std::string& prefix);

/// `<prefix>_round_robin` or `<prefix>_matrix`: an arbiter.
///
/// Parameter N >= 1. Ports: clk_i, rst_ni, request_i[N], update_i, grant_o[N] one-hot, 0 without a
/// request. The grant depends on the requests of the same cycle; the arbiter's state moves on at
/// the end of a cycle with update_i, which must be low without a request.
const hdl::Module& add_arbiter(hdl::Design& design, const std::string& prefix, Arbitration kind);

}  // namespace weft::rtl
