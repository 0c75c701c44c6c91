// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// The module `name` of the design; `build(module)` fills it if the design has none of that name
/// yet, so that the blocks of a design share the smaller ones that they are made of.
template <class Build>
const hdl::Module& module_once(hdl::Design& design, const std::string& name, hdl::ModuleDoc doc,
                               const Build& build) {
  if (const hdl::Module* const present = design.find(name)) return *present;
  hdl::Module& m = design.add_module(name, std::move(doc));
  build(m);
  m.finish();
  return m;
}

}  // namespace weft::rtl
