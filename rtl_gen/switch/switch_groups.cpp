// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "arch/network/header.h"
#include "rtl_gen/switch/switch_builder.h"

namespace weft::rtl {

using namespace hdl;

int SwitchBuilder::op_width() const { return arch::HeaderLayout(shape_.device).op_width; }

void SwitchBuilder::declare_groups() {
  const Expr ports = sizes_.ports;
  m_.comment("Packets for several outputs: their queues, " + lane_order(shape_, "input") +
             ", and what their unit decides.");
  groups_.present = m_.wire("group_present", sizes_.lanes);
  groups_.head = m_.wire("group_head", sizes_.lanes);
  groups_.tail = m_.wire("group_tail", sizes_.lanes);
  groups_.op = m_.wire("group_op", sizes_.lanes * op_width());
  groups_.mask = m_.wire("group_mask", sizes_.lanes * ports);
  groups_.take = m_.wire("group_take", sizes_.lanes, "what departs in the next cycle");
  groups_.blocked =
      m_.wire("group_blocked", sizes_.lanes, "outputs' VCs that are kept free for it");
  groups_.claim = m_.wire("group_claim", ports, "outputs that it departs to");
  if (several()) groups_.channel = m_.wire("group_channel", sizes_.channels, "its VC");
  groups_.last = m_.wire("group_last", 1, "it ends its packet");
  groups_.busy = m_.wire("group_busy", ports, "inputs that something departs from");
  groups_.to = m_.wire("group_to", ports, "outputs that something departs to");
  const Expr sources =
      shape_.device.in_network_reduction ? (shape_.device.multicast ? ports + 1 : Expr(1)) : ports;
  groups_.from = m_.wire("group_from", sources, "where it comes from");
  if (result_ == nullptr) return;
  groups_.member = m_.wire("group_member", ports, "whose flits are combined");
  groups_.reference = m_.wire("group_reference", ports, "whose header is the result's");
  groups_.op_combined = m_.wire("group_combine", 2, "how");
}

void SwitchBuilder::serve_groups() {
  std::vector<Connection> ports{{"clk_i", clk_},
                                {"rst_ni", rst_n_},
                                {"present_i", groups_.present},
                                {"head_i", groups_.head},
                                {"tail_i", groups_.tail},
                                {"op_i", groups_.op},
                                {"mask_i", groups_.mask},
                                {"take_o", groups_.take},
                                {"open_i", open_},
                                {"credit_i", credit_},
                                {"blocked_o", groups_.blocked},
                                {"claim_o", groups_.claim}};
  if (several()) ports.push_back({"channel_o", groups_.channel});
  ports.push_back({"last_o", groups_.last});
  ports.push_back({"busy_o", groups_.busy});
  ports.push_back({"to_o", groups_.to});
  ports.push_back({"from_o", groups_.from});
  if (result_ != nullptr) {
    ports.push_back({"member_o", groups_.member});
    ports.push_back({"reference_o", groups_.reference});
    ports.push_back({"op_o", groups_.op_combined});
  }
  m_.instance("u_collective", *collective_, parameters_of(sizes_, shape_), ports);
  if (result_ != nullptr) {
    m_.instance("u_result", *result_,
                {{"PORTS", sizes_.ports}, {"FLIT_WIDTH", flit_width_}, {"WIDTH", width_}},
                {{"clk_i", clk_},
                 {"rst_ni", rst_n_},
                 {"member_i", groups_.member},
                 {"reference_i", groups_.reference},
                 {"op_i", groups_.op_combined},
                 {"send_i", shape_.device.multicast ? groups_.from.at(sizes_.ports) : groups_.from},
                 {"leaving_i", leaving_(sizes_.ports * width_ - 1, 0)},
                 {"leaving_o", of_port(leaving_, sizes_.ports, width_)}});
  }
  const Expr head = m_.wire("free_head", sizes_.ports * sizes_.lanes);
  const Expr continuing = m_.wire("free_continuing", sizes_.ports * sizes_.lanes);
  m_.generate_for("i", 0, sizes_.ports, "beside_groups", [&](Scope& s, const Expr& i) {
    s.generate_for("o", 0, sizes_.ports, "to", [&](Scope& t, const Expr& o) {
      const Expr free = t.let("free", ~groups_.busy.at(i) & ~groups_.to.at(o));
      const Expr all = rep(sizes_.channels, free);
      const Expr blocked = of_port(groups_.blocked, o, sizes_.channels);
      t.assign(cell(head, i, o), cell(head_, i, o) & all & ~blocked);
      t.assign(cell(continuing, i, o), cell(continuing_, i, o) & all);
    });
  });
  head_ = head;
  continuing_ = continuing;
}

}  // namespace weft::rtl
