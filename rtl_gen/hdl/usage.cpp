// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/usage.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl_gen/hdl/check.h"
#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/printer.h"

namespace weft::rtl::hdl {
namespace {

/// The declaration of which `place` is a part; null if it is one of another generate iteration, or
/// no place at all.
const Object* root(const Expr& place) {
  const Node& node = place.node();
  switch (node.op) {
    case Op::ref:
      return node.object;
    case Op::select:
    case Op::range:
    case Op::part:
      return root(node.args[0]);
    default:
      return nullptr;
  }
}

/// First position of 0 .. size - 1 that is in none of the spans, or size; `high` is the end of a
/// span.
template <typename Spans, typename High>
std::int64_t first_gap(const Spans& spans, std::int64_t size, bool sampled, High high) {
  if (sampled) return spans.empty() ? 0 : size;
  std::int64_t covered = 0;
  for (const auto& [low, rest] : spans) {
    if (low > covered) break;
    covered = std::max(covered, high(rest));
  }
  return covered;
}

}  // namespace

Usage::Signal& Usage::signal(const Object& object) {
  Signal& s = signals_[&object];
  if (sampled_ > s.depth) s.sampled = true;
  return s;
}

Usage::Span Usage::locate(const Expr& place) {
  const Node& node = place.node();
  if (node.op == Op::ref) {
    std::int64_t size = env_.width(place);
    for (const Expr& dim : node.type.dims) size *= env_.require(dim);
    return {0, size};
  }
  const Span outer = locate(node.args[0]);
  if (node.op == Op::range) {
    return {outer.low + env_.require(node.args[2]), outer.low + env_.require(node.args[1]) + 1};
  }
  const auto index = env_.value(node.args[1]);
  // A place that only a running circuit knows may be any.
  if (!index) return outer;
  std::int64_t unit = 1;
  std::int64_t count = 1;
  if (node.op == Op::part) {
    count = env_.require(node.args[2]);
  } else if (node.args[0].type().is_array()) {
    unit = (outer.high - outer.low) / env_.require(node.args[0].type().dims.front());
  }
  const std::int64_t low = outer.low + *index * unit;
  return {low, low + count * unit};
}

void Usage::read_indices(const Expr& place) {
  const Node& node = place.node();
  if (node.op == Op::ref) return;
  read_indices(node.args[0]);
  read(node.args[1]);
}

void Usage::drive(const Expr& target, int driver) {
  if (target.node().op == Op::concat) {
    for (const Expr& part : target.node().args) drive(part, driver);
    return;
  }
  read_indices(target);
  const Object* const object = root(target);
  if (object == nullptr || !object->is_signal()) return;
  auto& driven = signal(*object).driven;
  Span span = locate(target);
  // The spans before and after it that touch it.
  auto it = driven.upper_bound(span.low);
  if (it != driven.begin()) --it;
  while (it != driven.end() && it->first < span.high) {
    const auto [high, other] = it->second;
    if (high <= span.low) {
      ++it;
      continue;
    }
    if (other != driver) {
      throw HdlError(fmt::format("{} has more than one driver", to_verilog(target)));
    }
    span = {std::min(span.low, it->first), std::max(span.high, high)};
    it = driven.erase(it);
  }
  driven[span.low] = {span.high, driver};
}

void Usage::read(const Expr& expr) {
  const Node& node = expr.node();
  if (node.op == Op::conditional) {
    read(node.args[0]);
    const auto condition = env_.value(node.args[0]);
    if (!condition || *condition != 0) read(node.args[1]);
    if (!condition || *condition == 0) read(node.args[2]);
    return;
  }
  const Object* const object = root(expr);
  if (object == nullptr) {
    for (const Expr& arg : node.args) read(arg);
    return;
  }
  read_indices(expr);
  if (!object->is_signal()) return;
  auto& used = signal(*object).used;
  Span span = locate(expr);
  auto it = used.upper_bound(span.low);
  if (it != used.begin()) --it;
  while (it != used.end() && it->first <= span.high) {
    if (it->second < span.low) {
      ++it;
      continue;
    }
    span = {std::min(span.low, it->first), std::max(span.high, it->second)};
    it = used.erase(it);
  }
  used[span.low] = span.high;
}

std::string Usage::place(const Object& object, std::int64_t position) {
  const std::int64_t width = env_.width(ref(object));
  if (object.type.is_array()) {
    return fmt::format("{} (element {}, bit {})", object.name, position / width, position % width);
  }
  return width == 1 ? object.name : fmt::format("{} (bit {} of {})", object.name, position, width);
}

void Usage::check_driven(const Object& object) {
  if (object.kind == ObjectKind::input) return;
  const Signal& s = signals_[&object];
  const std::int64_t size = locate(ref(object)).high;
  const auto high = [](const auto& rest) { return rest.first; };
  const std::int64_t gap = first_gap(s.driven, size, s.sampled, high);
  if (gap < size) throw HdlError(place(object, gap) + " is not driven");
}

void Usage::check_used(const Object& object) {
  if (object.kind == ObjectKind::output || is_unused_name(object.name)) return;
  if (read_elsewhere_.contains(&object)) return;
  const Signal& s = signals_[&object];
  // Elements of an array may go unused where its shape is not a rectangle: a triangle of delays.
  if (object.type.is_array() && !s.used.empty()) return;
  const std::int64_t size = locate(ref(object)).high;
  const std::int64_t gap =
      first_gap(s.used, size, s.sampled, [](std::int64_t high) { return high; });
  if (gap < size) throw HdlError(place(object, gap) + " is not used");
}

}  // namespace weft::rtl::hdl
