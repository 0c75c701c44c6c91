// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arch/tensor_array.h"
#include "arch/workload/layer.h"

/// Closed-form performance of a workload on a tensor array: exact array cycles by the timing
/// contract, without simulating anything.
namespace weft::arch {

/// Where the array cycles go. Each cycle counts once:
struct CycleParts {
  std::int64_t load = 0;     ///< nothing streams because the stationary tile is not there yet
  std::int64_t fill = 0;     ///< the first beat travels down to the last row: HR + S + 1
  std::int64_t compute = 0;  ///< a moving vector or step is accepted
  std::int64_t drain = 0;    ///< the last result travels out (HC + 1); output stationary: also all
                             ///< waiting for results to shift out, and for reset to clear the sums

  [[nodiscard]] std::int64_t total() const { return load + fill + compute + drain; }
  bool operator==(const CycleParts&) const = default;
};

/// Cycles and multiplications of one layer, or of all of them.
struct Effort {
  CycleParts cycles;  ///< cycles.total() array cycles
  std::int64_t load_hidden =
      0;                  ///< load beats that cost nothing: a vector streams in the same cycle
  std::int64_t macs = 0;  ///< multiply-accumulates that the layer asks for
  std::int64_t edge_slots =
      0;  ///< MACs done on padding while computing: tiles larger than the matrix
  std::int64_t idle_slots = 0;  ///< MACs that could be done in the cycles that do not compute

  /// MACs that the array could have done in that time: cycles * ROWS * COLS * MACS.
  [[nodiscard]] std::int64_t slots() const { return macs + edge_slots + idle_slots; }
  /// macs / slots().
  [[nodiscard]] double utilization() const {
    return slots() == 0 ? 0 : static_cast<double>(macs) / static_cast<double>(slots());
  }
  Effort& operator+=(const Effort& other);
  Effort operator*(std::int64_t times) const;
};

/// Layers of one shape: what they cost is the same for each.
struct LayerShape {
  Gemm gemm;
  std::int64_t products = 1;
  std::int64_t macs = 0;  ///< of one layer
  std::int64_t layers = 1;
};

/// The shapes of some workloads, in order of first occurrence.
[[nodiscard]] std::vector<LayerShape> layer_shapes(const std::vector<Workload>& workloads);

/// The sum of estimate().total over the workloads that have these shapes, for sweeps: without names
/// and layers.
/// @throws UserError as estimate() does.
[[nodiscard]] Effort estimate_total(const TensorArray& array,
                                    const std::vector<LayerShape>& shapes);

struct LayerEstimate {
  std::string name;
  Gemm gemm;                  ///< one product
  std::int64_t products = 1;  ///< how many of them
  std::int64_t tiles = 0;     ///< of all products, back to back
  Effort effort;
};

struct Estimate {
  std::string array;     ///< name of the configuration
  std::string workload;  ///< name of the workload
  std::vector<LayerEstimate> layers;
  Effort total;
};

/// Estimates every layer as if it started in array cycle 0 after reset and ended with the cycle in
/// which its last result is delivered, both streams always offering and results always taken; the
/// layers run one after the other.
/// @throws UserError when a count would not fit in 62 bits.
[[nodiscard]] Estimate estimate(const TensorArray& array, const Workload& workload);

/// {array, workload, total_cycles, utilization, macs, cycles{...}, ..., layers[...]}; a layer has
/// the same counts as the total. docs/workloads.md lists the members.
[[nodiscard]] nlohmann::ordered_json to_json(const Estimate& estimate);

/// A table for people: one line a layer and a total, percentages of the layer's MAC slots or
/// cycles.
[[nodiscard]] std::string format_table(const Estimate& estimate);

}  // namespace weft::arch
