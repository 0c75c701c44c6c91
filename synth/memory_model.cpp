// SPDX-License-Identifier: Apache-2.0
#include "synth/memory_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "synth/hierarchy.h"
#include "synth/macro_liberty.h"

namespace weft::synth {
namespace {

/// A six-transistor cell beside a flip-flop of the same technology: 2.0 um2 and about 20 um2 in a
/// 130 nm process, 0.25 um2 and about 2.5 um2 at 40 nm.
constexpr double cell_per_flip_flop = 0.1;
/// Each port beyond the first makes a cell wider and higher by this share: word line and bit lines.
constexpr double side_per_port = 0.3;
/// Share of a macro that is cells; the rest is decoders, sense amplifiers and drivers, of which
/// small macros have more.
constexpr double best_efficiency = 0.7;
constexpr double bits_at_half_efficiency = 4096;
/// Gate delays to decode one address bit, and of word line, bit line and sense amplifier together.
constexpr double gates_per_address_bit = 1.0;
constexpr double gates_of_array = 6.0;

double smallest_flip_flop(const Target& target) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [name, cell] : target.library.cells) {
    if (cell.flip_flops == 1 && cell.area > 0) smallest = std::min(smallest, cell.area);
  }
  return std::isfinite(smallest) ? smallest : 0;
}

std::vector<BlockPort> ports_of(const MemoryShape& memory) {
  const auto reads = memory.read_ports;
  const auto writes = memory.write_ports;
  return {{"RD_CLK", reads},
          {"RD_EN", reads},
          {"RD_ARST", reads},
          {"RD_SRST", reads},
          {"RD_ADDR", reads * memory.address_bits},
          {"RD_DATA", reads * memory.width, false},
          {"WR_CLK", writes},
          {"WR_EN", writes * memory.width},
          {"WR_ADDR", writes * memory.address_bits},
          {"WR_DATA", writes * memory.width}};
}

}  // namespace

double gate_delay_ns(const Target& target) {
  const Liberty library = parse_liberty(target.liberty_text, target.liberty_path);
  const std::string& text = target.liberty_text;
  auto at = text.find("cell_rise", library.cells.at(target.driving_cell).body);
  at = at == std::string::npos ? at : text.find("values", at);
  if (at == std::string::npos) return 0;
  std::vector<double> delays;
  for (const char* c = text.c_str() + at; *c != ')' && *c != '\0';) {
    char* end = nullptr;
    const double value = std::strtod(c, &end);
    if (end != c) delays.push_back(value);
    c = end != c ? end : c + 1;
  }
  if (delays.empty()) return 0;
  const auto middle = delays.begin() + std::ssize(delays) / 2;
  std::ranges::nth_element(delays, middle);
  return *middle * library.time_unit_ps / 1000;
}

MemoryModel model_memory(const MemoryShape& memory, const Target& target) {
  const auto bits = static_cast<double>(memory.bits());
  const auto ports = static_cast<double>(memory.read_ports + memory.write_ports);
  const double side = 1 + side_per_port * (ports - 1);
  const double cell = cell_per_flip_flop * smallest_flip_flop(target) * side * side;
  const double efficiency = best_efficiency * bits / (bits + bits_at_half_efficiency);
  MemoryModel model;
  model.area_um2 = bits * cell / efficiency;
  const double gate_ns = gate_delay_ns(target);
  model.access_ns =
      gate_ns * (gates_of_array + gates_per_address_bit * static_cast<double>(memory.address_bits));
  model.setup_ns = gate_ns;
  return model;
}

Macro memory_macro(const MemoryShape& memory, const std::string& cell, const MemoryModel& model) {
  const auto ports = ports_of(memory);
  std::vector<Arc> arcs;
  if (memory.clocked_reads == 0) {
    arcs.push_back({"RD_ADDR", "RD_DATA", model.access_ns});
  } else {
    arcs.push_back({"", "RD_DATA", model.access_ns});
    for (const char* const input : {"RD_ADDR", "RD_EN"})
      arcs.push_back({input, "", model.setup_ns});
  }
  for (const char* const input : {"WR_EN", "WR_ADDR", "WR_DATA"})
    arcs.push_back({input, "", model.setup_ns});
  return {.cell = cell,
          .module = "$mem_v2",
          .parameters = {{"SIZE", memory.words},
                         {"WIDTH", memory.width},
                         {"RD_PORTS", memory.read_ports},
                         {"WR_PORTS", memory.write_ports}},
          .defaults = {},
          .interface = verilog_interface(cell, ports),
          .liberty = liberty_cell(cell, ports, "WR_CLK", arcs, model.setup_ns / 2, 0)};
}

}  // namespace weft::synth
