// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/switch/shape.h"

// The modules below the top of a switch. In a vector over lanes, (output, VC) or (input, VC), VC v
// of port p is at bit p*V + v.

namespace weft::rtl {

/// `name_input`: one input: routing, queues, and what the flits at their heads want. For
/// organisations in which one flit leaves an input in a cycle.
const hdl::Module& add_input(hdl::Design& design, const Shape& shape);

/// `name_output_requests`: of the requests for one output, those of the most urgent class, and no
/// heads beside packets under way. Only if Shape::output_filter.
const hdl::Module& add_output_requests(hdl::Design& design, const Shape& shape);

/// `name_input_requests`: of the requests of one input, no heads beside packets under way; which
/// outputs it asks the allocator for, and which queue uses the grant. Only if Shape::input_filter.
const hdl::Module& add_input_requests(hdl::Design& design, const Shape& shape);

/// `name_output`: one output: credits and holders of its VCs, and the register or FIFO at its end.
const hdl::Module& add_output(hdl::Design& design, const Shape& shape);

}  // namespace weft::rtl
