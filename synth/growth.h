// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "synth/hierarchy.h"

namespace weft::synth {

/// Sizes by parameter.
using Sizes = std::map<std::string, std::int64_t>;

/// How the figures of a block follow from those of smaller ones of the same module.
///
/// Each parameter that exceeds the last sample of its law is replaced by the samples; all
/// combinations are measured. The figure at the real size is the polynomial through them, a product
/// of one Lagrange basis a parameter: exact if the hardware consists of corners, edges and an
/// interior that repeat.
class Extension {
 public:
  /// For a block of a module with these laws, at these parameters. Samples above `largest` are
  /// lowered to it, as far as the others let them; 0: none are.
  Extension(const std::vector<GrowthLaw>& laws, const Sizes& parameters, std::int64_t largest = 0);

  /// Whether there is anything to extend. If not, the block is measured as it is.
  [[nodiscard]] bool needed() const { return !axes_.empty(); }
  /// The parameters of the blocks to measure, all of them; the last is the biggest.
  [[nodiscard]] const std::vector<Sizes>& samples() const { return samples_; }
  /// A block between the samples: measured too, it tells how good the polynomial is.
  [[nodiscard]] const Sizes& held_out() const { return held_out_; }
  /// The samples' shares in a figure at `sizes`: what each of its own is multiplied with; sizes
  /// that were not extended are not looked at.
  [[nodiscard]] std::vector<double> weights(const Sizes& sizes) const;
  /// What the samples' figures (in the order of samples()) give at `sizes`.
  [[nodiscard]] double at(const Sizes& sizes, const std::vector<double>& figures) const;
  /// "ROWS = 2, 8; COLS = 2, 8".
  [[nodiscard]] std::string describe() const;

 private:
  struct Axis {
    std::string parameter;
    std::vector<std::int64_t> sizes;
  };
  std::vector<Axis> axes_;
  std::vector<Sizes> samples_;
  Sizes held_out_;
};

}  // namespace weft::synth
