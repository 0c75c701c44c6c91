// SPDX-License-Identifier: Apache-2.0
#include "synth/search/probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

namespace weft::synth {

Prober::Prober(Request request, int jobs)
    : request_(std::move(request)),
      progress_(std::move(request_.progress)),
      jobs_(std::max(1, jobs)) {
  // Told from several threads the steps of single runs would be a jumble.
  request_.progress = nullptr;
  // A search compares whole designs; their modules would cost a synthesis more each.
  request_.by_module = false;
}

Result Prober::probe_one(const ProbePoint& point) const {
  Request request = request_;
  request.recipe.name = point.recipe;
  request.clock_ns = point.clock_ns;
  request.output_directory /= fmt::format("probes/{}_{:.3f}ns", point.recipe, point.clock_ns);
  return run(request);
}

std::vector<Result> Prober::probe(const std::vector<ProbePoint>& points) {
  std::vector<Result> results;
  for (std::size_t begin = 0; begin < points.size();) {
    const std::size_t end = std::min(points.size(), begin + static_cast<std::size_t>(jobs_));
    std::vector<std::future<Result>> running;
    for (std::size_t i = begin; i < end; ++i)
      running.push_back(std::async(std::launch::async, [&, i] { return probe_one(points[i]); }));
    // When one throws, the futures of the others wait for them before the exception goes on.
    for (auto& future : running) {
      results.push_back(future.get());
      const Result& result = results.back();
      ++done_;
      if (progress_)
        progress_(fmt::format(
            "{:3} {} {:.3f} ns: {:.0f} um2, path {:.3f} ns, {}", done_, result.recipe,
            result.clock_ns, result.area_um2, result.critical_path_ns,
            result.meets_timing() ? std::string("met")
                                  : fmt::format("missed by {:.3f} ns", -result.slack_ns)));
    }
    begin = end;
  }
  return results;
}

}  // namespace weft::synth
