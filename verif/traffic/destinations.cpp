// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/destinations.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "verif/traffic/distribution.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {
namespace {

class Uniform : public Destinations {
 public:
  Uniform(int nodes, bool self) : Destinations(self ? nodes : 0), nodes_(nodes) {
    if (!self && nodes < 2) throw UserError("traffic uniform: self=0 needs at least 2 nodes");
  }
  int choose(int source, Random& random) override {
    const int drawn = static_cast<int>(random.below(nodes_ - 1));
    return drawn + static_cast<int>(drawn >= source);
  }

 private:
  std::uint64_t nodes_;
};

class Permutation : public Destinations {
 public:
  explicit Permutation(std::vector<int> to) : to_(std::move(to)) {}
  int choose(int source, Random& /*random*/) override {
    return to_[static_cast<std::size_t>(source)];
  }

 private:
  std::vector<int> to_;
};

/// A fixed destination with some probability, else another rule.
class Preferred : public Destinations {
 public:
  Preferred(std::unique_ptr<Destinations> preferred, double share,
            std::unique_ptr<Destinations> other)
      : choice_({{1, share}, {0, 1 - share}}),
        preferred_(std::move(preferred)),
        other_(std::move(other)) {}
  int choose(int source, Random& random) override {
    return (choice_(random) == 1 ? preferred_ : other_)->pick(source, random);
  }

 private:
  DiscreteSampler choice_;
  std::unique_ptr<Destinations> preferred_, other_;
};

class AllToAll : public Destinations {
 public:
  explicit AllToAll(int nodes) : nodes_(nodes), distance_(static_cast<std::size_t>(nodes), 0) {
    if (nodes < 2) throw UserError("traffic all_to_all: needs at least 2 nodes");
  }
  int choose(int source, Random& /*random*/) override {
    int& distance = distance_[static_cast<std::size_t>(source)];
    distance = distance % (nodes_ - 1) + 1;
    return (source + distance) % nodes_;
  }

 private:
  int nodes_;
  std::vector<int> distance_;  ///< of the last destination, by source
};

template <typename Function>
std::unique_ptr<Destinations> permutation(int nodes, Function to) {
  std::vector<int> table;
  for (int s = 0; s < nodes; ++s) table.push_back(to(s));
  return std::make_unique<Permutation>(std::move(table));
}

std::unique_ptr<Destinations> transpose(int nodes) {
  const int side = static_cast<int>(std::lround(std::sqrt(nodes)));
  if (side * side != nodes) {
    throw UserError(fmt::format("traffic transpose: {} nodes are not a square", nodes));
  }
  return permutation(nodes, [=](int s) { return s % side * side + s / side; });
}

std::unique_ptr<Destinations> shuffle(int nodes) {
  if (nodes % 2 != 0) {
    throw UserError(fmt::format("traffic shuffle: the number of nodes, {}, is odd", nodes));
  }
  return permutation(nodes, [=](int s) { return s < nodes / 2 ? 2 * s : 2 * s - nodes + 1; });
}

std::unique_ptr<Destinations> random_permutation(int nodes, std::uint64_t seed) {
  std::vector<int> to(static_cast<std::size_t>(nodes));
  std::iota(to.begin(), to.end(), 0);
  Random random(seed);
  for (std::size_t i = to.size(); i > 1; --i) std::swap(to[i - 1], to[random.below(i)]);
  return std::make_unique<Permutation>(std::move(to));
}

}  // namespace

std::unique_ptr<Destinations> make_destinations(const TrafficSpec& spec, int nodes,
                                                std::uint64_t seed) {
  const std::string& pattern = spec.pattern;
  const auto rotation = [=](int distance) {
    return permutation(nodes, [=](int s) { return (s + distance) % nodes; });
  };
  if (pattern == "uniform" || pattern == "bursty") {
    return std::make_unique<Uniform>(nodes, spec.parameters.at("self") != 0);
  }
  if (pattern == "bit_complement") {
    return permutation(nodes, [=](int s) { return nodes - 1 - s; });
  }
  if (pattern == "transpose") return transpose(nodes);
  if (pattern == "shuffle") return shuffle(nodes);
  if (pattern == "tornado") return rotation((nodes + 1) / 2 - 1);
  if (pattern == "neighbour") return rotation(1);
  if (pattern == "random_permutation") return random_permutation(nodes, seed);
  if (pattern == "diagonal") {
    return std::make_unique<Preferred>(rotation(0), spec.parameters.at("share"), rotation(1));
  }
  if (pattern == "all_to_all") return std::make_unique<AllToAll>(nodes);

  const auto node = static_cast<int>(spec.parameters.at("node"));  // hotspot
  if (node >= nodes) {
    throw UserError(fmt::format("traffic hotspot: node = {} is outside 0..{}", node, nodes - 1));
  }
  return std::make_unique<Preferred>(permutation(nodes, [=](int /*s*/) { return node; }),
                                     spec.parameters.at("share"),
                                     std::make_unique<Uniform>(nodes, true));
}

}  // namespace weft::verif
