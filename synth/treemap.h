// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "synth/compose.h"

namespace weft::synth {

/// The areas of a design's modules as nested rectangles, an SVG drawing. Equal instances are one
/// rectangle; what is too small for a label has a tooltip.
std::string treemap_svg(const Composition& composition);

}  // namespace weft::synth
