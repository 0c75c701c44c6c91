// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/network/switch.h"
#include "rtl_gen/hdl/hdl.h"

// What the kinds of routing share inside the route module.

namespace weft::rtl {

/// A vector of known width, which is a scalar if it has one bit, and its bits by number.
struct BitField {
  hdl::Expr signal;
  int width;

  [[nodiscard]] hdl::Expr bits(int high, int low) const;
  [[nodiscard]] hdl::Expr bit(int index) const { return bits(index, index); }
  /// All bits from `low` up.
  [[nodiscard]] hdl::Expr above(int low) const { return bits(width - 1, low); }
};

/// The route module while it is filled.
struct RouteModule {
  hdl::Module& m;
  const arch::Switch& device;
  hdl::Expr ports;   ///< PORTS
  hdl::Expr flit;    ///< the head flit
  hdl::Expr offset;  ///< of the route field in it
  hdl::Expr output;  ///< PORTS bits, one-hot: each kind of routing drives every bit

  /// Bits `low` .. `low + width - 1` of the route field.
  [[nodiscard]] BitField field(const std::string& name, int low, int width,
                               const std::string& note = "") const;
};

/// An unsigned constant of any width, lowest bit first.
[[nodiscard]] hdl::Expr constant_bits(const std::vector<bool>& bits);

/// Routing by ranges of keys: address, and up_down with the destinations below each port.
void route_by_address(const RouteModule& route);
void route_up_or_down(const RouteModule& route);

/// The ports of the module that only meshes have (route.h).
struct MeshInputs {
  hdl::Expr x, y;
  std::optional<hdl::Expr> from_west;  ///< odd_even
  std::optional<hdl::Expr> prefer;     ///< adaptive routing
};

/// dimension_order, west_first and odd_even.
void route_in_mesh(const RouteModule& route, const MeshInputs& here);

}  // namespace weft::rtl
