// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "synth/synth.h"

namespace weft::synth {

/// A technology node and the supply voltage there.
struct TechnologyNode {
  int nm = 0;
  double volts = 0;
};

/// Reads a node: "7nm", "7", "7nm@0.65V"; without a voltage the node's nominal one. Throws
/// UserError unless it is a node of the scaling model: 180, 130, 90, 65, 45, 32, 20, 16, 14, 10 or
/// 7 nm.
TechnologyNode parse_node(std::string_view text);

/// What a design measured on one node might be on another. An estimate from published factors, not
/// a measurement.
///
/// Source: A. Stillmaker, B. Baas, "Scaling equations for the accurate prediction of CMOS device
/// performance from 180 nm to 7 nm", Integration, the VLSI Journal 58 (2017) 74-81: areas by its
/// table of factors, delays by its polynomials of the supply voltage (general-purpose and
/// high-performance devices). They describe a chain of inverters, without wires.
struct Projection {
  TechnologyNode from, to;
  double area_factor = 1;
  double delay_factor = 1;
  double area_um2 = 0;
  double critical_path_ns = 0;
  double fmax_mhz = 0;
};

/// Throws UserError if a voltage is not within 70 to 110 % of its node's nominal one.
Projection project(const Result& result, const TechnologyNode& from, const TechnologyNode& to);

/// The node that a known target was made for, or empty. Files don't tell theirs.
std::string node_of_target(const std::string& target);

nlohmann::ordered_json to_json(const Projection& projection);
std::string to_text(const Projection& projection);

}  // namespace weft::synth
