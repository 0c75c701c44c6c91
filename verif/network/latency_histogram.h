// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::verif {

/// How often each latency occurred, in cycles.
class LatencyHistogram {
 public:
  void add(std::uint64_t latency) {
    sum_ += latency;
    ++count_;
    const std::size_t bin = std::min<std::uint64_t>(latency, longest_bin);
    if (bin >= bins_.size()) bins_.resize(bin + 1);
    ++bins_[bin];
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// 0 if there are none.
  [[nodiscard]] double mean() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  /// The smallest latency that a share `quantile` of all do not exceed; 0 if there are none.
  [[nodiscard]] std::uint64_t percentile(double quantile) const {
    const auto wanted =
        static_cast<std::uint64_t>(std::ceil(quantile * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
      seen += bins_[bin];
      if (seen >= wanted) return bin;
    }
    return 0;
  }

 private:
  /// Longer ones count as that long in percentiles; they occur only beyond saturation.
  static constexpr std::uint64_t longest_bin = 1 << 20;

  std::vector<std::uint64_t> bins_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace weft::verif
