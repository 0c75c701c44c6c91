#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Area and clock of the 8x8 int8 arrays that docs/tensor_array.md lists: bench/array_area.sh [WEFT]
source "$(dirname "$0")/synthesise.sh"

array() {  # array NAME LINE...
  measure tensor_array "$1" area_per_mac_um2 'rows: 8' 'cols: 8' 'accumulator_width: 32' "${@:2}"
}

array ws
array ws_multiplier_stage 'multiplier_stages: 1'
array os 'dataflow: output_stationary' 'stationary_buffers: 1'
array os_double 'dataflow: output_stationary'
