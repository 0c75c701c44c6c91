// SPDX-License-Identifier: Apache-2.0
#pragma once

// The Verilog object model: what a generator includes.
#include "rtl_gen/hdl/design.h"   // IWYU pragma: export
#include "rtl_gen/hdl/module.h"   // IWYU pragma: export
#include "rtl_gen/hdl/printer.h"  // IWYU pragma: export
