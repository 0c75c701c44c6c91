// SPDX-License-Identifier: Apache-2.0
#include "synth/power/clock_network.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace weft::synth {
namespace {

/// From net to net through the functions of gates.
using Steps = std::vector<std::vector<Net>>;

/// Marks what can be reached from the marked nets.
void spread(const Steps& steps, std::vector<bool>& marked) {
  std::vector<Net> front;
  for (Net net = 0; net < marked.size(); ++net)
    if (marked[net]) front.push_back(net);
  while (!front.empty()) {
    const Net net = front.back();
    front.pop_back();
    for (const Net next : steps[net]) {
      if (marked[next]) continue;
      marked[next] = true;
      front.push_back(next);
    }
  }
}

}  // namespace

std::vector<bool> clock_network(const Netlist& netlist, std::string_view clock) {
  const auto port = netlist.find_input(clock);
  if (!port) throw UserError(fmt::format("the netlist has no clock {}", clock));
  const std::size_t nets = netlist.net_names.size();
  Steps forwards(nets);
  Steps backwards(nets);
  std::vector<bool> from_clock(nets, false);
  std::vector<bool> to_register(nets, false);
  from_clock[netlist.inputs[*port].net] = true;
  for (const NetlistCell& cell : netlist.cells) {
    const PowerCell& type = *cell.type;
    for (std::size_t out = 0; out < type.pins.size(); ++out) {
      if (!type.pins[out].function) continue;
      for (const int pin : type.pins[out].function->support()) {
        if (pin >= type.stored()) continue;
        forwards[cell.nets[static_cast<std::size_t>(pin)]].push_back(cell.nets[out]);
        backwards[cell.nets[out]].push_back(cell.nets[static_cast<std::size_t>(pin)]);
      }
    }
    if (!type.enable) continue;
    for (const int pin : type.enable->support())
      if (pin < type.stored()) to_register[cell.nets[static_cast<std::size_t>(pin)]] = true;
  }
  spread(forwards, from_clock);
  spread(backwards, to_register);
  std::vector<bool> both(nets, false);
  for (Net net = 2; net < nets; ++net) both[net] = from_clock[net] && to_register[net];
  return both;
}

}  // namespace weft::synth
