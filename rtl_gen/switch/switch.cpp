// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/switch.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "rtl_gen/blocks/allocator.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/switch/collective.h"
#include "rtl_gen/switch/modules.h"
#include "rtl_gen/switch/reduction.h"
#include "rtl_gen/switch/route.h"
#include "rtl_gen/switch/switch_builder.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc top_doc(const Shape& shape) {
  const arch::Switch& device = shape.device;
  ModuleDoc doc;
  doc.summary = fmt::format("a switch of {} ports.", device.ports);
  doc.description =
      shape.ready_valid
          ? "Packets of one or more flits enter at any port and leave where their header says. A "
            "flit moves when valid and ready (of the queue it goes to) are high; valid never waits "
            "for ready."
          : "Packets of one or more flits enter at any port and leave where their header says. A "
            "source holds DEPTH credits for each queue of its input, sends a flit only with one, "
            "and gets it back by a pulse of in_credit_o; the switch does the same at its outputs, "
            "with CREDITS.";
  doc.diagram =
      "  in --> [input] --------> [crossbar] --> [output] --> out\n"
      "            | requests         ^             | state of the VCs\n"
      "            v                  | departures  |\n"
      "       [filters] --> [allocator] <-----------'";
  doc.latency = fmt::format(
      "a flit passes an idle switch in {} cycles: it stands on the input in cycle t, departs in "
      "cycle t + {} at the earliest, and stands on the output {} cycle{} later.{}",
      shape.timing.latency, shape.queues ? 1 + shape.timing.input_stages : 0,
      1 + shape.timing.output_stages, shape.timing.output_stages > 0 ? "s" : "",
      shape.ready_valid ? "" : " in_credit_o follows in the cycle after its departure.");
  return doc;
}

const Module* when(bool needed, const Module& (*add)(Design&, const Shape&), Design& design,
                   const Shape& shape) {
  return needed ? &add(design, shape) : nullptr;
}

Arbitration arbitration(const Shape& shape) {
  return shape.device.allocator == arch::Allocator::matrix ? Arbitration::matrix
                                                           : Arbitration::round_robin;
}

/// Where an output may serve an input whatever the other outputs do, and where an input asks for
/// one output only (it has one queue or none; all allocators but the wavefront choose alike then),
/// an arbiter for each output is all that it takes.
const Module& add_matching(Design& design, const Shape& shape) {
  const arch::Switch& device = shape.device;
  if (!shape.input_filter && device.allocator != arch::Allocator::wavefront) {
    return add_output_arbiters(design, device.name, arbitration(shape), shape.speculative);
  }
  return add_allocator(design, device.name, device.allocator, device.separable, shape.speculative);
}

}  // namespace

SwitchBuilder::SwitchBuilder(Design& design, const Shape& shape)
    : shape_(shape),
      input_(add_input(design, shape)),
      output_requests_(when(shape.output_filter, add_output_requests, design, shape)),
      input_requests_(when(shape.input_filter, add_input_requests, design, shape)),
      allocator_(add_matching(design, shape)),
      queue_arbiter_(shape.fan_out && shape.channels > 1
                         ? &add_arbiter(design, shape.device.name, Arbitration::round_robin)
                         : nullptr),
      crossbar_(add_crossbar(design, shape.device.name)),
      collective_(when(shape.collectives, add_collective, design, shape)),
      result_(when(shape.device.in_network_reduction, add_result, design, shape)),
      output_(add_output(design, shape)),
      m_(design.add_module(shape.device.name, top_doc(shape))),
      sizes_(m_, shape),
      flit_width_(m_.parameter("FLIT_WIDTH", shape.device.flit_width, "bits of a flit")) {
  const arch::Switch& device = shape.device;
  if (shape.queues) {
    depth_ = m_.parameter("DEPTH", device.buffer_depth, "flits of each queue, >= 1");
    queues_ = shape.by_output ? sizes_.lanes : sizes_.channels;
    rooms_ = shape.pooled              ? sizes_.channels
             : shape.collective_queues ? queues_ + sizes_.channels
                                       : queues_;
  }
  if (!shape.ready_valid) {
    credits_ = m_.parameter("CREDITS", device.credits, "places behind each output and VC, >= 1");
    if (shape.whole_packets) {
      packet_ = m_.parameter("MAX_PACKET_FLITS", device.max_packet_flits, "flits, >= 1");
    }
  }
}

void SwitchBuilder::declare_ports() {
  const Expr ports = sizes_.ports;
  const Expr vcs = ports * sizes_.channel_width;
  clk_ = m_.input("clk_i");
  rst_n_ = m_.input("rst_ni", 1, "synchronous, active low; control only");
  m_.port_group("Inputs: port p at [p*W +: W], W bits each.");
  in_valid_ = m_.input("in_valid_i", ports, "a flit enters");
  in_head_ = m_.input("in_head_i", ports, "it is the first of its packet");
  in_tail_ = m_.input("in_tail_i", ports, "it is the last of its packet");
  if (several()) in_vc_ = m_.input("in_vc_i", vcs, "its virtual channel");
  in_flit_ =
      m_.input("in_flit_i", ports * flit_width_, "its bits; those of a head begin with the header");
  const std::string queue = !shape_.by_output || shape_.pooled ? ""
                            : several()                        ? "; queue o*V + v: output o, VC v"
                                                               : "; queue o: output o";
  const std::string groups = !shape_.collective_queues ? ""
                             : several()               ? "; PORTS*V + v: for several outputs"
                                                       : "; queue PORTS: for several outputs";
  in_room_ =
      shape_.ready_valid
          ? m_.output("in_ready_o", ports * rooms_, "the queue takes a flit" + queue)
          : m_.output("in_credit_o", ports * rooms_, "a flit left the queue" + queue + groups);
  m_.port_group("Outputs, alike.");
  out_valid_ = m_.output("out_valid_o", ports, "a flit leaves");
  out_head_ = m_.output("out_head_o", ports);
  out_tail_ = m_.output("out_tail_o", ports);
  if (several()) out_vc_ = m_.output("out_vc_o", vcs);
  out_flit_ = m_.output("out_flit_o", ports * flit_width_);
  out_accept_ = shape_.ready_valid
                    ? m_.input("out_ready_i", ports, "the next hop takes the flit")
                    : m_.input("out_credit_i", sizes_.lanes, "the next hop freed a place");
  if (!shape_.device.mesh()) return;
  m_.port_group("Where the switch is; constant while traffic flows.");
  x_ = m_.input("x_i", x_width(shape_.device));
  y_ = m_.input("y_i", y_width(shape_.device));
}

void SwitchBuilder::declare_matrices() {
  const Expr ports = sizes_.ports;
  const std::string v = several() ? " (v of its VCs at *V + v)" : "";
  m_.comment("The state of the outputs, output o at [o]" + v + ".");
  open_ = m_.wire("open", sizes_.lanes, "a head may go there");
  credit_ = m_.wire("credit", sizes_.lanes, "it takes a flit");
  if (shape_.any_channel) {
    first_ = m_.wire("first", sizes_.lanes, "of the VCs of a class the first that is open");
  }
  m_.comment("Requests and departures, input i to output o at [i*PORTS + o]" + v + ".");
  head_ = m_.wire("head", ports * sizes_.lanes, "the first flit of a packet");
  continuing_ = m_.wire("continuing", ports * sizes_.lanes, "a flit of a packet under way");
  depart_ = m_.wire("depart", ports * sizes_.lanes, "what leaves its queue");
  m_.comment("Of the flits at the heads of the queues, queue q of input i at [i*QUEUES + q].");
  tail_ = m_.wire("tail", ports * queues_, "the last of its packet");
  if (shape_.any_channel) {
    channel_ = m_.wire("channel", ports * queues_ * sizes_.class_channels, "the VC it leaves in");
  }
  m_.blank();
  width_ = m_.localparam("WIDTH", crossbar_width(sizes_, shape_, flit_width_),
                         several() ? "{head, tail, VC, flit}" : "{head, tail, flit}");
  leaving_ = shape_.fan_out ? m_.wire("leaving", ports * ports * width_,
                                      "input i to output o at [i*PORTS + o]")
             : result_ != nullptr
                 ? m_.wire("leaving", (ports + 1) * width_, "from each input and the result FIFO")
                 : m_.wire("leaving", ports * width_, "from each input");
  crossed_ = m_.wire("crossed", ports * width_, "to each output");
}

void SwitchBuilder::inputs() {
  const arch::Switch& device = shape_.device;
  m_.generate_for("i", 0, sizes_.ports, "input_port", [&](Scope& s, const Expr& i) {
    std::vector<Connection> parameters = parameters_of(sizes_, shape_);
    parameters.push_back({"FLIT_WIDTH", flit_width_});
    if (shape_.queues) parameters.push_back({"DEPTH", depth_});
    std::vector<Connection> ports{{"clk_i", clk_}};
    if (shape_.queues) ports.push_back({"rst_ni", rst_n_});
    ports.push_back({"valid_i", in_valid_.at(i)});
    ports.push_back({"head_i", in_head_.at(i)});
    ports.push_back({"tail_i", in_tail_.at(i)});
    if (several()) ports.push_back({"vc_i", of_port(in_vc_, i, sizes_.channel_width)});
    ports.push_back({"flit_i", of_port(in_flit_, i, flit_width_)});
    ports.push_back({shape_.ready_valid ? "ready_o" : "credit_o", of_port(in_room_, i, rooms_)});
    if (device.mesh()) {
      ports.push_back({"x_i", x_});
      ports.push_back({"y_i", y_});
    }
    if (!shape_.speculative) ports.push_back({"open_i", open_});
    ports.push_back({"credit_i", credit_});
    if (shape_.any_channel) ports.push_back({"first_i", first_});
    if (shape_.adaptive) ports.push_back({"prefer_i", prefer_});
    if (device.routing == arch::Routing::odd_even) {
      const Expr west = s.let("is_west", mux(i == sizes_.ports - 3, bin(1, 1), bin(1, 0)));
      ports.push_back({"from_west_i", west});
    }
    ports.push_back({"head_o", of_port(head_, i, sizes_.lanes)});
    ports.push_back({"continuing_o", of_port(continuing_, i, sizes_.lanes)});
    ports.push_back({"tail_o", of_port(tail_, i, queues_)});
    if (shape_.any_channel) {
      ports.push_back({"channel_o", of_port(channel_, i, queues_ * sizes_.class_channels)});
    }
    ports.push_back({"depart_i", of_port(depart_, i, sizes_.lanes)});
    if (shape_.collectives) {
      const Expr v = sizes_.channels;
      ports.push_back({"group_present_o", of_port(groups_.present, i, v)});
      ports.push_back({"group_head_o", of_port(groups_.head, i, v)});
      ports.push_back({"group_tail_o", of_port(groups_.tail, i, v)});
      ports.push_back({"group_op_o", of_port(groups_.op, i, v * op_width())});
      ports.push_back({"group_mask_o", of_port(groups_.mask, i, v * sizes_.ports)});
      ports.push_back({"group_take_i", of_port(groups_.take, i, v)});
    }
    ports.push_back(
        {"leaving_o", of_port(leaving_, i, shape_.fan_out ? sizes_.ports * width_ : width_)});
    s.instance("u_input", input_, parameters, ports);
  });
}

void SwitchBuilder::compare_credits() {
  if (!shape_.adaptive) return;
  const int preferences = rtl::preferences(shape_.device);
  count_width_ = m_.localparam("COUNT_WIDTH", clog2(credits_ + 1));
  count_ = m_.wire("count", sizes_.lanes * count_width_, "credits");
  prefer_ = m_.wire("prefer", sizes_.channels * preferences, "outputs with more credits");
  const auto compare = [&](Scope& s, const Expr& v) {
    const auto count = [&](int from_last) {
      return of_port(count_, (sizes_.ports - from_last) * sizes_.channels + v, count_width_);
    };
    const Expr north = count(2), south = count(1);
    std::vector<Expr> bits{count(4) >= south, count(4) >= north};
    if (preferences == 4) bits.insert(bits.begin(), {count(3) >= south, count(3) >= north});
    s.assign(of_port(prefer_, v, preferences), cat(bits));
  };
  m_.unused("unused_count", {count_}, "some outputs are never compared");
  m_.comment("East before north, east before south, then the same of west.");
  if (several()) {
    m_.generate_for("v", 0, sizes_.channels, "preference", compare);
  } else {
    compare(m_, 0);
  }
}

Expr SwitchBuilder::column(Scope& scope, const std::string& name,
                           const std::function<Expr(const Expr& i)>& cell,
                           const Expr& width) const {
  const Expr result = scope.wire(name, sizes_.ports * width);
  scope.generate_for("i", 0, sizes_.ports, name + "_from", [&](Scope& t, const Expr& i) {
    t.assign(of_port(result, i, width), cell(i));
  });
  return result;
}

void SwitchBuilder::outputs() {
  m_.generate_for("o", 0, sizes_.ports, "output_port", [&](Scope& s, const Expr& o) {
    std::vector<Connection> parameters = parameters_of(sizes_, shape_);
    parameters.push_back({"FLIT_WIDTH", flit_width_});
    if (!shape_.ready_valid) parameters.push_back({"CREDITS", credits_});
    if (!shape_.ready_valid && shape_.whole_packets) {
      parameters.push_back({"MAX_PACKET_FLITS", packet_});
    }
    const Expr v = sizes_.channels;
    const Expr departs = column(
        s, "departs", [&](const Expr& i) { return cell(depart_, i, o); }, v);
    // Of queues by VC all outputs see all.
    const auto of_queues = [&](const std::string& name, const Expr& vector, const Expr& width) {
      return shape_.by_output ? column(
                                    s, name,
                                    [&](const Expr& i) {
                                      return vector.part((i * sizes_.ports + o) * width, width);
                                    },
                                    width)
                              : vector;
    };
    std::vector<Connection> ports{{"clk_i", clk_}, {"rst_ni", rst_n_}};
    const Expr tails = of_queues("tails", tail_, v);
    ports.push_back({"depart_i", departs});
    ports.push_back({"tail_i", tails});
    if (shape_.collectives) {
      const Expr taken = groups_.claim.at(o);
      ports.push_back({"group_take_i", several() ? rep(v, taken) & groups_.channel : taken});
      ports.push_back({"group_last_i", groups_.last});
    }
    if (shape_.any_channel) {
      ports.push_back({"channel_i", of_queues("channels", channel_, v * sizes_.class_channels)});
    }
    ports.push_back({"open_o", of_port(open_, o, v)});
    ports.push_back({"credit_o", of_port(credit_, o, v)});
    if (shape_.any_channel) ports.push_back({"first_o", of_port(first_, o, v)});
    if (shape_.adaptive) ports.push_back({"count_o", of_port(count_, o, v * count_width_)});
    ports.push_back({"leaving_i", of_port(crossed_, o, width_)});
    ports.push_back({"valid_o", out_valid_.at(o)});
    ports.push_back({"head_o", out_head_.at(o)});
    ports.push_back({"tail_o", out_tail_.at(o)});
    if (several()) ports.push_back({"vc_o", of_port(out_vc_, o, sizes_.channel_width)});
    ports.push_back({"flit_o", of_port(out_flit_, o, flit_width_)});
    ports.push_back(shape_.ready_valid ? Connection{"ready_i", out_accept_.at(o)}
                                       : Connection{"credit_i", of_port(out_accept_, o, v)});
    s.instance("u_output", output_, parameters, ports);
  });
}

void SwitchBuilder::build() {
  declare_ports();
  m_.require(sizes_.ports >= 2, "PORTS_must_be_at_least_2");
  if (several()) m_.require(sizes_.channels >= 2, "VIRTUAL_CHANNELS_must_be_at_least_2");
  if (shape_.any_channel) sizes_.declare_classes(m_, shape_);
  declare_matrices();
  if (shape_.collectives) declare_groups();
  compare_credits();
  m_.blank();
  inputs();
  if (shape_.collectives) serve_groups();
  m_.comment("Which requests the allocator sees.");
  filter_at_outputs();
  find_usable();
  filter_at_inputs();
  allocate();
  depart();
  cross();
  outputs();
  m_.finish();
}

Design build_switch(const arch::Switch& device, const Provenance& provenance) {
  Design design(provenance);
  const Shape shape(device);
  SwitchBuilder(design, shape).build();
  return design;
}

}  // namespace weft::rtl
