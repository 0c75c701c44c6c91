// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "synth/hierarchy.h"

namespace weft::synth {

// Flattening gives the cells of a module another order than they have in the module itself, and by
// the order alone ABC's areas differ by 2 %. So that blocks come out as in the flat design, each is
// put into a module with the same parameters and ports, and flattened there.

/// The module that holds nothing but an instance of `block`; in Verilog, in terms of the interface
/// of its module.
std::string wrapper_verilog(const Instance& block, const std::string& interface);

/// Its name.
std::string wrapper_name(const std::string& module);

/// A name in the flattened wrapper, as it is in the block.
std::string unwrapped(const std::string& name);

}  // namespace weft::synth
