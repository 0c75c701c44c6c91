// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/network/switch.h"
#include "arch/network/switch_timing.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// Which logic a switch consists of; only what a configuration needs is emitted.
struct Shape {
  explicit Shape(const arch::Switch& device);

  const arch::Switch& device;
  arch::SwitchTiming timing;
  int channels;            ///< V
  int classes;             ///< of traffic
  bool by_output;          ///< an input has a queue or list for each (output, VC), not for each VC
  bool fan_out;            ///< a flit may leave an input to each output in a cycle, not one in all
  bool pooled;             ///< the lists of a VC share their places
  bool queues;             ///< inputs have queues at all
  bool late_reading;       ///< a flit is read in the cycle after its departure
  bool ready_valid;        ///< flow control; else credits
  bool any_channel;        ///< a packet may leave in any VC of its class, of which there may be one
  bool adaptive;           ///< the route depends on credits
  bool speculative;        ///< heads request without knowing of a free VC
  bool whole_packets;      ///< room for a whole packet is asked for
  bool stored_packets;     ///< a packet leaves when it is complete
  bool output_filter;      ///< requests for an output may be of different urgency
  bool input_filter;       ///< an input chooses among its requests
  bool collectives;        ///< packets for several outputs
  bool collective_queues;  ///< they have queues of their own, one a VC
};

/// The parameters that the modules of a switch share. VIRTUAL_CHANNELS exists only if there are
/// several; `channels` is the number 1 otherwise.
struct Sizes {
  Sizes(hdl::Module& m, const Shape& shape);

  /// Also declares localparam CLASS_CHANNELS if there are several classes.
  void declare_classes(hdl::Module& m, const Shape& shape);

  hdl::Expr ports;
  hdl::Expr channels;
  hdl::Expr channel_width;       ///< VC_WIDTH, for several VCs
  hdl::Expr lanes;               ///< PORTS*V: an (output, VC) at o*V + v
  hdl::Expr class_channels = 1;  ///< K: VCs of a class
};

/// How a vector over lanes is ordered, for comments: "VC v of output o at [o*V + v]", or "output o
/// at [o]" without VCs. `port` is "output" or "input".
std::string lane_order(const Shape& shape, const std::string& port);

/// Parameters that give an instance the sizes of `sizes`.
std::vector<hdl::Connection> parameters_of(const Sizes& sizes, const Shape& shape);

/// Width of what goes through the crossbar: {head, tail, VC (if there are several), flit}.
hdl::Expr crossbar_width(const Sizes& sizes, const Shape& shape, const hdl::Expr& flit_width);

/// Bit `index` of a vector that is a scalar when it has one bit.
hdl::Expr bit_of(const hdl::Expr& vector, const hdl::Expr& index);

}  // namespace weft::rtl
