// SPDX-License-Identifier: Apache-2.0
// The collective unit against the sentences of docs/switch.md, "Collectives": random packets,
// credits and holders; every decision of every cycle.
#include "rtl_gen/switch/collective.h"

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <random>

#include "base/tests/run_seed.h"
#include "rtl_gen/hdl/tests/lint.h"
#include "rtl_gen/switch/tests/replay.h"

namespace weft::rtl {
namespace {

using Mask = std::uint32_t;

struct Flit {
  bool head = false;
  bool tail = false;
  int op = 0;
  Mask mask = 0;
};

bool has(Mask mask, int port) { return (mask >> port & 1) != 0; }

/// The unit's state and its neighbourhood: queues with flits, outputs with credits and holders.
class Scene {
 public:
  Scene(const arch::Switch& device, std::mt19937_64& random)
      : device_(device),
        random_(random),
        ports_(device.ports),
        channels_(device.virtual_channels),
        coming_(lanes()),
        queues_(lanes()),
        credit_(lanes()),
        held_by_other_(lanes()),
        held_(lanes()) {}

  /// Plays one cycle and returns it as test::replay reads it.
  std::string cycle();
  [[nodiscard]] int multicasts() const { return multicasts_; }
  [[nodiscard]] int reductions() const { return reductions_; }

 private:
  struct Sending {
    int source = 0;  ///< an input, or PORTS: the result FIFO
    int channel = 0;
    Mask mask = 0;
    bool started = false;
  };
  struct Reducing {
    int reference = 0;
    int channel = 0;
    int op = 0;
    Mask members = 0;
  };
  struct Result {
    int from = 0;  ///< the cycle from which it is in the FIFO
    bool tail = false;
    int channel = 0;
    Mask mask = 0;
  };
  /// What the unit does in a cycle.
  struct Deeds {
    bool sends = false;
    bool last = false;
    std::optional<Reducing> reducing;
    bool combines = false;
  };

  /// L of the contract.
  [[nodiscard]] int stages() const {
    int levels = 0;
    while ((1 << levels) < ports_) ++levels;
    return levels + 1;
  }
  [[nodiscard]] bool result_is_there() const {
    return !results_.empty() && results_.front().from <= now_;
  }
  void choose(std::optional<int> sends_from);
  [[nodiscard]] std::size_t lanes() const { return static_cast<std::size_t>(ports_ * channels_); }
  [[nodiscard]] std::size_t lane(int port, int channel) const {
    return static_cast<std::size_t>(port * channels_ + channel);
  }
  bool chance(int in) { return random_() % static_cast<unsigned>(in) == 0; }
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  void new_packets();
  void put(int port, int channel, int op, Mask mask, int length);
  std::optional<int> candidate(int input, bool reduction) const;
  Deeds decide();
  void carry_out(const Deeds& deeds);
  std::string inputs();
  std::string outputs(const Deeds& deeds) const;

  const arch::Switch& device_;
  std::mt19937_64& random_;
  int ports_;
  int channels_;
  std::vector<std::deque<Flit>> coming_, queues_;
  std::vector<bool> credit_, held_by_other_, held_;
  int now_ = 0;
  int m_ = 0;
  int r_ = 0;
  std::optional<int> reference_;
  std::optional<Sending> sending_;
  std::optional<Reducing> reducing_;
  std::deque<Result> results_;
  // Taken in the last cycle.
  std::optional<Sending> sent_;
  std::optional<Reducing> combined_;
  int multicasts_ = 0;
  int reductions_ = 0;
};

void Scene::put(int port, int channel, int op, Mask mask, int length) {
  for (int k = 0; k < length; ++k) {
    coming_[lane(port, channel)].push_back({k == 0, k == length - 1, op, mask});
  }
}

void Scene::new_packets() {
  const Mask all = (Mask{1} << ports_) - 1;
  const auto any_mask = [&] {
    const Mask mask = static_cast<Mask>(random_()) & all;
    return mask == 0 ? Mask{1} << below(ports_) : mask;
  };
  const int length = chance(2) ? 1 : 1 + below(5);
  const int channel = below(channels_);
  if (device_.in_network_reduction && chance(20)) {
    const Mask mask = any_mask();
    const int op = 4 + below(3);
    for (int port = 0; port < ports_; ++port) {
      if (has(mask, port)) put(port, channel, op, mask, length);
    }
  }
  if (device_.multicast && chance(6)) put(below(ports_), channel, 1, any_mask(), length);
  if (device_.organisation == arch::Organisation::input_queued && chance(8)) {
    put(below(ports_), channel, 0, any_mask(), length);
  }
}

/// The channel of the first of the input's queues whose head flit asks for a multicast or
/// reduction.
std::optional<int> Scene::candidate(int input, bool reduction) const {
  for (int channel = 0; channel < channels_; ++channel) {
    const auto& queue = queues_[lane(input, channel)];
    if (queue.empty() || !queue.front().head) continue;
    if (reduction ? queue.front().op >= 4 : queue.front().op == 1) return channel;
  }
  return std::nullopt;
}

Scene::Deeds Scene::decide() {
  Deeds deeds;
  if (const auto& sending = sending_) {
    const auto* queue =
        sending->source == ports_ ? nullptr : &queues_[lane(sending->source, sending->channel)];
    deeds.sends = queue != nullptr ? !queue->empty() : result_is_there();
    for (int o = 0; o < ports_; ++o) {
      const std::size_t at = lane(o, sending->channel);
      if (has(sending->mask, o) &&
          (!credit_[at] || (!sending->started && (held_[at] || held_by_other_[at])))) {
        deeds.sends = false;
      }
    }
    if (deeds.sends) deeds.last = queue != nullptr ? queue->front().tail : results_.front().tail;
  }

  deeds.reducing = reducing_;
  if (!reducing_ && reference_) {
    if (const auto channel = candidate(*reference_, true)) {
      const Flit& head = queues_[lane(*reference_, *channel)].front();
      bool all_there = true;
      for (int member = 0; member < ports_; ++member) {
        if (!has(head.mask, member)) continue;
        const auto own = candidate(member, true);
        if (!own || *own != *channel) {
          all_there = false;
        } else {
          const Flit& other = queues_[lane(member, *own)].front();
          all_there = all_there && other.op == head.op && other.mask == head.mask;
        }
      }
      if (all_there) deeds.reducing = Reducing{*reference_, *channel, head.op, head.mask};
    }
  }
  if (const auto& reducing = deeds.reducing) {
    deeds.combines = results_.size() < static_cast<std::size_t>(4 + stages());
    for (int member = 0; member < ports_; ++member) {
      if (!has(reducing->members, member)) continue;
      if (queues_[lane(member, reducing->channel)].empty()) deeds.combines = false;
      if (deeds.sends && sending_->source == member) deeds.combines = false;
    }
  }
  return deeds;
}

/// The next packet, when the last flit of one was taken from `sends_from`, or there was none. The
/// queues are those of the beginning of the cycle, results that were sent are gone.
void Scene::choose(std::optional<int> sends_from) {
  sending_.reset();
  for (int k = 0; k <= ports_ && !sending_; ++k) {
    const int index = (m_ + k) % (ports_ + 1);
    if (index == ports_) {
      if (result_is_there()) {
        sending_ = Sending{ports_, results_.front().channel, results_.front().mask, false};
      }
    } else if (const auto channel = candidate(index, false);
               channel && device_.multicast && index != sends_from) {
      sending_ = Sending{index, *channel, queues_[lane(index, *channel)].front().mask, false};
    }
  }
  if (sending_) m_ = (sending_->source + 1) % (ports_ + 1);
}

void Scene::carry_out(const Deeds& deeds) {
  sent_.reset();
  combined_.reset();
  reducing_ = deeds.reducing;
  // What is taken is still seen by the choices of this cycle.
  std::vector<std::size_t> taken;
  std::vector<bool> busy(static_cast<std::size_t>(ports_));
  const auto take = [&](int port, int channel) {
    taken.push_back(lane(port, channel));
    busy[static_cast<std::size_t>(port)] = true;
  };
  std::optional<Result> result;
  if (deeds.combines) {
    combined_ = reducing_;
    const int channel = reducing_->channel;
    const bool tail = queues_[lane(reducing_->reference, channel)].front().tail;
    result = Result{now_ + stages() + 1, tail, channel, reducing_->members};
    for (int member = 0; member < ports_; ++member) {
      if (has(reducing_->members, member)) take(member, channel);
    }
    if (tail) {
      reducing_.reset();
      ++reductions_;
    }
  }
  if (device_.in_network_reduction && !reducing_) {
    for (int k = 0; k < ports_; ++k) {
      const int input = (r_ + k) % ports_;
      if (!candidate(input, true)) continue;
      reference_ = input;
      r_ = (input + 1) % ports_;
      break;
    }
  }
  bool turn = !sending_;
  std::optional<int> sends_from;
  if (deeds.sends) {
    sent_ = sending_;
    sends_from = sending_->source;
    if (sending_->source == ports_) {
      results_.pop_front();
    } else {
      take(sending_->source, sending_->channel);
    }
    for (int o = 0; o < ports_; ++o) {
      if (has(sending_->mask, o)) held_[lane(o, sending_->channel)] = !deeds.last;
    }
    sending_->started = true;
    if (deeds.last) multicasts_ += sending_->source < ports_ ? 1 : 0;
    turn = deeds.last;
  }
  if (turn) choose(sends_from);
  if (result) results_.push_back(*result);
  for (const std::size_t k : taken) queues_[k].pop_front();
  // Unicast flits leave when the switch lets them.
  for (int port = 0; port < ports_; ++port) {
    auto& queue = queues_[lane(port, below(channels_))];
    if (!busy[static_cast<std::size_t>(port)] && !queue.empty() && queue.front().op == 0 &&
        chance(2)) {
      queue.pop_front();
    }
  }
  ++now_;
}

/// A bit for each lane, the last lane first.
template <class Bit>
std::string digits(std::size_t count, const Bit& bit) {
  std::string text;
  for (std::size_t k = count; k-- > 0;) text += bit(k) ? '1' : '0';
  return text;
}

std::string Scene::inputs() {
  const auto front = [&](std::size_t k) {
    Flit flit{chance(2), chance(2), below(8), static_cast<Mask>(random_())};
    if (queues_[k].empty()) return flit;
    const Flit& real = queues_[k].front();
    flit.head = real.head;
    flit.tail = real.tail;
    if (real.head) {
      flit.op = real.op;
      flit.mask = real.mask;
    }
    return flit;
  };
  std::string present, head, tail, op, mask;
  for (std::size_t k = lanes(); k-- > 0;) {
    const Flit flit = front(k);
    present += queues_[k].empty() ? '0' : '1';
    head += flit.head ? '1' : '0';
    tail += flit.tail ? '1' : '0';
    op += test::binary(static_cast<std::uint64_t>(flit.op), 3);
    mask += test::binary(flit.mask, ports_);
  }
  return present + head + tail + op + mask +
         digits(lanes(),
                [&](std::size_t k) { return credit_[k] && !held_[k] && !held_by_other_[k]; }) +
         digits(lanes(), [&](std::size_t k) { return credit_[k]; });
}

std::string Scene::outputs(const Deeds& deeds) const {
  const auto port_of = [&](std::size_t k) { return static_cast<int>(k) / channels_; };
  const auto channel_of = [&](std::size_t k) { return static_cast<int>(k) % channels_; };
  const auto& chosen = sending_;
  const auto& reducing = deeds.reducing;
  std::string text = digits(lanes(), [&](std::size_t k) {
    return (deeds.sends && chosen->source == port_of(k) && chosen->channel == channel_of(k)) ||
           (deeds.combines && has(reducing->members, port_of(k)) &&
            reducing->channel == channel_of(k));
  });
  text += digits(lanes(), [&](std::size_t k) {
    return chosen && has(chosen->mask, port_of(k)) && chosen->channel == channel_of(k);
  });
  text += test::binary(deeds.sends ? chosen->mask : 0, ports_);
  if (channels_ > 1) {
    text += deeds.sends ? test::binary(std::uint64_t{1} << chosen->channel, channels_)
                        : std::string(static_cast<std::size_t>(channels_), 'x');
  }
  text += deeds.sends ? deeds.last ? "1" : "0" : "x";

  // What was taken in the last cycle.
  std::uint64_t from = sent_ ? std::uint64_t{1} << sent_->source : 0;
  const std::uint64_t inputs = from & ((std::uint64_t{1} << ports_) - 1);
  text += test::binary(inputs | (combined_ ? combined_->members : 0), ports_);
  text += test::binary(sent_ ? sent_->mask : 0, ports_);
  if (!device_.multicast) from >>= ports_;
  const int sources = (device_.multicast ? ports_ : 0) + (device_.in_network_reduction ? 1 : 0);
  text += test::binary(from, sources);
  if (!device_.in_network_reduction) return text;
  text += test::binary(combined_ ? combined_->members : 0, ports_);
  if (!combined_) return text + std::string(static_cast<std::size_t>(ports_) + 2, 'x');
  return text + test::binary(std::uint64_t{1} << combined_->reference, ports_) +
         test::binary(static_cast<std::uint64_t>(combined_->op) & 3, 2);
}

std::string Scene::cycle() {
  new_packets();
  for (std::size_t k = 0; k < lanes(); ++k) {
    if (!coming_[k].empty() && queues_[k].size() < 6 && chance(2)) {
      queues_[k].push_back(coming_[k].front());
      coming_[k].pop_front();
    }
    credit_[k] = !chance(2 * ports_);
    if (!held_[k] && chance(16)) held_by_other_[k] = chance(ports_);
  }
  std::string text = inputs();
  const Deeds deeds = decide();
  text += outputs(deeds);
  carry_out(deeds);
  return text;
}

TEST(Collective, DecidesAsTheContractSays) {
  std::mt19937_64 random(weft::test::run_seed());
  for (const auto& [multicast, reduction] : {std::pair{true, true}, {true, false}, {false, true}}) {
    for (const auto& [ports, channels] : {std::pair{2, 1}, {3, 2}, {5, 1}, {8, 3}, {16, 4}}) {
      arch::Switch device;
      device.ports = ports;
      device.virtual_channels = channels;
      device.multicast = multicast;
      device.in_network_reduction = reduction;
      device.organisation = random() % 2 == 0 ? arch::Organisation::input_queued
                                              : arch::Organisation::virtual_output_queued;
      device = arch::resolved(device);
      Scene scene(device, random);
      std::vector<std::string> cycles;
      for (int t = 0; t < 4000; ++t) cycles.push_back(scene.cycle());
      hdl::Design design;
      const Shape shape(device);
      const hdl::Module& unit = add_collective(design, shape);
      const std::string which = std::to_string(ports) + " ports, " + std::to_string(channels) +
                                (multicast ? " VCs, multicast" : " VCs") +
                                (reduction ? ", reduction" : "");
      EXPECT_EQ(test::replay(design, unit, cycles), "") << which;
      EXPECT_EQ(hdl::test::lint(design, unit.name()), "") << which;
      EXPECT_EQ(scene.multicasts() > 50, multicast) << which << " " << scene.multicasts();
      EXPECT_EQ(scene.reductions() > 5, reduction) << which << " " << scene.reductions();
    }
  }
}

}  // namespace
}  // namespace weft::rtl
