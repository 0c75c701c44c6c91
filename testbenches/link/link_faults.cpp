// SPDX-License-Identifier: Apache-2.0
#include "testbenches/link/link_faults.h"

namespace weft::verif {
namespace {

constexpr const char* top = "faulty.v";
constexpr const char* crc = "faulty_crc.v";
constexpr const char* framer = "faulty_framer.v";
constexpr const char* deframer = "faulty_deframer.v";
constexpr const char* replay = "faulty_replay.v";
constexpr const char* order = "faulty_order.v";
constexpr const char* credit = "faulty_credit.v";
constexpr const char* buffer = "faulty_buffer.v";
constexpr const char* init = "faulty_init.v";

}  // namespace

std::vector<Fault> link_faults() {
  return {
      {"the CRC accepts everything", "crc", deframer, "crc == window_q[CRC_WIDTH-1:0]", "1'b1"},
      {"a bit of the frame is not in the CRC", "crc", crc, "{CRC_WIDTH{data_i[k]}}",
       "{CRC_WIDTH{data_i[k] & (k != 40)}}"},
      {"the CRC is not inverted", "crc", crc, "crc_o = ~node", "crc_o = node"},
      {"lanes are swapped on their way out", "lanes", framer, "line_q[l*LANE_BITS +: LANE_WIDTH];",
       "line_q[(LANES-1-l)*LANE_BITS +: LANE_WIDTH];"},
      {"lanes are swapped on their way in", "lanes", deframer,
       "{phit_i[l*LANE_WIDTH +: LANE_WIDTH],", "{phit_i[(LANES-1-l)*LANE_WIDTH +: LANE_WIDTH],"},
      {"the alignment is never given up", "alignment", deframer,
       "aligned_q <= 1'b0; end else if (complete", "aligned_q <= 1'b1; end else if (complete"},
      {"bad frames count although good ones lie between", "alignment", deframer,
       "aligned_q <= 1'b1; bad_q <= 0;", "aligned_q <= 1'b1;"},
      {"the frame that shows the alignment counts", "alignment", deframer,
       "valid_q <= complete & aligned_q & right", "valid_q <= complete & right"},
      {"a replay skips the oldest flit", "replay", replay, "next_q <= oldest;",
       "next_q <= oldest + 1'b1;"},
      {"a replay begins behind what is newly acknowledged", "replay", replay, "next_q <= oldest;",
       "next_q <= base_q;"},
      {"the replay buffer's last place is read as its first", "replay", replay,
       "flits_q[next_q[INDEX_WIDTH-1:0]]",
       "flits_q[next_q[INDEX_WIDTH-1:0] & {INDEX_WIDTH{~&next_q[INDEX_WIDTH-1:0]}}]"},
      {"the replay buffer takes a flit too many", "replay", replay, "held != FULL",
       "held != FULL + 1'b1"},
      {"requests are not obeyed", "replay", replay, "(process_i & (request_i ^ retried_q))",
       "1'b0"},
      {"old acknowledgements count", "acknowledgement", replay, "process_i & (gained <= held)",
       "process_i"},
      {"acknowledgements of what waits to be sent again do not", "acknowledgement", replay,
       "accepted & (gained > sent)", "1'b0"},
      {"a flit is acknowledged before it has come", "acknowledgement", order,
       "expected_o = expected_q", "expected_o = expected_q + 1'b1"},
      {"acknowledgements are of the frame before", "acknowledgement", order,
       "expected_o = expected_q",
       "expected_o = expected_q - {{(SEQUENCE_WIDTH-1){1'b0}}, "
       "expected_q != 0}"},
      {"the timer never fires", "timer", replay, "(timer_q == EXPIRY)", "1'b0"},
      {"the timer runs on in spite of progress", "timer", replay, "!rst_ni | progress | replay_o",
       "!rst_ni | replay_o"},
      {"duplicates are delivered", "order", order, "data_i & (ahead == 0)",
       "data_i & ((ahead == 0) | repeated)"},
      {"the flit behind the one expected is taken", "order", order, "sequence_i - expected_q;",
       "sequence_i - expected_q - 1'b1;"},
      {"numbers are compared without their top bit", "order", order, "data_i & (ahead == 0)",
       "data_i & (ahead[SEQUENCE_WIDTH-2:0] == 0)"},
      {"idle frames do not show a gap", "order", order, "process_i & (ahead != 0)",
       "process_i & data_i & (ahead != 0)"},
      {"repeated flits count as a gap", "order", order, "data_i & ahead[SEQUENCE_WIDTH-1]", "1'b0"},
      {"replays are requested again and again", "order", order, "gap & ~(retried_i ^ request_q)",
       "gap"},
      {"a credit report is lost when a flit is sent", "credit", credit, "update_i & (more <= used)",
       "update_i & (more <= used) & ~take_i"},
      {"old credit reports count", "credit", credit, "update_i & (more <= used)", "update_i"},
      {"a credit too many", "credit", credit, "used != FULL", "used != FULL + 1'b1"},
      {"a credit too few", "credit", credit, "used != FULL", "used != FULL - 1'b1"},
      {"credit reports count for every channel", "credit", top,
       "applies & (got_credit_vc == v[VC_WIDTH-1:0])", "applies"},
      {"credits of the last channel are not reported", "credit", top, "turn_q == LAST_VC",
       "turn_q == LAST_VC - 1'b1"},
      {"buffers free places that hold nothing", "credit", buffer, "else if (leaves)",
       "else if (ready_i)"},
      {"a flit goes into every channel's buffer", "channels", top,
       "deliver & (got_vc == v[VC_WIDTH-1:0])", "deliver"},
      {"up without waiting for the other end", "init", init, "ready & (~init_i | other_ready)",
       "ready"},
      {"up without knowing the other end's parameters", "init", init, "heard & ready & (~init_i",
       "heard & (~init_i"},
      {"no quiet time after reset", "init", init, "(quiet_q == 0)", "1'b1"},
      {"a reset of the other end is not noticed", "init", init, "valid_i & init_i & up_q", "1'b0"},
      {"receive buffers survive a restart", "init", top, ".rst_ni (link_rst_n), .write_i (deliver",
       ".rst_ni (rst_ni), .write_i (deliver"},
  };
}

}  // namespace weft::verif
