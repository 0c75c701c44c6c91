#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Area and clock of a 16x16 crossbar switch without queues, and of a 5-port router with two virtual
# channels: bench/switch_area.sh [WEFT]
source "$(dirname "$0")/synthesise.sh"

switch() {  # switch NAME LINE...
  measure switch "$1" area_um2 'flit_width: 64' "${@:2}"
}

crossbar=('ports: 16' 'organisation: crossbar' 'flow_control: ready_valid' 'allocator: round_robin')
switch crossbar_single_cycle "${crossbar[@]}" 'pipeline: single_cycle'
switch crossbar_2_stages "${crossbar[@]}" 'pipeline: 2'
router=('ports: 5' 'organisation: input_queued' 'virtual_channels: 2' 'buffer_depth: 8' 'routing: dimension_order'
  'allocator: matrix' 'pipeline: 3')
switch vc_router "${router[@]}"
switch vc_router_gated_clocks "${router[@]}" 'clock_gating: true'
