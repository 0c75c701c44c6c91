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
  /// Destination of the next packet (or burst) of `source`, whose random numbers are `random`.
  virtual int pick(int source, Random& random) = 0;
};

/// The destinations of an open-loop pattern. Throws UserError when it does not fit the number of
/// nodes. `seed` draws what is the same for all sources.
[[nodiscard]] std::unique_ptr<Destinations> make_destinations(const TrafficSpec& spec, int nodes,
                                                              std::uint64_t seed);

}  // namespace weft::verif
