// SPDX-License-Identifier: Apache-2.0
#include "arch/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "arch/timing/schedule.h"
#include "arch/workload/mapping.h"
#include "base/error.h"

namespace weft::arch {
namespace {

constexpr std::int64_t max_slots = std::int64_t{1} << 62;

[[noreturn]] void refuse(const TensorArray& array, const std::string& layer) {
  throw UserError(fmt::format("{}: takes more than 2^62 multiplier cycles on array {} ({} x {})",
                              layer, array.name, array.rows, array.cols));
}

/// What one layer costs, and how many tiles it has.
struct LayerCost {
  Effort effort;
  std::int64_t tiles = 0;
};

/// Nothing if it is too much to count.
std::optional<LayerCost> cost_of(const TensorArray& array, const Schedule& empty, const Gemm& gemm,
                                 std::int64_t products, std::int64_t macs) {
  const ArrayTiming& timing = empty.timing();
  const std::int64_t slots_per_cycle = std::int64_t{array.rows} * array.cols * array.macs_per_pe;

  TileRun run = tile_run(array, gemm);
  // The distance of tiles, with what one tile alone needs, bounds the cycles of each.
  const std::int64_t longest =
      empty.period(run.beats) + timing.load_beats + timing.latency + array.rows;
  if (run.tiles > max_slots / slots_per_cycle / longest / products) return std::nullopt;
  run.tiles *= products;

  const std::int64_t all_cycles = empty.cycles_of(run);
  LayerCost result{{}, run.tiles};
  Effort& effort = result.effort;
  CycleParts& cycles = effort.cycles;
  cycles.compute = run.tiles * run.beats;
  cycles.fill = timing.row_hops + timing.pipeline_stages + 1;
  if (array.output_stationary()) {
    cycles.drain = all_cycles - cycles.compute - cycles.fill;
  } else {
    cycles.drain = timing.col_hops + 1;
    cycles.load = all_cycles - cycles.compute - cycles.fill - cycles.drain;
    if (array.stationary_buffers == 2) {
      // A load starts G cycles behind the first vector of the tile before.
      effort.load_hidden = (run.tiles - 1) * std::clamp<std::int64_t>(run.beats - timing.load_guard,
                                                                      0, timing.load_beats);
    }
  }
  effort.macs = macs;
  effort.edge_slots = cycles.compute * slots_per_cycle - effort.macs;
  effort.idle_slots = (all_cycles - cycles.compute) * slots_per_cycle;
  return result;
}

/// Nothing if the sum is too much to count.
bool add(Effort& total, const Effort& effort) {
  if (effort.slots() > max_slots - total.slots()) return false;
  total += effort;
  return true;
}

nlohmann::ordered_json to_json(const Effort& effort) {
  return {{"total_cycles", effort.cycles.total()},
          {"utilization", effort.utilization()},
          {"macs", effort.macs},
          {"cycles",
           {{"load", effort.cycles.load},
            {"fill", effort.cycles.fill},
            {"compute", effort.cycles.compute},
            {"drain", effort.cycles.drain}}},
          {"load_hidden", effort.load_hidden},
          {"mac_slots",
           {{"useful", effort.macs}, {"edge", effort.edge_slots}, {"idle", effort.idle_slots}}}};
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string effort_columns(const Effort& effort) {
  const CycleParts& cycles = effort.cycles;
  return fmt::format("{:>15} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f}", cycles.total(),
                     100 * effort.utilization(), percent(cycles.load, cycles.total()),
                     percent(cycles.fill, cycles.total()), percent(cycles.compute, cycles.total()),
                     percent(cycles.drain, cycles.total()),
                     percent(effort.edge_slots, effort.slots()));
}

}  // namespace

Effort& Effort::operator+=(const Effort& other) {
  cycles.load += other.cycles.load;
  cycles.fill += other.cycles.fill;
  cycles.compute += other.cycles.compute;
  cycles.drain += other.cycles.drain;
  load_hidden += other.load_hidden;
  macs += other.macs;
  edge_slots += other.edge_slots;
  idle_slots += other.idle_slots;
  return *this;
}

Effort Effort::operator*(std::int64_t times) const {
  return {{cycles.load * times, cycles.fill * times, cycles.compute * times, cycles.drain * times},
          load_hidden * times,
          macs * times,
          edge_slots * times,
          idle_slots * times};
}

Estimate estimate(const TensorArray& array, const Workload& workload) {
  const Schedule empty(array);
  Estimate result{array.name, workload.name, {}, {}};
  result.layers.reserve(workload.layers.size());
  for (const Layer& layer : workload.layers) {
    const auto cost = cost_of(array, empty, layer.gemm(), layer.products(), layer.macs());
    if (!cost) refuse(array, layer.name);
    if (!add(result.total, cost->effort)) refuse(array, "all layers up to " + layer.name);
    result.layers.push_back(
        {layer.name, layer.gemm(), layer.products(), cost->tiles, cost->effort});
  }
  return result;
}

std::vector<LayerShape> layer_shapes(const std::vector<Workload>& workloads) {
  std::vector<LayerShape> shapes;
  for (const Workload& workload : workloads) {
    for (const Layer& layer : workload.layers) {
      const LayerShape shape{layer.gemm(), layer.products(), layer.macs(), 1};
      const auto same = std::ranges::find_if(shapes, [&](const LayerShape& known) {
        return known.gemm == shape.gemm && known.products == shape.products;
      });
      if (same == shapes.end()) {
        shapes.push_back(shape);
      } else {
        ++same->layers;
      }
    }
  }
  return shapes;
}

Effort estimate_total(const TensorArray& array, const std::vector<LayerShape>& shapes) {
  const Schedule empty(array);
  Effort total;
  for (const LayerShape& shape : shapes) {
    const auto cost = cost_of(array, empty, shape.gemm, shape.products, shape.macs);
    if (!cost || cost->effort.slots() > max_slots / shape.layers ||
        !add(total, cost->effort * shape.layers)) {
      refuse(array,
             fmt::format("a layer of {} x {} x {}", shape.gemm.m, shape.gemm.n, shape.gemm.k));
    }
  }
  return total;
}

nlohmann::ordered_json to_json(const Estimate& estimate) {
  nlohmann::ordered_json json{{"array", estimate.array}, {"workload", estimate.workload}};
  json.update(to_json(estimate.total));
  json["layers"] = nlohmann::ordered_json::array();
  for (const LayerEstimate& layer : estimate.layers) {
    nlohmann::ordered_json entry{{"name", layer.name},         {"m", layer.gemm.m},
                                 {"n", layer.gemm.n},          {"k", layer.gemm.k},
                                 {"products", layer.products}, {"tiles", layer.tiles}};
    entry.update(to_json(layer.effort));
    json["layers"].push_back(std::move(entry));
  }
  return json;
}

std::string format_table(const Estimate& estimate) {
  std::size_t width = 5;
  for (const LayerEstimate& layer : estimate.layers) width = std::max(width, layer.name.size());
  std::string table =
      fmt::format("{} on {}: {} MACs\n", estimate.workload, estimate.array, estimate.total.macs);
  table += fmt::format(
      "{:<{}} {:>9} {:>9} {:>9} {:>6} {:>9} {:>15} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n", "layer",
      width, "M", "N", "K", "times", "tiles", "cycles", "util%", "load%", "fill%", "comp%",
      "drain%", "edge%");
  std::int64_t tiles = 0;
  for (const LayerEstimate& layer : estimate.layers) {
    table += fmt::format("{:<{}} {:>9} {:>9} {:>9} {:>6} {:>9} {}\n", layer.name, width,
                         layer.gemm.m, layer.gemm.n, layer.gemm.k, layer.products, layer.tiles,
                         effort_columns(layer.effort));
    tiles += layer.tiles;
  }
  table += fmt::format("{:<{}} {:>9} {:>9} {:>9} {:>6} {:>9} {}\n", "total", width, "", "", "", "",
                       tiles, effort_columns(estimate.total));
  table +=
      "util% useful MACs, edge% MACs on padding, of all that fit in the time; "
      "load% fill% comp% drain%: of the cycles\n";
  return table;
}

}  // namespace weft::arch
