// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "rtl_gen/blocks/credit_counter.h"
#include "rtl_gen/blocks/fifo.h"
#include "rtl_gen/switch/modules.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc output_doc(const Shape& shape) {
  ModuleDoc doc;
  doc.summary = "one output of the switch.";
  doc.description =
      shape.ready_valid
          ? "Knows whether a packet holds it, and has a FIFO with places for all flits that are on "
            "their way from the queues."
          : "Knows which of its VCs are held by packets, and how many flits the next hop takes in "
            "each. A flit departs in one cycle and comes through the crossbar in the same or a "
            "later one.";
  doc.diagram = std::string("  departures --> [held] [credits] --> open_o, credit_o\n") +
                "  crossbar -------> " + (shape.ready_valid ? "[FIFO]" : "[register]") +
                " -----> pins";
  const int stages = shape.timing.output_stages;
  doc.latency =
      "a departure in cycle s changes the state from s + 1 on; its flit is at leaving_i in s" +
      (stages > 0 ? " + " + std::to_string(stages) : std::string()) +
      " and on the pins one cycle later.";
  return doc;
}

class Output {
 public:
  Output(Design& design, const Shape& shape)
      : shape_(shape),
        counter_(shape.ready_valid ? nullptr : &add_credit_counter(design, shape.device.name)),
        fifo_(shape.ready_valid ? &add_output_fifo(design, shape.device.name) : nullptr),
        m_(design.add_module(shape.device.name + "_output", output_doc(shape))),
        sizes_(m_, shape),
        flit_width_(m_.parameter("FLIT_WIDTH", shape.device.flit_width, "bits of a flit")) {}

  const Module& build();

 private:
  void declare_ports();
  void holders();
  void open();
  void count_credits();
  /// In which cycle the flit comes: `departs_`, D_out cycles later.
  Expr arrival();
  void end();

  [[nodiscard]] bool several() const { return shape_.channels > 1; }

  const Shape& shape_;
  const Module* counter_;
  const Module* fifo_;
  Module& m_;
  Sizes sizes_;
  Expr flit_width_;
  Expr credits_ = 0, room_ = 1;
  Expr clk_ = 0, rst_n_ = 0;
  Expr depart_ = 0, tail_ = 0, channel_ = 0;
  Expr group_take_ = 0, group_last_ = 0;
  Expr open_o_ = 0, credit_o_ = 0, first_o_ = 0, count_o_ = 0;
  Expr leaving_ = 0, width_ = 0;
  Expr valid_o_ = 0, head_o_ = 0, tail_o_ = 0, vc_o_ = 0, flit_o_ = 0, accept_i_ = 0;
  Expr departs_ = 0;  ///< some flit departs
  Expr taken_ = 0;    ///< the VCs that flits take
  Expr held_ = 0;
  Expr has_room_ = 0;
};

void Output::declare_ports() {
  if (!shape_.ready_valid) {
    credits_ = m_.parameter("CREDITS", shape_.device.credits, "of each VC after reset, >= 1");
    if (shape_.whole_packets) {
      room_ = m_.parameter("MAX_PACKET_FLITS", shape_.device.max_packet_flits,
                           "credits that a head asks for, or all if CREDITS is less");
    }
  }
  if (shape_.any_channel) sizes_.declare_classes(m_, shape_);
  clk_ = m_.input("clk_i");
  rst_n_ = m_.input("rst_ni", 1, "synchronous, active low; control only");
  m_.port_group("What departs to this output: " + lane_order(shape_, "input") + ".");
  depart_ = m_.input("depart_i", sizes_.lanes, "one-hot or 0");
  tail_ = m_.input("tail_i", sizes_.lanes, "the flit there ends its packet");
  if (shape_.any_channel) {
    channel_ = m_.input("channel_i", sizes_.lanes * (sizes_.channels / shape_.classes),
                        "the VC of its class that it takes, one-hot");
  }
  if (shape_.collectives) {
    m_.port_group("What is taken to depart in the next cycle, of a packet for several outputs.");
    group_take_ = m_.input("group_take_i", sizes_.channels, "in this VC");
    group_last_ = m_.input("group_last_i", 1, "the flit ends its packet");
  }
  m_.port_group("The state of the VCs.");
  open_o_ = m_.output("open_o", sizes_.channels,
                      shape_.any_channel ? "a head may take some VC of this one's class"
                                         : "a head may take the VC");
  credit_o_ = m_.output("credit_o", sizes_.channels, "has a credit");
  if (shape_.any_channel) {
    first_o_ = m_.output("first_o", sizes_.channels, "of each class the first VC that is open");
  }
  if (shape_.adaptive) {
    count_o_ = m_.output("count_o", sizes_.channels * clog2(credits_ + 1), "credits");
  }
  m_.port_group("From the crossbar, and the pins of this output.");
  width_ = crossbar_width(sizes_, shape_, flit_width_);
  leaving_ =
      m_.input("leaving_i", width_, several() ? "{head, tail, VC, flit}" : "{head, tail, flit}");
  valid_o_ = m_.output("valid_o");
  head_o_ = m_.output("head_o");
  tail_o_ = m_.output("tail_o");
  if (several()) vc_o_ = m_.output("vc_o", sizes_.channel_width);
  flit_o_ = m_.output("flit_o", flit_width_);
  accept_i_ = shape_.ready_valid
                  ? m_.input("ready_i")
                  : m_.input("credit_i", sizes_.channels, "the next hop freed a place");
}

void Output::holders() {
  departs_ = m_.let("departs", any(depart_));
  taken_ = departs_;
  if (several()) {
    taken_ = m_.wire("taken", sizes_.channels, "the VC that the flit takes");
    m_.generate_for("w", 0, sizes_.channels, "channel", [&](Scope& s, const Expr& w) {
      const Expr takes = s.wire("takes", sizes_.ports, "from each input");
      const Expr k = sizes_.class_channels;
      s.generate_for("i", 0, sizes_.ports, "from", [&](Scope& t, const Expr& i) {
        if (!shape_.any_channel) {
          t.assign(takes.at(i), depart_.at(i * sizes_.channels + w));
          return;
        }
        const Expr into = t.wire("into", k, "VCs of the class");
        t.generate_for("v", 0, k, "vc", [&](Scope& u, const Expr& v) {
          const Expr lane = u.localparam("LANE", i * sizes_.channels + w / k * k + v);
          u.assign(bit_of(into, v), depart_.at(lane) & channel_.at(lane * k + w % k));
        });
        t.assign(takes.at(i), any(into));
      });
      s.assign(taken_.at(w), any(takes));
    });
  }
  const Expr ends = m_.let("ends", any(depart_ & tail_), "of its packet");
  held_ = m_.reg("held_q", sizes_.channels, "by a packet under way");
  const auto after = [&](const Expr& held, const Expr& taken, const Expr& last) {
    return (held & ~taken) | (taken & ~(several() ? rep(sizes_.channels, last) : last));
  };
  Expr next = after(held_, taken_, ends);
  if (shape_.collectives) {
    next = after(next, group_take_, group_last_);
    taken_ = m_.let("taken_of_all", taken_ | group_take_);
  }
  m_.always_ff(clk_, {If(!rst_n_, {held_ <<= 0}).else_({held_ <<= next})});
}

void Output::open() {
  const Expr free = m_.let("free", has_room_ & ~held_);
  if (!shape_.any_channel) {
    m_.assign(open_o_, free);
    return;
  }
  const Expr k = sizes_.class_channels;
  m_.generate_for("c", 0, shape_.classes, "of_class", [&](Scope& s, const Expr& c) {
    const Expr mine = s.let("mine", free.part(c * k, k));
    s.assign(first_o_.part(c * k, k), mine & -mine);
    s.assign(open_o_.part(c * k, k), rep(k, any(mine)));
  });
}

void Output::count_credits() {
  const Expr count_width = clog2(credits_ + 1);
  Expr room = 1;
  if (shape_.whole_packets) {
    room = m_.localparam("ROOM", mux(room_ < credits_, room_, credits_));
  }
  has_room_ = m_.wire(shape_.whole_packets ? "room" : "unused_room", sizes_.channels);
  const auto counter = [&](Scope& s, const Expr& v) {
    const Expr count = shape_.adaptive ? count_o_.part(v * count_width, count_width)
                                       : s.wire("unused_count", count_width);
    s.instance("u_credits", *counter_, {{"INITIAL", credits_}, {"ROOM", room}},
               {{"clk_i", clk_},
                {"rst_ni", rst_n_},
                {"take_i", bit_of(taken_, v)},
                {"give_i", bit_of(accept_i_, v)},
                {"credit_o", bit_of(credit_o_, v)},
                {"room_o", bit_of(has_room_, v)},
                {"count_o", count}});
  };
  if (several()) {
    m_.generate_for("v", 0, sizes_.channels, "vc_credits", counter);
  } else {
    counter(m_, 0);
  }
  if (!shape_.whole_packets) has_room_ = credit_o_;
}

Expr Output::arrival() {
  Expr valid = departs_;
  if (shape_.collectives) {
    const Expr departs = m_.reg("group_departs_q", 1, "what was taken departs");
    m_.always_ff(clk_, {If(!rst_n_, {departs <<= 0}).else_({departs <<= any(group_take_)})});
    valid = m_.let("any_departs", valid | departs);
  }
  for (int stage = 1; stage <= shape_.timing.output_stages; ++stage) {
    const Expr next = m_.reg(stage == 1 ? "coming_q" : "coming_2q", 1,
                             stage == 1 ? "departed a cycle ago" : "departed two cycles ago");
    m_.always_ff(clk_, {If(!rst_n_, {next <<= 0}).else_({next <<= valid})});
    valid = next;
  }
  return valid;
}

void Output::end() {
  const Expr valid = arrival();
  Expr out = 0;
  if (shape_.ready_valid) {
    out = m_.wire("out", width_);
    const Expr depth =
        m_.localparam("FIFO_DEPTH", shape_.timing.output_fifo_depth, "flits on their way, and one");
    m_.instance("u_fifo", *fifo_, {{"DEPTH", depth}, {"WIDTH", width_}},
                {{"clk_i", clk_},
                 {"rst_ni", rst_n_},
                 {"depart_i", departs_},
                 {"room_o", credit_o_},
                 {"write_i", valid},
                 {"data_i", leaving_},
                 {"valid_o", valid_o_},
                 {"ready_i", accept_i_},
                 {"data_o", out}});
  } else {
    const Expr valid_q = m_.reg("valid_q", 1);
    m_.always_ff(clk_, {If(!rst_n_, {valid_q <<= 0}).else_({valid_q <<= valid})});
    out = m_.reg("leaving_q", width_);
    m_.always_ff(clk_, {out <<= leaving_});
    m_.assign(valid_o_, valid_q);
  }
  m_.assign(cat(several() ? std::vector<Expr>{head_o_, tail_o_, vc_o_, flit_o_}
                          : std::vector<Expr>{head_o_, tail_o_, flit_o_}),
            out);
}

const Module& Output::build() {
  declare_ports();
  m_.blank();
  holders();
  if (shape_.ready_valid) {
    has_room_ = credit_o_;
  } else {
    count_credits();
  }
  open();
  end();
  m_.finish();
  return m_;
}

}  // namespace

const Module& add_output(Design& design, const Shape& shape) {
  return Output(design, shape).build();
}

}  // namespace weft::rtl
