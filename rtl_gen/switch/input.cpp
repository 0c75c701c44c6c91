// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string>
#include <vector>

#include "arch/network/header.h"
#include "rtl_gen/blocks/credit_counter.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/queue_memory.h"
#include "rtl_gen/switch/modules.h"
#include "rtl_gen/switch/pool.h"
#include "rtl_gen/switch/route.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc input_doc(const Shape& shape) {
  ModuleDoc doc;
  doc.summary = "one input of the switch.";
  if (!shape.queues) {
    doc.description = "Finds the output of a packet. The flit waits on the pins until it departs.";
    doc.diagram =
        "  pins --+--> [route] --> requests\n"
        "         '--------------------------> leaving flit";
    doc.latency = "combinational, but for the output of a packet, which is kept from its head on.";
    return doc;
  }
  doc.description =
      std::string("Finds the output of a packet and puts its flits into the queue of ") +
      (shape.by_output ? "that output" : "the input") +
      (shape.channels > 1 ? " and the packet's VC" : "") +
      ". What stands at the head of a queue requests its output, as head (the first "
      "flit of a packet) or continuing (the others).";
  const std::string stage = shape.timing.input_stages > 0 ? "[register] --" : "";
  doc.diagram = "  pins --> [route] --" + stage +
                "> [queues] --> requests\n"
                "                          |\n"
                "                          '-> leaving flit";
  doc.latency =
      "a flit on the pins in cycle t requests from cycle t + " +
      std::to_string(1 + shape.timing.input_stages) +
      " on; after depart_i in cycle s its place is free from s + 1 on, and it is at "
      "leaving_o in cycle s" +
      (shape.timing.output_stages > 0 ? " + " + std::to_string(shape.timing.output_stages) : "") +
      ".";
  return doc;
}

/// A flit on its way to the queues.
struct Arrival {
  Expr valid = 0;
  Expr head = 0;
  Expr tail = 0;
  Expr flit = 0;
  Expr channel = 0;  ///< its VC, one-hot; if there are several
  Expr output = 0;   ///< of its packet, one-hot, 0 of a collective packet; once it is known
};

/// What the flits wait in.
const Module* storage(Design& design, const Shape& shape) {
  if (!shape.queues) return nullptr;
  if (!shape.fan_out) {
    return &add_queue_memory(
        design, shape.device.name,
        {.late = shape.late_reading, .gated_clocks = shape.device.clock_gating});
  }
  return shape.pooled ? &add_pool(design, shape) : &add_output_queues(design, shape);
}

class Input {
 public:
  Input(Design& design, const Shape& shape);
  const Module& build();

 private:
  void declare_ports();
  Arrival pins();
  /// With ready/valid: a flit arrives only if its queue takes it.
  void accept(Arrival& arrival);
  void route(Arrival& arrival);
  Arrival registered(const Arrival& arrival);
  void enqueue(const Arrival& arrival);
  void store_by_output(const Arrival& arrival, const Expr& write);
  void store(const Arrival& arrival, const Expr& write);
  struct QueuePorts {
    Expr write, flit_in, flags_in, full, read, flit, present, flags;
  };
  void memory(const std::string& name, const Expr& queues, const QueuePorts& of);
  Expr under_way(const std::string& name, const Expr& pop, const Expr& tail);
  void wait_at_pins(const Arrival& arrival);
  void count_packets(const Expr& write, const Expr& tail_written);
  /// For each queue the VC in which its flit leaves.
  void choose_channels();
  void request();
  void leave();
  /// What goes to the crossbar of some queues, of which at most one's flit leaves.
  struct Leaving {
    Expr pop, under_way, tail;
    Expr channels;  ///< the VC of their class that they take; if there are several to choose from
    Expr flit;
  };
  void leave(Scope& scope, const Leaving& queues, const Expr& result);
  Expr leaving_channel(Scope& scope, const Leaving& queues);
  void return_credits();
  void count_places();
  /// With collectives: what their unit sees of the queues that such packets wait in.
  void declare_group_ports();
  void store_groups(const Arrival& arrival);
  void show_groups(const Expr& flags, const Expr& width);
  Expr group_flags(const Arrival& arrival);
  [[nodiscard]] Expr group_op(const Expr& v) const;

  [[nodiscard]] bool several() const { return shape_.channels > 1; }
  [[nodiscard]] Expr queue_of(const Expr& o, const Expr& v) const {
    return shape_.by_output ? o * sizes_.channels + v : v;
  }
  /// `build` for each VC, as a generate loop if there are several.
  void for_each_channel(Scope& scope, const Scope::BuildLoop& build);
  void for_each_lane(const std::function<void(Scope&, const Expr& o, const Expr& v)>& build);
  /// The number of the bit that is set; 0 if none is.
  Expr encoded(Scope& scope, const std::string& name, const Expr& one_hot, const Expr& count,
               const Expr& width);
  /// The OR of the words of `data` that `select` selects.
  void select(Scope& scope, const std::string& name, const Expr& one_hot, const Expr& data,
              const Expr& count, const Expr& width, const Expr& result) const;

  const Shape& shape_;
  const Module& route_;
  const Module& select_;
  const Module* memory_ = nullptr;
  const Module* places_ = nullptr;
  Module& m_;
  Sizes sizes_;
  Expr flit_width_;
  Expr depth_ = 1;
  Expr queues_ = 1;  ///< queues, or lists of a pool
  Expr rooms_ = 1;   ///< queues or pools, that fill up
  Expr port_width_ = 1;
  // Ports.
  Expr clk_ = 0, rst_n_ = 0;
  Arrival pins_;
  Expr room_o_ = 0;
  Expr x_ = 0, y_ = 0, from_west_ = 0, prefer_ = 0;
  Expr open_ = 0, credit_ = 0, first_ = 0;
  Expr head_o_ = 0, continuing_o_ = 0, tail_o_ = 0, channel_o_ = 0, depart_ = 0, leaving_o_ = 0;
  // Of the packets for several outputs, VC by VC.
  Expr group_present_o_ = 0, group_head_o_ = 0, group_tail_o_ = 0, group_op_o_ = 0,
       group_mask_o_ = 0, group_depart_ = 0;
  Expr group_under_way_ = 0;
  // Of the flit at the head of each queue.
  Expr present_ = 0;      ///< there is one
  Expr destination_ = 0;  ///< its output, one-hot, PORTS bits a queue; for queues by VC
  Expr under_way_ = 0;    ///< it is not the first of its packet
  Expr complete_ = 0;     ///< the last of its packet is in the queue too
  Expr flit_ = 0;         ///< what departs
  Expr pop_ = 0;          ///< it departs
  Expr entering_ = 0;     ///< with ready/valid: queues that a flit is accepted for
  int loops_ = 0;         ///< generate loops so far, for their names
};

Input::Input(Design& design, const Shape& shape)
    : shape_(shape),
      route_(add_route(design, shape.device)),
      select_(add_crossbar(design, shape.device.name)),
      memory_(storage(design, shape)),
      places_(shape.ready_valid && shape.timing.input_stages > 0 && !shape.pooled
                  ? &add_credit_counter(design, shape.device.name)
                  : nullptr),
      m_(design.add_module(shape.device.name + "_input", input_doc(shape))),
      sizes_(m_, shape),
      flit_width_(m_.parameter("FLIT_WIDTH", shape.device.flit_width, "bits of a flit")) {
  if (shape.queues) depth_ = m_.parameter("DEPTH", shape.device.buffer_depth, "flits of a queue");
  if (shape.queues) queues_ = shape.by_output ? sizes_.lanes : sizes_.channels;
  rooms_ = shape.pooled              ? sizes_.channels
           : shape.collective_queues ? queues_ + sizes_.channels
                                     : queues_;
  if (shape.any_channel) sizes_.declare_classes(m_, shape);
  if (!shape.by_output && shape.queues && !shape.collectives) {
    port_width_ = m_.localparam("PORT_WIDTH", clog2(sizes_.ports));
  }
}

void Input::declare_ports() {
  clk_ = m_.input("clk_i");
  if (shape_.queues) rst_n_ = m_.input("rst_ni", 1, "synchronous, active low; control only");
  m_.port_group("The pins of this input.");
  pins_.valid = m_.input("valid_i");
  pins_.head = m_.input("head_i");
  pins_.tail = m_.input("tail_i");
  if (several()) pins_.channel = m_.input("vc_i", sizes_.channel_width);
  pins_.flit = m_.input("flit_i", flit_width_);
  room_o_ = shape_.ready_valid ? m_.output("ready_o", rooms_, "the queue takes a flit")
            : shape_.pooled    ? m_.output("credit_o", rooms_, "a flit left the pool")
                               : m_.output_reg("credit_o", rooms_, "a flit left the queue");
  if (shape_.device.mesh()) {
    x_ = m_.input("x_i", x_width(shape_.device), "where the switch is");
    y_ = m_.input("y_i", y_width(shape_.device));
  }
  m_.port_group("The state of the outputs: VC v of output o at [o*V + v].");
  if (!shape_.speculative) open_ = m_.input("open_i", sizes_.lanes, "a head in VC v may go there");
  credit_ = m_.input("credit_i", sizes_.lanes, "the VC has a credit");
  if (shape_.any_channel) {
    first_ = m_.input("first_i", sizes_.lanes, "the first VC of each class that is open");
  }
  if (shape_.adaptive) {
    prefer_ = m_.input("prefer_i", sizes_.channels * preferences(shape_.device),
                       "outputs with more credits: those of VC v from v*PREFERENCES on");
    from_west_ = shape_.device.routing == arch::Routing::odd_even
                     ? m_.input("from_west_i", 1, "this is the west port")
                     : from_west_;
  }
  m_.port_group("Requests of VC v for output o at [o*V + v].");
  head_o_ = m_.output("head_o", sizes_.lanes, "the first flit of a packet");
  continuing_o_ = m_.output("continuing_o", sizes_.lanes, "a flit of a packet under way");
  tail_o_ = m_.output("tail_o", queues_, "the flit at the head of the queue ends its packet");
  if (shape_.any_channel) {
    channel_o_ = m_.output("channel_o", queues_ * sizes_.class_channels,
                           "the VC of its class in which it leaves, one-hot");
  }
  depart_ =
      m_.input("depart_i", sizes_.lanes,
               shape_.fan_out ? "what departs: one to an output" : "what departs: one-hot or 0");
  if (shape_.collectives) declare_group_ports();
  const Expr width = crossbar_width(sizes_, shape_, flit_width_);
  leaving_o_ = m_.output("leaving_o", shape_.fan_out ? sizes_.ports * width : width,
                         std::string(several() ? "{head, tail, VC, flit}" : "{head, tail, flit}") +
                             (shape_.fan_out ? " to each output" : ""));
}

void Input::declare_group_ports() {
  const Expr& v = sizes_.channels;
  m_.port_group("The queues that packets for several outputs wait in, VC by VC.");
  group_present_o_ = m_.output("group_present_o", v, "has a flit");
  group_head_o_ = m_.output("group_head_o", v, "it is the first of its packet");
  group_tail_o_ = m_.output("group_tail_o", v, "it is the last of its packet");
  group_op_o_ =
      m_.output("group_op_o", v * arch::HeaderLayout(shape_.device).op_width, "of a head: its op");
  group_mask_o_ = m_.output("group_mask_o", v * sizes_.ports, "of a head: the ports that it names");
  group_depart_ = m_.input("group_depart_i", v, "it departs: one-hot or 0");
}

Arrival Input::pins() {
  Arrival arrival = pins_;
  if (!several()) return arrival;
  arrival.channel = m_.wire("channel", sizes_.channels, "the flit's VC, one-hot");
  m_.generate_for("c", 0, sizes_.channels, "decode", [&](Scope& s, const Expr& c) {
    s.assign(arrival.channel.at(c), pins_.channel == fit(c, sizes_.channel_width));
  });
  return arrival;
}

void Input::accept(Arrival& arrival) {
  if (!shape_.ready_valid || !shape_.queues) return;
  if (!shape_.by_output || shape_.pooled) {
    arrival.valid = m_.let("accepted", arrival.valid & room_o_);
    entering_ = arrival.valid;
  } else {
    entering_ = m_.let("entering", rep(queues_, arrival.valid) & arrival.output & room_o_);
    arrival.valid = m_.let("accepted", any(entering_));
  }
}

void Input::route(Arrival& arrival) {
  const Expr routed = m_.wire("routed", sizes_.ports, "the output of a head");
  std::vector<Connection> ports{{"flit_i", arrival.flit}, {"output_o", routed}};
  if (shape_.device.mesh()) {
    ports.push_back({"x_i", x_});
    ports.push_back({"y_i", y_});
  }
  if (shape_.device.routing == arch::Routing::odd_even)
    ports.push_back({"from_west_i", from_west_});
  if (shape_.adaptive) {
    const Expr count = preferences(shape_.device);
    Expr prefer = prefer_;
    if (several()) {
      prefer = m_.wire("prefer", count, "in the head's VC");
      select(m_, "u_prefer", arrival.channel, prefer_, sizes_.channels, count, prefer);
    }
    ports.push_back({"prefer_i", prefer});
  }
  if (rewrites_header(shape_.device)) {
    const Expr leaves = m_.wire("rewritten", flit_width_, "as it leaves the switch");
    ports.push_back({"head_i", arrival.head});
    ports.push_back({"flit_o", leaves});
    arrival.flit = leaves;
  }
  m_.instance("u_route", route_, {{"PORTS", sizes_.ports}, {"FLIT_WIDTH", flit_width_}}, ports);

  m_.comment("The other flits of a packet follow its head.");
  const Expr routes = m_.reg("route_q", sizes_.lanes, "the output of the packet that enters");
  for_each_channel(m_, [&](Scope& s, const Expr& v) {
    const Expr begins = arrival.valid & arrival.head;
    s.always_ff(clk_, {If(several() ? begins & arrival.channel.at(v) : begins,
                          {routes.part(v * sizes_.ports, sizes_.ports) <<= routed})});
  });
  Expr followed = routes;
  if (several()) {
    followed = m_.wire("followed", sizes_.ports);
    select(m_, "u_followed", arrival.channel, routes, sizes_.channels, sizes_.ports, followed);
  }
  arrival.output =
      m_.let("destination", mux(arrival.head, routed, followed), "the flit's, one-hot");
}

Arrival Input::registered(const Arrival& arrival) {
  Arrival after = arrival;
  after.valid = m_.reg("valid_q", 1);
  m_.always_ff(clk_, {If(!rst_n_, {after.valid <<= 0}).else_({after.valid <<= arrival.valid})});
  Body body;
  const auto delay = [&](const std::string& name, const Expr& x, Expr& q) {
    q = m_.reg(name, width_of(x));
    body.push_back(q <<= x);
  };
  if (arrival.output.type().is_integer() || (shape_.collectives && !shape_.collective_queues))
    delay("head_q", arrival.head, after.head);
  delay("tail_q", arrival.tail, after.tail);
  if (several()) delay("channel_q", arrival.channel, after.channel);
  delay("flit_q", arrival.flit, after.flit);
  if (arrival.output.type().is_bits()) delay("output_q", arrival.output, after.output);
  m_.always_ff(clk_, body);
  return after;
}

void Input::enqueue(const Arrival& arrival) {
  const Expr write = m_.wire("write", queues_, "the queue that the flit goes to");
  if (shape_.by_output) {
    for_each_lane([&](Scope& s, const Expr& o, const Expr& v) {
      const Expr here = arrival.valid & arrival.output.at(o);
      s.assign(write.at(o * sizes_.channels + v), several() ? here & arrival.channel.at(v) : here);
    });
  } else {
    m_.assign(write, several() ? rep(queues_, arrival.valid) & arrival.channel : arrival.valid);
  }
  pop_ = m_.wire("pop", queues_, "the queue whose flit departs");
  present_ = m_.wire("present", queues_, "the queue is not empty");
  shape_.fan_out ? store_by_output(arrival, write) : store(arrival, write);
  if (shape_.collective_queues) store_groups(arrival);
  m_.comment("A packet is under way from its head's departure until its tail's.");
  under_way_ = under_way("under_way_q", pop_, tail_o_);
  if (shape_.collective_queues) {
    group_under_way_ = under_way("group_under_way_q", group_depart_, group_tail_o_);
  }
  if (shape_.collectives) {
    m_.assign(group_head_o_, ~(shape_.collective_queues ? group_under_way_ : under_way_));
  }
  if (shape_.stored_packets) count_packets(write, arrival.tail);
}

/// Whether the flit at the head of each queue is of a packet whose head has departed.
Expr Input::under_way(const std::string& name, const Expr& pop, const Expr& tail) {
  const Expr q = m_.reg(name, width_of(pop));
  m_.always_ff(clk_, {If(!rst_n_, {q <<= 0}).else_({q <<= (q & ~pop) | (pop & ~tail)})});
  return q;
}

void Input::memory(const std::string& name, const Expr& queues, const QueuePorts& of) {
  m_.instance(name, *memory_,
              {{"QUEUES", queues},
               {"DEPTH", depth_},
               {"WIDTH", flit_width_},
               {"FLAGS", width_of(of.flags_in)}},
              {{"clk_i", clk_},
               {"rst_ni", rst_n_},
               {"write_i", of.write},
               {"data_i", of.flit_in},
               {"flags_i", of.flags_in},
               {"full_o", of.full},
               {"read_i", of.read},
               {"data_o", of.flit},
               {"nonempty_o", of.present},
               {"flags_o", of.flags}});
}

/// Into the memory of which a flit leaves in a cycle.
void Input::store(const Arrival& arrival, const Expr& write) {
  const bool ready_is_room = shape_.ready_valid && places_ == nullptr;
  flit_ = m_.wire("flit", flit_width_, "the one that departs");
  const Expr full = m_.wire(ready_is_room ? "full" : "unused_full", queues_);
  if (ready_is_room) m_.assign(room_o_, ~full);
  if (shape_.by_output) {
    memory("u_queues", queues_,
           {write, arrival.flit, arrival.tail, full, pop_, flit_, present_, tail_o_});
    return;
  }
  const Expr flags_in =
      shape_.collectives
          ? group_flags(arrival)
          : cat({encoded(m_, "port", arrival.output, sizes_.ports, port_width_), arrival.tail});
  const Expr width = width_of(flags_in);
  const Expr flags = m_.wire("flags", queues_ * width, "of the flits at the heads");
  memory("u_queues", queues_, {write, arrival.flit, flags_in, full, pop_, flit_, present_, flags});
  destination_ = m_.wire("wanted", queues_ * sizes_.ports, "of the flit at the head, one-hot");
  for_each_lane([&](Scope& s, const Expr& o, const Expr& v) {
    const Expr wanted = shape_.collectives
                            ? group_mask_o_.at(v * sizes_.ports + o) & ~any(group_op(v))
                            : flags.part(v * width + 1, port_width_) == fit(o, port_width_);
    s.assign(destination_.at(v * sizes_.ports + o), wanted);
  });
  for_each_channel(
      m_, [&](Scope& s, const Expr& v) { s.assign(bit_of(tail_o_, v), flags.at(v * width)); });
  if (!shape_.collectives) return;
  show_groups(flags, width);
  m_.assign(group_present_o_, present_);
}

/// {op, mask, tail} of a flit that enters. Where all packets share their queues, the mask of a
/// unicast flit is its output, and op and mask say of all flits whether they are unicast.
Expr Input::group_flags(const Arrival& arrival) {
  const arch::HeaderLayout layout(shape_.device);
  const Expr op = arrival.flit.part(layout.op_offset, layout.op_width);
  const Expr mask = arrival.flit.part(layout.route_offset, sizes_.ports);
  if (shape_.collective_queues) return cat({op, mask, arrival.tail});
  const Expr head =
      m_.let("group_head", arrival.head & ~any(arrival.output), "of a packet for several outputs");
  return cat({op & rep(layout.op_width, head), arrival.output | (mask & rep(sizes_.ports, head)),
              arrival.tail});
}

Expr Input::group_op(const Expr& v) const {
  const Expr width = arch::HeaderLayout(shape_.device).op_width;
  return group_op_o_.part(v * width, width);
}

/// Tells the collective unit the flags of the queues' heads.
void Input::show_groups(const Expr& flags, const Expr& width) {
  for_each_channel(m_, [&](Scope& s, const Expr& v) {
    const Expr first = v * width;
    s.assign(bit_of(group_tail_o_, v), flags.at(first));
    s.assign(group_mask_o_.part(v * sizes_.ports, sizes_.ports),
             flags.part(first + 1, sizes_.ports));
    s.assign(group_op(v), flags.part(first + sizes_.ports + 1, width - sizes_.ports - 1));
  });
}

/// Packets for several outputs, into queues of their own.
void Input::store_groups(const Arrival& arrival) {
  const Expr channels = sizes_.channels;
  const Expr group = m_.let("group", arrival.valid & ~any(arrival.output));
  const Expr write =
      m_.let("group_write", several() ? rep(channels, group) & arrival.channel : group);
  const Expr flags_in = m_.let("group_flags_in", group_flags(arrival));
  const Expr width = width_of(flags_in);
  const Expr flags = m_.wire("group_flags", channels * width);
  const Expr full = m_.wire("unused_group_full", channels);
  const Expr flit = m_.wire("group_flit", flit_width_);
  memory("u_group_queues", channels,
         {write, arrival.flit, flags_in, full, group_depart_, flit, group_present_o_, flags});
  show_groups(flags, width);
  Expr from_group = any(group_depart_);
  if (shape_.late_reading) {
    const Expr last = m_.reg("from_group_q", 1, "in the last cycle");
    m_.always_ff(clk_, {last <<= from_group});
    from_group = last;
  }
  flit_ = m_.let("any_flit", mux(from_group, flit, flit_));
}

/// Into that of which a flit leaves to each output.
void Input::store_by_output(const Arrival& arrival, const Expr& write) {
  flit_ = m_.wire("flit", sizes_.ports * flit_width_, "those that depart");
  std::vector<Connection> parameters = parameters_of(sizes_, shape_);
  parameters.push_back({"DEPTH", depth_});
  parameters.push_back({"WIDTH", flit_width_});
  std::vector<Connection> ports{
      {"clk_i", clk_},          {"rst_ni", rst_n_},       {"write_i", write},
      {"data_i", arrival.flit}, {"tail_i", arrival.tail}, {"read_i", pop_},
      {"data_o", flit_},        {"present_o", present_},  {"tail_o", tail_o_}};
  if (shape_.pooled) {
    // A flit in the register before the pool has a place, too.
    const bool stage = shape_.timing.input_stages > 0;
    const bool ready = shape_.ready_valid;
    const Expr free = m_.wire(ready ? "free" : "unused_free", rooms_);
    const Expr spare = m_.wire(ready && stage ? "spare" : "unused_spare", rooms_);
    ports.push_back({"free_o", free});
    ports.push_back({"spare_o", spare});
    if (ready) m_.assign(room_o_, stage ? mux(arrival.valid, spare, free) : free);
  } else {
    const bool ready_is_room = shape_.ready_valid && places_ == nullptr;
    const Expr full = m_.wire(ready_is_room ? "full" : "unused_full", queues_);
    ports.push_back({"full_o", full});
    if (ready_is_room) m_.assign(room_o_, ~full);
  }
  m_.instance("u_queues", *memory_, parameters, ports);
}

void Input::count_packets(const Expr& write, const Expr& tail_written) {
  complete_ = m_.wire("complete", queues_, "the packet at the head is complete");
  const Expr width = m_.localparam("COUNT_WIDTH", clog2(depth_ + 1));
  m_.generate_for("q", 0, queues_, "packets", [&](Scope& s, const Expr& q) {
    const Expr count = s.reg("count_q", width, "tails in the queue");
    const Expr enters = s.let("enters", bit_of(write, q) & tail_written);
    const Expr leaves = s.let("leaves", bit_of(pop_, q) & bit_of(tail_o_, q));
    s.always_ff(clk_, {If(!rst_n_, {count <<= 0})
                           .else_if(enters & ~leaves, {count <<= count + 1})
                           .else_if(leaves & ~enters, {count <<= count - 1})});
    s.assign(bit_of(complete_, q), count != 0);
  });
}

void Input::wait_at_pins(const Arrival& arrival) {
  pop_ = m_.wire("pop", 1);
  present_ = arrival.valid;
  destination_ = arrival.output;
  under_way_ = m_.let("under_way", ~arrival.head);
  flit_ = arrival.flit;
  m_.assign(tail_o_, arrival.tail);
  m_.assign(room_o_, pop_);
}

void Input::choose_channels() {
  const Expr k = sizes_.class_channels;
  const Expr held = m_.reg("held_q", queues_ * k, "the VC that a packet under way holds");
  m_.generate_for("q", 0, queues_, "choice", [&](Scope& s, const Expr& q) {
    const Expr first_channel = s.localparam("FIRST", ((q % sizes_.channels) / k) * k);
    const Expr mine = held.part(q * k, k);
    Expr first = first_.part((q / sizes_.channels) * sizes_.channels + first_channel, k);
    if (!shape_.by_output) {
      const Expr candidates = s.wire("candidates", sizes_.ports * k);
      s.generate_for("o", 0, sizes_.ports, "from", [&](Scope& t, const Expr& o) {
        t.assign(candidates.part(o * k, k), first_.part(o * sizes_.channels + first_channel, k));
      });
      first = s.wire("first", k, "free one at its output");
      select(s, "u_first", destination_.part(q * sizes_.ports, sizes_.ports), candidates,
             sizes_.ports, k, first);
    }
    s.assign(channel_o_.part(q * k, k), mux(under_way_.at(q), mine, first));
    s.always_ff(clk_, {If(pop_.at(q), {mine <<= channel_o_.part(q * k, k)})});
  });
}

void Input::request() {
  for_each_lane([&](Scope& s, const Expr& o, const Expr& v) {
    const Expr lane = o * sizes_.channels + v;
    const Expr q = queue_of(o, v);
    const Expr here = shape_.by_output
                          ? present_.at(q)
                          : bit_of(present_, q) & destination_.at(q * sizes_.ports + o);
    const Expr under_way = bit_of(under_way_, q);
    Expr head = here & ~under_way;
    if (shape_.stored_packets) head = head & bit_of(complete_, q);
    if (!shape_.speculative) head = head & open_.at(lane);
    s.assign(head_o_.at(lane), head);
    Expr credit = credit_.at(lane);
    if (shape_.any_channel) {
      const Expr k = sizes_.class_channels;
      const Expr first = s.localparam("FIRST", o * sizes_.channels + (v / k) * k);
      credit = any(channel_o_.part(q * k, k) & credit_.part(first, k));
    }
    s.assign(continuing_o_.at(lane), here & under_way & credit);
  });
}

/// The VC in which one of the queues' flits leaves, one-hot.
Expr Input::leaving_channel(Scope& scope, const Leaving& queues) {
  const Expr k = sizes_.class_channels;
  if (shape_.any_channel) {
    const Expr out =
        scope.reg("out_channel", sizes_.channels, "the VC in which it leaves, one-hot");
    const Expr q = m_.loop_variable("n");
    const Expr w = m_.loop_variable("w");
    const Expr v = (q % sizes_.channels) / k * k + w;
    scope.always_comb(
        {set(out, 0), For(q, 0, shape_.fan_out ? sizes_.channels : queues_,
                          {For(w, 0, k,
                               {set(out.at(v), out.at(v) | (queues.pop.at(q) &
                                                            queues.channels.at(q * k + w)))})})},
        "leaving_channel");
    return out;
  }
  if (!shape_.by_output || shape_.fan_out) return queues.pop;
  const Expr out = m_.wire("out_channel", sizes_.channels, "the VC of what departs, one-hot");
  for_each_channel(m_, [&](Scope& s, const Expr& v) {
    const Expr departs = s.wire("departs", sizes_.ports, "to each output");
    s.generate_for("o", 0, sizes_.ports, "to", [&](Scope& t, const Expr& o) {
      t.assign(departs.at(o), depart_.at(o * sizes_.channels + v));
    });
    s.assign(out.at(v),
             shape_.collectives ? any(departs) | bit_of(group_depart_, v) : any(departs));
  });
  return out;
}

void Input::leave(Scope& scope, const Leaving& queues, const Expr& result) {
  const bool single = !several() && (!shape_.by_output || shape_.fan_out);
  std::vector<Expr> parts{single ? ~queues.under_way : ~any(queues.pop & queues.under_way),
                          single ? queues.tail : any(queues.pop & queues.tail)};
  if (several()) {
    parts.push_back(encoded(scope, "leaving_vc", leaving_channel(scope, queues), sizes_.channels,
                            sizes_.channel_width));
  }
  const auto registered = [&](const std::string& name, const Expr& x) {
    const Expr q = scope.reg(name, width_of(x));
    scope.always_ff(clk_, {q <<= x});
    return q;
  };
  // A flit that is read late is beside its flags of the cycle before.
  if (shape_.late_reading) parts = {registered("flags_q", cat(parts))};
  parts.push_back(queues.flit);
  Expr leaving = scope.let("leaving", cat(parts));
  for (int stage = shape_.late_reading ? 2 : 1; stage <= shape_.timing.output_stages; ++stage) {
    leaving = registered(stage == 1 ? "leaving_q" : "leaving_2q", leaving);
  }
  scope.assign(result, leaving);
}

void Input::leave() {
  if (shape_.by_output) {
    m_.assign(pop_, depart_);
  } else {
    for_each_channel(m_, [&](Scope& s, const Expr& v) {
      const Expr departs = s.wire("departs", sizes_.ports, "to each output");
      s.generate_for("o", 0, sizes_.ports, "to", [&](Scope& t, const Expr& o) {
        t.assign(departs.at(o), depart_.at(o * sizes_.channels + v));
      });
      s.assign(bit_of(pop_, v),
               shape_.collectives ? any(departs) | bit_of(group_depart_, v) : any(departs));
    });
  }
  if (shape_.fan_out) {
    const Expr width = crossbar_width(sizes_, shape_, flit_width_);
    m_.generate_for("o", 0, sizes_.ports, "to", [&](Scope& s, const Expr& o) {
      const Expr v = sizes_.channels;
      const Expr k = v * sizes_.class_channels;
      const Expr pops = several() ? s.let("pops", pop_.part(o * v, v)) : pop_.part(o, 1);
      const Expr channels =
          shape_.any_channel ? s.let("channels", channel_o_.part(o * k, k)) : Expr(0);
      leave(s,
            {pops, under_way_.part(o * v, v), tail_o_.part(o * v, v), channels,
             flit_.part(o * flit_width_, flit_width_)},
            leaving_o_.part(o * width, width));
    });
  } else if (shape_.collective_queues) {
    leave(m_,
          {cat({group_depart_, pop_}), cat({group_under_way_, under_way_}),
           cat({group_tail_o_, tail_o_}), channel_o_, flit_},
          leaving_o_);
  } else {
    leave(m_, {pop_, under_way_, tail_o_, channel_o_, flit_}, leaving_o_);
  }
  if (!shape_.ready_valid) {
    return_credits();
  } else if (places_ != nullptr) {
    count_places();
  }
}

void Input::return_credits() {
  if (!shape_.pooled) {
    const Expr pops = shape_.collective_queues ? cat({group_depart_, pop_}) : pop_;
    m_.always_ff(clk_, {If(!rst_n_, {room_o_ <<= 0}).else_({room_o_ <<= pops})});
    return;
  }
  m_.comment("Several flits may leave a pool at once; their credits follow one by one.");
  const Expr width = m_.localparam("OWED_WIDTH", clog2(depth_ + 1));
  for_each_channel(m_, [&](Scope& s, const Expr& v) {
    const Expr owed = s.reg("owed_q", width, "credits of flits that have left");
    const Expr left = s.reg("left", width, "flits that leave");
    const Expr o = m_.loop_variable("to_output");
    s.always_comb(
        {set(left, 0), For(o, 0, sizes_.ports,
                           {set(left, left + zext(pop_.at(o * sizes_.channels + v), width))})},
        "count");
    s.assign(bit_of(room_o_, v), any(owed));
    s.always_ff(clk_, {If(!rst_n_, {owed <<= 0})
                           .else_({owed <<= owed + left - zext(bit_of(room_o_, v), width)})});
  });
}

/// With ready/valid and a register before the queues: flits accepted and not departed.
void Input::count_places() {
  m_.generate_for("q", 0, queues_, "places", [&](Scope& s, const Expr& q) {
    const Expr room = s.wire("unused_room", 1);
    const Expr count = s.wire("unused_count", clog2(depth_ + 1));
    s.instance("u_places", *places_, {{"INITIAL", depth_}, {"ROOM", 1}},
               {{"clk_i", clk_},
                {"rst_ni", rst_n_},
                {"take_i", bit_of(entering_, q)},
                {"give_i", bit_of(pop_, q)},
                {"credit_o", bit_of(room_o_, q)},
                {"room_o", room},
                {"count_o", count}});
  });
}

void Input::for_each_channel(Scope& scope, const Scope::BuildLoop& build) {
  if (!several()) return build(scope, 0);
  const std::string genvar = "v";
  scope.generate_for(genvar, 0, sizes_.channels, "vc_" + std::to_string(++loops_), build);
}

void Input::for_each_lane(const std::function<void(Scope&, const Expr&, const Expr&)>& build) {
  m_.generate_for("o", 0, sizes_.ports, "output_" + std::to_string(++loops_),
                  [&](Scope& s, const Expr& o) {
                    for_each_channel(s, [&](Scope& t, const Expr& v) { build(t, o, v); });
                  });
}

Expr Input::encoded(Scope& scope, const std::string& name, const Expr& one_hot, const Expr& count,
                    const Expr& width) {
  const Expr code = scope.reg(name, width, "its number");
  const Expr n = m_.loop_variable(name + "_n");
  scope.always_comb(
      {set(code, 0),
       For(n, 0, count, {set(code, code | (rep(width, one_hot.at(n)) & fit(n, width)))})},
      "encode_" + name);
  return code;
}

void Input::select(Scope& scope, const std::string& name, const Expr& one_hot, const Expr& data,
                   const Expr& count, const Expr& width, const Expr& result) const {
  scope.instance(name, select_, {{"INPUTS", count}, {"OUTPUTS", 1}, {"WIDTH", width}},
                 {{"select_i", one_hot}, {"data_i", data}, {"data_o", result}});
}

const Module& Input::build() {
  declare_ports();
  m_.blank();
  Arrival arrival = pins();
  const bool stage = shape_.timing.input_stages > 0;
  // The choice of adaptive routing falls when the head is queued; else the pins are free earlier.
  if (stage && shape_.adaptive) {
    arrival = registered(arrival);
    route(arrival);
  } else {
    route(arrival);
    accept(arrival);
    if (stage) arrival = registered(arrival);
  }
  shape_.queues ? enqueue(arrival) : wait_at_pins(arrival);
  if (shape_.any_channel) choose_channels();
  request();
  leave();
  m_.finish();
  return m_;
}

}  // namespace

const Module& add_input(Design& design, const Shape& shape) { return Input(design, shape).build(); }

}  // namespace weft::rtl
