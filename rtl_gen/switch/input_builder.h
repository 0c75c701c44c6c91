// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/switch/shape.h"

// Builds the module of one input (add_input() in modules.h). Its parts are in files of their own:
// input.cpp the pins and the way to the queues, input_queues.cpp the queues and their places,
// input_groups.cpp the packets for several outputs, input_leave.cpp requests and departures.

namespace weft::rtl {

/// A flit on its way to the queues.
struct Arrival {
  hdl::Expr valid = 0;
  hdl::Expr head = 0;
  hdl::Expr tail = 0;
  hdl::Expr flit = 0;
  hdl::Expr channel = 0;  ///< its VC, one-hot; if there are several
  hdl::Expr output = 0;   ///< of its packet, one-hot, 0 of a collective packet; once it is known
};

/// What the flits of an input wait in; null without queues.
const hdl::Module* input_storage(hdl::Design& design, const Shape& shape);

class InputBuilder {
 public:
  InputBuilder(hdl::Design& design, const Shape& shape);
  const hdl::Module& build();

 private:
  void declare_ports();
  Arrival pins();
  /// With ready/valid: a flit arrives only if its queue takes it.
  void accept(Arrival& arrival);
  void route(Arrival& arrival);
  Arrival registered(const Arrival& arrival);
  void enqueue(const Arrival& arrival);
  void store_by_output(const Arrival& arrival, const hdl::Expr& write);
  void store(const Arrival& arrival, const hdl::Expr& write);
  struct QueuePorts {
    hdl::Expr write, flit_in, flags_in, full;
    hdl::Expr take;  ///< the flags at the head make way for the next ones
    hdl::Expr read;  ///< the flit leaves
    hdl::Expr flit, present, flags;
  };
  void memory(const std::string& name, const hdl::Expr& queues, const QueuePorts& of);
  hdl::Expr under_way(const std::string& name, const hdl::Expr& pop, const hdl::Expr& tail);
  void wait_at_pins(const Arrival& arrival);
  void count_packets(const hdl::Expr& write, const hdl::Expr& tail_written);
  /// For each queue the VC in which its flit leaves.
  void choose_channels();
  void request();
  void leave();
  /// What goes to the crossbar of some queues, of which at most one's flit leaves.
  struct Leaving {
    hdl::Expr pop, under_way, tail;
    hdl::Expr
        channels;  ///< the VC of their class that they take; if there are several to choose from
    hdl::Expr flit;
  };
  void leave(hdl::Scope& scope, const Leaving& queues, const hdl::Expr& result);
  hdl::Expr leaving_channel(hdl::Scope& scope, const Leaving& queues);
  void return_credits();
  void count_places();
  /// With collectives: what their unit sees of the queues that such packets wait in.
  void declare_group_ports();
  void store_groups(const Arrival& arrival);
  void show_groups(const hdl::Expr& flags, const hdl::Expr& width);
  hdl::Expr group_flags(const Arrival& arrival);
  void take_groups();
  [[nodiscard]] hdl::Expr group_op(const hdl::Expr& v) const;

  [[nodiscard]] bool several() const { return shape_.channels > 1; }
  [[nodiscard]] hdl::Expr queue_of(const hdl::Expr& o, const hdl::Expr& v) const {
    return shape_.by_output ? o * sizes_.channels + v : v;
  }
  /// `build` for each VC, as a generate loop if there are several.
  void for_each_channel(hdl::Scope& scope, const std::string& block,
                        const hdl::Scope::BuildLoop& build);
  void for_each_lane(
      const std::string& block,
      const std::function<void(hdl::Scope&, const hdl::Expr& o, const hdl::Expr& v)>& build);
  /// The number of the bit that is set; 0 if none is.
  hdl::Expr encoded(hdl::Scope& scope, const std::string& name, const hdl::Expr& one_hot,
                    const hdl::Expr& count, const hdl::Expr& width);
  /// The OR of the words of `data` that `select` selects.
  void select(hdl::Scope& scope, const std::string& name, const hdl::Expr& one_hot,
              const hdl::Expr& data, const hdl::Expr& count, const hdl::Expr& width,
              const hdl::Expr& result) const;

  const Shape& shape_;
  const hdl::Module& route_;
  const hdl::Module& select_;
  const hdl::Module* memory_ = nullptr;
  const hdl::Module* places_ = nullptr;
  hdl::Module& m_;
  Sizes sizes_;
  hdl::Expr flit_width_;
  hdl::Expr depth_ = 1;
  hdl::Expr queues_ = 1;  ///< queues, or lists of a pool
  hdl::Expr rooms_ = 1;   ///< queues or pools, that fill up
  hdl::Expr port_width_ = 1;
  // Ports.
  hdl::Expr clk_ = 0, rst_n_ = 0;
  Arrival pins_;
  hdl::Expr room_o_ = 0;
  hdl::Expr x_ = 0, y_ = 0, from_west_ = 0, prefer_ = 0;
  hdl::Expr open_ = 0, credit_ = 0, first_ = 0;
  hdl::Expr head_o_ = 0, continuing_o_ = 0, tail_o_ = 0, channel_o_ = 0, depart_ = 0,
            leaving_o_ = 0;
  // Of the packets for several outputs, VC by VC.
  hdl::Expr group_present_o_ = 0, group_head_o_ = 0, group_tail_o_ = 0, group_op_o_ = 0,
            group_mask_o_ = 0, group_take_ = 0;
  hdl::Expr group_under_way_ = 0;
  hdl::Expr group_depart_ = 0;  ///< what was taken a cycle ago departs
  // Of the flit at the head of each queue.
  hdl::Expr present_ = 0;      ///< there is one
  hdl::Expr destination_ = 0;  ///< its output, one-hot, PORTS bits a queue; for queues by VC
  hdl::Expr under_way_ = 0;    ///< it is not the first of its packet
  hdl::Expr complete_ = 0;     ///< the last of its packet is in the queue too
  hdl::Expr flit_ = 0;         ///< what departs
  hdl::Expr depart_from_ = 0;  ///< it departs, of a unicast packet
  hdl::Expr leave_from_ = 0;   ///< it departs, of any packet that waits there
  hdl::Expr pop_ = 0;          ///< it departs, or is taken to depart in the next cycle
  hdl::Expr entering_ = 0;     ///< with ready/valid: queues that a flit is accepted for
};

}  // namespace weft::rtl
