// SPDX-License-Identifier: Apache-2.0
// Routing by ranges of keys that follow each other without holes. One comparison with the first
// key of a range serves it and the range before; a range that is an aligned power of two needs only
// its high bits compared.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "arch/network/header.h"
#include "rtl_gen/switch/route_parts.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// The keys that lead to a port: first .. last, inclusive.
struct PortRange {
  int port = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  /// Whether its keys are all those that agree with `first` from free_bits() up.
  [[nodiscard]] bool aligned() const {
    const std::uint64_t varying = last - first;
    return (varying & (varying + 1)) == 0 && (first & varying) == 0;
  }
  [[nodiscard]] int free_bits() const { return std::countr_one(last - first); }
};

/// Compares a key with the ranges, which ascend.
class RangeMatch {
 public:
  RangeMatch(Module& m, const BitField& key, const std::vector<PortRange>& ranges);

  /// The key is in the range of this index.
  [[nodiscard]] Expr inside(std::size_t index) const;

 private:
  [[nodiscard]] bool needs_comparison(std::size_t index) const;
  [[nodiscard]] std::uint64_t first(std::size_t index) const {
    return index < ranges_.size() ? ranges_[index].first : ranges_.back().last + 1;
  }

  const BitField& key_;
  const std::vector<PortRange>& ranges_;
  /// For each range, and for what lies behind the last: its first key, and "not below that".
  std::vector<std::optional<BitField>> constant_;
  std::vector<std::optional<Expr>> from_;
};

/// Whether "not below the first key" is needed, and not always or never true.
bool RangeMatch::needs_comparison(std::size_t index) const {
  const std::uint64_t bound = first(index);
  if (bound == 0 || (key_.width < 64 && bound >> key_.width != 0)) return false;
  return (index < ranges_.size() && !ranges_[index].aligned()) ||
         (index > 0 && !ranges_[index - 1].aligned());
}

RangeMatch::RangeMatch(Module& m, const BitField& key, const std::vector<PortRange>& ranges)
    : key_(key), ranges_(ranges), constant_(ranges.size() + 1), from_(ranges.size() + 1) {
  int ignored_bits = key.width;
  for (std::size_t i = 0; i <= ranges.size(); ++i) {
    const bool end = i == ranges.size();
    const bool high_bits = !end && ranges[i].aligned() && ranges[i].free_bits() < key.width;
    if (!high_bits && !needs_comparison(i)) continue;
    std::vector<bool> bits;
    for (int bit = 0; bit < key.width; ++bit) bits.push_back((first(i) >> bit & 1) != 0);
    const std::string name = end ? "END" : fmt::format("FIRST_{}", ranges[i].port);
    const std::string note =
        end ? "behind the last" : fmt::format("the first that takes port {}", ranges[i].port);
    constant_[i] = BitField{m.constant(name, key.width, constant_bits(bits), note), key.width};
    ignored_bits =
        std::min(ignored_bits, high_bits ? ranges[i].free_bits() : std::countr_zero(first(i)));
  }
  for (std::size_t i = 0; i <= ranges.size(); ++i) {
    if (!needs_comparison(i)) continue;
    const int low = std::countr_zero(first(i));
    from_[i] = m.let(i == ranges.size() ? "beyond" : fmt::format("from_{}", ranges[i].port),
                     key.above(low) >= constant_[i]->above(low));
  }
  if (ignored_bits > 0) {
    m.unused("unused_key", {key.bits(ignored_bits - 1, 0)}, "the same for all keys of a range");
  }
}

Expr RangeMatch::inside(std::size_t index) const {
  const PortRange& range = ranges_[index];
  if (range.aligned()) {
    const int low = range.free_bits();
    return low == key_.width ? bin(1, 1) : key_.above(low) == constant_[index]->above(low);
  }
  const std::optional<Expr>& from = from_[index];
  const std::optional<Expr>& beyond = from_[index + 1];
  if (from && beyond) return *from & ~*beyond;
  if (beyond) return ~*beyond;
  return from.value_or(bin(1, 1));
}

/// Drives the bits of `taken` whose ports have ranges.
void match_ranges(Module& m, const BitField& key, const std::vector<PortRange>& ranges,
                  const BitField& taken) {
  const RangeMatch match(m, key, ranges);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    m.assign(taken.bit(ranges[i].port), match.inside(i));
  }
}

/// Drives outputs `first` .. by the destination modulo their number.
void spread_upwards(const RouteModule& route, const BitField& destination, const Expr& up) {
  Module& m = route.m;
  const int count = route.device.up_ports;
  const int first = route.device.ports - count;
  if (count == 1) {
    m.assign(route.output.at(first), up);
    return;
  }
  const int width = arch::index_width(count);
  const Expr choice = m.wire("up_port", width, "the destination modulo the ports that lead up");
  if (destination.width <= width && (1 << destination.width) <= count) {
    m.assign(choice, zext(destination.signal, width));
  } else if (std::has_single_bit(static_cast<unsigned>(count))) {
    m.assign(choice, destination.bits(width - 1, 0));
  } else {
    m.comment("One step of long division a bit.");
    const Expr divisor = m.constant("UP_PORTS", width + 1, count);
    const Function remainder = m.function("remainder", width, [&](FunctionBuilder& f) -> Body {
      const Expr dividend = f.input("dividend", destination.width);
      const Expr rest = f.variable("rest", width + 1);
      const Expr i = f.integer("i");
      return {set(rest, 0),
              ForDown(i, 0, destination.width,
                      {set(rest, cat({rest(width - 1, 0), dividend.at(i)})),
                       If(rest >= divisor, {set(rest, rest - divisor)})}),
              set(f.result(), rest(width - 1, 0))};
    });
    m.assign(choice, remainder({destination.signal}));
  }
  for (int i = 0; i < count; ++i) {
    m.assign(route.output.at(first + i), up & (choice == lit(width, i)));
  }
}

}  // namespace

void route_by_address(const RouteModule& route) {
  const arch::Switch& device = route.device;
  std::vector<PortRange> ranges;
  for (int port = 0; port < device.ports; ++port) {
    const auto index = static_cast<std::size_t>(port);
    const PortRange range{port, device.address_bases[index], device.address_limits[index]};
    if (range.first <= range.last) {
      ranges.push_back(range);
    } else {
      route.m.assign(route.output.at(port), bin(1, 0), "has no addresses");
    }
  }
  std::ranges::sort(ranges, {}, &PortRange::first);
  match_ranges(route.m, route.field("address", 0, device.address_width), ranges,
               {route.output, device.ports});
}

void route_up_or_down(const RouteModule& route) {
  const arch::Switch& device = route.device;
  const int down_ports = device.ports - device.up_ports;
  const BitField destination =
      route.field("destination", 0, arch::HeaderLayout(device).route_width);
  std::vector<PortRange> ranges;
  for (int port = 0; port < down_ports; ++port) {
    const auto size = static_cast<std::uint64_t>(device.down_destinations);
    const std::uint64_t first = static_cast<std::uint64_t>(device.first_destination) +
                                static_cast<std::uint64_t>(port) * size;
    ranges.push_back({port, first, first + size - 1});
  }
  if (device.up_ports == 0) {
    match_ranges(route.m, destination, ranges, {route.output, device.ports});
    return;
  }
  const Expr below = route.m.wire("below", down_ports, "the port that leads down");
  match_ranges(route.m, destination, ranges, {below, down_ports});
  route.m.assign(route.output(down_ports - 1, 0), below);
  spread_upwards(route, destination, route.m.let("up", ~any(below), "not below any port"));
}

}  // namespace weft::rtl
