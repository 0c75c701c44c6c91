// SPDX-License-Identifier: Apache-2.0
#include "synth/power/slews.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "synth/power/clock_network.h"

namespace weft::synth {
namespace {

/// The slews of an output pin, given those of the inputs.
void drive(const SlewArc& arc, const Edges<double>& from, double load, Edges<double>& to) {
  const auto take = [&](const LookupTable& table, double slew, double& result) {
    if (!table.empty()) result = std::max(result, table.at(slew, load));
  };
  if (arc.same_edge) take(arc.slew.rise, from.rise, to.rise);
  if (arc.opposite_edge && !arc.clocked) take(arc.slew.rise, from.fall, to.rise);
  if (arc.same_edge && !arc.clocked) take(arc.slew.fall, from.fall, to.fall);
  if (arc.opposite_edge) take(arc.slew.fall, from.rise, to.fall);
}

}  // namespace

NetLoads find_loads(const Netlist& netlist, const PowerLibrary& library, std::string_view clock,
                    std::string_view driving_cell, double output_load) {
  NetLoads result;
  const std::size_t nets = netlist.net_names.size();
  result.load.assign(nets, 0);
  result.slew.assign(nets, {});
  result.clock = clock_network(netlist, clock);
  for (const NetlistCell& cell : netlist.cells)
    for (std::size_t pin = 0; pin < cell.nets.size(); ++pin)
      if (cell.type->pins[pin].is_input)
        result.load[cell.nets[pin]] += cell.type->pins[pin].capacitance;
  for (const NetlistPort& port : netlist.outputs) result.load[port.net] += output_load;

  const auto driver = library.cells.find(driving_cell);
  if (driver == library.cells.end())
    throw UserError(fmt::format("driving cell {}: no such cell in {}", driving_cell, library.name));
  for (const NetlistPort& port : netlist.inputs) {
    if (result.clock[port.net] || port.net < 2) continue;
    for (const SlewArc& arc : driver->second.arcs)
      drive(arc, {}, result.load[port.net], result.slew[port.net]);
  }

  // A cell is ready when all inputs that an arc starts at are.
  std::vector<std::vector<std::uint32_t>> users(nets);
  std::vector<std::uint32_t> drivers(nets, 0);
  std::vector<std::uint32_t> waiting(netlist.cells.size(), 0);
  const auto for_pins = [](const NetlistCell& cell, bool outputs, auto&& use) {
    for (std::size_t pin = 0; pin < cell.nets.size(); ++pin) {
      const auto number = static_cast<int>(pin);
      const bool used = std::ranges::any_of(cell.type->arcs, [&](const SlewArc& arc) {
        return (outputs ? arc.to : arc.from) == number;
      });
      if (used) use(cell.nets[pin]);
    }
  };
  for (const NetlistCell& cell : netlist.cells)
    for_pins(cell, true, [&](Net net) { ++drivers[net]; });
  std::vector<std::uint32_t> ready;
  for (std::uint32_t c = 0; c < netlist.cells.size(); ++c) {
    for_pins(netlist.cells[c], false, [&](Net net) {
      if (drivers[net] == 0) return;
      ++waiting[c];
      users[net].push_back(c);
    });
    if (waiting[c] == 0) ready.push_back(c);
  }
  for (std::size_t done = 0; done < ready.size(); ++done) {
    const NetlistCell& cell = netlist.cells[ready[done]];
    for (const SlewArc& arc : cell.type->arcs) {
      const Net to = cell.nets[static_cast<std::size_t>(arc.to)];
      if (result.clock[to]) continue;
      drive(arc, result.slew[cell.nets[static_cast<std::size_t>(arc.from)]], result.load[to],
            result.slew[to]);
    }
    for_pins(cell, true, [&](Net net) {
      for (const std::uint32_t user : users[net])
        if (--waiting[user] == 0) ready.push_back(user);
    });
  }
  return result;
}

}  // namespace weft::synth
