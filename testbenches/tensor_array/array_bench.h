// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "arch/tensor_array.h"
#include "arch/traffic.h"
#include "systemc_models/tensor_array_predictor.h"
#include "testbenches/tensor_array/array_scoreboard.h"
#include "testbenches/tensor_array/beat_packing.h"
#include "testbenches/tensor_array/stimuli.h"
#include "verif/dut.h"

namespace weft::verif {

/// Runs experiments on an array's RTL and its model side by side.
class ArrayBench {
 public:
  /// `dut` is the description from which `library` was built (describe_array).
  ArrayBench(const arch::TensorArray& array, const DutDescription& dut,
             std::shared_ptr<const DutLibrary> library, std::uint64_t seed);

  /// A whole experiment from reset on: what both do is compared.
  void run(const Scenario& scenario);

  /// Gives the next tile, or false when there are no more.
  using NextTile = std::function<bool(arch::Tile&)>;
  /// Sees the results (array_.cols elements each) in order, as the RTL gave them.
  using TakeResult = std::function<void(std::span<const std::int64_t>)>;

  /// Streams tiles without pauses or back pressure from reset on, any number of them in bounded
  /// memory. Returns the clock cycles up to and including the last result, those of the model;
  /// unless the scoreboard has a mismatch they are the RTL's too.
  std::uint64_t stream(const NextTile& next_tile, const TakeResult& take_result);

  /// Writes a waveform of everything that follows.
  void trace(const std::filesystem::path& path) { dut_.trace(path); }

  [[nodiscard]] const ArrayScoreboard& scoreboard() const { return scoreboard_; }
  /// What was predicted for the scenario that run() ran last.
  [[nodiscard]] const models::Prediction& prediction() const { return expectation_->prediction; }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }  ///< clock cycles simulated
  [[nodiscard]] std::uint64_t macs() const { return macs_; }      ///< of the vectors accepted

 private:
  /// Tiles on their way into the array.
  struct Chunk {
    std::array<SourceBeats, 2> beats;
    bool last = false;      ///< no more will follow
    std::uint64_t end = 0;  ///< clock cycles up to its last result
  };

  void run_until(std::uint64_t cycle);
  void account_accepted(std::size_t source);
  void take_results(const TakeResult& take_result);
  std::unique_ptr<Chunk> next_chunk(const NextTile& next_tile, std::uint64_t& first_tile);

  arch::TensorArray array_;
  Dut dut_;
  models::TensorArrayPredictor predictor_;
  BeatPacker packer_;
  ArrayScoreboard scoreboard_;
  Expectation* expectation_ = nullptr;
  std::vector<SourceBeats> sources_;
  std::vector<std::vector<std::uint8_t>> ready_;
  std::vector<std::int64_t> elements_;
  std::size_t result_stride_;
  std::uint64_t settle_;  ///< clock cycles to watch after the last expected result
  std::uint64_t cycles_ = 0;
  std::uint64_t macs_ = 0;
};

}  // namespace weft::verif
