// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/pin_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

namespace weft::verif {
namespace {

std::string hex(std::span<const std::uint64_t> words) {
  std::string text = "0x";
  for (std::size_t w = words.size(); w-- > 0;) text += fmt::format("{:016x}", words[w]);
  return text;
}

PinMismatch queue_mismatch(const arch::Switch& design, std::size_t port,
                           std::span<const std::uint64_t> expected,
                           std::span<const std::uint64_t> got) {
  std::size_t word = 0;
  while (expected[word] == got[word]) ++word;
  const int bit = std::countr_zero(expected[word] ^ got[word]);
  return {true, fmt::format(
                    "{}, input {}, queue {}: expected {}, got {}",
                    design.flow_control == arch::FlowControl::credit ? "in_credit_o" : "in_ready_o",
                    port, static_cast<int>(word) * 64 + bit, expected[word] >> bit & 1U,
                    got[word] >> bit & 1U)};
}

}  // namespace

std::optional<PinMismatch> compare_pins(const arch::Switch& design, const arch::PinLayout& layout,
                                        const arch::SwitchOutputs& expected,
                                        const arch::SwitchOutputs& got) {
  const auto flit_words = static_cast<std::size_t>(layout.flit_words);
  const auto queue_words = static_cast<std::size_t>(layout.queue_words);
  for (std::size_t p = 0; p < expected.valid.size(); ++p) {
    if ((expected.valid[p] != 0) != (got.valid[p] != 0)) {
      return PinMismatch{true, fmt::format("out_valid_o of output {}: expected {}, got {}", p,
                                           expected.valid[p], got.valid[p])};
    }
    const std::span<const std::uint64_t> queue{&expected.queue[p * queue_words], queue_words};
    const std::span<const std::uint64_t> got_queue{&got.queue[p * queue_words], queue_words};
    if (!std::equal(queue.begin(), queue.end(), got_queue.begin())) {
      return queue_mismatch(design, p, queue, got_queue);
    }
    if (expected.valid[p] == 0) continue;
    const auto differs = [&](const char* pin, const std::vector<std::uint8_t>& right,
                             const std::vector<std::uint8_t>& wrong) -> std::optional<PinMismatch> {
      if (right[p] == wrong[p]) return std::nullopt;
      return PinMismatch{
          false, fmt::format("{} of output {}: expected {}, got {}", pin, p, right[p], wrong[p])};
    };
    if (auto found = differs("out_head_o", expected.head, got.head)) return found;
    if (auto found = differs("out_tail_o", expected.tail, got.tail)) return found;
    if (layout.virtual_channels > 1) {
      if (auto found = differs("out_vc_o", expected.vc, got.vc)) return found;
    }
    const std::span<const std::uint64_t> flit{&expected.flit[p * flit_words], flit_words};
    const std::span<const std::uint64_t> got_flit{&got.flit[p * flit_words], flit_words};
    if (!std::equal(flit.begin(), flit.end(), got_flit.begin())) {
      return PinMismatch{false, fmt::format("out_flit_o of output {}: expected {}, got {}", p,
                                            hex(flit), hex(got_flit))};
    }
  }
  return std::nullopt;
}

}  // namespace weft::verif
