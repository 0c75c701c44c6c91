// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/switch_faults.h"

namespace weft::verif {
namespace {

arch::Switch base_switch() {
  arch::Switch design;
  design.name = "faulty";
  design.ports = 3;
  return design;
}

/// Virtual output queues, weighted classes, iSLIP, source routing, collectives.
FaultySwitch collective_switch() {
  arch::Switch design = base_switch();
  design.buffer_depth = 6;
  design.max_packet_flits = 6;
  design.virtual_channels = 4;
  design.traffic_classes = 2;
  design.class_priority = arch::ClassPriority::weighted;
  design.class_weights = {3, 1};
  design.credits = 5;
  design.islip_iterations = 2;
  design.pipeline = 2;
  design.routing = arch::Routing::source;
  design.max_hops = 2;
  design.multicast = true;
  design.in_network_reduction = true;
  const char* top = "faulty.v";
  const char* input = "faulty_input.v";
  const char* output = "faulty_output.v";
  const char* credits = "faulty_credit_counter.v";
  const char* memory = "faulty_queue_memory.v";
  const char* islip = "faulty_islip.v";
  const char* at_output = "faulty_output_requests.v";
  const char* at_input = "faulty_input_requests.v";
  const char* unit = "faulty_collective.v";
  const char* lane = "faulty_lane_operator.v";
  return {
      arch::resolved(design),
      {
          {"the credit of a tail is lost", "credit", input, "credit_o <= {group_depart_q, pop};",
           "credit_o <= {group_depart_q, pop & ~tail_o};"},
          {"a credit is given again and again", "credit", input,
           "credit_o <= {group_depart_q, pop};",
           "credit_o <= {group_depart_q, pop} | (credit_o & 1);"},
          {"credits of queues are rotated", "credit", input, "credit_o <= {group_depart_q, pop};",
           "credit_o <= {group_depart_q, pop[0], pop[PORTS*VIRTUAL_CHANNELS-1:1]};"},
          {"a credit is lost when one is taken at the same time", "credit", output,
           ".give_i (credit_i[v])", ".give_i (credit_i[v] & ~taken[v])"},
          {"a flit is sent with the credit that was the last", "credit", credits,
           "credit_q <= take_i ? count_q != 1 : 1'b1;",
           "credit_q <= take_i ? count_q != 0 : 1'b1;"},
          {"credits survive reset", "reset", credits, "count_q <= ALL; credit_q <= 1'b1;",
           "count_q <= count_q; credit_q <= credit_q;"},
          {"an output's pointer never moves", "arbitration", islip,
           "out_behind_q[port*PORTS +: PORTS] <= offer_behind[port*PORTS +: PORTS];",
           "out_behind_q[port*PORTS +: PORTS] <= 0;"},
          {"an output's pointer moves with offers that are not accepted", "arbitration", islip,
           "else if (|accepted[port*PORTS +: PORTS])", "else if (|offer[port*PORTS +: PORTS])"},
          {"an input's pointer stays once too often", "arbitration", islip, "count_q != 2'd3",
           "count_q != 2'd0"},
          {"an output is granted to two inputs", "arbitration", islip,
           "& ~(|taken[o*PORTS +: PORTS])", ""},
          {"a VC's turn is stuck", "arbitration", at_input, ".update_i (grant_i[o])",
           ".update_i (1'b0)"},
          {"a queue turns round a place too early", "storage", memory,
           "DEPTH[PLACE_WIDTH-1:0] - 1'b1;", "DEPTH[PLACE_WIDTH-1:0] - 2'd2;"},
          {"a flit that enters as the last one leaves is forgotten", "storage", memory,
           "present_q <= write_i[q] | (", "present_q <= (write_i[q] & ~read_i[q]) | ("},
          {"the tail flag of a lone flit is that of another", "storage", memory,
           "next_flags = alone ? flags_i : kept_q[second];", "next_flags = kept_q[second];"},
          {"a tail does not free its VC", "holding", output, "(taken & ~{VIRTUAL_CHANNELS{ends}})",
           "taken"},
          {"heads do not hold their VC", "holding", output,
           "wire [VIRTUAL_CHANNELS-1:0] free = credit_o & ~held_q;",
           "wire [VIRTUAL_CHANNELS-1:0] free = credit_o;"},
          {"any departure frees the VCs of an output", "holding", output, "(held_q & ~taken) |",
           "(held_q & {VIRTUAL_CHANNELS{~departs}}) |"},
          {"an input does not see that a packet ends", "holding", input,
           "under_way_q <= (under_way_q & ~pop) | (pop & ~tail_o);",
           "under_way_q <= under_way_q | pop;"},
          {"packets under way survive reset", "reset", input,
           "if (!rst_ni) begin under_way_q <= 0;",
           "if (!rst_ni) begin under_way_q <= under_way_q;"},
          {"a class weighs one too little", "classes", at_output, "WEIGHT_0 = 3;", "WEIGHT_0 = 2;"},
          {"the turn stays with a class", "classes", "faulty_weighted.v", "turn_q <= next;",
           "turn_q <= turn_q;"},
          {"heads of the wrong class pass", "classes", at_output,
           "head_i[i*VIRTUAL_CHANNELS+v] & allowed[v/CLASS_CHANNELS]",
           "head_i[i*VIRTUAL_CHANNELS+v] & allowed[1-v/CLASS_CHANNELS]"},
          {"heads do not wait for packets under way", "classes", at_output,
           "head_o = urgent_head & ~{(PORTS*VIRTUAL_CHANNELS){|continuing_o}};",
           "head_o = urgent_head;"},
          {"a header keeps the port that it has used", "routing", "faulty_route.v",
           "= list >> PORT_WIDTH;", "= list;"},
          {"flits behind the head are rewritten, too", "routing", "faulty_route.v",
           "if (head_i & unicast)", "if (unicast)"},
          {"packets to the last port go to the first", "routing", "faulty_route.v",
           "list[PORT_WIDTH-1:0] == p[PORT_WIDTH-1:0]",
           "(list[PORT_WIDTH-1:0] == p[PORT_WIDTH-1:0] && p != PORTS - 1) | (p == 0 && "
           "list[PORT_WIDTH-1:0] == PORTS - 1)"},
          {"collective packets leave in the wrong VC", "wiring", input,
           "(|departs) | group_depart_q[v]", "(|departs) | group_depart_q[v^1]"},
          {"a multicast lacks the copy to its first output", "collectives", unit,
           "claim_o = {PORTS{sends}} & mask_q;",
           "claim_o = {PORTS{sends}} & mask_q & (mask_q - 1'b1);"},
          {"a multicast does not wait for an output's credit", "collectives", unit,
           "ready[p] = ~mask_q[p] |", "ready[p] = ~mask_q[p] | (p == 1) |"},
          {"a multicast is not the only one to come", "collectives", unit,
           "{VIRTUAL_CHANNELS{chosen_q & mask_q[p]}} & channel_q;", "0;"},
          {"the choice of a multicast is not kept", "collectives", unit,
           "turn = ~chosen_q | (sends & last);", "turn = ~started_q | (sends & last);"},
          {"a reduction takes whatever reductions wait", "collectives", unit,
           "~(reduction[p] & (reduction_words[p*(PORTS+VIRTUAL_CHANNELS+2) +: "
           "PORTS+VIRTUAL_CHANNELS+2] == trial_word));",
           "~reduction[p];"},
          {"a reduction and a multicast take the same flit", "collectives", unit,
           "| (sends & source_q[p]));", ");"},
          {"the result FIFO overflows", "collectives", unit, "~(|waits) & room;", "~(|waits);"},
          {"a reduction does not wait for all its flits", "collectives", unit,
           "wire moves = reducing & ~(|waits)", "wire moves = reducing & ~(&waits)"},
          {"the maximum is the minimum", "arithmetic", lane, "(less ^ op_i[1])", "less"},
          {"lanes are compared as unsigned", "arithmetic", lane, "{a_i[WIDTH-1], b_i[WIDTH-2:0]}",
           "b_i"},
          {"ports outside the group are added", "arithmetic", lane,
           "a_valid_i & b_valid_i & (op_i == 2'd0)", "op_i == 2'd0"},
          {"the carry between the halves of a sum is lost", "arithmetic", lane,
           "low[HALF] ? high_carried : high", "high"},
          {"a result is marked as a reduction", "collectives", "faulty_result.v",
           "flit[0 +: 3] = 3'b001;", "flit[0 +: 3] = flit[0 +: 3];"},
          {"inputs of groups are not kept from other packets", "collectives", top,
           "wire free = ~group_busy[i] & ~group_to[o];", "wire free = ~group_to[o];"},
      }};
}

/// Ready/valid, single FIFOs, look-ahead routing.
FaultySwitch ready_switch() {
  arch::Switch design = base_switch();
  design.flit_width = 20;
  design.organisation = arch::Organisation::input_queued;
  design.allocator = arch::Allocator::round_robin;
  design.buffer_depth = 3;
  design.max_packet_flits = 4;
  design.flow_control = arch::FlowControl::ready_valid;
  design.pipeline = 3;
  design.lookahead_routing = true;
  design.destinations = 5;
  const char* memory = "faulty_queue_memory.v";
  const char* places = "faulty_output_fifo.v";
  const char* arbiters = "faulty_output_arbiters.v";
  return {arch::resolved(design),
          {
              {"ready while full", "flow", memory, "present_q & (head_q == free_q);", "1'b0;"},
              {"not ready a place too early", "flow", memory, "present_q & (head_q == free_q);",
               "present_q & ((head_q == free_q) | (next(free_q) == head_q));"},
              {"flits are taken without ready", "flow", "faulty_input.v", "valid_i & ready_o;",
               "valid_i;"},
              {"an output's flit does not wait for ready", "flow", places,
               "wire taken = valid_o & ready_i;", "wire taken = valid_o;"},
              {"an output has places for more than there are", "flow", places,
               "room_o = free_q[0];", "room_o = 1'b1;"},
              {"an output has a place too few", "flow", places, "room_o = free_q[0];",
               "room_o = free_q[1];"},
              {"a flit goes to the wrong place of the FIFO", "storage", "faulty_fifo.v",
               "read_i ? first_free >> 1 : first_free;", "first_free;"},
              {"the next port is not written", "routing", "faulty_route.v",
               "flit_o[0 +: PORT_WIDTH] = routed;", "flit_o[0 +: PORT_WIDTH] = next;"},
              {"an entry of the table is wrong", "routing", "faulty_route.v", "ROUTES_0 = 8'h12;",
               "ROUTES_0 = 8'h02;"},
              {"an output's pointer is stuck", "arbitration", arbiters, ".update_i (1'b1)",
               ".update_i (1'b0)"},
              {"an arbiter's pointer stays at the winner", "arbitration", "faulty_pick.v",
               "behind_o = behind[N-1:0];", "behind_o = behind[N-1:0] | granted[N-1:0];"},
          }};
}

/// A node of a mesh: whole packets, any VC, wavefront, speculation.
FaultySwitch mesh_switch() {
  arch::Switch design = base_switch();
  design.ports = 5;
  design.flit_width = 32;
  design.organisation = arch::Organisation::input_queued;
  design.allocator = arch::Allocator::wavefront;
  design.buffer_depth = 4;
  design.max_packet_flits = 3;
  design.switching = arch::Switching::virtual_cut_through;
  design.virtual_channels = 2;
  design.vc_allocation = arch::VcAllocation::any;
  design.credits = 4;
  design.speculative_allocation = true;
  design.routing = arch::Routing::dimension_order;
  design.mesh_columns = 3;
  design.mesh_rows = 3;
  const char* route = "faulty_route.v";
  const char* output = "faulty_output.v";
  const char* wavefront = "faulty_wavefront.v";
  return {arch::resolved(design),
          {
              {"x is read where y is", "routing", route, "destination_x = flit_i[0 +: 2];",
               "destination_x = flit_i[2 +: 2];"},
              {"a packet that has arrived in x goes on", "routing", route,
               "east = destination_x > x_i;", "east = destination_x >= x_i;"},
              {"y comes before x", "routing", route, "output_o[3] = north & along_y & ~along_x;",
               "output_o[3] = north & along_y;"},
              {"a head does not wait for room for its packet", "flow", output,
               "free = room & ~held_q;", "free = credit_o & ~held_q;"},
              {"a packet holds several VCs", "holding", output, "mine & (-mine);", "mine;"},
              {"the diagonal does not move", "arbitration", wavefront,
               "diagonal_q <= next[DIAGONAL_WIDTH-1:0];", "diagonal_q <= diagonal_q;"},
              {"the diagonal turns round too early", "arbitration", wavefront, "sum >= COUNT",
               "sum >= COUNT - 1"},
              {"a diagonal has a turn too many", "arbitration", wavefront, "turns_q == 2'd2",
               "turns_q == 2'd3"},
              {"wasted grants move the diagonal", "speculation", wavefront, "& usable[R]", ""},
              {"an input is granted twice", "arbitration", wavefront, "& in_free[i] & out_free[R];",
               "& out_free[R];"},
              {"a wasted grant is used", "speculation", "faulty.v",
               "urgent_continuing | (urgent_head & {PORTS{open}});",
               "urgent_continuing | urgent_head;"},
          }};
}

/// Store and forward through a central buffer, strict classes, least recently served.
FaultySwitch central_switch() {
  arch::Switch design = base_switch();
  design.flit_width = 24;
  design.organisation = arch::Organisation::central_buffer;
  design.allocator = arch::Allocator::matrix;
  design.buffer_depth = 8;
  design.max_packet_flits = 4;
  design.switching = arch::Switching::store_and_forward;
  design.virtual_channels = 2;
  design.traffic_classes = 2;
  design.pipeline = 4;
  design.routing = arch::Routing::address;
  design.address_width = 8;
  const char* pool = "faulty_pool.v";
  const char* input = "faulty_input.v";
  return {arch::resolved(design),
          {
              {"a packet leaves before it is complete", "flow", input,
               "& complete[o*VIRTUAL_CHANNELS+v] &", "&"},
              {"the count of tails misses one that enters as another leaves", "flow", input,
               "enters & ~leaves", "enters"},
              {"of two places that become free one is lost", "storage", pool,
               "if (get[o_freed]) freed[", "if (get[o_freed]) freed = 0; if (get[o_freed]) freed["},
              {"a list that empties as a flit enters keeps its old head", "storage", pool,
               "put[o] & (~present_q | empties)", "put[o] & ~present_q"},
              {"of two credits one is forgotten", "credit", input,
               "left = left + {{(OWED_WIDTH-1){1'b0}}, pop[to_output*VIRTUAL_CHANNELS+v]};",
               "left = left | {{(OWED_WIDTH-1){1'b0}}, pop[to_output*VIRTUAL_CHANNELS+v]};"},
              {"the most recently served is served again", "arbitration", "faulty_matrix.v",
               "(later_q & ~served[j]) | served[i];", "(later_q & ~served[i]) | served[j];"},
              {"the order of the inputs never changes", "arbitration", "faulty_matrix.v",
               "later_q <= (later_q & ~served[j]) | served[i];", "later_q <= 1'b0;"},
              {"the least urgent class goes first", "classes", "faulty_output_requests.v",
               "present & (-present);", "present & ~(present >> 1);"},
              {"an address range begins an address late", "routing", "faulty_route.v",
               "FIRST_2 = 8'hab;", "FIRST_2 = 8'hac;"},
          }};
}

}  // namespace

std::vector<FaultySwitch> faulty_switches() {
  return {collective_switch(), ready_switch(), mesh_switch(), central_switch()};
}

}  // namespace weft::verif
