// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch_pins.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/switch/allocator.h"
#include "systemc_models/switch/collectives.h"
#include "systemc_models/switch/cycle_switch.h"
#include "systemc_models/switch/data_path.h"
#include "systemc_models/switch/head_reader.h"
#include "systemc_models/switch/queue_pointers.h"
#include "systemc_models/switch/request_filter.h"
#include "systemc_models/switch/waiting.h"

namespace weft::models {

class CycleSwitch::Core {
 public:
  virtual ~Core() = default;

  virtual void reset() = 0;
  virtual void set_position(arch::Position position) = 0;
  virtual const arch::SwitchOutputs& cycle(const arch::SwitchInputs& inputs) = 0;
  [[nodiscard]] virtual int occupied(int input, int queue) const = 0;
  [[nodiscard]] virtual int owed_credits(int input, int queue) const = 0;
  [[nodiscard]] virtual int credits(int output, int vc) const = 0;
  [[nodiscard]] virtual int leaving(int output, int vc) const = 0;
  [[nodiscard]] virtual std::vector<Waiting> waiting() const = 0;
};

/// The switch for masks that have a bit for each port, with one kind of flow control.
template <class Mask, class Pins>
class SwitchCore : public CycleSwitch::Core {
 public:
  SwitchCore(const arch::Switch& design, Pins pins)
      : design_(design),
        layout_(design),
        crossbar_(design.organisation == arch::Organisation::crossbar),
        adaptive_(design.adaptive()),
        delayed_(arch::SwitchTiming(design).input_stages != 0),
        vcs_(design.virtual_channels),
        reader_(design),
        path_(design, arch::SwitchTiming(design), layout_.queues, std::move(pins)),
        filter_(design),
        allocator_(make_allocator<Mask>(design)),
        matching_(as_index(design.ports)),
        pointers_(design),
        entering_(as_index(design.ports * vcs_)),
        delayed_flits_(delayed_ ? as_index(design.ports) : 0) {
    if (design.collectives()) collectives_.emplace(design, reader_);
    reset();
  }

  void reset() override {
    path_.reset();
    allocator_->reset();
    pointers_.reset();
    if (collectives_) collectives_->reset();
    delayed_inputs_ = 0;
  }

  void set_position(arch::Position position) override { reader_.set_position(position); }

  const arch::SwitchOutputs& cycle(const arch::SwitchInputs& inputs) override {
    path_.pins.begin();
    if (adaptive_) remember_credits();
    if (crossbar_) enter(inputs);

    const Reserved<Mask> reserved = collectives_ ? collectives_->cycle(path_) : Reserved<Mask>{};
    filter_.collect(path_, reserved);
    matching_.clear();
    allocator_->match(filter_.requests(), filter_.outputs(), filter_.usable(), matching_);
    for (const Grant& grant : matching_.grants()) serve(grant);

    path_.give_owed_credits();
    path_.pins.returned(inputs, [this](int o, int w) { path_.side.return_credit(o, w); });
    if (crossbar_) {
      withdraw_all();
    } else {
      link_delayed();
      enter(inputs);
    }
    return path_.pins.current();
  }

  [[nodiscard]] int occupied(int input, int queue) const override {
    return path_.occupied(input, queue);
  }
  [[nodiscard]] int owed_credits(int input, int queue) const override {
    return path_.owed(input, queue) + path_.pins.credits_under_way(input, queue);
  }
  [[nodiscard]] int credits(int output, int vc) const override {
    return path_.side.credits(output, vc);
  }
  [[nodiscard]] int leaving(int output, int vc) const override {
    return path_.pins.under_way(output, vc) + (collectives_ ? collectives_->taken(output, vc) : 0);
  }
  [[nodiscard]] std::vector<Waiting> waiting() const override {
    const auto* unit = collectives_ ? &*collectives_ : nullptr;
    return WaitSurvey<Mask, Path, Unit>(design_, path_, unit).all();
  }

 private:
  using Path = DataPath<Mask, Pins>;
  using Unit = Collectives<Mask, Path>;

  // The packet that enters by an (input, VC).
  struct Entering {
    HeadReader::Head head;
    int queue = 0;  // on the pins
    int list = 0;   // from the cycle on in which its head is put there
  };

  // --- Entering

  void enter(const arch::SwitchInputs& inputs) {
    for_each_set(inputs.valid, [&](int i) { enter(inputs, i); });
  }

  void enter(const arch::SwitchInputs& inputs, int i) {
    const auto input = as_index(i);
    const auto words = as_index(layout_.flit_words);
    const std::span<const std::uint64_t> flit{&inputs.flit[input * words], words};
    const int vc = vcs_ == 1 ? 0 : inputs.vc[input];
    Entering& packet = entering_[as_index(i * vcs_ + vc)];
    const bool head = inputs.head[input] != 0;
    if (head) {
      packet.head = reader_.read(flit, i);
      const int list = path_.list(i, packet.head.outputs.first, vc, packet.head.collective());
      packet.queue = path_.queue(i, list);
    }
    if constexpr (Pins::ready_valid) {
      if (!crossbar_ && !path_.pins.takes(i, packet.queue)) return;
    }
    path_.occupy(i, packet.queue);

    FlitStore& store = path_.store();
    const std::uint32_t slot = store.allocate();
    copy_flit(store.words(slot), flit.data(), words);
    if (head) reader_.forward({store.words(slot), words});
    FlitTag tag;
    tag.vc = static_cast<std::uint8_t>(vc);
    tag.op = static_cast<std::uint8_t>(packet.head.op);
    tag.head = head;
    tag.tail = inputs.tail[input] != 0;
    store.tag(slot) = tag;
    if (delayed_) {
      delayed_flits_[input] = slot;
      delayed_inputs_ |= bit<Mask>(i);
    } else {
      link(i, slot);
    }
  }

  void link_delayed() {
    for_each_bit(delayed_inputs_, [this](int i) { link(i, delayed_flits_[as_index(i)]); });
    delayed_inputs_ = 0;
  }

  // Puts a flit into its queue; a head with a choice makes it now.
  void link(int i, std::uint32_t slot) {
    FlitTag& tag = path_.store().tag(slot);
    Entering& packet = entering_[as_index(i * vcs_ + tag.vc)];
    if (tag.head) {
      const int output = choose(packet.head.outputs, tag.vc);
      tag.output = static_cast<std::uint8_t>(output);
      packet.list = path_.list(i, output, tag.vc, !tag.unicast());
    }
    path_.append(i, packet.list, slot);
  }

  // Adaptive routing looks at the credits of the beginning of the cycle.
  void remember_credits() {
    credits_before_.clear();
    for (int o = 0; o < layout_.ports; ++o) {
      for (int w = 0; w < vcs_; ++w) credits_before_.push_back(path_.side.credits(o, w));
    }
  }

  [[nodiscard]] int choose(const arch::OutputChoice& outputs, int vc) const {
    if (outputs.second < 0) return outputs.first;
    const auto credits = [&](int o) { return credits_before_[as_index(o * vcs_ + vc)]; };
    return credits(outputs.second) > credits(outputs.first) ? outputs.second : outputs.first;
  }

  // --- Leaving

  void serve(const Grant& grant) {
    const int i = grant.input;
    const int o = grant.output;
    const VcMask vcs = filter_.vcs(o);
    if (filter_.continuing(o)) {
      const Holder& holder = vcs_ == 1 ? path_.side.holder(o, 0) : next_holder(i, o, vcs);
      const int vc = holder.vc;
      const int list = holder.list;
      path_.depart(i, list, path_.packet(list));
      path_.side.served(o, path_.side.class_of(vc));
      return;
    }
    int vc = 0;
    if (vcs_ != 1) {
      VcMask waiting = 0;
      for_each_bit(vcs & path_.side.open_to_heads(o), [&](int v) {
        if ((path_.heads(o, v) & bit<Mask>(i)) != 0) waiting |= bit<VcMask>(v);
      });
      if (waiting == 0) return;  // speculation that failed
      vc = pointers_.choose(i, o, waiting);
    }
    const int output_vc = path_.side.vc_for_head(o, vc);
    if (output_vc < 0) return;  // speculation that failed
    path_.depart(i, path_.list(i, o, vc, false), {o, output_vc});
    path_.side.served(o, path_.side.class_of(vc));
  }

  // Of the packets of an input under way to an output, the one to go on.
  const Holder& next_holder(int i, int o, VcMask output_vcs) {
    std::array<int, 8 * sizeof(VcMask)> output_vc{};
    VcMask waiting = 0;
    for_each_bit(output_vcs, [&](int w) {
      const Holder& holder = path_.side.holder(o, w);
      if (holder.input != i) return;
      waiting |= bit<VcMask>(holder.vc);
      output_vc[as_index(holder.vc)] = w;
    });
    return path_.side.holder(o, output_vc[as_index(pointers_.choose(i, o, waiting))]);
  }

  // In a crossbar, flits that were not taken stay outside.
  void withdraw_all() {
    for (int i = 0; i < layout_.ports; ++i) {
      if (!path_.flits(i).empty()) path_.store().release(path_.withdraw(i, i));
    }
  }

  arch::Switch design_;
  arch::PinLayout layout_;
  bool crossbar_;
  bool adaptive_;
  bool delayed_;  // D_in is 1
  int vcs_;
  HeadReader reader_;
  Path path_;
  RequestFilter<Mask> filter_;
  std::unique_ptr<Allocator<Mask>> allocator_;
  Matching matching_;
  QueuePointers pointers_;
  std::optional<Unit> collectives_;
  std::vector<Entering> entering_;  // [input][vc]
  Mask delayed_inputs_ = 0;         // with a flit in the first stage
  std::vector<std::uint32_t> delayed_flits_;
  std::vector<int> credits_before_;  // [output][vc], adaptive routing only
};

}  // namespace weft::models
