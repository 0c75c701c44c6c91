// SPDX-License-Identifier: Apache-2.0
// Maps and Voronoi diagrams are not drawn here; Debian's vega does not bring what they need.
export const geoMollweide = null;
export const Delaunay = null;
