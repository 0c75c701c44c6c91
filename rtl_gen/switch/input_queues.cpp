// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "rtl_gen/blocks/queue_memory.h"
#include "rtl_gen/switch/input_builder.h"
#include "rtl_gen/switch/pool.h"

namespace weft::rtl {

using namespace hdl;

const Module* input_storage(Design& design, const Shape& shape) {
  if (!shape.queues) return nullptr;
  if (!shape.fan_out) {
    return &add_queue_memory(design, shape.device.name,
                             {.late = shape.late_reading,
                              .gated_clocks = shape.device.clock_gating,
                              .ahead = shape.collectives});
  }
  return shape.pooled ? &add_pool(design, shape) : &add_output_queues(design, shape);
}

void InputBuilder::enqueue(const Arrival& arrival) {
  const Expr write = m_.wire("write", queues_, "the queue that the flit goes to");
  if (shape_.by_output) {
    for_each_lane("into", [&](Scope& s, const Expr& o, const Expr& v) {
      const Expr here = arrival.valid & arrival.output.at(o);
      s.assign(write.at(o * sizes_.channels + v), several() ? here & arrival.channel.at(v) : here);
    });
  } else {
    m_.assign(write, several() ? rep(queues_, arrival.valid) & arrival.channel : arrival.valid);
  }
  depart_from_ = m_.wire("pop", queues_, "the queue whose flit departs");
  pop_ = leave_from_ = depart_from_;
  if (shape_.collectives) {
    take_groups();
    if (!shape_.collective_queues) {
      pop_ = m_.let("gone", depart_from_ | group_take_, "queues whose head makes way for the next");
      leave_from_ = m_.let("leave", depart_from_ | group_depart_, "queues that a flit leaves");
    }
  }
  present_ = m_.wire("present", queues_, "the queue is not empty");
  shape_.fan_out ? store_by_output(arrival, write) : store(arrival, write);
  if (shape_.collective_queues) store_groups(arrival);
  m_.comment("A packet is under way from its head's departure until its tail's.");
  under_way_ = under_way("under_way_q", pop_, tail_o_);
  if (shape_.collective_queues) {
    group_under_way_ = under_way("group_under_way_q", group_take_, group_tail_o_);
  }
  if (shape_.collectives) {
    m_.assign(group_head_o_, ~(shape_.collective_queues ? group_under_way_ : under_way_));
  }
  if (shape_.stored_packets) count_packets(write, arrival.tail);
}

/// Whether the flit at the head of each queue is of a packet whose head has departed.
Expr InputBuilder::under_way(const std::string& name, const Expr& pop, const Expr& tail) {
  const Expr q = m_.reg(name, width_of(pop));
  m_.always_ff(clk_, {If(!rst_n_, {q <<= 0}).else_({q <<= (q & ~pop) | (pop & ~tail)})});
  return q;
}

void InputBuilder::memory(const std::string& name, const Expr& queues, const QueuePorts& of) {
  std::vector<Connection> ports{
      {"clk_i", clk_},        {"rst_ni", rst_n_},       {"write_i", of.write},
      {"data_i", of.flit_in}, {"flags_i", of.flags_in}, {"full_o", of.full},
      {"read_i", of.read},    {"data_o", of.flit},      {"nonempty_o", of.present},
      {"flags_o", of.flags}};
  if (shape_.collectives) ports.push_back({"take_i", of.take});
  m_.instance(name, *memory_,
              {{"QUEUES", queues},
               {"DEPTH", depth_},
               {"WIDTH", flit_width_},
               {"FLAGS", width_of(of.flags_in)}},
              ports);
}

/// Into the memory of which a flit leaves in a cycle.
void InputBuilder::store(const Arrival& arrival, const Expr& write) {
  const bool ready_is_room = shape_.ready_valid && places_ == nullptr;
  flit_ = m_.wire("flit", flit_width_, "the one that departs");
  const Expr full = m_.wire(ready_is_room ? "full" : "unused_full", queues_);
  if (ready_is_room) m_.assign(room_o_, ~full);
  if (shape_.by_output) {
    memory("u_queues", queues_,
           {write, arrival.flit, arrival.tail, full, pop_, pop_, flit_, present_, tail_o_});
    return;
  }
  const Expr flags_in =
      shape_.collectives
          ? group_flags(arrival)
          : cat({encoded(m_, "port", arrival.output, sizes_.ports, port_width_), arrival.tail});
  const Expr width = width_of(flags_in);
  const Expr flags = m_.wire("flags", queues_ * width, "of the flits at the heads");
  memory("u_queues", queues_,
         {write, arrival.flit, flags_in, full, pop_, leave_from_, flit_, present_, flags});
  destination_ = m_.wire("wanted", queues_ * sizes_.ports, "of the flit at the head, one-hot");
  for_each_lane("wanting", [&](Scope& s, const Expr& o, const Expr& v) {
    const Expr wanted = shape_.collectives
                            ? group_mask_o_.at(v * sizes_.ports + o) & ~any(group_op(v))
                            : flags.part(v * width + 1, port_width_) == fit(o, port_width_);
    s.assign(destination_.at(v * sizes_.ports + o), wanted);
  });
  for_each_channel(m_, "ending", [&](Scope& s, const Expr& v) {
    s.assign(bit_of(tail_o_, v), flags.at(v * width));
  });
  if (!shape_.collectives) return;
  show_groups(flags, width);
  m_.assign(group_present_o_, present_);
}

/// Into that of which a flit leaves to each output.
void InputBuilder::store_by_output(const Arrival& arrival, const Expr& write) {
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

void InputBuilder::count_packets(const Expr& write, const Expr& tail_written) {
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

void InputBuilder::wait_at_pins(const Arrival& arrival) {
  depart_from_ = m_.wire("pop", 1);
  pop_ = leave_from_ = depart_from_;
  present_ = arrival.valid;
  destination_ = arrival.output;
  under_way_ = m_.let("under_way", ~arrival.head);
  flit_ = arrival.flit;
  m_.assign(tail_o_, arrival.tail);
  m_.assign(room_o_, pop_);
}

void InputBuilder::return_credits() {
  if (!shape_.pooled) {
    const Expr pops = shape_.collective_queues ? cat({group_depart_, leave_from_}) : leave_from_;
    m_.always_ff(clk_, {If(!rst_n_, {room_o_ <<= 0}).else_({room_o_ <<= pops})});
    return;
  }
  m_.comment("Several flits may leave a pool at once; their credits follow one by one.");
  const Expr width = m_.localparam("OWED_WIDTH", clog2(depth_ + 1));
  for_each_channel(m_, "owing", [&](Scope& s, const Expr& v) {
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
void InputBuilder::count_places() {
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

}  // namespace weft::rtl
