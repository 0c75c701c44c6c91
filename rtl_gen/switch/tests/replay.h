// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rtl_gen/hdl/hdl.h"

// A module driven under Icarus with stimuli from a file, and its outputs compared cycle by cycle
// with what is expected.

namespace weft::rtl::test {

/// `width` binary digits.
std::string binary(std::uint64_t value, int width);

/// Runs `module` and everything below it. Each line of `cycles` has the binary digits of all
/// inputs but clk_i and rst_ni in the order of the ports, then those of all outputs; an `x` is an
/// output that may be anything. Modules without clock see each line as a cycle, too. Returns what
/// is wrong, with the numbers of the first cycles; nothing if all is right.
std::string replay(const hdl::Design& design, const hdl::Module& module,
                   const std::vector<std::string>& cycles);

}  // namespace weft::rtl::test
