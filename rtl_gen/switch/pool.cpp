// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/pool.h"

#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/queue_memory.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// Bits that number so many places.
Expr place_width_of(const Expr& depth) { return mux(depth > 1, clog2(depth), Expr(1)); }

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

/// `name_places`: words with one way in and several ways out.
const Module& add_places(Design& design, const Shape& shape) {
  /// Above this many words simulation is faster with a memory; a circuit has registers anyway.
  constexpr int most_registers = 32;
  const Module& select = add_crossbar(design, shape.device.name);
  Module& m = design.add_module(
      shape.device.name + "_places",
      {.summary = "words that are written one at a time and read several at a time.",
       .latency = "a word written in cycle t is read from cycle t + 1 on; reading is "
                  "combinational."});
  const Expr reads = m.parameter("READS", shape.device.ports, ">= 1");
  const Expr depth = m.parameter("DEPTH", shape.device.buffer_depth, "words, >= 1");
  const Expr width = m.parameter("WIDTH", shape.device.flit_width, "bits of a word, >= 1");
  const Expr clk = m.input("clk_i");
  const Expr place_width = place_width_of(depth);
  const Expr write = m.input("write_i");
  const Expr place = m.input("place_i", place_width, "where data_i is written");
  const Expr data_i = m.input("data_i", width);
  const Expr read = m.input("read_i", reads * place_width, "the places that are read");
  const Expr data_o = m.output("data_o", reads * width, "what is there");
  const auto of_read = [&](const Expr& vector, const Expr& r, const Expr& each) {
    return vector.part(r * each, each);
  };
  m.generate_if(depth <= most_registers, "of_registers", [&](Scope& s) {
     const Expr words = s.wire("words", depth * width);
     const Expr selects = s.wire("selects", reads * depth, "one-hot of each read");
     s.generate_for("k", 0, depth, "word", [&](Scope& t, const Expr& k) {
       const Expr word = t.reg("word_q", width);
       t.always_ff(clk, {If(write & (place == fit(k, place_width)), {word <<= data_i})});
       t.assign(words.part(k * width, width), word);
       t.generate_for("r", 0, reads, "select", [&](Scope& u, const Expr& r) {
         u.assign(selects.at(r * depth + k), of_read(read, r, place_width) == fit(k, place_width));
       });
     });
     s.generate_for("r", 0, reads, "read", [&](Scope& t, const Expr& r) {
       t.instance("u_read", select, {{"INPUTS", depth}, {"OUTPUTS", 1}, {"WIDTH", width}},
                  {{"select_i", of_read(selects, r, depth)},
                   {"data_i", words},
                   {"data_o", of_read(data_o, r, width)}});
     });
   }).otherwise("of_memory", [&](Scope& s) {
    const Expr memory = s.reg_array("memory_q", width, {depth}, Storage::memory);
    s.always_ff(clk, {If(write, {memory.at(place) <<= data_i})});
    s.generate_for("r", 0, reads, "read", [&](Scope& t, const Expr& r) {
      t.assign(of_read(data_o, r, width), memory.at(of_read(read, r, place_width)));
    });
  });
  m.finish();
  return m;
}

class Pool {
 public:
  Pool(Design& design, const Shape& shape);
  const Module& build();

 private:
  /// The places of a VC and their lists.
  void channel(Scope& s, const Expr& v);
  /// A wire with the number of the bit that is set in `one_hot`.
  Expr number(Scope& s, const Expr& one_hot);
  Expr crossing(Scope& s, const std::string& name, const Expr& count, const Expr& width,
                const Expr& which, const Expr& from);
  [[nodiscard]] Expr lane(const Expr& o, const Expr& v) const { return o * sizes_.channels + v; }

  const Shape& shape_;
  const Module& pick_;
  const Module& select_;
  const Module& places_;
  Module& m_;
  Sizes sizes_;
  Expr depth_, width_, clk_, rst_n_;
  Expr write_, data_i_, tail_i_, free_, spare_, read_, data_o_, present_, tail_o_;
  Expr place_width_, word_width_;
  Expr words_ = 0;  ///< the first of each list: {tail, flit} of VC v for output o at o*V + v
};

Pool::Pool(Design& design, const Shape& shape)
    : shape_(shape),
      pick_(add_pick(design, shape.device.name)),
      select_(add_crossbar(design, shape.device.name)),
      places_(add_places(design, shape)),
      m_(design.add_module(shape.device.name + "_pool", pool_doc())),
      sizes_(m_, shape),
      depth_(m_.parameter("DEPTH", shape.device.buffer_depth, "places of a VC, >= 1")),
      width_(m_.parameter("WIDTH", shape.device.flit_width, "bits of a flit, >= 1")),
      clk_(m_.input("clk_i")),
      rst_n_(m_.input("rst_ni", 1, "synchronous, active low; control only")),
      write_((m_.port_group(lane_order(shape, "output") + "."),
              m_.input("write_i", sizes_.lanes, "where the flit goes, one-hot or 0"))),
      data_i_(m_.input("data_i", width_)),
      tail_i_(m_.input("tail_i", 1, "it is the last of its packet")),
      free_(m_.output("free_o", sizes_.channels, "a place is free")),
      spare_(m_.output("spare_o", sizes_.channels, "two places are free")),
      read_(m_.input("read_i", sizes_.lanes, "whose first flit leaves, one VC of an output")),
      data_o_(m_.output("data_o", sizes_.ports * width_, "what leaves, to each output")),
      present_(m_.output("present_o", sizes_.lanes, "there is a flit")),
      tail_o_(m_.output("tail_o", sizes_.lanes, "the first flit is the last of its packet")),
      place_width_(m_.localparam("PLACE_WIDTH", place_width_of(depth_))),
      word_width_(m_.localparam("WORD_WIDTH", width_ + 1, "{tail, flit}")) {}

Expr Pool::number(Scope& s, const Expr& one_hot) {
  const Expr place = s.reg("place", place_width_, "its number");
  const Expr k = m_.loop_variable("k");
  s.always_comb(
      {set(place, 0),
       For(k, 0, depth_,
           {set(place, place | (rep(place_width_, one_hot.at(k)) & fit(k, place_width_)))})},
      "number");
  return place;
}

Expr Pool::crossing(Scope& s, const std::string& name, const Expr& count, const Expr& width,
                    const Expr& which, const Expr& from) {
  const Expr result = s.wire(name, width);
  s.instance("u_" + name, select_, {{"INPUTS", count}, {"OUTPUTS", 1}, {"WIDTH", width}},
             {{"select_i", which}, {"data_i", from}, {"data_o", result}});
  return result;
}

void Pool::channel(Scope& s, const Expr& v) {
  const Expr& ports = sizes_.ports;
  const auto of = [](const Expr& vector, const Expr& o, const Expr& each) {
    return vector.part(o * each, each);
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
  const Expr place = number(s, taken);

  s.comment("The lists, one an output.");
  const Expr put = s.wire("put", ports), get = s.wire("get", ports);
  const Expr present = s.wire("present", ports);
  const Expr first = s.wire("first", ports * place_width_);
  const Expr second = s.wire("second", ports * place_width_, "the place behind the first");
  const Expr last = s.wire("last", ports * place_width_);
  const Expr word = s.wire("word", ports * word_width_, "{tail, flit} of the first");
  s.generate_for("o", 0, ports, "list", [&](Scope& t, const Expr& o) {
    const Expr present_q = t.reg("present_q", 1);
    const Expr first_q = t.reg("first_q", place_width_);
    const Expr last_q = t.reg("last_q", place_width_);
    t.assign(put.at(o), write_.at(lane(o, v)));
    t.assign(get.at(o), read_.at(lane(o, v)));
    t.assign(present.at(o), present_q);
    t.assign(of(first, o, place_width_), first_q);
    t.assign(of(last, o, place_width_), last_q);
    t.assign(present_.at(lane(o, v)), present_q);
    t.assign(tail_o_.at(lane(o, v)), word.at(o * word_width_ + width_));
    t.assign(of(words_, lane(o, v), width_), word.part(o * word_width_, width_));
    const Expr empties = t.let("empties", get.at(o) & (first_q == last_q));
    t.always_ff(
        clk_,
        {If(!rst_n_, {present_q <<= 0}).else_({present_q <<= put.at(o) | (present_q & ~empties)})});
    t.always_ff(clk_, {If(put.at(o), {last_q <<= place}),
                       If(put.at(o) & (~present_q | empties), {first_q <<= place})
                           .else_if(get.at(o), {first_q <<= of(second, o, place_width_)})});
  });
  const Expr enters = s.let("enters", any(put));
  s.instance("u_words", places_, {{"READS", ports}, {"DEPTH", depth_}, {"WIDTH", word_width_}},
             {{"clk_i", clk_},
              {"write_i", enters},
              {"place_i", place},
              {"data_i", cat({tail_i_, data_i_})},
              {"read_i", first},
              {"data_o", word}});
  s.comment("The new flit stands behind the last one of its list.");
  const Expr behind = crossing(s, "behind", ports, place_width_, put, last);
  s.instance("u_next", places_, {{"READS", ports}, {"DEPTH", depth_}, {"WIDTH", place_width_}},
             {{"clk_i", clk_},
              {"write_i", any(put & present)},
              {"place_i", behind},
              {"data_i", place},
              {"read_i", first},
              {"data_o", second}});
  const Expr freed = s.reg("freed", depth_, "places whose flits leave");
  const Expr o = m_.loop_variable("o_freed");
  s.always_comb({set(freed, 0),
                 For(o, 0, ports, {If(get.at(o), {set(freed.at(of(first, o, place_width_)), 1)})})},
                "free");
  s.always_ff(clk_, {If(!rst_n_, {free <<= ~rep(depth_, bin(1, 0))})
                         .else_({free <<= (free & ~(taken & rep(depth_, enters))) | freed})});
}

const Module& Pool::build() {
  const Expr channels = sizes_.channels;
  if (shape_.channels == 1) {
    words_ = data_o_;
    channel(m_, 0);
  } else {
    words_ = m_.wire("words", sizes_.lanes * width_, "the first flit of each list");
    m_.generate_for("v", 0, channels, "pool", [&](Scope& s, const Expr& v) { channel(s, v); });
    m_.generate_for("o", 0, sizes_.ports, "leaving", [&](Scope& s, const Expr& o) {
      s.assign(data_o_.part(o * width_, width_),
               crossing(s, "flit", channels, width_, read_.part(lane(o, 0), channels),
                        words_.part(lane(o, 0) * width_, channels * width_)));
    });
  }
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
  m.port_group(lane_order(shape, "output") + ".");
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
