// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "systemc_models/switch/bits.h"
#include "systemc_models/switch/data_path.h"

namespace weft::models {

/// What the unit for collectives keeps from the allocation of a cycle.
template <class Mask>
struct Reserved {
  Mask inputs = 0;        ///< take no part
  Mask outputs = 0;       ///< take no part
  Mask held_outputs = 0;  ///< take no new packets in the VC below
  int vc = 0;

  [[nodiscard]] bool empty() const { return (inputs | outputs | held_outputs) == 0; }
};

/// The requests of a cycle (docs/switch.md, "Allocation", steps 1 to 3).
template <class Mask>
class RequestFilter {
 public:
  explicit RequestFilter(const arch::Switch& design)
      : classes_(design.traffic_classes),
        speculative_(design.speculative_allocation),
        one_an_input_(design.organisation != arch::Organisation::output_queued &&
                      design.organisation != arch::Organisation::central_buffer),
        requests_(as_index(design.ports)),
        vcs_(requests_.size()) {}

  /// [output]: inputs with a remaining request for it; only those of outputs() count.
  [[nodiscard]] std::span<const Mask> requests() const { return requests_; }
  /// Outputs with a remaining request.
  [[nodiscard]] Mask outputs() const { return outputs_; }
  /// Outputs that can serve one of the requests that remain after classes and packets under way to
  /// them: all without speculation.
  [[nodiscard]] Mask usable() const { return usable_; }
  /// Whether the requests for an output are those of packets under way.
  [[nodiscard]] bool continuing(int output) const { return (continuing_ & bit<Mask>(output)) != 0; }
  /// VCs with remaining requests for an output: of the output if continuing, else of the inputs.
  [[nodiscard]] VcMask vcs(int output) const { return vcs_[as_index(output)]; }

  template <class Path>
  void collect(const Path& path, const Reserved<Mask>& reserved) {
    const OutputSide& side = path.side;
    outputs_ = path.asked() & ~reserved.outputs;
    continuing_ = 0;
    usable_ = ~Mask{0};
    std::array<Mask, most_classes> busy{};  // [class]: inputs with a continuing request
    for_each_bit(outputs_, [&](int o) {
      VcMask continuing = path.continuing_vcs(o) & side.vcs(o).credit;
      VcMask heads = path.head_vcs(o);
      if (!speculative_) heads &= side.open_to_heads(o);
      if (!reserved.empty()) restrict(path, reserved, o, continuing, heads);
      if ((continuing | heads) == 0) {
        outputs_ &= ~bit<Mask>(o);
        return;
      }
      if (classes_ > 1) {
        const VcMask urgent = side.most_urgent(o, continuing | heads);
        continuing &= urgent;
        heads &= urgent;
      }
      Mask inputs = 0;
      if (continuing != 0) {
        continuing_ |= bit<Mask>(o);
        for_each_bit(continuing, [&](int w) { inputs |= bit<Mask>(side.holder(o, w).input); });
        busy[as_index(side.class_of(lowest(continuing)))] |= inputs;
      } else {
        for_each_bit(heads, [&](int v) { inputs |= path.heads(o, v); });
        inputs &= ~reserved.inputs;
        if (speculative_ && (heads & side.open_to_heads(o)) == 0) usable_ &= ~bit<Mask>(o);
      }
      requests_[as_index(o)] = inputs;
      vcs_[as_index(o)] = continuing != 0 ? continuing : heads;
    });
    if (one_an_input_ && continuing_ != 0) drop_heads_behind(side, busy);
  }

 private:
  static constexpr std::size_t most_classes = 4;

  // Heads step back when their input has a packet under way of their class or a more urgent one.
  void drop_heads_behind(const OutputSide& side, std::array<Mask, most_classes> busy) {
    for (std::size_t c = 1; c < busy.size(); ++c) busy[c] |= busy[c - 1];
    for_each_bit(static_cast<Mask>(outputs_ & ~continuing_), [&](int o) {
      Mask& inputs = requests_[as_index(o)];
      inputs &= ~busy[as_index(side.class_of(lowest(vcs(o))))];
      if (inputs == 0) outputs_ &= ~bit<Mask>(o);
    });
  }

  template <class Path>
  static void restrict(const Path& path, const Reserved<Mask>& reserved, int o, VcMask& continuing,
                       VcMask& heads) {
    if ((reserved.held_outputs & bit<Mask>(o)) != 0) heads &= ~bit<VcMask>(reserved.vc);
    for_each_bit(continuing, [&](int w) {
      if ((reserved.inputs & bit<Mask>(path.side.holder(o, w).input)) != 0) {
        continuing &= ~bit<VcMask>(w);
      }
    });
    for_each_bit(heads, [&](int v) {
      if ((path.heads(o, v) & ~reserved.inputs) == 0) heads &= ~bit<VcMask>(v);
    });
  }

  int classes_;
  bool speculative_;
  bool one_an_input_;
  Mask outputs_ = 0;
  Mask continuing_ = 0;  // outputs
  Mask usable_ = 0;
  std::vector<Mask> requests_;
  std::vector<VcMask> vcs_;
};

}  // namespace weft::models
