// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/switch_coverage.h"

#include <algorithm>
#include <string>

#include "arch/network/switch_timing.h"

namespace weft::verif {
namespace {

// In the order of declaration; those of ports, VCs and pairs follow.
enum Corners : std::size_t {
  length_one,
  length_between,
  length_longest,
  tail_to_head,
  single_behind_tail,
  interleaved_in,
  interleaved_out,
  gap_in_packet,
  all_inputs,
  all_outputs,
  queue_full,
  output_blocked,
  stalled_output,
  class_first,
  class_last,
  multicast_one,
  multicast_some,
  multicast_all,
  multicast_self,
  multicast_long,
  sum,
  minimum,
  maximum,
  barrier,
  reduction_one,
  reduction_all,
  reduction_long,
  reset_traffic,
  reset_of_one_cycle,
  reset_of_several_cycles,
  first_pair,
};

/// Whether any header leads to an output, wherever in a mesh the switch is.
bool can_be_reached(const arch::Switch& design, int output) {
  if (!design.mesh()) return SwitchTargets(design).reachable(output);
  const int direction = output - arch::local_ports(design);  // east, west, north, south
  return direction < 0 || (direction < 2 ? design.mesh_columns : design.mesh_rows) > 1;
}

}  // namespace

SwitchCoverage::SwitchCoverage(const arch::Switch& design)
    : design_(design),
      layout_(design),
      result_places_(arch::SwitchTiming(design).result_places),
      in_(static_cast<std::size_t>(design.ports)),
      out_(static_cast<std::size_t>(design.ports)) {
  const bool long_packets = design.max_packet_flits > 1;
  const bool several_vcs = design.virtual_channels > 1;
  const bool credit = design.flow_control == arch::FlowControl::credit;
  const bool reduce = design.in_network_reduction;
  std::vector<bool> reachable;
  for (int p = 0; p < design.ports; ++p) reachable.push_back(can_be_reached(design, p));
  const bool all_reachable =
      std::find(reachable.begin(), reachable.end(), false) == reachable.end();
  coverage_.declare("length/one flit");
  coverage_.declare("length/between", design.max_packet_flits > 2);
  coverage_.declare("length/longest", long_packets);
  coverage_.declare("flow/tail and next head in consecutive cycles");
  coverage_.declare("flow/single flit right behind a tail", long_packets);
  coverage_.declare("flow/VCs interleaved on an input", several_vcs && long_packets);
  coverage_.declare("flow/VCs interleaved on an output", several_vcs && long_packets);
  coverage_.declare("flow/gap within a packet", long_packets);
  coverage_.declare("flow/flits on all inputs");
  coverage_.declare("flow/flits on all outputs", all_reachable && !design.mesh());
  coverage_.declare("flow/queue full", design.organisation != arch::Organisation::crossbar);
  coverage_.declare("flow/output without credit", credit);
  coverage_.declare("flow/output stalled", !credit);
  coverage_.declare("class/most urgent");
  coverage_.declare("class/least urgent", design.traffic_classes > 1);
  for (const char* name : {"one", "some", "all", "own port", "long packet"}) {
    coverage_.declare(std::string("multicast/") + name,
                      design.multicast && (std::string(name) != "long packet" || long_packets));
  }
  for (const char* name : {"sum", "min", "max", "barrier", "one member", "all members"}) {
    coverage_.declare(std::string("reduction/") + name,
                      reduce && (long_packets || name[1] == 'a' || name[0] == 'a' ||
                                 std::string(name) == "one member"));
  }
  coverage_.declare("reduction/longer than the result FIFO",
                    reduce && design.max_packet_flits > result_places_);
  coverage_.declare("reset/in traffic");
  coverage_.declare("reset/one cycle");
  coverage_.declare("reset/several cycles");
  for (int vc = 0; vc < design.virtual_channels; ++vc) {
    coverage_.declare("vc/" + std::to_string(vc));
  }
  for (int input = 0; input < design.ports; ++input) {
    coverage_.declare("input/" + std::to_string(input));
  }
  for (int output = 0; output < design.ports; ++output) {
    coverage_.declare("output/" + std::to_string(output),
                      reachable[static_cast<std::size_t>(output)]);
  }
}

void SwitchCoverage::begin(const SwitchScenario& scenario, const SwitchEndpoints& endpoints,
                           bool cut_short) {
  endpoints_ = &endpoints;
  in_.assign(in_.size(), {});
  out_.assign(out_.size(), {});
  coverage_.hit(scenario.reset_length == 1 ? reset_of_one_cycle : reset_of_several_cycles);
  if (cut_short) coverage_.hit(reset_traffic);
}

void SwitchCoverage::collective(const Packet& packet) {
  const SwitchTargets::Entry& target = endpoints_->targets()[packet.injection.destination];
  const std::size_t members = target.header.mask.count();
  const int flits = packet.injection.flits;
  const bool all = members == static_cast<std::size_t>(design_.ports);
  if (target.op() == arch::PacketOp::multicast) {
    coverage_.hit(members == 1 ? multicast_one : all ? multicast_all : multicast_some);
    if (target.header.mask[static_cast<std::size_t>(packet.injection.source)]) {
      coverage_.hit(multicast_self);
    }
    if (flits > 1) coverage_.hit(multicast_long);
    return;
  }
  if (members == 1) coverage_.hit(reduction_one);
  if (all) coverage_.hit(reduction_all);
  if (flits > result_places_) coverage_.hit(reduction_long);
  if (flits == 1) {
    coverage_.hit(barrier);
  } else {
    coverage_.hit(target.op() == arch::PacketOp::sum   ? sum
                  : target.op() == arch::PacketOp::min ? minimum
                                                       : maximum);
  }
}

void SwitchCoverage::sent(const Packet& packet, int index, std::uint64_t cycle) {
  const int flits = packet.injection.flits;
  Last& last = in_[static_cast<std::size_t>(packet.injection.source)];
  const bool next = last.any && last.cycle + 1 == cycle;
  if (index == 0) {
    coverage_.hit(flits == 1                          ? length_one
                  : flits == design_.max_packet_flits ? length_longest
                                                      : length_between);
    if (next && last.tail) coverage_.hit(tail_to_head);
    if (next && last.tail && last.vc == packet.vc && flits == 1) coverage_.hit(single_behind_tail);
    if (endpoints_->targets()[packet.injection.destination].op() != arch::PacketOp::unicast) {
      collective(packet);
    }
    coverage_.hit(packet.injection.traffic_class == 0 ? class_first : class_last,
                  packet.injection.traffic_class == 0 ||
                          packet.injection.traffic_class == design_.traffic_classes - 1
                      ? 1
                      : 0);
  }
  if (last.any && !last.tail && last.packet != packet.injection.id) coverage_.hit(interleaved_in);
  if (last.any && !last.tail && last.packet == packet.injection.id && !next) {
    coverage_.hit(gap_in_packet);
  }
  last = {cycle, packet.injection.id, packet.vc, index + 1 == flits, true};
  coverage_.hit(first_pair + static_cast<std::size_t>(packet.vc));
  coverage_.hit(first_pair +
                static_cast<std::size_t>(design_.virtual_channels + packet.injection.source));
  if (design_.flow_control == arch::FlowControl::credit &&
      endpoints_->sources().credits(packet.injection.source, packet.queue) == 0) {
    coverage_.hit(queue_full);
  }
}

void SwitchCoverage::received(const Packet& packet, int index, int output, int vc,
                              std::uint64_t cycle) {
  Last& last = out_[static_cast<std::size_t>(output)];
  if (last.any && !last.tail && last.packet != packet.injection.id) coverage_.hit(interleaved_out);
  last = {cycle, packet.injection.id, vc, index + 1 == packet.injection.flits, true};
  coverage_.hit(first_pair +
                static_cast<std::size_t>(design_.virtual_channels + design_.ports + output));
  if (design_.flow_control == arch::FlowControl::credit &&
      endpoints_->sinks().held(output, vc) == design_.credits) {
    coverage_.hit(output_blocked);
  }
}

void SwitchCoverage::credit(int /*input*/, int /*queue*/, std::uint64_t /*cycle*/) {}

void SwitchCoverage::end_cycle(const arch::SwitchInputs& inputs,
                               const arch::SwitchOutputs& outputs) {
  const auto all = [](const std::vector<std::uint8_t>& flags) {
    return std::all_of(flags.begin(), flags.end(), [](std::uint8_t flag) { return flag != 0; });
  };
  if (all(inputs.valid)) coverage_.hit(all_inputs);
  if (all(outputs.valid)) coverage_.hit(all_outputs);
  if (design_.flow_control == arch::FlowControl::credit) return;
  for (std::size_t p = 0; p < inputs.valid.size(); ++p) {
    if (outputs.valid[p] != 0 && inputs.accept[p] == 0) coverage_.hit(stalled_output);
    const std::uint64_t* ready = &outputs.queue[p * static_cast<std::size_t>(layout_.queue_words)];
    for (int q = 0; q < layout_.queues; ++q) {
      if ((ready[q / 64] >> (q % 64) & 1U) == 0) {
        coverage_.hit(queue_full);
        break;
      }
    }
  }
}

}  // namespace weft::verif
