// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arch/config.h"
#include "arch/workload/layer.h"

namespace weft::workbench {

/// How deeply a design is evaluated, from quick to true. Each gives results of its own.
enum class Depth {
  estimate,  ///< closed forms of the timing contract
  model,     ///< the cycle-exact model runs
  synth,     ///< generated, synthesised, timed; energy if asked for
  cosim,     ///< RTL and model compared bit for bit, cycle for cycle
};
constexpr std::array all_depths{Depth::estimate, Depth::model, Depth::synth, Depth::cosim};

[[nodiscard]] std::string_view name_of(Depth depth);
/// Throws UserError with the legal words.
[[nodiscard]] Depth parse_depth(std::string_view word);

/// A figure that evaluation gives.
struct Metric {
  std::string name;  ///< snake case, unique within a kind: "area_um2"
  std::string unit;  ///< "um2"; empty: none
  std::string doc;   ///< one line
  Depth depth;       ///< that gives it
};

/// Under what conditions designs are evaluated: the same for all points of a sweep.
struct Conditions {
  std::vector<arch::Workload> workloads;  ///< for kinds that take them; figures are sums over all
  std::string traffic = "uniform";        ///< for kinds that take traffic
  std::string packet = "1";
  double load = 0.5;
  double bit_error_rate = 0;  ///< of the wires, for kinds that have wires
  std::string target = "osu018";
  std::vector<std::string> dont_use;
  std::string recipe = "balanced";
  double clock_ns = 5;
  /// Also simulate the netlist under the workloads (none: the digits) or the traffic; the design is
  /// then synthesised flat.
  bool energy = false;
  std::uint64_t transactions = 100;
  std::uint64_t seed = 1;
  std::filesystem::path cache;  ///< of built designs and syntheses; empty: the usual one
};

/// The figures that designs of a kind have at a depth, in the order of tables; none: the kind
/// cannot be evaluated at that depth under these conditions. Throws UserError if the kind takes no
/// workloads and some are given.
[[nodiscard]] std::vector<Metric> metrics(std::string_view kind, Depth depth,
                                          const Conditions& conditions);

/// Figures by name: those of metrics(), but for what a design does not have (a latency without a
/// steady state).
using Figures = std::map<std::string, double, std::less<>>;

/// Evaluates many designs in closed form, quickly: what can be shared between designs (shapes of
/// layers) is prepared once. Not for use by several threads at once; each has its own.
class Estimator {
 public:
  Estimator(std::string_view kind, const Conditions& conditions);
  ~Estimator();
  /// In the order of metrics(kind, Depth::estimate, conditions); NaN for what a design does not
  /// have.
  /// @throws UserError for a design that cannot run the workload, with the reason.
  void estimate(const arch::Config& config, std::vector<double>& figures);

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

/// Evaluates one design at one depth. Files go to `directory`, which is made.
/// @throws UserError for a design that cannot be evaluated so; ToolError when a tool fails, with
/// its log in `directory`. A co-simulation that finds a mismatch is a result (`mismatches` > 0).
[[nodiscard]] Figures evaluate(const arch::Config& config, Depth depth,
                               const Conditions& conditions,
                               const std::filesystem::path& directory);

/// SHA-256 of all that the figures of a design at a depth depend on: configuration, conditions,
/// contents of libraries and workloads, versions of weft and of the tools.
[[nodiscard]] std::string evaluation_key(const arch::Config& config, Depth depth,
                                         const Conditions& conditions);

}  // namespace weft::workbench
