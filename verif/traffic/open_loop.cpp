// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/open_loop.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "verif/random.h"
#include "verif/traffic/destinations.h"
#include "verif/traffic/distribution.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {
namespace {

/// Number of the random sequence that is common to all nodes; those of the nodes follow.
constexpr std::uint64_t common_sequence = 0;

/// Packets of a source that are made at a time.
constexpr std::size_t block_size = 16;

/// When a source creates a packet, and for whom.
struct Step {
  std::uint64_t cycle = Injection::never;
  bool same_destination = false;  ///< as the packet before
};

Step after(std::uint64_t earliest, std::uint64_t gap) {
  return {gap == GeometricSampler::never ? Injection::never : earliest + gap};
}

/// A packet in each cycle with the same probability.
class Bernoulli {
 public:
  explicit Bernoulli(const TrafficSpec& spec) : gap_(spec.load / mean(spec.packet_flits)) {}

  Step first(int /*source*/, Random& random) { return after(0, gap_(random)); }
  Step next(const Injection& packet, Random& random) {
    return after(packet.cycle + 1, gap_(random));
  }

 private:
  GeometricSampler gap_;
};

/// Packets back to back, then a pause.
class OnOff {
 public:
  /// A burst of B packets of L flits on average takes B * L cycles, so that pauses of
  /// B * L * (1 - load) / load cycles give the load.
  OnOff(const TrafficSpec& spec, double burst, int nodes)
      : more_(1 / burst),
        pause_(spec.load / (spec.load + burst * mean(spec.packet_flits) * (1 - spec.load))),
        left_(static_cast<std::size_t>(nodes)) {}

  Step first(int source, Random& random) { return begin_burst(source, 0, random); }
  Step next(const Injection& packet, Random& random) {
    const std::uint64_t end = packet.cycle + static_cast<std::uint64_t>(packet.flits);
    std::uint64_t& left = left_[static_cast<std::size_t>(packet.source)];
    if (left == 0) return begin_burst(packet.source, end, random);
    --left;
    return {end, true};
  }

 private:
  Step begin_burst(int source, std::uint64_t earliest, Random& random) {
    left_[static_cast<std::size_t>(source)] = more_(random);
    return after(earliest, pause_(random));
  }

  GeometricSampler more_, pause_;
  std::vector<std::uint64_t> left_;  ///< packets of the burst after the next one, by source
};

template <typename Pace>
class OpenLoop final : public Traffic {
 public:
  OpenLoop(const TrafficSpec& spec, int nodes, std::uint64_t seed, Pace pace)
      : Traffic(nodes, largest(spec.packet_flits), largest(spec.classes) + 1, block_size),
        pace_(std::move(pace)),
        flits_(spec.packet_flits),
        classes_(spec.classes),
        destinations_(make_destinations(spec, nodes, Random(seed, common_sequence).bits())) {
    for (int s = 0; s < nodes; ++s) {
      Random& random = random_.emplace_back(seed, static_cast<std::uint64_t>(s) + 1);
      Injection& packet = packets(s).front();
      packet.source = s;
      packet.id = static_cast<std::uint64_t>(s);
      make(packet, pace_.first(s, random), random);
      make_rest(s, packet, random);
    }
  }

 protected:
  void refill(int source) override {
    Random random = random_[static_cast<std::size_t>(source)];  // in registers
    Injection packet = packets(source).back();
    make_next(packet, random);
    packets(source).front() = packet;
    make_rest(source, packet, random);
    random_[static_cast<std::size_t>(source)] = random;
  }

 private:
  /// The packets of a block after the first. The packet at hand stays in registers: to read back at
  /// once what was just written in parts is slow.
  [[gnu::always_inline]] void make_rest(int source, Injection packet, Random& random) {
    for (Injection& place : packets(source).subspan(1)) {
      make_next(packet, random);
      place = packet;
    }
  }
  /// Turns a packet into the one that follows it.
  [[gnu::always_inline]] void make_next(Injection& packet, Random& random) {
    if (packet.cycle == Injection::never) return;
    packet.id += static_cast<std::uint64_t>(nodes());
    make(packet, pace_.next(packet, random), random);
  }
  [[gnu::always_inline]] void make(Injection& packet, const Step& step, Random& random) {
    packet.cycle = step.cycle;
    if (step.cycle == Injection::never) return;
    packet.flits = flits_(random);
    packet.traffic_class = classes_(random);
    if (!step.same_destination) packet.destination = destinations_->pick(packet.source, random);
  }

  std::vector<Random> random_;  ///< by source
  Pace pace_;
  DiscreteSampler flits_, classes_;
  std::unique_ptr<Destinations> destinations_;
};

}  // namespace

std::unique_ptr<Traffic> make_open_loop(const TrafficSpec& spec, int nodes, std::uint64_t seed) {
  const double burst = spec.parameters.at("burst");
  if (burst == 0) return std::make_unique<OpenLoop<Bernoulli>>(spec, nodes, seed, Bernoulli(spec));
  return std::make_unique<OpenLoop<OnOff>>(spec, nodes, seed, OnOff(spec, burst, nodes));
}

}  // namespace weft::verif
