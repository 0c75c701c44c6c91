// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace weft::verif {

/// One Verilog source file; the text is what is built and what the cache is keyed by.
struct VerilogFile {
  std::string name;  ///< file name without a directory
  std::string text;
};

/// The RTL of a design, as it is emitted.
struct Rtl {
  std::vector<VerilogFile> files;
  std::string top;
  std::map<std::string, std::string> parameters;  ///< overrides of the top's Verilog parameters
};

/// A port that carries (part of) a stream's payload, or is driven as it is.
struct PayloadPort {
  std::string port;
  int width = 1;  ///< bits

  /// External skew: the port is lane_delays.size() lanes of equal width, and lane i is sampled
  /// (sources) or appears (sinks) lane_delays[i] array cycles after the handshake. Empty: the whole
  /// port belongs to the cycle of the handshake.
  std::vector<int> lane_delays;
};

/// A valid/ready stream. A beat moves in a cycle in which both are high at the rising clock edge.
struct StreamPorts {
  std::string name;  ///< for messages
  std::string valid;
  std::string ready;
  std::vector<PayloadPort> payload;

  /// Sinks with external skew: `valid` has one bit a lane, each with its own delay. Empty: one bit.
  std::vector<int> valid_delays;
};

/// A design under test as the engine sees it: sources, streams, clock and reset. Nothing here knows
/// whether it is an array, a switch or a link.
struct DutDescription {
  std::string top;
  std::vector<VerilogFile> files;
  std::map<std::string, std::string> parameters;  ///< overrides of the top's Verilog parameters
  std::string clock = "clk_i";
  std::string reset = "rst_ni";      ///< synchronous, active low
  std::vector<StreamPorts> sources;  ///< the DUT takes beats: valid and payload are its inputs
  std::vector<StreamPorts> sinks;    ///< the DUT gives beats: valid and payload are its outputs
  std::string advance;               ///< output that is high in array cycles; needed by lane delays

  /// A design without streams: its input and output ports, which are set and read in every clock
  /// cycle (PinDut). Both are empty if there are streams.
  std::vector<PayloadPort> inputs;
  std::vector<PayloadPort> outputs;
};

/// Where a payload port lies in a packed beat.
struct FieldLayout {
  std::size_t offset = 0;  ///< bytes from the start of the beat
  std::size_t bytes = 0;   ///< of the container
  int width = 0;           ///< bits; bits above are zero
};

/// A packed beat: the payload ports in order, each in the little-endian container that Verilator
/// uses for its width (1, 2, 4, 8 bytes, or 32-bit words above 64 bits) at its natural alignment.
struct BeatLayout {
  std::vector<FieldLayout> fields;
  std::size_t stride = 0;  ///< bytes of a beat, a multiple of 8
};

/// Number of lane groups of a stream: lanes with the same delay move in the same cycle. Group d is
/// the lanes with delay d; 1 without external skew.
[[nodiscard]] int lane_groups(const StreamPorts& stream);

/// The packed layout of ports.
[[nodiscard]] BeatLayout beat_layout(std::span<const PayloadPort> ports);

/// The packed layout of a stream's beats.
[[nodiscard]] BeatLayout beat_layout(const StreamPorts& stream);

}  // namespace weft::verif
