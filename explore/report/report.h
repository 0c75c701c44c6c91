// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch/params/value.h"

namespace weft::explore {

/// What the page says of an axis or a result.
struct ReportColumn {
  std::string name;
  std::string unit;
  std::string doc;
};

struct ReportObjective {
  std::string name;  ///< of a result
  bool maximise = false;
};

/// One design of a sweep.
struct ReportPoint {
  std::int64_t id = 0;
  std::string digest;
  std::string status;  ///< "ok", "failed", "infeasible" ...
  std::string depth;   ///< the deepest that it was evaluated at; empty: none
  std::string reason;  ///< unless ok
  std::string log;
  std::vector<arch::Value> axes;               ///< one an axis
  std::vector<std::optional<double>> results;  ///< one a result
  bool on_front = false;
};

/// Everything that the page shows.
struct ReportData {
  std::string title;
  std::string kind;
  std::string depth;          ///< of the front
  std::string command;        ///< that does the sweep again
  std::string specification;  ///< the text of the file
  std::string generated;      ///< time of the sweep, for people
  arch::Values base;          ///< as the base gives them
  std::vector<ReportColumn> axes;
  std::vector<ReportColumn> results;
  std::vector<ReportObjective> objectives;
  std::vector<ReportPoint> points;
};

/// A page in one file that needs nothing else, no network either: trade-offs, parallel coordinates,
/// importance of the parameters, the points with their configurations, failures with reasons. Of
/// more than `most_points` points the front, all that are not ok and an even selection of the
/// others are shown, and the page says how many are not. Throws UserError if the installation lacks
/// the files that the page is made from.
[[nodiscard]] std::string html_report(const ReportData& data, std::size_t most_points = 20'000);

}  // namespace weft::explore
