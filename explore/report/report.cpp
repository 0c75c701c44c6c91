// SPDX-License-Identifier: Apache-2.0
#include "explore/report/report.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

#include "base/files.h"
#include "base/installation.h"
#include "explore/report/importance.h"

namespace weft::explore {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const arch::Value& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json word_or_null(const std::string& word) { return word.empty() ? Json() : Json(word); }

Json to_json(const std::vector<ReportColumn>& columns) {
  Json json = Json::array();
  for (const ReportColumn& column : columns) {
    json.push_back({{"name", column.name}, {"unit", column.unit}, {"doc", column.doc}});
  }
  return json;
}

Json row(const ReportPoint& point) {
  Json json{point.id,
            point.digest,
            point.status,
            word_or_null(point.depth),
            word_or_null(point.reason),
            word_or_null(point.log)};
  for (const arch::Value& value : point.axes) json.push_back(to_json(value));
  for (const auto& result : point.results) json.push_back(result ? Json(*result) : Json());
  return json;
}

/// The points that the page shows.
std::vector<const ReportPoint*> selection(const ReportData& data, std::size_t most) {
  std::vector<const ReportPoint*> always;
  std::vector<const ReportPoint*> others;
  for (const ReportPoint& point : data.points) {
    (point.on_front || point.status != "ok" ? always : others).push_back(&point);
  }
  if (data.points.size() > most) {
    // Failures can be as many as points; they too are thinned then, the front never.
    const auto behind = std::stable_partition(always.begin(), always.end(),
                                              [](const auto* point) { return point->on_front; });
    const auto front = static_cast<std::size_t>(behind - always.begin());
    always.resize(std::min(always.size(), std::max(front, most / 2)));
    const std::size_t room = most - std::min(most, always.size());
    std::vector<const ReportPoint*> kept;
    for (std::size_t i = 0; i < std::min(room, others.size()); ++i) {
      kept.push_back(others[i * others.size() / std::min(room, others.size())]);
    }
    others = std::move(kept);
  }
  always.insert(always.end(), others.begin(), others.end());
  std::ranges::sort(always, {}, &ReportPoint::id);
  return always;
}

/// The choices of an axis as numbers, and one figure, of the designs that are ok.
std::optional<double> importance_of(const ReportData& data, std::size_t axis, std::size_t result) {
  std::map<arch::Value, std::uint32_t> numbers;
  std::vector<std::uint32_t> choices;
  std::vector<double> figures;
  for (const ReportPoint& point : data.points) {
    if (point.status != "ok" || !point.results[result]) continue;
    const auto next = static_cast<std::uint32_t>(numbers.size());
    choices.push_back(numbers.try_emplace(point.axes[axis], next).first->second);
    figures.push_back(*point.results[result]);
  }
  return importance(choices, std::move(figures));
}

Json importances(const ReportData& data) {
  Json json = Json::array();
  for (const ReportObjective& objective : data.objectives) {
    const auto column = std::ranges::find(data.results, objective.name, &ReportColumn::name);
    if (column == data.results.end()) continue;  // an axis itself
    const auto result = static_cast<std::size_t>(column - data.results.begin());
    for (std::size_t axis = 0; axis < data.axes.size(); ++axis) {
      const auto share = importance_of(data, axis, result);
      if (!share) continue;
      json.push_back(
          {{"objective", objective.name}, {"axis", data.axes[axis].name}, {"share", *share}});
    }
  }
  return json;
}

Json page_data(const ReportData& data, std::size_t most_points) {
  Json columns{"id", "digest", "status", "depth", "reason", "log"};
  for (const auto* group : {&data.axes, &data.results}) {
    for (const ReportColumn& column : *group) columns.push_back(column.name);
  }
  Json base = Json::object();
  base["kind"] = data.kind;
  for (const auto& [name, value] : data.base) base[name] = to_json(value);
  Json objectives = Json::array();
  for (const ReportObjective& objective : data.objectives) {
    objectives.push_back({{"name", objective.name}, {"goal", objective.maximise ? "max" : "min"}});
  }
  std::map<std::string, std::size_t> counts;
  Json front = Json::array();
  for (const ReportPoint& point : data.points) {
    ++counts[point.status];
    if (point.on_front) front.push_back(point.id);
  }
  const auto shown = selection(data, most_points);
  Json points = Json::array();
  for (const ReportPoint* point : shown) points.push_back(row(*point));
  return {{"title", data.title},
          {"kind", data.kind},
          {"depth", data.depth},
          {"weft", base::version()},
          {"generated", data.generated},
          {"command", data.command},
          {"specification", data.specification},
          {"base", std::move(base)},
          {"axes", to_json(data.axes)},
          {"results", to_json(data.results)},
          {"objectives", std::move(objectives)},
          {"counts", counts},
          {"columns", std::move(columns)},
          {"points", std::move(points)},
          {"front", std::move(front)},
          {"omitted", data.points.size() - shown.size()},
          {"importance", importances(data)}};
}

/// Replaces every `from`, in one pass.
std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (std::size_t at = text.find(from); at != std::string_view::npos; at = text.find(from)) {
    result.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return result.append(text);
}

/// Text that cannot end the element that it stands in, nor begin one.
std::string escaped_html(std::string_view text) {
  return replaced(replaced(text, "&", "&amp;"), "<", "&lt;");
}

}  // namespace

std::string html_report(const ReportData& data, std::size_t most_points) {
  const auto part = [](const char* name) {
    return base::read_file(base::data_directory() / "report" / name);
  };
  // "<" is left to JSON's escapes, so that no value can end the script element; bytes that are no
  // UTF-8, as logs and file names may have, are replaced.
  const std::string json =
      page_data(data, most_points).dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::map<std::string, std::string> parts{
      {"title", escaped_html(data.title)},
      {"style", part("report.css")},
      {"data", replaced(json, "<", "\\u003c")},
      {"vega", base::read_file(base::data_directory() / "vega" / "vega.js")},
      {"script", part("report.js")},
  };
  const std::string frame = part("report.html");
  std::string page;
  for (std::size_t at = 0; at < frame.size();) {
    const std::size_t open = frame.find("{{", at);
    if (open == std::string::npos) return page.append(frame, at);
    const std::size_t close = frame.find("}}", open);
    page.append(frame, at, open - at).append(parts.at(frame.substr(open + 2, close - open - 2)));
    at = close + 2;
  }
  return page;
}

}  // namespace weft::explore
