// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "rtl_gen/switch/input_builder.h"

namespace weft::rtl {

using namespace hdl;

void InputBuilder::choose_channels() {
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

void InputBuilder::request() {
  for_each_lane("request", [&](Scope& s, const Expr& o, const Expr& v) {
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
Expr InputBuilder::leaving_channel(Scope& scope, const Leaving& queues) {
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
  if (!shape_.by_output && shape_.collectives) return leave_from_;
  if (!shape_.by_output || shape_.fan_out) return queues.pop;
  const Expr out = m_.wire("out_channel", sizes_.channels, "the VC of what departs, one-hot");
  for_each_channel(m_, "leaving_from", [&](Scope& s, const Expr& v) {
    const Expr departs = s.wire("departs", sizes_.ports, "to each output");
    s.generate_for("o", 0, sizes_.ports, "to", [&](Scope& t, const Expr& o) {
      t.assign(departs.at(o), depart_.at(o * sizes_.channels + v));
    });
    s.assign(out.at(v),
             shape_.collectives ? any(departs) | bit_of(group_depart_, v) : any(departs));
  });
  return out;
}

void InputBuilder::leave(Scope& scope, const Leaving& queues, const Expr& result) {
  const bool single = !several() && (!shape_.by_output || shape_.fan_out) && !shape_.collectives;
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

void InputBuilder::leave() {
  if (shape_.by_output) {
    m_.assign(depart_from_, depart_);
  } else {
    for_each_channel(m_, "popping", [&](Scope& s, const Expr& v) {
      const Expr departs = s.wire("departs", sizes_.ports, "to each output");
      s.generate_for("o", 0, sizes_.ports, "to", [&](Scope& t, const Expr& o) {
        t.assign(departs.at(o), depart_.at(o * sizes_.channels + v));
      });
      s.assign(bit_of(depart_from_, v), any(departs));
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
  } else if (shape_.collectives) {
    const Expr middle =
        m_.reg("group_middle_q", 1, "what was taken is not the first of its packet");
    const Expr ends = m_.reg("group_ends_q", 1, "it is the last");
    m_.always_ff(clk_, {middle <<= any(group_take_ & ~group_head_o_),
                        ends <<= any(group_take_ & group_tail_o_)});
    leave(m_,
          {cat({any(group_depart_), depart_from_}), cat({middle, under_way_}), cat({ends, tail_o_}),
           channel_o_, flit_},
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

}  // namespace weft::rtl
