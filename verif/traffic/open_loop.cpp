// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/open_loop.h"

#include <utility>

#include "verif/random.h"
#include "verif/traffic/destinations.h"
#include "verif/traffic/distribution.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {
namespace {

/// Number of the random sequence that is common to all nodes; those of the nodes follow.
constexpr std::uint64_t common_sequence = 0;

class OpenLoop : public Traffic {
 public:
  OpenLoop(const TrafficSpec& spec, int nodes, std::uint64_t seed)
      : Traffic(nodes, largest(spec.packet_flits), largest(spec.classes) + 1),
        flits_(spec.packet_flits),
        classes_(spec.classes) {
    destinations_ = make_destinations(spec, nodes, Random(seed, common_sequence).bits());
    for (int s = 0; s < nodes; ++s) {
      random_.emplace_back(seed, static_cast<std::uint64_t>(s) + 1);
      Injection& packet = next_[static_cast<std::size_t>(s)];
      packet.source = s;
      packet.id = static_cast<std::uint64_t>(s);
    }
  }

 protected:
  /// Makes the next packet of a source, `gap` cycles after `earliest`; nothing for a gap without
  /// end.
  void create(int source, std::uint64_t earliest, std::uint64_t gap, bool same_destination) {
    Injection& packet = next_[static_cast<std::size_t>(source)];
    if (gap == GeometricSampler::never) {
      packet.cycle = Injection::never;
      return;
    }
    Random& random = random_of(source);
    packet.cycle = earliest + gap;
    packet.flits = flits_(random);
    packet.traffic_class = classes_(random);
    if (!same_destination) packet.destination = destinations_->pick(source, random);
  }
  void count(int source) {
    next_[static_cast<std::size_t>(source)].id += static_cast<std::uint64_t>(nodes());
  }
  Random& random_of(int source) { return random_[static_cast<std::size_t>(source)]; }

 private:
  std::vector<Random> random_;
  DiscreteSampler flits_, classes_;
  std::unique_ptr<Destinations> destinations_;
};

class Bernoulli final : public OpenLoop {
 public:
  Bernoulli(const TrafficSpec& spec, int nodes, std::uint64_t seed)
      : OpenLoop(spec, nodes, seed), gap_(spec.load / mean(spec.packet_flits)) {
    for (int s = 0; s < nodes; ++s) create(s, 0, gap_(random_of(s)), false);
  }

 protected:
  void advance(int source) override {
    count(source);
    create(source, next(source).cycle + 1, gap_(random_of(source)), false);
  }

 private:
  GeometricSampler gap_;
};

class OnOff final : public OpenLoop {
 public:
  /// A burst of B packets of L flits on average takes B * L cycles, so that pauses of
  /// B * L * (1 - load) / load cycles give the load.
  OnOff(const TrafficSpec& spec, double burst, int nodes, std::uint64_t seed)
      : OpenLoop(spec, nodes, seed),
        more_(1 / burst),
        pause_(spec.load / (spec.load + burst * mean(spec.packet_flits) * (1 - spec.load))),
        left_(static_cast<std::size_t>(nodes)) {
    for (int s = 0; s < nodes; ++s) begin_burst(s, 0);
  }

 protected:
  void advance(int source) override {
    const std::uint64_t end = next(source).cycle + static_cast<std::uint64_t>(next(source).flits);
    count(source);
    std::uint64_t& left = left_[static_cast<std::size_t>(source)];
    if (left == 0) {
      begin_burst(source, end);
    } else {
      --left;
      create(source, end, 0, true);
    }
  }

 private:
  void begin_burst(int source, std::uint64_t earliest) {
    left_[static_cast<std::size_t>(source)] = more_(random_of(source));
    create(source, earliest, pause_(random_of(source)), false);
  }

  GeometricSampler more_, pause_;
  std::vector<std::uint64_t> left_;  ///< packets of the burst after the next one, by source
};

}  // namespace

std::unique_ptr<Traffic> make_open_loop(const TrafficSpec& spec, int nodes, std::uint64_t seed) {
  const double burst = spec.parameters.at("burst");
  if (burst == 0) return std::make_unique<Bernoulli>(spec, nodes, seed);
  return std::make_unique<OnOff>(spec, burst, nodes, seed);
}

}  // namespace weft::verif
