// SPDX-License-Identifier: Apache-2.0
#include "arch/network/warnings.h"

#include <fmt/format.h>

#include "arch/network/link_timing.h"
#include "arch/network/switch_timing.h"

namespace weft::arch {
namespace {

/// A parameter that only matters beside some values of another one.
struct Use {
  std::string parameter;
  Condition beside;
};

Domain word(const std::string& name) { return Choice{{name}, {}}; }

std::vector<Use> uses() {
  const Condition mesh{"routing", Choice{{"dimension_order", "west_first", "odd_even"}, {}}};
  const Condition up_down{"routing", word("up_down")};
  return {
      {"buffer_depth",
       {"organisation",
        Choice{{"virtual_output_queued", "input_queued", "output_queued", "central_buffer"}, {}}}},
      {"credits", {"flow_control", word("credit")}},
      {"separable", {"allocator", word("round_robin")}},
      {"islip_iterations", {"allocator", word("islip")}},
      {"class_priority", {"traffic_classes", IntRange{2, 4}}},
      {"class_weights", {"class_priority", word("weighted")}},
      {"destinations", {"routing", Choice{{"destination_table", "up_down"}, {}}}},
      {"address_width", {"routing", word("address")}},
      {"max_hops", {"routing", word("source")}},
      {"mesh_columns", mesh},
      {"mesh_rows", mesh},
      {"up_ports", up_down},
      {"down_destinations", up_down},
      {"first_destination", up_down},
  };
}

/// What was set and changes nothing.
void warn_of_useless(const Switch& design, std::vector<std::string>& lines) {
  const auto& declared = declaration<Switch>();
  const Values values = declared.values(design);
  for (const auto& [parameter, beside] : uses()) {
    const Value& other = values.at(beside.parameter);
    if (contains(beside.domain, other)) continue;
    Values without = values;
    without.erase(parameter);
    if (declared.build(without) == design) continue;
    lines.push_back(fmt::format("{}: {} means nothing with {}: {}", parameter,
                                to_text(values.at(parameter)), beside.parameter, to_text(other)));
  }
}

}  // namespace

std::vector<std::string> warnings(const Switch& design) {
  std::vector<std::string> lines;
  warn_of_useless(design, lines);
  if (design.flow_control != FlowControl::credit) return lines;
  const SwitchTiming timing(design);
  if (design.credits < timing.credit_round_trip) {
    lines.push_back(fmt::format(
        "credits: {} are fewer than the credit round trip of {} cycles (link_latency {}, pipeline "
        "{}): a VC carries at most {:.2f} flits a cycle; give at least {}",
        design.credits, timing.credit_round_trip, design.link_latency,
        design.pipeline == 1 ? "single_cycle" : fmt::to_string(design.pipeline),
        timing.vc_throughput, timing.credit_round_trip));
  }
  if (design.credits > design.buffer_depth) {
    lines.push_back(fmt::format(
        "credits: {} are more than buffer_depth {}: the next hop cannot be such a switch, whose "
        "queues would overflow",
        design.credits, design.buffer_depth));
  }
  if (design.credits < design.buffer_depth) {
    lines.push_back(fmt::format(
        "buffer_depth: {} is deeper than useful behind such a switch, which has {} credits and "
        "never fills more",
        design.buffer_depth, design.credits));
  }
  return lines;
}

std::vector<std::string> warnings(const Link& link) {
  std::vector<std::string> lines;
  const LinkTiming timing(link);
  const auto too_few = [&](const char* parameter, int found, const char* what, int round_trip) {
    if (found >= round_trip) return;
    lines.push_back(
        fmt::format("{}: {} flits are fewer than the {} of {} frames (channel_latency {}): a VC "
                    "carries at most "
                    "{:.2f} flits a frame; give at least {}",
                    parameter, found, what, round_trip, link.channel_latency,
                    static_cast<double>(found) / round_trip, round_trip));
  };
  too_few("replay_depth", link.replay_depth, "round trip of an acknowledgement",
          timing.replay_round_trip);
  too_few("buffer_depth", link.buffer_depth, "round trip of a credit", timing.credit_round_trip);
  return lines;
}

}  // namespace weft::arch
