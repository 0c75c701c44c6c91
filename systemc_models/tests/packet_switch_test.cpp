// SPDX-License-Identifier: Apache-2.0
// The packet model, whose next hops give credits explicitly, beside the model that is exact in
// every cycle: the same packets enter in the same cycles and leave in the same cycles.
#include "systemc_models/packet_switch.h"

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "arch/config.h"
#include "base/tests/run_seed.h"
#include "systemc_models/tests/switch_harness.h"

namespace weft::models {
namespace {

using testing::SwitchHarness;
using Flit = SwitchHarness::Flit;

arch::Switch design_of(const std::string& parameters) {
  return std::get<arch::Switch>(
      arch::parse_config("kind: switch\nname: s\nports: 4\n" + parameters, "test").design);
}

struct Passage {
  int output = -1;
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  bool operator==(const Passage&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Passage& p) {
  return out << "output " << p.output << ", cycles " << p.head << " to " << p.tail;
}

// Packets of one length, random in time and output, through both models; the sinks take every flit
// at once and give the credit in the cycle after it.
class Comparison {
 public:
  Comparison(const arch::Switch& design, int flits)
      : design_(design),
        flits_(flits),
        by_flits_(design),
        by_packets_(make_packet_switch(design, PacketSwitch::explicit_credits)),
        entering_(static_cast<std::size_t>(design.ports)) {}

  void run(std::mt19937_64& random, int cycles, unsigned percent) {
    for (int t = 0; t < cycles; ++t) cycle(random, t < cycles * 3 / 4 ? percent : 0);
  }

  std::vector<Passage> flit_passages, packet_passages;  ///< by packet

 private:
  struct Entering {
    std::uint64_t packet = 0;
    int output = 0;
    int left = 0;
  };

  void cycle(std::mt19937_64& random, unsigned percent) {
    const std::uint64_t now = by_flits_.time;
    by_packets_->advance(now, departures_);
    for (const PacketDeparture& departure : departures_) {
      const SwitchPacket& packet = departure.packet;
      packet_passages[packet.tag] = {packet.output, departure.head, departure.tail};
      // A credit's pulse comes in the cycle after the flit and counts in the one after that; what a
      // sink takes with ready frees its place in the cycle after.
      const int back = design_.flow_control == arch::FlowControl::credit ? 2 : 1;
      by_packets_->give_room(packet.output, packet.vc, packet.flits,
                             departure.head + static_cast<std::uint64_t>(back));
    }
    departures_.clear();
    for (int i = 0; i < design_.ports; ++i) enter(i, random, percent, now);
    by_flits_.cycle([&](int output, const Flit& flit) {
      Passage& passage = flit_passages[flit.number];
      if (flit.head) passage = {output, now, now};
      passage.tail = now;
    });
  }

  void enter(int input, std::mt19937_64& random, unsigned percent, std::uint64_t now) {
    Entering& packet = entering_[static_cast<std::size_t>(input)];
    const bool begins = packet.left == 0;
    ASSERT_EQ((by_packets_->free_inputs()[0] >> input & 1) != 0, begins);
    if (begins) {
      if (random() % 100 >= percent) return;
      const int output = static_cast<int>(random() % static_cast<unsigned>(design_.ports));
      const bool room = by_packets_->room(input, output, 0) > 0;
      if (design_.flow_control == arch::FlowControl::credit) {
        ASSERT_EQ(by_flits_.can_send(input, output), room) << "cycle " << now;
      }
      if (!room) return;
      packet = {flit_passages.size(), output, flits_};
      flit_passages.emplace_back();
      packet_passages.emplace_back();
      by_packets_->offer({packet.packet, input, output, 0, flits_}, now);
    }
    ASSERT_TRUE(by_flits_.can_send(input, packet.output)) << "the queues are too short for this";
    by_flits_.send(input, {packet.output, 0, begins, packet.left == 1, packet.packet});
    --packet.left;
  }

  arch::Switch design_;
  int flits_;
  SwitchHarness by_flits_;
  std::unique_ptr<PacketSwitch> by_packets_;
  std::vector<PacketDeparture> departures_;
  std::vector<Entering> entering_;  ///< by input
};

TEST(PacketSwitch, ExplicitCreditsCountInTheCycleOfTheContract) {
  const struct {
    const char* parameters;
    int flits;
    unsigned percent;
  } cases[] = {
      {"pipeline: single_cycle\ncredits: 1\n", 1, 20},
      {"pipeline: 2\ncredits: 2\n", 1, 30},
      {"pipeline: 3\ncredits: 1\n", 1, 20},
      {"pipeline: 3\ncredits: 2\n", 1, 30},
      {"pipeline: 3\nlookahead_routing: true\ncredits: 2\n", 1, 30},
      {"pipeline: 4\ncredits: 1\nbuffer_depth: 4\n", 1, 25},
      {"pipeline: 4\ncredits: 3\norganisation: input_queued\n", 1, 30},
      {"pipeline: 4\ncredits: 2\norganisation: output_queued\nallocator: round_robin\n", 1, 30},
      {"pipeline: 4\ncredits: 8\nbuffer_depth: 256\n", 3, 25},
      {"pipeline: 3\nflow_control: ready_valid\nbuffer_depth: 256\n", 2, 30},
  };
  std::mt19937_64 random(test::run_seed());
  for (const auto& c : cases) {
    SCOPED_TRACE(c.parameters);
    Comparison comparison(design_of(c.parameters), c.flits);
    comparison.run(random, 1000, c.percent);
    EXPECT_GT(comparison.flit_passages.size(), 100U);
    ASSERT_FALSE(HasFatalFailure());
    for (std::size_t n = 0; n < comparison.flit_passages.size(); ++n) {
      ASSERT_EQ(comparison.packet_passages[n], comparison.flit_passages[n]) << "packet " << n;
    }
  }
}

}  // namespace
}  // namespace weft::models
