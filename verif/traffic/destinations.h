// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "verif/random.h"

namespace weft::verif {

struct TrafficSpec;

/// To whom a packet goes.
class Destinations {
 public:
  virtual ~Destinations() = default;
  Destinations(const Destinations&) = delete;
  Destinations& operator=(const Destinations&) = delete;

  /// Destination of the next packet (or burst) of `source`, whose random numbers are `random`.
  int pick(int source, Random& random) {
    // The usual case costs no call.
    return any_of_ != 0 ? static_cast<int>(random.below(any_of_)) : choose(source, random);
  }

 protected:
  /// `any_of`: all of so many nodes are equally likely, and choose() is not asked; 0: it is.
  explicit Destinations(int any_of = 0) : any_of_(static_cast<std::uint64_t>(any_of)) {}

 private:
  virtual int choose(int source, Random& random) = 0;

  std::uint64_t any_of_;
};

/// The destinations of an open-loop pattern. Throws UserError when it does not fit the number of
/// nodes. `seed` draws what is the same for all sources.
[[nodiscard]] std::unique_ptr<Destinations> make_destinations(const TrafficSpec& spec, int nodes,
                                                              std::uint64_t seed);

}  // namespace weft::verif
