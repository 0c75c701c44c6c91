// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/switch/modules.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc input_requests_doc(const Shape& shape) {
  ModuleDoc doc;
  doc.summary = "what one input asks the allocator for, and what it does with the grant.";
  doc.description =
      "Packets under way come first: while one of them can leave, no packet of the same class of "
      "traffic or a less urgent one begins.";
  if (shape.channels > 1) {
    doc.description +=
        "\n\nThe VCs that request an output have turns with its grants, round robin.";
    if (shape.speculative) {
      doc.description += " Only those that can use it count; without one it is wasted.";
    }
    doc.latency =
        shape.speculative
            ? "combinational; the turn moves on at the end of a cycle with a grant that is "
              "used."
            : "combinational; the turn moves on at the end of a cycle with a grant.";
  } else {
    doc.latency = "combinational.";
  }
  return doc;
}

class InputRequests {
 public:
  InputRequests(Design& design, const Shape& shape)
      : shape_(shape),
        arbiter_(shape.channels > 1
                     ? &add_arbiter(design, shape.device.name, Arbitration::round_robin)
                     : nullptr),
        m_(design.add_module(shape.device.name + "_input_requests", input_requests_doc(shape))),
        sizes_(m_, shape) {}

  const Module& build() {
    if (shape_.classes > 1) sizes_.declare_classes(m_, shape_);
    if (shape_.channels > 1) {
      clk_ = m_.input("clk_i");
      rst_n_ = m_.input("rst_ni", 1, "synchronous, active low");
      m_.port_group();
    }
    head_ = m_.input("head_i", sizes_.lanes, lane_order(shape_, "output"));
    continuing_ = m_.input("continuing_i", sizes_.lanes);
    if (shape_.channels > 1 && shape_.speculative) {
      ready_ = m_.input("ready_i", sizes_.lanes, "requests that can use a grant");
    }
    const Expr want = m_.output("want_o", sizes_.ports, "to the allocator");
    grant_ = m_.input("grant_i", sizes_.ports, "of the allocator: one-hot or 0");
    chosen_ = m_.output("chosen_o", sizes_.lanes, "the request that is granted");
    const Expr heads =
        shape_.classes > 1 ? heads_by_class() : head_ & ~rep(sizes_.lanes, any(continuing_));
    const Expr request = m_.let("request", continuing_ | heads);
    if (shape_.channels == 1) {
      m_.assign(want, request);
      m_.assign(chosen_, grant_);
    } else {
      m_.generate_for("o", 0, sizes_.ports, "wanted", [&](Scope& s, const Expr& o) {
        s.assign(want.at(o), any(request.part(o * sizes_.channels, sizes_.channels)));
      });
      choose(shape_.speculative ? m_.let("able", request & ready_) : request);
    }
    m_.finish();
    return m_;
  }

 private:
  /// Heads without a packet under way of their class or a more urgent one.
  Expr heads_by_class() {
    const Expr k = sizes_.class_channels;
    const Expr under_way = m_.wire("under_way", shape_.classes, "a packet of the class can go on");
    m_.generate_for("c", 0, shape_.classes, "of_class", [&](Scope& s, const Expr& c) {
      const Expr goes = s.wire("goes", sizes_.ports);
      s.generate_for("o", 0, sizes_.ports, "to", [&](Scope& t, const Expr& o) {
        t.assign(goes.at(o), any(continuing_.part(o * sizes_.channels + c * k, k)));
      });
      s.assign(under_way.at(c), any(goes));
    });
    const Expr blocked =
        m_.let("blocked", under_way | -under_way, "this class and the less urgent ones");
    const Expr heads = m_.wire("heads", sizes_.lanes);
    m_.generate_for("o", 0, sizes_.ports, "output_port", [&](Scope& s, const Expr& o) {
      s.generate_for("v", 0, sizes_.channels, "channel", [&](Scope& t, const Expr& v) {
        const Expr lane = o * sizes_.channels + v;
        t.assign(heads.at(lane), head_.at(lane) & ~blocked.at(v / k));
      });
    });
    return heads;
  }

  void choose(const Expr& request) {
    const Expr v = sizes_.channels;
    m_.comment("For each output its VCs have turns; each chooses ahead of the grant.");
    m_.generate_for("o", 0, sizes_.ports, "choice", [&](Scope& s, const Expr& o) {
      const Expr of_output = request.part(o * v, v);
      const Expr first = s.wire("first", v);
      const Expr granted = grant_.at(o);
      s.instance("u_turn", *arbiter_, {{"N", v}},
                 {{"clk_i", clk_},
                  {"rst_ni", rst_n_},
                  {"request_i", of_output},
                  {"update_i", shape_.speculative ? granted & any(of_output) : granted},
                  {"grant_o", first}});
      s.assign(chosen_.part(o * v, v), first & rep(v, granted));
    });
  }

  const Shape& shape_;
  const Module* arbiter_;
  Module& m_;
  Sizes sizes_;
  Expr clk_ = 0, rst_n_ = 0;
  Expr head_ = 0, continuing_ = 0, ready_ = 0, grant_ = 0, chosen_ = 0;
};

}  // namespace

const Module& add_input_requests(Design& design, const Shape& shape) {
  return InputRequests(design, shape).build();
}

}  // namespace weft::rtl
