// SPDX-License-Identifier: Apache-2.0
#include "testbenches/activity/array_activity.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "arch/estimate.h"
#include "arch/workload/mapping.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "testbenches/activity/lane_delay.h"
#include "testbenches/activity/trace_recorder.h"
#include "testbenches/digits/digits_cosim.h"
#include "testbenches/tensor_array/beat_packing.h"
#include "testbenches/tensor_array/dut_ports.h"
#include "testbenches/tensor_array/layer_operands.h"
#include "verif/pin_dut.h"

namespace weft::verif {
namespace {

constexpr std::uint64_t reset_cycles = 2;

/// An array's RTL that computes matrix products while its pins are written down.
class RecordedArray {
 public:
  RecordedArray(const arch::TensorArray& array, const ArrayRtl& rtl, RecordingOptions options)
      : array_(array),
        options_(std::move(options)),
        streams_(describe_array(array, rtl.files, rtl.top, rtl.parameters)),
        pins_(with_plain_pins(streams_)),
        in_layout_(beat_layout(pins_.inputs)),
        out_layout_(beat_layout(pins_.outputs)),
        in_(in_layout_.stride),
        out_(out_layout_.stride + 8),
        packer_(array, streams_),
        recorder_(pins_),
        dut_(build(), pins_) {
    for (const std::size_t source : {stationary_source, moving_source}) {
      source_layouts_[source] = beat_layout(streams_.sources[source]);
      input_delays_.emplace_back();  // valid
      for (const PayloadPort& port : streams_.sources[source].payload)
        input_delays_.emplace_back(port.width, port.lane_delays);
    }
    const StreamPorts& sink = streams_.sinks[0];
    align_valid_ =
        LaneDelay::aligning(static_cast<int>(sink.valid_delays.size()), sink.valid_delays);
    align_data_ = LaneDelay::aligning(sink.payload[0].width, sink.payload[0].lane_delays);
    dut_.reset(reset_cycles, false);
    recorder_.record_reset(reset_cycles);
  }

  /// A x B, computed by the RTL.
  arch::Sums multiply(const arch::Operands& a, const arch::Operands& b) {
    const arch::Gemm gemm{.m = a.rows(), .n = b.cols(), .k = a.cols()};
    const arch::GemmMapping mapping(array_, gemm);
    const std::int64_t tiles = mapping.run().tiles;
    const std::int64_t beats = mapping.run().beats;
    const std::int64_t results = array_.output_stationary() ? array_.rows : beats;  // of a tile
    arch::Sums c(gemm.m, gemm.n);
    std::int64_t packed = 0;
    std::int64_t taken = 0;
    std::int64_t streamed = 0;  // moving beats
    const std::uint64_t patience =
        cycles_ + 1000 + 64 * static_cast<std::uint64_t>(tiles * (beats + array_.rows + 16));
    while (taken < tiles * results) {
      while (packed < tiles && dry()) append(mapping.tile(packed++, a, b));
      const bool moved = cycle();
      align_valid_.pass(std::span(out_).subspan(field(result_valid)));
      align_data_.pass(std::span(out_).subspan(field(result_data)));
      if (moved && !full()) {
        const arch::TileBlock block = mapping.block(streamed / beats);
        useful_ += static_cast<double>(block.m.size() * block.n.size() * block.k.size()) /
                   static_cast<double>(beats);
      }
      streamed += moved ? 1 : 0;
      // Of several bits, one a column, all are those of one result now.
      if ((out_[field(result_valid)] & 1U) != 0) {
        std::vector<std::int64_t> elements(static_cast<std::size_t>(array_.cols));
        unpack_elements(out_.data() + field(result_data), array_.accumulator_width,
                        array_.accumulator_signed(), elements);
        mapping.add_result(taken / results, taken % results, elements, c);
        ++taken;
      }
      if (cycles_ > patience)
        throw ToolError(fmt::format("{}: the RTL does not give its results", array_.name));
    }
    return c;
  }

  /// Whether as many cycles as were asked for are recorded; what follows is not.
  [[nodiscard]] bool full() const {
    return options_.most_cycles > 0 && recorder_.cycles() >= options_.most_cycles + reset_cycles;
  }

  /// What was recorded; `cycles` is how long the whole workload takes, if that wasn't simulated.
  Recording take(std::uint64_t cycles = 0) {
    Recording recording;
    recording.workload_cycles = cycles > 0 ? cycles : cycles_;
    recording.macs = static_cast<std::uint64_t>(std::llround(useful_));
    recording.trace = recorder_.take();
    return recording;
  }

 private:
  // Where with_plain_pins puts them.
  enum Output : std::size_t { stationary_ready, moving_ready, result_valid, result_data };

  std::shared_ptr<const DutLibrary> build() const {
    if (options_.progress) options_.progress(fmt::format("building {}", pins_.top));
    return build_dut(pins_, options_.build).library;
  }

  [[nodiscard]] std::size_t field(Output output) const { return out_layout_.fields[output].offset; }

  [[nodiscard]] bool dry() const {
    return next_[stationary_source] == beats_[stationary_source].count ||
           next_[moving_source] == beats_[moving_source].count;
  }

  void append(const arch::Tile& tile) {
    for (const std::size_t source : {stationary_source, moving_source}) {
      if (next_[source] < beats_[source].count) continue;
      beats_[source].count = next_[source] = 0;
    }
    packer_.append(tile, beats_[stationary_source], beats_[moving_source]);
  }

  /// One clock cycle; true if a moving beat was accepted.
  bool cycle() {
    std::size_t pin = 0;
    for (const std::size_t source : {stationary_source, moving_source}) {
      const BeatLayout& layout = source_layouts_[source];
      const bool valid = next_[source] < beats_[source].count;
      in_[in_layout_.fields[pin++].offset] = valid ? 1 : 0;
      const std::uint8_t* beat = beats_[source].beats.data() + next_[source] * layout.stride;
      for (const FieldLayout& from : layout.fields) {
        const FieldLayout& to = in_layout_.fields[pin++];
        if (valid) std::memcpy(in_.data() + to.offset, beat + from.offset, from.bytes);
      }
    }
    in_[in_layout_.fields[pin].offset] = 1;  // results are always taken
    driven_ = in_;
    for (std::size_t input = 0; input < input_delays_.size(); ++input)
      input_delays_[input].pass(std::span(driven_).subspan(in_layout_.fields[input].offset));
    dut_.cycle(driven_.data(), out_.data());
    if (!full()) recorder_.record(false, driven_.data(), out_.data());
    if (++cycles_ % 16384 == 0) {
      base::check_interrupt();
      if (options_.progress) options_.progress(fmt::format("recording: {} cycles", cycles_));
    }
    bool moved = false;
    for (const std::size_t source : {stationary_source, moving_source}) {
      const Output ready = source == stationary_source ? stationary_ready : moving_ready;
      if (next_[source] == beats_[source].count || out_[field(ready)] == 0) continue;
      ++next_[source];
      moved = source == moving_source;
    }
    return moved;
  }

  arch::TensorArray array_;
  RecordingOptions options_;
  DutDescription streams_;
  DutDescription pins_;
  BeatLayout in_layout_;
  BeatLayout out_layout_;
  std::array<BeatLayout, 2> source_layouts_;
  std::vector<LaneDelay> input_delays_;  ///< by input pin, of the sources
  LaneDelay align_valid_, align_data_;
  std::vector<std::uint8_t> in_;      ///< beats, not skewed
  std::vector<std::uint8_t> driven_;  ///< what stands on the pins
  std::vector<std::uint8_t> out_;
  std::array<SourceBeats, 2> beats_;
  std::array<std::size_t, 2> next_{};
  BeatPacker packer_;
  TraceRecorder recorder_;
  PinDut dut_;
  std::uint64_t cycles_ = 0;
  double useful_ = 0;  ///< multiplications of the workload
};

void require_golden(const arch::TensorArray& array, const arch::Operands& a,
                    const arch::Operands& b, const arch::Sums& c) {
  const arch::Sums golden = arch::golden_gemm(array, a, b);
  for (std::int64_t m = 0; m < c.rows(); ++m)
    for (std::int64_t n = 0; n < c.cols(); ++n)
      if (c(m, n) != golden(m, n))
        throw ToolError(
            fmt::format("{}: the RTL computes {} where {} is right; weft cosim says more",
                        array.name, c(m, n), golden(m, n)));
}

}  // namespace

Recording record_digits(const arch::TensorArray& array, const ArrayRtl& rtl,
                        const std::filesystem::path& folder, const RecordingOptions& options) {
  RecordedArray recorded(array, rtl, options);
  std::uint64_t macs = 0;
  const digits::Classification done =
      digits::classify_digits(array, folder, [&](const arch::Operands& a, const arch::Operands& b) {
        macs += static_cast<std::uint64_t>(a.rows() * a.cols() * b.cols());
        arch::Sums c = recorded.multiply(a, b);
        require_golden(array, a, b, c);
        return c;
      });
  Recording recording = recorded.take();
  recording.workload = fmt::format("digits, {} images", done.images);
  recording.inferences = static_cast<std::uint64_t>(done.images);
  recording.macs_per_inference = macs / recording.inferences;
  return recording;
}

Recording record_workload(const arch::TensorArray& array, const ArrayRtl& rtl,
                          const arch::Workload& workload, const RecordingOptions& options) {
  const arch::Estimate estimate = arch::estimate(array, workload);
  RecordedArray recorded(array, rtl, options);
  for (const arch::Layer& layer : workload.layers) {
    LayerOperands operands(array, layer, options.seed);
    for (std::int64_t index = 0; index < layer.products() && !recorded.full(); ++index) {
      const auto [a, b] = operands(index);
      require_golden(array, a, b, recorded.multiply(a, b));
    }
  }
  const bool whole = !recorded.full();
  Recording recording =
      recorded.take(whole ? 0 : static_cast<std::uint64_t>(estimate.total.cycles.total()));
  recording.workload = fmt::format("{} with random operands", workload.name);
  return recording;
}

}  // namespace weft::verif
