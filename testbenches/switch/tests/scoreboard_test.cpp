// SPDX-License-Identifier: Apache-2.0
//
// What the scoreboard notices without a model to compare with: the outputs of a right switch are
// spoilt on their way to it.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arch/config.h"
#include "base/tests/run_seed.h"
#include "systemc_models/switch/cycle_switch.h"
#include "testbenches/switch/switch_bench.h"
#include "testbenches/switch/switch_stimuli.h"
#include "testbenches/switch/tests/small_switches.h"

namespace weft::verif {
namespace {

using arch::SwitchInputs;
using arch::SwitchOutputs;

/// A right switch whose outputs are spoilt from some cycle on, once.
class SpoiltSwitch : public arch::SwitchSimulation {
 public:
  /// Spoils the outputs and returns true, or leaves them if it cannot in this cycle. `before` are
  /// those of the cycle before, as they were.
  using Spoil =
      std::function<bool(SwitchOutputs& now, const SwitchOutputs& before, const SwitchInputs& in)>;

  SpoiltSwitch(const arch::Switch& design, Spoil spoil)
      : model_(design),
        outputs_(arch::PinLayout(design)),
        before_(arch::PinLayout(design)),
        spoil_(std::move(spoil)) {}

  void reset() override {
    model_.reset();
    cycle_ = 0;
    std::fill(before_.valid.begin(), before_.valid.end(), 0);
  }
  void set_position(int x, int y) override { model_.set_position(x, y); }
  const SwitchOutputs& cycle(const SwitchInputs& inputs) override {
    outputs_ = model_.cycle(inputs);
    const SwitchOutputs right = outputs_;
    if (!done_ && ++cycle_ > 20) done_ = spoil_(outputs_, before_, inputs);
    before_ = right;
    return outputs_;
  }
  [[nodiscard]] bool done() const { return done_; }

 private:
  models::CycleSwitch model_;
  SwitchOutputs outputs_;
  SwitchOutputs before_;
  Spoil spoil_;
  int cycle_ = 0;
  bool done_ = false;
};

/// What the scoreboard says to a fault; nothing if it notices none.
std::optional<Violation> noticed(const arch::Switch& design, const SpoiltSwitch::Spoil& spoil) {
  SpoiltSwitch spoilt(design, spoil);
  SwitchBench bench(design, spoilt, nullptr);
  const SwitchStimuli stimuli(design, 7);
  for (std::uint64_t i = 0; i < stimuli.directed(); ++i) {
    if (!bench.run(stimuli.scenario(i))) return bench.violations().first_kind();
  }
  EXPECT_TRUE(spoilt.done()) << "there was no occasion";
  return std::nullopt;
}

arch::Switch some_sizes() {
  arch::Switch design;
  design.ports = 4;
  design.flit_width = 40;
  design.virtual_channels = 2;
  design.max_packet_flits = 5;
  design.buffer_depth = 6;
  design.pipeline = 2;
  return design;
}

arch::Switch some_switch() { return arch::resolved(some_sizes()); }

arch::Switch ready_switch() {
  arch::Switch design = some_sizes();
  design.virtual_channels = 1;
  design.flow_control = arch::FlowControl::ready_valid;
  return arch::resolved(design);
}

arch::Switch collective_switch() {
  arch::Switch design = some_sizes();
  design.flit_width = 64;
  design.multicast = true;
  design.in_network_reduction = true;
  return arch::resolved(design);
}

/// One VC, packets of one flit.
arch::Switch simple_switch(int ports) {
  arch::Switch design = some_sizes();
  design.ports = ports;
  design.virtual_channels = 1;
  design.max_packet_flits = 1;
  return arch::resolved(design);
}

/// Spoils the first valid output for which `spoil(now, port)` is true.
template <typename Function>
SpoiltSwitch::Spoil at_a_flit(Function spoil) {
  return [spoil](SwitchOutputs& now, const SwitchOutputs&, const SwitchInputs&) {
    for (std::size_t p = 0; p < now.valid.size(); ++p) {
      if (now.valid[p] != 0 && spoil(now, p)) return true;
    }
    return false;
  };
}

TEST(Scoreboard, IsSilentAboutARightSwitch) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 60; ++i) {
    const arch::Switch design = arch::random_switch(random, small_sizes());
    models::CycleSwitch model(design);
    SwitchBench bench(design, model, nullptr);
    const SwitchStimuli stimuli(design, random());
    for (std::uint64_t k = 0; k < stimuli.directed() + 4; ++k) {
      ASSERT_TRUE(bench.run(stimuli.scenario(k)))
          << stimuli.scenario(k).name << ": " << bench.first_mismatch() << "\n"
          << arch::canonical_form(arch::config_of(design));
    }
    EXPECT_GE(10 * bench.coverage().corners().reached(), 8 * bench.coverage().corners().possible());
  }
}

TEST(Scoreboard, TellsPacketsOfEqualHeadsApart) {
  // With adaptive routing packets of an input overtake each other, and there is no payload beside
  // the header and the origin.
  arch::Switch design;
  design.name = "narrow";
  design.ports = 6;
  design.routing = arch::Routing::west_first;
  design.mesh_columns = 16;
  design.mesh_rows = 16;
  design.virtual_channels = 2;
  design.max_packet_flits = 3;
  design.flit_width = 4 + 4 + 1 + 4;
  design.buffer_depth = 8;
  design.organisation = arch::Organisation::central_buffer;
  design.allocator = arch::Allocator::matrix;
  design = arch::resolved(design);
  models::CycleSwitch model(design);
  SwitchBench bench(design, model, nullptr);
  const SwitchStimuli stimuli(design, weft::test::run_seed());
  for (std::uint64_t k = 0; k < stimuli.directed() + 20; ++k) {
    ASSERT_TRUE(bench.run(stimuli.scenario(k)))
        << stimuli.scenario(k).name << ": " << bench.first_mismatch();
  }
}

TEST(Scoreboard, NoticesALostFlit) {
  const auto lose = [](bool head, bool tail) {
    return at_a_flit([=](SwitchOutputs& now, std::size_t p) {
      if ((now.head[p] != 0) != head || (now.tail[p] != 0) != tail) return false;
      now.valid[p] = 0;
      return true;
    });
  };
  for (const bool head : {false, true}) {
    for (const bool tail : {false, true}) {
      EXPECT_TRUE(noticed(some_switch(), lose(head, tail))) << head << tail;
      EXPECT_TRUE(noticed(ready_switch(), lose(head, tail))) << head << tail;
    }
  }
}

TEST(Scoreboard, NoticesADuplicatedPacket) {
  for (const arch::Switch& design : {some_switch(), ready_switch()}) {
    const auto found = noticed(
        design, [](SwitchOutputs& now, const SwitchOutputs& before, const SwitchInputs& in) {
          for (std::size_t p = 0; p < now.valid.size(); ++p) {
            const bool single = before.valid[p] != 0 && before.head[p] != 0 && before.tail[p] != 0;
            if (!single || now.valid[p] != 0 || in.accept[p] == 0) continue;
            now.valid[p] = now.head[p] = now.tail[p] = 1;
            now.vc[p] = before.vc[p];
            now.flit[p] = before.flit[p];
            return true;
          }
          return false;
        });
    EXPECT_EQ(found, Violation::unknown);
  }
}

TEST(Scoreboard, NoticesWrongBits) {
  for (const bool head : {false, true}) {
    for (const int bit : {0, 1, 20, 39}) {
      const auto found = noticed(some_switch(), at_a_flit([=](SwitchOutputs& now, std::size_t p) {
                                   if ((now.head[p] != 0) != head) return false;
                                   now.flit[p] ^= std::uint64_t{1} << bit;
                                   return true;
                                 }));
      EXPECT_EQ(found, head ? Violation::unknown : Violation::corrupted) << bit;
    }
  }
}

TEST(Scoreboard, NoticesAPacketAtTheWrongOutput) {
  const auto found =
      noticed(some_switch(), [](SwitchOutputs& now, const SwitchOutputs&, const SwitchInputs&) {
        for (std::size_t p = 0; p + 1 < now.valid.size(); ++p) {
          if (now.valid[p] == 0 || now.head[p] == 0 || now.valid[p + 1] != 0) continue;
          std::swap(now.valid[p], now.valid[p + 1]);
          now.head[p + 1] = now.head[p];
          now.tail[p + 1] = now.tail[p];
          now.vc[p + 1] = now.vc[p];
          now.flit[p + 1] = now.flit[p];
          return true;
        }
        return false;
      });
  EXPECT_TRUE(found == Violation::unknown || found == Violation::protocol);
}

TEST(Scoreboard, NoticesAWrongVc) {
  EXPECT_TRUE(noticed(some_switch(), at_a_flit([](SwitchOutputs& now, std::size_t p) {
                        now.vc[p] ^= 1;
                        return true;
                      })));
  EXPECT_EQ(noticed(some_switch(), at_a_flit([](SwitchOutputs& now, std::size_t p) {
                      if (now.head[p] == 0 || now.tail[p] == 0) return false;
                      now.vc[p] ^= 1;
                      return true;
                    })),
            Violation::wrong_vc);
}

TEST(Scoreboard, NoticesWrongEndsOfPackets) {
  for (const bool tail : {false, true}) {
    EXPECT_EQ(noticed(some_switch(), at_a_flit([=](SwitchOutputs& now, std::size_t p) {
                        if ((now.tail[p] != 0) == tail) return false;
                        now.tail[p] = tail ? 1 : 0;
                        return true;
                      })),
              Violation::lost);
    EXPECT_EQ(noticed(some_switch(), at_a_flit([=](SwitchOutputs& now, std::size_t p) {
                        if ((now.head[p] != 0) == tail) return false;
                        now.head[p] = tail ? 1 : 0;
                        return true;
                      })),
              Violation::protocol);
  }
}

TEST(Scoreboard, NoticesAnOvertakenPacket) {
  // The single-flit packets that come out of port 1 in one VC are held back by one: each comes when
  // its successor should, which takes the place of the first. Only the first two are exchanged.
  struct Held {
    bool any = false;
    std::uint64_t flit = 0;
    std::uint8_t vc = 0;
  };
  const arch::Switch design = simple_switch(4);
  const auto held = std::make_shared<Held>();
  const auto tag = [](std::uint64_t flit) { return flit >> 2 & 3; };  // the source, see FlitFormat
  const auto found =
      noticed(design, [held, tag](SwitchOutputs& now, const SwitchOutputs&, const SwitchInputs&) {
        if (now.valid[1] == 0) return false;
        if (!held->any) {
          *held = {true, now.flit[1], now.vc[1]};
          now.valid[1] = 0;
          return false;
        }
        if (tag(held->flit) == tag(now.flit[1])) return true;
        std::swap(held->flit, now.flit[1]);
        return false;
      });
  EXPECT_TRUE(found == Violation::reordered || found == Violation::credit);
}

TEST(Scoreboard, NoticesWrongCredits) {
  const auto change = [](bool give) {
    return [give](SwitchOutputs& now, const SwitchOutputs&, const SwitchInputs&) {
      for (std::size_t p = 0; p < now.queue.size(); ++p) {
        for (int q = 0; q < 8; ++q) {
          const std::uint64_t bit = std::uint64_t{1} << q;
          if (((now.queue[p] & bit) != 0) == give) continue;
          now.queue[p] ^= bit;
          return true;
        }
      }
      return false;
    };
  };
  EXPECT_EQ(noticed(some_switch(), change(true)), Violation::credit);
  EXPECT_EQ(noticed(some_switch(), change(false)), Violation::credit);
}

TEST(Scoreboard, NoticesACreditForTheWrongQueue) {
  const auto found =
      noticed(some_switch(), [](SwitchOutputs& now, const SwitchOutputs&, const SwitchInputs&) {
        for (auto& queues : now.queue) {
          if (queues == 0) continue;
          queues = (queues << 1 | queues >> 7) & 0xFF;
          return true;
        }
        return false;
      });
  EXPECT_EQ(found, Violation::credit);
}

TEST(Scoreboard, NoticesAFlitWithoutCredit) {
  // The next hop stops returning credits, which the switch does not hear of.
  class Overrun : public arch::SwitchSimulation {
   public:
    explicit Overrun(const arch::Switch& design)
        : model_(design), inputs_(arch::PinLayout(design)) {}
    void reset() override { model_.reset(); }
    void set_position(int x, int y) override { model_.set_position(x, y); }
    const SwitchOutputs& cycle(const SwitchInputs& inputs) override {
      inputs_ = inputs;
      // One credit too many, when there is room for it.
      if (!done_ && sent_ > 10 && inputs_.accept[0] == 0) inputs_.accept[0] = done_ = true;
      const SwitchOutputs& outputs = model_.cycle(inputs_);
      sent_ += outputs.valid[0];
      return outputs;
    }

   private:
    models::CycleSwitch model_;
    SwitchInputs inputs_;
    int sent_ = 0;
    bool done_ = false;
  };
  const arch::Switch design = some_switch();
  Overrun overrun(design);
  SwitchBench bench(design, overrun, nullptr);
  SwitchScenario crowd = SwitchStimuli(design, 3).scenario(0);
  crowd.measure = Measure::nothing;
  crowd.spread = Spread::uniform;
  crowd.packets = 400;
  crowd.endpoints.accept.percent = 20;
  EXPECT_FALSE(bench.run(crowd));
  EXPECT_EQ(bench.violations().first_kind(), Violation::credit);
}

TEST(Scoreboard, NoticesAFlitThatDoesNotStay) {
  for (const bool withdraw : {false, true}) {
    const auto found = noticed(ready_switch(), [=](SwitchOutputs& now, const SwitchOutputs& before,
                                                   const SwitchInputs& in) {
      for (std::size_t p = 0; p < now.valid.size(); ++p) {
        // It stands there for the second cycle at least, and still does not go.
        if (before.valid[p] == 0 || now.valid[p] == 0 || in.accept[p] != 0 ||
            before.flit[p] != now.flit[p]) {
          continue;
        }
        if (withdraw) {
          now.valid[p] = 0;
        } else {
          now.flit[p] ^= 1;
        }
        return true;
      }
      return false;
    });
    EXPECT_EQ(found, Violation::protocol);
  }
}

TEST(Scoreboard, NoticesALateFlit) {
  // Everything comes a cycle later than it should, credits too: only the latency tells.
  class Late : public arch::SwitchSimulation {
   public:
    explicit Late(const arch::Switch& design)
        : model_(design), now_(arch::PinLayout(design)), next_(arch::PinLayout(design)) {}
    void reset() override {
      model_.reset();
      next_ = SwitchOutputs(now_);
      std::fill(next_.valid.begin(), next_.valid.end(), 0);
      std::fill(next_.queue.begin(), next_.queue.end(), 0);
    }
    void set_position(int x, int y) override { model_.set_position(x, y); }
    const SwitchOutputs& cycle(const SwitchInputs& inputs) override {
      now_ = next_;
      next_ = model_.cycle(inputs);
      return now_;
    }

   private:
    models::CycleSwitch model_;
    SwitchOutputs now_;
    SwitchOutputs next_;
  };
  const arch::Switch design = some_switch();
  Late late(design);
  SwitchBench bench(design, late, nullptr);
  EXPECT_FALSE(bench.run(SwitchStimuli(design, 1).scenario(0)));
  EXPECT_EQ(bench.violations().first_kind(), Violation::late);
}

TEST(Scoreboard, NoticesAMissingCopyOfAMulticast) {
  const auto found = noticed(collective_switch(), at_a_flit([](SwitchOutputs& now, std::size_t p) {
                               const bool multicast = now.head[p] != 0 && (now.flit[p] & 7) == 1;
                               if (!multicast) return false;
                               now.valid[p] = 0;
                               return true;
                             }));
  EXPECT_TRUE(found);
}

TEST(Scoreboard, KnowsTheResultsOfReductions) {
  // A flit of a result differs in one bit.
  const auto in_result = std::make_shared<std::vector<bool>>(8);
  const auto found =
      noticed(collective_switch(), at_a_flit([in_result](SwitchOutputs& now, std::size_t p) {
                const std::size_t place = 2 * p + now.vc[p];
                // op, four outputs, then the mark of results.
                if (now.head[p] != 0) {
                  (*in_result)[place] = (now.flit[p] & 7) == 1 && (now.flit[p] >> 7 & 1) != 0;
                  return false;
                }
                if (!(*in_result)[place]) return false;
                now.flit[p] ^= std::uint64_t{1} << 40;
                return true;
              }));
  EXPECT_EQ(found, Violation::corrupted);
}

TEST(Scoreboard, NoticesStarvation) {
  // An input is served last: its flits wait until the others have none.
  class Unfair : public arch::SwitchSimulation {
   public:
    explicit Unfair(const arch::Switch& design)
        : design_(design),
          model_(design),
          inputs_(arch::PinLayout(design)),
          outputs_(arch::PinLayout(design)) {}
    void reset() override {
      model_.reset();
      kept_.clear();
      idle_ = 0;
    }
    void set_position(int x, int y) override { model_.set_position(x, y); }
    const SwitchOutputs& cycle(const SwitchInputs& inputs) override {
      // Its flits stand before the switch; where they come in with others they wait.
      inputs_ = inputs;
      bool others = false;
      for (std::size_t p = 1; p < inputs.valid.size(); ++p) others |= inputs.valid[p] != 0;
      idle_ = others ? 0 : idle_ + 1;
      if (inputs.valid[0] != 0) kept_.push_back({inputs.flit[0], inputs.head[0], inputs.tail[0]});
      inputs_.valid[0] = !kept_.empty() && idle_ > 30 ? 1 : 0;
      if (inputs_.valid[0] != 0) {
        inputs_.flit[0] = kept_.front().flit;
        inputs_.head[0] = kept_.front().head;
        inputs_.tail[0] = kept_.front().tail;
        kept_.erase(kept_.begin());
      }
      return model_.cycle(inputs_);
    }

   private:
    struct Flit {
      std::uint64_t flit;
      std::uint8_t head, tail;
    };
    arch::Switch design_;
    models::CycleSwitch model_;
    SwitchInputs inputs_;
    SwitchOutputs outputs_;
    std::vector<Flit> kept_;
    int idle_ = 0;
  };
  const arch::Switch design = simple_switch(3);
  Unfair unfair(design);
  SwitchBench bench(design, unfair, nullptr);
  SwitchScenario crowd = SwitchStimuli(design, 3).scenario(0);
  crowd.measure = Measure::waits;
  crowd.spread = Spread::all_to_one;
  crowd.packets = 600;
  EXPECT_FALSE(bench.run(crowd));
  EXPECT_EQ(bench.violations().first_kind(), Violation::starved);
}

TEST(Scoreboard, ReportsADeadSwitch) {
  class Dead : public arch::SwitchSimulation {
   public:
    explicit Dead(const arch::Switch& design) : outputs_(arch::PinLayout(design)) {}
    void reset() override {}
    void set_position(int, int) override {}
    const SwitchOutputs& cycle(const SwitchInputs&) override { return outputs_; }

   private:
    SwitchOutputs outputs_;
  };
  for (const arch::Switch& design : {some_switch(), ready_switch()}) {
    Dead dead(design);
    SwitchBench bench(design, dead, nullptr);
    EXPECT_FALSE(bench.run(SwitchStimuli(design, 1).scenario(3)));
    EXPECT_EQ(bench.violations().first_kind(), Violation::lost);
  }
}

}  // namespace
}  // namespace weft::verif
