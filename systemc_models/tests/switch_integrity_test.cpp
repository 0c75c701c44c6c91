// SPDX-License-Identifier: Apache-2.0
// Nothing is lost, duplicated, corrupted, misrouted or reordered, for random switches under random
// traffic; reductions equal arithmetic in wide integers; credits add up in every cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>

#include "arch/config.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/switch/cycle_switch.h"
#include "systemc_models/tests/switch_traffic.h"

namespace weft::models {
namespace {

using testing::SwitchLoad;
using testing::SwitchTraffic;
using Bits = std::vector<std::uint64_t>;

// What was sent and must arrive.
class Scoreboard {
 public:
  Scoreboard(const arch::Switch& design, arch::Position position)
      : design_(design), position_(position), words_(arch::PinLayout(design).flit_words) {}

  void sent(int input, int vc, bool head, bool tail, const std::uint64_t* bits) {
    std::shared_ptr<Packet>& packet = entering_[{input, vc}];
    if (head) {
      packet = std::make_shared<Packet>();
      packet->vc = vc;
      const Bits flit(bits, bits + words_);
      const arch::Header header = arch::read_header(design_, flit);
      Bits leaving = flit;
      arch::write_header(design_, arch::forwarded(design_, header), leaving);
      if (header.op == arch::PacketOp::unicast || header.op == arch::PacketOp::multicast) {
        packet->flits.push_back(leaving);
        expect(packet, header, input);
      } else {
        contribute(packet, header, input, flit);
      }
    } else {
      packet->flits.emplace_back(bits, bits + words_);
    }
    packet->complete = tail;
  }

  // An empty string, or what is wrong.
  std::string received(int output, int vc, bool head, bool tail, const std::uint64_t* bits) {
    const Bits flit(bits, bits + words_);
    Leaving& leaving = leaving_[{output, vc}];
    if (head) {
      if (leaving.packet) return "a head within a packet";
      leaving = {find(output, flit), 0};
      if (!leaving.packet) return "nobody sent this head here, or its turn has not come";
      if (!permitted_vc(leaving.packet->vc, vc)) return "a VC that the packet must not use";
    } else {
      if (!leaving.packet) return "a flit of no packet";
      if (flit != leaving.packet->flit(design_, leaving.next)) return "wrong bits";
    }
    ++leaving.next;
    if (tail != leaving.packet->is_last(leaving.next)) return "a tail where none is, or none";
    if (tail) leaving.packet.reset();
    return {};
  }

  [[nodiscard]] bool empty() const {
    return std::ranges::all_of(expected_, [](const auto& list) { return list.second.empty(); }) &&
           std::ranges::all_of(leaving_, [](const auto& l) { return !l.second.packet; });
  }

 private:
  struct Packet {
    int vc = 0;
    bool complete = false;
    std::vector<Bits> flits;  // as they leave
    // Of the result of a reduction.
    arch::PacketOp op = arch::PacketOp::unicast;
    std::map<int, std::shared_ptr<Packet>> members;

    bool is_last(std::size_t count) const {
      const Packet& one = members.empty() ? *this : *members.begin()->second;
      return one.complete && count == one.flits.size();
    }

    // In a reduction the exact sum, minimum or maximum, reduced to 32 bits at the end.
    Bits flit(const arch::Switch& design, std::size_t index) const {
      if (members.empty()) return index < flits.size() ? flits[index] : Bits{};
      Bits result(members.begin()->second->flits.at(0).size());
      for (int lane = 0; lane < design.flit_width / 32; ++lane) {
        std::vector<std::int64_t> values;
        for (const auto& [input, member] : members) {
          if (index >= member->flits.size()) return {};
          values.push_back(
              static_cast<std::int32_t>(member->flits[index][lane / 2] >> (32 * (lane % 2))));
        }
        std::int64_t value = 0;
        for (const std::int64_t each : values) value += each;
        if (op == arch::PacketOp::min) value = *std::ranges::min_element(values);
        if (op == arch::PacketOp::max) value = *std::ranges::max_element(values);
        result[lane / 2] |= (static_cast<std::uint64_t>(value) & 0xffffffff) << (32 * (lane % 2));
      }
      return result;
    }

    // Whether a head that leaves is this packet's.
    bool begins_with(const arch::Switch& design, const Bits& flit) const {
      if (members.empty()) return flits[0] == flit;
      return std::ranges::any_of(members, [&](const auto& member) {
        Bits head = member.second->flits[0];
        arch::Header header = arch::read_header(design, head);
        header.op = arch::PacketOp::multicast;
        arch::write_header(design, header, head);
        return head == flit;
      });
    }
    bool all_members(const arch::PortSet& mask) const { return members.size() == mask.count(); }
  };
  struct Leaving {
    std::shared_ptr<Packet> packet;
    std::size_t next = 0;
  };
  // Packets of one kind leave in order.
  struct Stream {
    int input;
    int vc;
    int output;
    bool collective;
    auto operator<=>(const Stream&) const = default;
  };

  void expect(const std::shared_ptr<Packet>& packet, const arch::Header& header, int input) {
    if (header.op == arch::PacketOp::multicast) {
      for (int o = 0; o < design_.ports; ++o) {
        if (header.mask[o]) expected_[{input, packet->vc, o, true}].push_back(packet);
      }
      return;
    }
    const arch::OutputChoice outputs = arch::route(design_, header, input, position_);
    for (const int o : {outputs.first, outputs.second}) {
      if (o >= 0) expected_[{input, packet->vc, o, false}].push_back(packet);
    }
  }

  void contribute(const std::shared_ptr<Packet>& packet, const arch::Header& header, int input,
                  const Bits& flit) {
    packet->flits.push_back(flit);
    const auto group = std::ranges::find_if(groups_, [&](const Group& g) {
      return g.mask == header.mask && g.result->op == header.op && g.result->vc == packet->vc &&
             !g.result->members.contains(input);
    });
    if (group != groups_.end()) {
      group->result->members[input] = packet;
      return;
    }
    auto result = std::make_shared<Packet>();
    result->vc = packet->vc;
    result->op = header.op;
    result->members[input] = packet;
    groups_.push_back({header.mask, result});
    // Results of all groups come from one FIFO.
    for (int o = 0; o < design_.ports; ++o) {
      if (header.mask[o]) expected_[{-1, packet->vc, o, true}].push_back(result);
    }
  }

  std::shared_ptr<Packet> find(int output, const Bits& head) {
    for (auto& [stream, packets] : expected_) {
      if (stream.output != output || packets.empty()) continue;
      // Adaptive routing: those before may go elsewhere. Reductions: groups may overtake.
      const bool any = design_.adaptive() || stream.input < 0;
      for (std::size_t k = 0; k < (any ? packets.size() : 1); ++k) {
        const std::shared_ptr<Packet> packet = packets[k];
        if (!packet->begins_with(design_, head)) continue;
        std::erase(packets, packet);
        if (design_.adaptive()) {
          for (auto& [other, list] : expected_) std::erase(list, packet);
        }
        std::erase_if(groups_, [&](const Group& g) { return g.result == packet; });
        return packet;
      }
    }
    return nullptr;
  }

  bool permitted_vc(int entered, int left) const {
    if (design_.vc_allocation == arch::VcAllocation::keep) return entered == left;
    const int of_class = design_.virtual_channels / design_.traffic_classes;
    return entered / of_class == left / of_class;
  }

  struct Group {
    arch::PortSet mask;
    std::shared_ptr<Packet> result;
  };

  arch::Switch design_;
  arch::Position position_;
  int words_;
  std::map<std::pair<int, int>, std::shared_ptr<Packet>> entering_;
  std::map<Stream, std::deque<std::shared_ptr<Packet>>> expected_;
  std::map<std::pair<int, int>, Leaving> leaving_;
  std::vector<Group> groups_;
};

// Of every queue and every (output, VC): held + under way + occupied = depth.
std::string credits_add_up(const arch::Switch& design, const CycleSwitch& model,
                           const SwitchTraffic& traffic) {
  const arch::SwitchTiming timing(design);
  const bool credit = design.flow_control == arch::FlowControl::credit;
  for (int p = 0; p < design.ports; ++p) {
    for (int q = 0; q < arch::queues(design); ++q) {
      const int places = model.occupied(p, q) + model.owed_credits(p, q);
      if (credit ? places + traffic.source_credits(p, q) != design.buffer_depth
                 : places > design.buffer_depth) {
        return "input " + std::to_string(p) + ", queue " + std::to_string(q);
      }
    }
    for (int w = 0; w < design.virtual_channels; ++w) {
      const int there = credit ? traffic.sink_waiting(p, w) : 0;
      if (model.credits(p, w) + model.leaving(p, w) + there != timing.output_credits) {
        return "output " + std::to_string(p) + ", VC " + std::to_string(w);
      }
    }
  }
  return {};
}

TEST(SwitchIntegrity, EveryFlitArrivesOnceWhereAndAsItShould) {
  const std::uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  for (int k = 0; k < 150; ++k) {
    // Wide enough to tell all heads apart by their random bits.
    arch::Narrowed narrowed{
        {"ports", arch::IntRange{2, 12}},       {"flit_width", arch::IntSet{{128, 160, 192}}},
        {"buffer_depth", arch::IntRange{1, 8}}, {"max_packet_flits", arch::IntRange{1, 8}},
        {"credits", arch::IntRange{1, 9}},      {"address_width", arch::IntRange{8, 48}},
        {"max_hops", arch::IntRange{1, 10}}};
    if (k % 3 == 0) narrowed["in_network_reduction"] = arch::Boolean{{true}};
    const arch::Switch design = arch::random_switch(random, narrowed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ", experiment " << k << "\n"
                                      << arch::canonical_form(arch::config_of(design)));
    const arch::Position position{
        static_cast<int>(random() % static_cast<unsigned>(design.mesh_columns)),
        static_cast<int>(random() % static_cast<unsigned>(design.mesh_rows))};
    const double accept = k % 2 == 0 ? 1.0 : 0.4;
    SwitchTraffic traffic(design, position, {0.5, 0.9, accept, 0.4, design.max_packet_flits},
                          random());
    CycleSwitch model(design);
    model.set_position(position.x, position.y);
    Scoreboard scoreboard(design, position);
    std::string wrong;
    traffic.on_sent = [&](int i, int v, int, bool head, bool tail, const std::uint64_t* flit) {
      scoreboard.sent(i, v, head, tail, flit);
    };
    traffic.on_received = [&](int o, int w, bool head, bool tail, const std::uint64_t* flit) {
      if (wrong.empty()) wrong = scoreboard.received(o, w, head, tail, flit);
    };
    for (int t = 0; t < 20000; ++t) {
      if (t == 300) traffic.stop();
      if (t > 300 && traffic.all_sent() && scoreboard.empty()) break;
      traffic.observe(model.cycle(traffic.drive()));
      ASSERT_EQ(wrong, "") << "cycle " << t;
      ASSERT_EQ(credits_add_up(design, model, traffic), "") << "cycle " << t;
    }
    EXPECT_TRUE(traffic.all_sent() && scoreboard.empty()) << "flits were lost";
    EXPECT_TRUE(model.waiting().empty());
  }
}

}  // namespace
}  // namespace weft::models
