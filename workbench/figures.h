// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "rtl_gen/emit/emission.h"
#include "testbenches/activity/recording.h"
#include "workbench/evaluate.h"

namespace weft::workbench {

/// In place of a figure that a design does not have, such as a latency without a steady state.
constexpr double absent = std::numeric_limits<double>::quiet_NaN();

/// What can be found out about designs of one kind. Figures are in the order of metrics().
class Figurist {
 public:
  virtual ~Figurist() = default;
  /// The figures of a depth; of synthesis those that not all kinds have.
  [[nodiscard]] virtual std::vector<Metric> metrics(Depth depth) const = 0;
  /// The conditions that those figures depend on.
  [[nodiscard]] virtual nlohmann::json relevant(Depth depth) const = 0;

  /// Quick; may keep what designs share between calls.
  virtual void estimate(const arch::Config& config, std::vector<double>& figures) = 0;
  [[nodiscard]] virtual std::vector<double> model(const arch::Config& config) = 0;
  [[nodiscard]] virtual std::vector<double> cosim(const arch::Config& config) = 0;
  /// What the generated Verilog does while its energy is measured.
  [[nodiscard]] virtual std::vector<verif::Recording> record(
      const arch::Config& config, const rtl::Emission& emission,
      const verif::RecordingOptions& options) = 0;
};

/// The kinds. Each throws UserError if the conditions ask for what the kind cannot do.
[[nodiscard]] std::unique_ptr<Figurist> figurist_of(const arch::TensorArray*, const Conditions&);
[[nodiscard]] std::unique_ptr<Figurist> figurist_of(const arch::Switch*, const Conditions&);
[[nodiscard]] std::unique_ptr<Figurist> figurist_of(const arch::Link*, const Conditions&);

/// By the name of the kind. Throws UserError if there is none.
[[nodiscard]] std::unique_ptr<Figurist> make_figurist(std::string_view kind,
                                                      const Conditions& conditions);

/// How the conditions say that a design is built for co-simulation and recordings.
[[nodiscard]] verif::BuildOptions build_options(const Conditions& conditions);

}  // namespace weft::workbench
