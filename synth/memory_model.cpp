// SPDX-License-Identifier: Apache-2.0
#include "synth/memory_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "synth/hierarchy.h"
#include "synth/liberty_tree.h"
#include "synth/macro_liberty.h"

namespace weft::synth {
namespace {

// The formulas are those that the published data sheets of the SRAM compiler of the open IHP SG13G2
// kit follow (docs/synthesis.md). They are carried over to other technology by what a flip-flop, a
// gate's delay and a gate's input are there and here.

/// Area in flip-flops, with one port: of a bit, of a column with its sense amplifier and write
/// driver, and of what each macro has once.
constexpr double bit_area = 0.0736;
constexpr double column_area = 10.9;
constexpr double base_area = 74;
/// What each further port adds to these: to both sides of a bit (word line and bit lines), to a
/// column, and to the rest.
constexpr double bit_side_per_port = 0.52;
constexpr double column_per_port = 0.58;
constexpr double base_per_port = 1.94;

/// Access time in gate delays: at least, and for each word on a bit line and each bit of a word.
constexpr double base_gates = 7.9;
constexpr double gates_per_word = 0.0032;
constexpr double gates_per_column = 0.0057;

/// Energy of an access in that of charging one gate's input: once, for each column, and for each
/// bit, whose share of the bit lines is charged too.
constexpr double base_charges = 696;
constexpr double charges_per_column = 239;
constexpr double charges_per_bit = 0.234;

double smallest_flip_flop(const Target& target) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [name, cell] : target.library.cells) {
    if (cell.flip_flops == 1 && cell.area > 0) smallest = std::min(smallest, cell.area);
  }
  return std::isfinite(smallest) ? smallest : 0;
}

/// The energy of charging and discharging the input of the driving cell once.
double charge_pj(const Target& target) {
  const LibertyTree tree(target.liberty_text, target.liberty_path);
  const double voltage = tree.number(tree.library(), "nom_voltage").value_or(0);
  const auto& pins = target.library.cells.at(target.driving_cell).pins;
  const auto input = std::ranges::find_if(pins, &LibertyPin::is_input);
  constexpr double pj_per_fj = 1e-3;
  return input->capacitance_ff * voltage * voltage * pj_per_fj;
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
  const LibertyTree tree(target.liberty_text, target.liberty_path);
  double delay = 0;
  const LibertyGroup& cell = *tree.library().group("cell", target.driving_cell);
  for (const LibertyGroup& pin : cell.groups) {
    const LibertyGroup* const timing = pin.group("timing");
    const LibertyGroup* const table = timing == nullptr ? nullptr : timing->group("cell_rise");
    if (table == nullptr) continue;
    delay = tree.middle(*table);
    break;
  }
  return delay * target.library.time_unit_ps / 1000;
}

MemoryCost model_memory(const MemoryShape& memory, const Target& target) {
  const auto words = static_cast<double>(memory.words);
  const auto columns = static_cast<double>(memory.width);
  const auto bits = static_cast<double>(memory.bits());
  const auto further = static_cast<double>(memory.read_ports + memory.write_ports - 1);
  const double side = 1 + bit_side_per_port * further;
  const double gate_ns = gate_delay_ns(target);
  MemoryCost cost;
  cost.source = "model";
  cost.area_um2 =
      smallest_flip_flop(target) *
      (bit_area * side * side * bits + column_area * (1 + column_per_port * further) * columns +
       base_area * (1 + base_per_port * further));
  cost.access_ns = gate_ns * (base_gates + gates_per_word * words + gates_per_column * columns);
  cost.setup_ns = gate_ns;
  cost.access_pj =
      charge_pj(target) * (base_charges + charges_per_column * columns + charges_per_bit * bits);
  return cost;
}

Macro memory_macro(const MemoryShape& memory, const std::string& cell, const MemoryCost& cost) {
  const auto ports = ports_of(memory);
  std::vector<Arc> arcs;
  if (memory.clocked_reads == 0) {
    arcs.push_back({"RD_ADDR", "RD_DATA", cost.access_ns});
  } else {
    arcs.push_back({"", "RD_DATA", cost.access_ns});
    for (const char* const input : {"RD_ADDR", "RD_EN"}) arcs.push_back({input, "", cost.setup_ns});
  }
  for (const char* const input : {"WR_EN", "WR_ADDR", "WR_DATA"})
    arcs.push_back({input, "", cost.setup_ns});
  return {.cell = cell,
          .module = "$mem_v2",
          .parameters = {{"SIZE", memory.words},
                         {"WIDTH", memory.width},
                         {"RD_PORTS", memory.read_ports},
                         {"WR_PORTS", memory.write_ports}},
          .defaults = {},
          .interface = verilog_interface(cell, ports),
          .liberty = liberty_cell(cell, ports, "WR_CLK", arcs, cost.setup_ns / 2, 0)};
}

}  // namespace weft::synth
