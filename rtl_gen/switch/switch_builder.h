// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/switch/shape.h"

namespace weft::rtl {

/// Builds the top module of a switch. Its parts are in files of their own: switch.cpp the pins,
/// inputs and outputs, switch_allocation.cpp from requests to what crosses, switch_groups.cpp the
/// packets for several outputs.
class SwitchBuilder {
 public:
  SwitchBuilder(hdl::Design& design, const Shape& shape);
  void build();

 private:
  void declare_ports();
  void declare_matrices();
  void inputs();
  void compare_credits();
  void declare_groups();
  /// Packets for several outputs go first: what they take requests nothing of the allocator.
  void serve_groups();
  void filter_at_outputs();
  /// Tells requests that can use a grant from speculation that has failed.
  void find_usable();
  void filter_at_inputs();
  void choose_queues();
  void allocate();
  void depart();
  hdl::Expr selected();
  void cross();
  void outputs();

  [[nodiscard]] bool several() const { return shape_.channels > 1; }
  /// The VCs of input i and output o in a matrix.
  [[nodiscard]] hdl::Expr cell(const hdl::Expr& matrix, const hdl::Expr& i,
                               const hdl::Expr& o) const {
    return matrix.part((i * sizes_.ports + o) * sizes_.channels, sizes_.channels);
  }
  [[nodiscard]] int op_width() const;
  /// `width` bits for port p.
  static hdl::Expr of_port(const hdl::Expr& vector, const hdl::Expr& p, const hdl::Expr& width) {
    return vector.part(p * width, width);
  }
  /// The cells of output o, input by input.
  hdl::Expr column(hdl::Scope& scope, const std::string& name,
                   const std::function<hdl::Expr(const hdl::Expr& i)>& cell,
                   const hdl::Expr& width) const;

  const Shape& shape_;
  const hdl::Module& input_;
  const hdl::Module* output_requests_;
  const hdl::Module* input_requests_;
  const hdl::Module& allocator_;
  const hdl::Module* queue_arbiter_;  ///< where each output chooses among the VCs of an input
  const hdl::Module& crossbar_;
  const hdl::Module* collective_;
  const hdl::Module* result_;
  const hdl::Module& output_;
  hdl::Module& m_;
  Sizes sizes_;
  hdl::Expr flit_width_;
  hdl::Expr depth_ = 1, credits_ = 1, packet_ = 1;
  hdl::Expr queues_ = 1, rooms_ = 1, width_ = 0, count_width_ = 0;
  hdl::Expr clk_ = 0, rst_n_ = 0;
  hdl::Expr in_valid_ = 0, in_head_ = 0, in_tail_ = 0, in_vc_ = 0, in_flit_ = 0, in_room_ = 0;
  hdl::Expr out_valid_ = 0, out_head_ = 0, out_tail_ = 0, out_vc_ = 0, out_flit_ = 0,
            out_accept_ = 0;
  hdl::Expr x_ = 0, y_ = 0;
  hdl::Expr open_ = 0, credit_ = 0, first_ = 0, count_ = 0, prefer_ = 0;
  hdl::Expr head_ = 0, continuing_ = 0, tail_ = 0, channel_ = 0;
  hdl::Expr want_ = 0, grant_ = 0, chosen_ = 0, depart_ = 0;
  // Speculation: requests that can use a grant, and outputs that have one.
  hdl::Expr ready_ = 0, usable_ = 0;
  hdl::Expr leaving_ = 0, crossed_ = 0;
  // Packets for several outputs: of each input and VC, then what the unit decides.
  struct Groups {
    hdl::Expr present = 0, head = 0, tail = 0, op = 0, mask = 0, take = 0;
    hdl::Expr blocked = 0, claim = 0, channel = 0, last = 0;
    // A cycle later.
    hdl::Expr busy = 0, to = 0, from = 0;
    hdl::Expr member = 0, reference = 0, op_combined = 0;
  } groups_;
};

}  // namespace weft::rtl
