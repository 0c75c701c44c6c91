// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/pool.h"

#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/queue_memory.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc pool_doc() {
  return {.summary = "the places of one input in the central buffer.",
          .description =
              "The flits of a VC share DEPTH places. Those for one output form a list: each place "
              "names the next one. A flit takes the first free place; several may leave at once.",
          .diagram =
              "  data_i --> places of VC v --+--> data_o of output 0\n"
              "             [free] [next]   +--> data_o of output 1 ...\n"
              "             lists: first_q, last_q of each output",
          .latency =
              "a flit written in cycle t can leave from cycle t + 1 on; reading is "
              "combinational. A place is free again from the cycle after its flit left."};
}

class Pool {
 public:
  Pool(Design& design, const Shape& shape);
  const Module& build();

 private:
  void channel(Scope& s, const Expr& v);
  void memory();
  /// The address of the VC that is one-hot in `which`.
  Expr chosen(Scope& s, const std::string& name, const Expr& which, const Expr& addresses);
  [[nodiscard]] Expr address_in(const Expr& addresses, const Expr& index) const {
    return addresses.part(index * address_width_, address_width_);
  }
  [[nodiscard]] Expr lane(const Expr& o, const Expr& v) const { return o * sizes_.channels + v; }

  const Shape& shape_;
  const Module& pick_;
  const Module& select_;
  Module& m_;
  Sizes sizes_;
  Expr depth_, width_, clk_, rst_n_;
  Expr write_, data_i_, tail_i_, free_, spare_, read_, data_o_, present_, tail_o_;
  Expr place_width_, address_width_;
  Expr written_ = 0;          ///< the VC that a flit is written to, one-hot
  Expr write_addresses_ = 0;  ///< of each VC
  Expr read_addresses_ = 0;   ///< of each lane
};

Pool::Pool(Design& design, const Shape& shape)
    : shape_(shape),
      pick_(add_pick(design, shape.device.name)),
      select_(add_crossbar(design, shape.device.name)),
      m_(design.add_module(shape.device.name + "_pool", pool_doc())),
      sizes_(m_, shape),
      depth_(m_.parameter("DEPTH", shape.device.buffer_depth, "places of a VC, >= 1")),
      width_(m_.parameter("WIDTH", shape.device.flit_width, "bits of a flit, >= 1")),
      clk_(m_.input("clk_i")),
      rst_n_(m_.input("rst_ni", 1, "synchronous, active low; control only")),
      write_((m_.port_group("VC v of output o at [o*V + v]."),
              m_.input("write_i", sizes_.lanes, "where the flit goes, one-hot or 0"))),
      data_i_(m_.input("data_i", width_)),
      tail_i_(m_.input("tail_i", 1, "it is the last of its packet")),
      free_(m_.output("free_o", sizes_.channels, "a place is free")),
      spare_(m_.output("spare_o", sizes_.channels, "two places are free")),
      read_(m_.input("read_i", sizes_.lanes, "whose first flit leaves, one VC of an output")),
      data_o_(m_.output("data_o", sizes_.ports * width_, "what leaves, to each output")),
      present_(m_.output("present_o", sizes_.lanes, "there is a flit")),
      tail_o_(m_.output("tail_o", sizes_.lanes, "the first flit is the last of its packet")),
      place_width_(m_.localparam("PLACE_WIDTH", mux(depth_ > 1, clog2(depth_), Expr(1)))),
      address_width_(m_.localparam(
          "ADDRESS_WIDTH",
          mux(depth_ * sizes_.channels > 1, clog2(depth_ * sizes_.channels), Expr(1)))) {}

void Pool::channel(Scope& s, const Expr& v) {
  const Expr& ports = sizes_.ports;
  const auto of = [&](const Expr& places, const Expr& o) {
    return places.part(o * place_width_, place_width_);
  };
  const Expr free = s.reg("free_q", depth_);
  const Expr taken = s.wire("taken", depth_, "the first free place, one-hot");
  const Expr beyond = s.wire("unused_beyond", depth_);
  s.instance("u_first_free", pick_, {{"N", depth_}},
             {{"request_i", free},
              {"behind_i", rep(depth_, bin(1, 0))},
              {"grant_o", taken},
              {"behind_o", beyond}});
  s.assign(bit_of(free_, v), any(free));
  s.assign(bit_of(spare_, v), any(free & ~taken));
  const Expr place = s.reg("place", place_width_, "its number");
  const Expr k = m_.loop_variable("k");
  s.always_comb(
      {set(place, 0),
       For(k, 0, depth_,
           {set(place, place | (rep(place_width_, taken.at(k)) & fit(k, place_width_)))})},
      "number");
  s.comment("The lists, one an output.");
  const Expr base = s.constant("BASE", address_width_, v * depth_);
  const Expr put = s.wire("put", ports), get = s.wire("get", ports),
             present = s.wire("present", ports);
  const Expr first = s.wire("first", ports * place_width_),
             last = s.wire("last", ports * place_width_);
  const Expr next = s.reg_array("next_q", place_width_, {depth_}, Storage::memory,
                                "the place behind this one in its list");
  const Expr tails = s.reg_array("tail_q", 1, {depth_}, Storage::memory);
  s.generate_for("o", 0, ports, "list", [&](Scope& t, const Expr& o) {
    const Expr present_q = t.reg("present_q", 1);
    const Expr first_q = t.reg("first_q", place_width_);
    const Expr last_q = t.reg("last_q", place_width_);
    t.assign(put.at(o), write_.at(lane(o, v)));
    t.assign(get.at(o), read_.at(lane(o, v)));
    t.assign(present.at(o), present_q);
    t.assign(of(first, o), first_q);
    t.assign(of(last, o), last_q);
    t.assign(present_.at(lane(o, v)), present_q);
    t.assign(address_in(read_addresses_, lane(o, v)), base + zext(first_q, address_width_));
    t.assign(tail_o_.at(lane(o, v)), tails.at(first_q));
    const Expr empties = t.let("empties", get.at(o) & (first_q == last_q));
    t.always_ff(
        clk_,
        {If(!rst_n_, {present_q <<= 0}).else_({present_q <<= put.at(o) | (present_q & ~empties)})});
    t.always_ff(clk_, {If(put.at(o), {last_q <<= place}),
                       If(put.at(o) & (~present_q | empties), {first_q <<= place})
                           .else_if(get.at(o), {first_q <<= next.at(first_q)})});
  });
  const Expr behind = s.wire("behind", place_width_, "the place that the new one follows");
  s.instance("u_behind", select_, {{"INPUTS", ports}, {"OUTPUTS", 1}, {"WIDTH", place_width_}},
             {{"select_i", put}, {"data_i", last}, {"data_o", behind}});
  s.always_ff(clk_, {If(any(put & present), {next.at(behind) <<= place}),
                     If(any(put), {tails.at(place) <<= tail_i_})});
  s.assign(bit_of(written_, v), any(put));
  s.assign(address_in(write_addresses_, v), base + zext(place, address_width_));
  const Expr freed = s.reg("freed", depth_, "places whose flits leave");
  const Expr o = m_.loop_variable("o_freed");
  s.always_comb(
      {set(freed, 0), For(o, 0, ports, {If(get.at(o), {set(freed.at(of(first, o)), 1)})})}, "free");
  s.always_ff(clk_, {If(!rst_n_, {free <<= ~rep(depth_, bin(1, 0))})
                         .else_({free <<= (free & ~(taken & rep(depth_, any(put)))) | freed})});
}

Expr Pool::chosen(Scope& s, const std::string& name, const Expr& which, const Expr& addresses) {
  if (shape_.channels == 1) return addresses;
  const Expr address = s.wire(name, address_width_);
  s.instance("u_" + name, select_,
             {{"INPUTS", sizes_.channels}, {"OUTPUTS", 1}, {"WIDTH", address_width_}},
             {{"select_i", which}, {"data_i", addresses}, {"data_o", address}});
  return address;
}

void Pool::memory() {
  const Expr memory = m_.reg_array("memory_q", width_, {depth_ * sizes_.channels}, Storage::memory);
  const Expr to = chosen(m_, "write_address", written_, write_addresses_);
  m_.always_ff(clk_, {If(any(written_), {memory.at(to) <<= data_i_})});
  m_.generate_for("o", 0, sizes_.ports, "leaving", [&](Scope& s, const Expr& o) {
    const Expr of_output =
        s.let("addresses",
              read_addresses_.part(lane(o, 0) * address_width_, sizes_.channels * address_width_));
    const Expr from = chosen(s, "address", read_.part(lane(o, 0), sizes_.channels), of_output);
    s.assign(data_o_.part(o * width_, width_), memory.at(from));
  });
}

const Module& Pool::build() {
  const Expr channels = sizes_.channels;
  written_ = m_.wire("written", channels, "the VC that a flit is written to");
  write_addresses_ = m_.wire("write_addresses", channels * address_width_);
  read_addresses_ = m_.wire("read_addresses", sizes_.lanes * address_width_);
  if (shape_.channels == 1) {
    channel(m_, 0);
  } else {
    m_.generate_for("v", 0, channels, "pool", [&](Scope& s, const Expr& v) { channel(s, v); });
  }
  memory();
  m_.finish();
  return m_;
}

}  // namespace

const Module& add_pool(Design& design, const Shape& shape) { return Pool(design, shape).build(); }

const Module& add_output_queues(Design& design, const Shape& shape) {
  const Module& queues = add_queue_memory(design, shape.device.name);
  Module& m = design.add_module(
      shape.device.name + "_output_queues",
      {.summary = "the queues of one input at all outputs.",
       .description = "Each output has a memory of its own, so that a flit may leave to each.",
       .latency =
           "a flit written in cycle t can leave from cycle t + 1 on; reading is combinational."});
  const Sizes sizes(m, shape);
  const Expr depth = m.parameter("DEPTH", shape.device.buffer_depth, "flits of a queue, >= 1");
  const Expr width = m.parameter("WIDTH", shape.device.flit_width, "bits of a flit, >= 1");
  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
  m.port_group("VC v of output o at [o*V + v].");
  const Expr write = m.input("write_i", sizes.lanes, "where the flit goes, one-hot or 0");
  const Expr data_i = m.input("data_i", width);
  const Expr tail_i = m.input("tail_i", 1, "it is the last of its packet");
  const Expr full = m.output("full_o", sizes.lanes);
  const Expr read = m.input("read_i", sizes.lanes, "whose first flit leaves, one VC of an output");
  const Expr data_o = m.output("data_o", sizes.ports * width, "what leaves, to each output");
  const Expr present = m.output("present_o", sizes.lanes, "there is a flit");
  const Expr tail_o = m.output("tail_o", sizes.lanes, "the first flit is the last of its packet");
  m.generate_for("o", 0, sizes.ports, "output_port", [&](Scope& s, const Expr& o) {
    const auto of_output = [&](const Expr& vector) {
      return vector.part(o * sizes.channels, sizes.channels);
    };
    s.instance("u_queues", queues,
               {{"QUEUES", sizes.channels}, {"DEPTH", depth}, {"WIDTH", width}, {"FLAGS", 1}},
               {{"clk_i", clk},
                {"rst_ni", rst_n},
                {"write_i", of_output(write)},
                {"data_i", data_i},
                {"flags_i", tail_i},
                {"full_o", of_output(full)},
                {"read_i", of_output(read)},
                {"data_o", data_o.part(o * width, width)},
                {"nonempty_o", of_output(present)},
                {"flags_o", of_output(tail_o)}});
  });
  m.finish();
  return m;
}

}  // namespace weft::rtl
