// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "arch/network/link.h"
#include "arch/network/link_frame.h"
#include "arch/network/link_pins.h"
#include "systemc_models/link_crc.h"

namespace weft::models {

/// A cycle-exact model of one end of a link (docs/link.md).
class LinkEndpoint : public arch::LinkSimulation {
 public:
  explicit LinkEndpoint(const arch::Link& link);

  void reset() override;
  const arch::LinkOutputs& cycle(const arch::LinkInputs& inputs) override;

 private:
  using Words = std::vector<std::uint64_t>;

  struct Flit {
    int vc = 0;
    Words bits;
  };

  /// The fields of a frame.
  struct Frame {
    arch::FrameKind kind = arch::FrameKind::idle;
    bool request = false;
    bool retried = false;
    std::uint64_t acknowledge = 0;
    std::uint64_t sequence = 0;
    std::uint64_t credit = 0;
    int credit_vc = 0;
    int vc = 0;
    Words flit;
  };

  /// What an endpoint forgets when the other end restarts. Numbers of flits count from the last
  /// (re)start on and are not reduced; only frames carry them modulo a power of two.
  struct State {
    // Initialisation.
    bool up = false;
    int quiet = 0;
    int word = 0;  ///< index of the next parameter word
    std::array<bool, arch::init_words> got{};
    std::array<bool, arch::init_words> mismatch{};
    // Sender.
    std::uint64_t base = 0;
    std::uint64_t next = 0;
    std::uint64_t tail = 0;
    bool retried = false;
    int timer = 0;
    std::deque<Flit> kept;                   ///< flits base .. tail - 1
    std::vector<std::uint64_t> taken, seen;  ///< [vc]
    // Receiver.
    std::uint64_t expected = 0;
    bool request = false;
    std::vector<std::deque<Words>> buffers;  ///< [vc]
    std::vector<std::uint64_t> freed;        ///< [vc]
    int turn = 0;                            ///< VC whose credits the next frame carries
  };

  /// Where the receiver is in the stream of phits.
  struct Alignment {
    bool aligned = false;
    int count = 0;  ///< phits since the last frame ended, at most PHITS
    int bad = 0;    ///< frames in a row
  };

  /// What the check of a candidate hands to the next cycle.
  struct Arrival {
    bool valid = false;
    bool error = false;
    Words frame;
  };

  /// What happens in a cycle, all of it decided on the state at its beginning.
  struct Step {
    bool up = false;     ///< at the beginning of the cycle
    bool slot = false;   ///< a frame is composed
    bool heard = false;  ///< a frame is processed: `frame`
    Frame frame;
    bool restart = false;      ///< it says that the other end was reset
    bool applies = false;      ///< its sequence state and flit count
    bool accepted = false;     ///< its acknowledgement is of flits that were taken
    std::uint64_t gained = 0;  ///< flits that it acknowledges newly
    bool replay = false;
  };

  [[nodiscard]] State initial_state() const;
  [[nodiscard]] bool ready() const;
  [[nodiscard]] bool has_credit(int vc) const;
  [[nodiscard]] Frame compose() const;
  [[nodiscard]] Words encode(const Frame& frame) const;
  [[nodiscard]] Frame decode(const Words& bits) const;

  [[nodiscard]] Step look() const;
  void show(const Step& step);
  void advance(const Step& step, const arch::LinkInputs& inputs);
  void initialise(const Step& step);
  void update_sender(const Step& step);
  void update_credits(const Step& step, const arch::LinkInputs& inputs);
  void update_receiver(const Step& step, const arch::LinkInputs& inputs);
  void send_line(const Step& step);
  void collect(const arch::LinkInputs& inputs);

  arch::Link link_;
  arch::FrameLayout layout_;
  LinkCrc crc_;
  std::uint64_t sequence_mask_;  ///< M - 1
  std::uint64_t credit_mask_;    ///< 2^CREDIT_WIDTH - 1
  std::size_t flit_words_;

  State state_;
  std::uint64_t now_ = 0;
  Words composed_;      ///< the frame composed last, with its CRC
  Words line_;          ///< the frame that is being sent
  int sent_phits_ = 0;  ///< phits of it that were sent
  Alignment alignment_;
  std::deque<Words> window_;  ///< the last PHITS phits, youngest last
  Arrival arrival_;           ///< processed in this cycle
  arch::LinkOutputs outputs_;
};

}  // namespace weft::models
