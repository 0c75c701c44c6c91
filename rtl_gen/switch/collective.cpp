// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/collective.h"

#include <functional>
#include <optional>
#include <string>

#include "arch/network/header.h"
#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/fifo.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc collective_doc(const arch::Switch& device) {
  ModuleDoc doc;
  doc.summary = "control of the packets for several outputs.";
  doc.description =
      "One packet is sent at a time, to all its outputs at once: when each of them takes it. ";
  if (device.in_network_reduction) {
    doc.description +=
        std::string(
            "The packets of a reduction's members are combined flit by flit into the "
            "result FIFO, from which the result is sent") +
        (device.multicast ? " like a multicast" : "") +
        ". A trial a cycle looks for a reduction all of whose members are there.";
    doc.diagram = std::string("  heads of queues ") +
                  (device.multicast ? "--------------------+--> [choice] --> outputs\n"
                                    : "                    +--> [choice] --> outputs\n") +
                  "                  --> [trial] --> [result FIFO] -'";
  }
  doc.latency =
      "the outputs depend on the inputs of the same cycle. A result that is combined in cycle s "
      "may be sent in s + 1.";
  return doc;
}

/// A head that asks for the unit: of each input at most one.
struct Candidates {
  Expr present;  ///< PORTS bits: the input has one
  Expr words;    ///< of each input {op (of reductions), VC one-hot (of several), mask}
  Expr width;    ///< of a word
};

class Collective {
 public:
  Collective(Design& design, const Shape& shape);
  const Module& build();

 private:
  void declare_ports();
  Candidates find(const std::string& name, bool reductions);
  void send(const std::optional<Candidates>& multicasts);
  void reduce(const Candidates& reductions);

  /// The word in `words` that `which`, one-hot, selects.
  Expr word_of(const std::string& name, const Expr& which, const Expr& words, const Expr& count,
               const Expr& width);
  /// Instance of an arbiter whose pointer moves behind each grant that is used.
  Expr first(const std::string& name, const Expr& request, const Expr& count, const Expr& used);
  /// Bit `port` of a vector over (port, VC), in the VC.
  [[nodiscard]] Expr in_channel(const Expr& vector, const Expr& port, const Expr& channel) const;
  /// A wire of PORTS bits.
  Expr for_each_port(const std::string& name, const std::string& note,
                     const std::function<Expr(const Expr& port)>& bit);
  /// A value that is kept from its first cycle on: `now` while `kept` is low.
  Expr keep(const std::string& name, const Expr& kept, const Expr& now, const std::string& note);

  [[nodiscard]] bool several() const { return shape_.channels > 1; }
  [[nodiscard]] Expr channel_in(const Expr& word) const {
    return several() ? word(sizes_.ports + sizes_.channels - 1, sizes_.ports) : Expr(1);
  }
  [[nodiscard]] Expr mask_in(const Expr& word) const { return word(sizes_.ports - 1, 0); }

  const Shape& shape_;
  const arch::Switch& device_;
  const Module& arbiter_;
  const Module& select_;
  const Module* fifo_;
  Module& m_;
  Sizes sizes_;
  Expr sources_;
  Expr clk_, rst_n_;
  Expr present_ = 0, head_ = 0, tail_ = 0, op_ = 0, mask_ = 0, open_ = 0, credit_ = 0;
  Expr depart_ = 0, blocked_ = 0, taken_ = 0, channel_o_ = 0, last_ = 0, from_ = 0;
  Expr member_o_ = 0, reference_o_ = 0, op_o_ = 0;
  Expr channel_r_ = 0;  ///< the VC of the reduction
  // The head of the result FIFO.
  Expr result_valid_ = 0, result_ = 0;
};

Collective::Collective(Design& design, const Shape& shape)
    : shape_(shape),
      device_(shape.device),
      arbiter_(add_arbiter(design, device_.name, Arbitration::round_robin)),
      select_(add_crossbar(design, device_.name)),
      fifo_(device_.in_network_reduction ? &add_fifo(design, device_.name) : nullptr),
      m_(design.add_module(device_.name + "_collective", collective_doc(device_))),
      sizes_(m_, shape),
      sources_(!device_.multicast             ? Expr(1)
               : device_.in_network_reduction ? sizes_.ports + 1
                                              : sizes_.ports),
      clk_(m_.input("clk_i")),
      rst_n_(m_.input("rst_ni", 1, "synchronous, active low")) {}

void Collective::declare_ports() {
  m_.port_group("The queues of packets for several outputs: VC v of input i at [i*V + v].");
  present_ = m_.input("present_i", sizes_.lanes, "has a flit");
  head_ = m_.input("head_i", sizes_.lanes, "it is the first of its packet");
  tail_ = m_.input("tail_i", sizes_.lanes, "it is the last of its packet");
  op_ = m_.input("op_i", sizes_.lanes * 3, "of a head: 1 multicast, 4 sum, 5 minimum, 6 maximum");
  mask_ = m_.input("mask_i", sizes_.lanes * sizes_.ports, "of a head: outputs or members");
  depart_ = m_.output("depart_o", sizes_.lanes, "the flit departs");
  m_.port_group("The outputs: VC v of output o at [o*V + v].");
  open_ = m_.input("open_i", sizes_.lanes, "takes a head");
  credit_ = m_.input("credit_i", sizes_.lanes, "has a credit");
  blocked_ = m_.output("blocked_o", sizes_.lanes, "takes no head of another packet");
  m_.port_group("What is sent.");
  taken_ = m_.output("taken_o", sizes_.ports, "the outputs that take it");
  if (several()) channel_o_ = m_.output("channel_o", sizes_.channels, "its VC, one-hot");
  last_ = m_.output("last_o", 1, "it ends its packet");
  const std::string sources = !device_.multicast             ? "it is a result"
                              : device_.in_network_reduction ? "inputs and the result FIFO, one-hot"
                                                             : "inputs, one-hot";
  from_ = m_.output("from_o", sources_, sources);
  if (!device_.in_network_reduction) return;
  m_.port_group("What is combined.");
  member_o_ = m_.output("member_o", sizes_.ports, "whose flits");
  reference_o_ = m_.output("reference_o", sizes_.ports, "whose header is the result's, one-hot");
  op_o_ = m_.output("op_o", 2, "0 sum, 1 minimum, 2 maximum");
}

Expr Collective::word_of(const std::string& name, const Expr& which, const Expr& words,
                         const Expr& count, const Expr& width) {
  const Expr word = m_.wire(name, width);
  m_.instance("u_" + name, select_, {{"INPUTS", count}, {"OUTPUTS", 1}, {"WIDTH", width}},
              {{"select_i", which}, {"data_i", words}, {"data_o", word}});
  return word;
}

Expr Collective::first(const std::string& name, const Expr& request, const Expr& count,
                       const Expr& used) {
  const Expr grant = m_.wire(name, count, "one-hot");
  m_.instance("u_" + name, arbiter_, {{"N", count}},
              {{"clk_i", clk_},
               {"rst_ni", rst_n_},
               {"request_i", request},
               {"update_i", used & any(request)},
               {"grant_o", grant}});
  return grant;
}

Expr Collective::in_channel(const Expr& vector, const Expr& port, const Expr& channel) const {
  if (!several()) return vector.at(port);
  return any(vector.part(port * sizes_.channels, sizes_.channels) & channel);
}

Expr Collective::for_each_port(const std::string& name, const std::string& note,
                               const std::function<Expr(const Expr& port)>& bit) {
  const Expr vector = m_.wire(name, sizes_.ports, note);
  m_.generate_for("p", 0, sizes_.ports, name + "_of",
                  [&](Scope& s, const Expr& p) { s.assign(vector.at(p), bit(p)); });
  return vector;
}

Expr Collective::keep(const std::string& name, const Expr& kept, const Expr& now,
                      const std::string& note) {
  const Expr q = m_.reg(name + "_q", width_of(now));
  const Expr value = m_.let(name, mux(kept, q, now), note);
  m_.always_ff(clk_, {q <<= value});
  return value;
}

/// Of each input's queues the first with a head that asks for a multicast, or for a reduction.
Candidates Collective::find(const std::string& name, bool reductions) {
  const Expr channels = sizes_.channels;
  const Expr mask_width = sizes_.ports;
  const Expr op_width = 3;
  const Expr offered = several() ? mask_width + channels : mask_width;
  const Expr width = reductions ? offered + 2 : offered;
  const Expr present = m_.wire(name, sizes_.ports, "inputs that want one");
  const Expr words =
      m_.wire(name + "_words", sizes_.ports * width,
              std::string("{") + (reductions ? "op, " : "") + (several() ? "VC, " : "") + "mask}");
  m_.generate_for("i", 0, sizes_.ports, name + "_of", [&](Scope& s, const Expr& i) {
    const Expr wants = s.wire("wants", channels, "queues");
    const auto judge = [&](Scope& t, const Expr& v) {
      const Expr queue = i * channels + v;
      const Expr op = op_.part(queue * op_width, op_width);
      const Expr asks = reductions ? op_.at(queue * op_width + 2)
                                   : op == static_cast<int>(arch::PacketOp::multicast);
      t.assign(bit_of(wants, v), present_.at(queue) & head_.at(queue) & asks);
    };
    if (!several()) {
      judge(s, 0);
      s.assign(present.at(i), wants);
      const Expr mask = mask_.part(i * mask_width, mask_width);
      s.assign(words.part(i * width, width),
               reductions ? cat({op_.part(i * op_width, 2), mask}) : mask);
      return;
    }
    s.generate_for("v", 0, channels, "vc", judge);
    const Expr chosen = s.let("chosen", wants & -wants, "the first of them");
    s.assign(present.at(i), any(wants));
    const auto of_chosen = [&](const std::string& what, const Expr& vector, const Expr& bits) {
      const Expr result = s.wire(what, bits);
      s.instance("u_" + what, select_, {{"INPUTS", channels}, {"OUTPUTS", 1}, {"WIDTH", bits}},
                 {{"select_i", chosen},
                  {"data_i", vector.part(i * channels * bits, channels * bits)},
                  {"data_o", result}});
      return result;
    };
    const Expr mask = of_chosen("mask", mask_, mask_width);
    if (!reductions) {
      s.assign(words.part(i * width, width), cat({chosen, mask}));
      return;
    }
    const Expr op = of_chosen("op", op_, op_width);
    s.assign(words.part(i * width, width), cat({op(1, 0), chosen, mask}));
    s.unused("unused_op", {op.at(2)}, "known: a reduction");
  });
  return {present, words, width};
}

void Collective::send(const std::optional<Candidates>& multicasts) {
  const Expr ports = sizes_.ports;
  const Expr channels = sizes_.channels;
  const Expr width = several() ? ports + channels : ports;
  m_.comment("The packet that is sent: the first candidate, kept until its last flit departs.");
  const Expr busy = m_.reg("busy_q", 1, "a packet is chosen or under way");
  const Expr started = m_.reg("started_q", 1, "its head has departed");
  Expr grant = 0, word = 0;
  if (multicasts) {
    Expr candidates = multicasts->present;
    Expr words = multicasts->words;
    if (fifo_ != nullptr) {
      candidates = cat({result_valid_, candidates});
      words = cat({result_(width - 1, 0), words});
    }
    grant = first("chosen", m_.let("candidates", candidates), sources_, ~busy);
    word = word_of("chosen_word", grant, words, sources_, width);
  } else {
    grant = result_valid_;
    word = m_.let("result_word", result_(width - 1, 0));
  }
  const Expr source = keep("source", busy, grant, "one-hot; 0: no packet");
  const Expr mask = keep("mask", busy, mask_in(word), "its outputs");
  const Expr channel = several() ? keep("channel", busy, channel_in(word), "its VC") : Expr(1);
  m_.blank();

  const Expr ready =
      for_each_port("ready", "outputs that are in the way of nothing", [&](const Expr& p) {
        return ~mask.at(p) |
               mux(started, in_channel(credit_, p, channel), in_channel(open_, p, channel));
      });
  const auto of_source = [&](const std::string& name, const std::string& note, const Expr& vector,
                             const Expr& of_result) {
    if (!multicasts) return of_result;
    const Expr bits = for_each_port(
        name, note, [&](const Expr& p) { return source.at(p) & in_channel(vector, p, channel); });
    return fifo_ == nullptr ? any(bits) : any(bits) | (source.at(ports) & of_result);
  };
  const Expr there = of_source("source_flit", "the source has a flit", present_, result_valid_);
  const Expr last = m_.let("last", of_source("source_tail", "its flit is a tail", tail_,
                                             fifo_ != nullptr ? result_.at(width) : Expr(0)));
  const Expr sends = m_.let("sends", there & all(ready), "a flit departs");
  m_.assign(from_, multicasts ? rep(sources_, sends) & source : sends);
  m_.assign(taken_, rep(ports, sends) & mask);
  if (several()) m_.assign(channel_o_, channel);
  m_.assign(last_, last);
  const Expr present = m_.let("present", any(source), "a packet is chosen");
  m_.generate_for("p", 0, ports, "blocked", [&](Scope& s, const Expr& p) {
    s.assign(blocked_.part(p * channels, channels),
             several() ? rep(channels, present & mask.at(p)) & channel : present & mask.at(p));
  });
  m_.always_ff(clk_,
               {If(!rst_n_, {busy <<= 0, started <<= 0})
                    .else_({busy <<= present & ~(sends & last), If(sends, {started <<= ~last})})});
}

/// Fills the result FIFO.
void Collective::reduce(const Candidates& reductions) {
  const Expr ports = sizes_.ports;
  m_.blank();
  m_.comment(
      "The reduction that is combined: it begins when all members of a reference are there with "
      "the same header; after a trial that fails another reference is tried.");
  const Expr busy = m_.reg("reducing_q", 1, "a reduction is under way");
  const Expr grant = first("trial", reductions.present, ports, ~busy);
  const Expr word = word_of("trial_word", grant, reductions.words, ports, reductions.width);
  const Expr missing = for_each_port("missing", "members that are not there", [&](const Expr& p) {
    return word.at(p) & ~(reductions.present.at(p) &
                          (reductions.words.part(p * reductions.width, reductions.width) == word));
  });
  const Expr active = m_.let("reducing", busy | (any(grant) & ~any(missing)));
  const Expr members = keep("members", busy, mask_in(word), "");
  const Expr reference = keep("reference", busy, grant, "one-hot");
  const Expr op = keep("op", busy, word(reductions.width - 1, reductions.width - 2), "");
  channel_r_ = several() ? keep("members_channel", busy, channel_in(word), "their VC") : Expr(1);
  const Expr waits = for_each_port("waits", "members without a flit for it", [&](const Expr& p) {
    const Expr there = in_channel(present_, p, channel_r_);
    return members.at(p) & (device_.multicast ? ~there | from_.at(p) : ~there);
  });
  const Expr full = m_.wire("full", 1, "the result FIFO");
  const Expr moves = m_.let("moves", active & ~any(waits) & ~full, "a flit of each member departs");
  const Expr tails = for_each_port("tails", "the reference's flit is a tail", [&](const Expr& p) {
    return reference.at(p) & in_channel(tail_, p, channel_r_);
  });
  const Expr last = m_.let("last_moves", any(tails));
  m_.assign(member_o_, rep(ports, moves) & members);
  m_.assign(reference_o_, reference);
  m_.assign(op_o_, op);
  m_.always_ff(clk_, {If(!rst_n_, {busy <<= 0}).else_({busy <<= active & ~(moves & last)})});
  m_.instance("u_results", *fifo_, {{"DEPTH", result_places}, {"WIDTH", width_of(result_)}},
              {{"clk_i", clk_},
               {"rst_ni", rst_n_},
               {"write_i", moves},
               {"data_i", several() ? cat({last, channel_r_, members}) : cat({last, members})},
               {"full_o", full},
               {"read_i", device_.multicast ? from_.at(ports) : from_},
               {"valid_o", result_valid_},
               {"data_o", result_}});
}

const Module& Collective::build() {
  declare_ports();
  m_.blank();
  const Expr ports = sizes_.ports;
  const Expr channels = sizes_.channels;
  std::optional<Candidates> multicasts, reductions;
  if (device_.multicast) multicasts = find("multicast", false);
  if (device_.in_network_reduction) {
    reductions = find("reduction", true);
    result_valid_ = m_.wire("result_valid", 1, "the result FIFO has a flit");
    result_ = m_.wire("result", several() ? ports + channels + 1 : ports + 1,
                      several() ? "{tail, VC, mask}" : "{tail, mask}");
  }
  send(multicasts);
  if (reductions) reduce(*reductions);
  const auto departs = [&](const Expr& p, const Expr& v) {
    const auto of = [&](const Expr& takes, const Expr& channel) {
      return several() ? takes & channel.at(v) : takes;
    };
    std::optional<Expr> all;
    if (device_.multicast) all = of(from_.at(p), channel_o_);
    if (!reductions) return *all;
    const Expr combined = of(member_o_.at(p), channel_r_);
    return all ? *all | combined : combined;
  };
  m_.blank();
  m_.generate_for("p", 0, ports, "departures", [&](Scope& s, const Expr& p) {
    if (!several()) {
      s.assign(depart_.at(p), departs(p, 0));
      return;
    }
    s.generate_for("v", 0, channels, "vc", [&](Scope& t, const Expr& v) {
      t.assign(depart_.at(p * channels + v), departs(p, v));
    });
  });
  m_.finish();
  return m_;
}

}  // namespace

const Module& add_collective(Design& design, const Shape& shape) {
  return Collective(design, shape).build();
}

}  // namespace weft::rtl
