#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What multicast and in-network reduction cost a switch in area and clock:
# bench/collective_clock.sh [WEFT]
source "$(dirname "$0")/synthesise.sh"

base=('ports: 8' 'flit_width: 32' 'organisation: input_queued' 'buffer_depth: 4')
multicast=('multicast: true')
reduction=('multicast: true' 'in_network_reduction: true')
for pipeline in single_cycle 3; do
  measure switch "unicast_$pipeline" area_um2 "${base[@]}" "pipeline: $pipeline"
  measure switch "multicast_$pipeline" area_um2 "${base[@]}" "${multicast[@]}" "pipeline: $pipeline"
  measure switch "reduction_$pipeline" area_um2 "${base[@]}" "${reduction[@]}" "pipeline: $pipeline"
done
