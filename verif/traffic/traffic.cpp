// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/traffic.h"

#include <fmt/format.h>

#include "base/error.h"
#include "verif/traffic/open_loop.h"
#include "verif/traffic/request_response.h"
#include "verif/traffic/trace.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {

std::unique_ptr<Traffic> make_traffic(const TrafficSpec& spec, int nodes, std::uint64_t seed) {
  if (spec.pattern == "trace") return make_trace(spec.file, nodes, spec.trace_limits);
  if (!(spec.load >= 0 && spec.load <= 1)) {
    throw UserError(fmt::format("load {} is outside 0..1 flits/node/cycle", spec.load));
  }
  if (spec.pattern == "request_response") return make_request_response(spec, nodes, seed);
  return make_open_loop(spec, nodes, seed);
}

}  // namespace weft::verif
