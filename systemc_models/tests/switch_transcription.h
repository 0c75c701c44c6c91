// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "arch/network/header.h"
#include "arch/network/routing.h"
#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "arch/network/switch_timing.h"

namespace weft::models::testing {

/// Step 4 of "Allocation": [input][output] requests to pairs (input, output), loops over
/// everything.
class MatchingTranscription {
 public:
  explicit MatchingTranscription(const arch::Switch& design);

  using Requests = std::vector<std::vector<bool>>;
  using Pairs = std::vector<std::pair<int, int>>;
  /// `usable`[o]: output o can serve one of its requests.
  Pairs match(const Requests& requests, const std::vector<bool>& usable);

 private:
  Pairs input_first(const Requests& requests);
  Pairs offers(const Requests& requests, int iterations, bool least_recent);
  Pairs wavefront(const Requests& requests);
  void move_diagonal(const Requests& requests);
  Pairs outputs_alone(const Requests& requests);
  int input_for(int output, const std::vector<bool>& candidates, bool least_recent) const;
  int output_for(int input, const std::vector<bool>& candidates, bool least_recent) const;

  arch::Switch design_;
  std::vector<bool> usable_;
  std::vector<int> a_, n_, g_;
  int d_ = 0;
  int turns_ = 0;
  std::vector<std::vector<int>> inputs_of_, outputs_of_;  // least recently served first
};

/// docs/switch.md sentence by sentence, with containers and loops and without any care for speed.
/// CycleSwitch is proven equal to it.
class SwitchTranscription : public arch::SwitchSimulation {
 public:
  explicit SwitchTranscription(const arch::Switch& design);

  void reset() override;
  void set_position(int x, int y) override { position_ = {x, y}; }
  const arch::SwitchOutputs& cycle(const arch::SwitchInputs& inputs) override;

 private:
  struct Flit {
    bool head = false;
    bool tail = false;
    int vc = 0;
    std::vector<std::uint64_t> bits;
    arch::PacketOp op = arch::PacketOp::unicast;  // of its packet
    int output = 0;                               // of its packet, unicast
  };
  struct Hold {
    int output = 0;
    int vc = 0;
  };
  struct Queue {
    std::deque<Flit> flits;
    std::optional<Hold> holds;  // what its packet under way holds
  };
  struct Request {
    int input, queue, output, vc;
    bool continuing;
    std::optional<int> out_vc;
  };
  struct Arrival {
    std::uint64_t cycle;  // in which it is written to its queue
    int input;
    Flit flit;
    arch::OutputChoice choice;
  };
  struct Departure {
    std::uint64_t cycle;  // from which it stands on the output port
    int vc;
    Flit flit;
  };
  struct Sending {
    int index, queue, vc;
    arch::PortSet mask;
    bool started;
  };
  struct Reduction {
    int reference;
    arch::PacketOp op;
    arch::PortSet members;
    std::map<int, int> queues;
  };

  struct Result {
    std::uint64_t from;  // the cycle from which it is in the FIFO
    Flit flit;
  };

  // One cycle, in the order of the page; `old` state is what it began with.
  void show();
  void allocate(const std::vector<Request>& requests);
  std::vector<Request> requests();
  void collectives();
  void take_for_reduction();
  int tree_registers() const;
  void enter(const arch::SwitchInputs& inputs, int input);
  void write(Arrival arrival);
  Flit take(int input, int queue);
  void put_out(int output, int vc, const Flit& flit);
  void take_vc(int output, int vc, const Flit& flit);
  void show_later(int output, int vc, const Flit& flit);
  std::optional<int> vc_for_head(const Flit& head) const;
  arch::PortSet mask_of(const Flit& head) const {
    return arch::read_header(design_, head.bits).mask;
  }
  std::optional<int> candidate(int input, bool multicast) const;
  int class_of(int vc) const { return vc / (design_.virtual_channels / design_.traffic_classes); }
  bool one_an_input() const {
    return design_.organisation != arch::Organisation::output_queued &&
           design_.organisation != arch::Organisation::central_buffer;
  }
  int list_of(const Flit& flit) const;
  int pin_queue(const Flit& flit) const;

  arch::Switch design_;
  arch::SwitchTiming timing_;
  arch::PinLayout layout_;
  arch::Position position_;
  arch::SwitchOutputs pins_;
  std::uint64_t t_ = 0;
  std::vector<bool> usable_;  // outputs, in this cycle
  std::unique_ptr<MatchingTranscription> matching_;

  std::vector<std::vector<Queue>> queues_;      // [input][queue]; central buffer: list of each pool
  std::vector<std::vector<int>> accepted_;      // [input][pin queue], not departed
  std::vector<std::vector<int>> credits_owed_;  // [input][pin queue]
  std::vector<std::vector<int>> credits_;       // [output][vc]
  std::vector<std::vector<bool>> held_;         // [output][vc]
  std::vector<std::vector<Flit>> last_head_;    // [input][vc], as it entered
  std::vector<std::vector<int>> written_;       // [input][vc]: output of the last head written
  std::vector<Arrival> arrivals_;
  std::vector<std::deque<Departure>> departures_;  // [output]
  std::vector<int> turn_, left_;
  std::vector<std::vector<int>> pointer_;  // [input][output]
  std::vector<std::vector<int>> credits_at_start_;
  std::vector<std::pair<int, int>> taken_;  // of this cycle: input, pin queue

  int m_ = 0, r_ = 0, reference_ = -1;
  std::optional<Sending> sending_;
  std::optional<Reduction> reduction_;
  std::deque<Result> results_;
  // Taken in the last cycle: input and queue; output, VC and flit.
  std::vector<std::pair<int, int>> departing_;
  std::vector<std::tuple<int, int, Flit>> going_out_;
  // Of this cycle.
  std::vector<bool> input_reserved_, output_reserved_;
  arch::PortSet no_new_heads_;
  int no_new_heads_vc_ = 0;
};

}  // namespace weft::models::testing
