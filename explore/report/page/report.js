// SPDX-License-Identifier: Apache-2.0
//
// The page of a sweep. `data` is what explore/report/report.cpp wrote; everything that is seen is made
// from it and from `state`.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// Wong's palette (Nature Methods 8, 2011, p. 441), which colour-blind readers can tell apart.
const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"];
const frontColour = "#d55e00";

const points = data.points.map((row) => Object.fromEntries(data.columns.map((name, i) => [name, row[i]])));
const front = new Set(data.front);
for (const point of points) point.front = front.has(point.id);

const axes = data.axes.map((a) => a.name);
const results = data.results.map((r) => r.name);
const about = Object.fromEntries([...data.axes, ...data.results].map((c) => [c.name, c]));
const goal = Object.fromEntries(data.objectives.map((o) => [o.name, o.goal]));
const isWord = Object.fromEntries([...axes, ...results].map((name) =>
  [name, points.some((p) => p[name] != null && typeof p[name] !== "number")]));
const numbers = [...results, ...axes].filter((name) => !isWord[name] && points.some((p) => p[name] != null));

const objectives = data.objectives.map((o) => o.name);

/** Whether a column is better seen on a logarithmic scale. */
function spansDecades(name) {
  let low = Infinity, high = -Infinity;
  for (const p of points) { if (p[name] < low) low = p[name]; if (p[name] > high) high = p[name]; }
  return low > 0 && high / low > 50;
}

const state = {
  filter: "", status: "", frontOnly: false, brushes: {}, chosen: null, sort: "id", down: false, page: 0,
  x: objectives[0] ?? numbers[0], y: objectives[1] ?? numbers.find((n) => n !== objectives[0]) ?? numbers[0],
  colour: "front",
};
state.xLog = spansDecades(state.x);
state.yLog = spansDecades(state.y);

// ---- text ------------------------------------------------------------------------------------

function text(value) {
  if (value == null) return "";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e12 || size < 1e-4)) return value.toExponential(3);
  if (size >= 1e5) return Math.round(value).toLocaleString("en-US");
  return value.toLocaleString("en-US", { maximumSignificantDigits: 5 });
}

function title(name) {
  const unit = about[name]?.unit;
  return unit ? `${name} (${unit})` : name;
}

function make(tag, content, attributes = {}) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (content != null) node.append(...(Array.isArray(content) ? content : [content]));
  return node;
}

// ---- filter ----------------------------------------------------------------------------------

/** A predicate for an expression over columns; words need no quotes. Throws with what is wrong. */
function parseFilter(source) {
  if (!source.trim()) return () => true;
  const words = new Set(points.flatMap((p) => [...axes, "status"].map((n) => p[n]).filter((v) => typeof v === "string")));
  const code = source.replace(/"[^"]*"|'[^']*'|[A-Za-z_]\w*|[<>=!]=?=?/g, (token) => {
    if (/^["']/.test(token)) return JSON.stringify(token.slice(1, -1));
    if (token === "=") return "===";
    if (!/^[A-Za-z_]/.test(token)) return token;
    if (token === "true" || token === "false") return token;
    if (data.columns.includes(token) || token === "front") return `p[${JSON.stringify(token)}]`;
    if (words.has(token)) return JSON.stringify(token);
    throw new Error(`there is no column '${token}'`);
  });
  if (/[^\w\s.()<>=!&|+\-*/%"\[\]]/.test(code)) throw new Error("this is no expression");
  return new Function("p", `"use strict"; return Boolean(${code});`);
}

function inBrushes(point) {
  return Object.entries(state.brushes).every(([name, [low, high]]) => {
    const value = position(name, point[name]);
    return value != null && value >= low && value <= high;
  });
}

let predicate = () => true;
function filtered() {
  return points.filter((p) => (!state.status || p.status === state.status) && (!state.frontOnly || p.front) && predicate(p));
}
function visible() { return filtered().filter(inBrushes); }

// ---- charts ----------------------------------------------------------------------------------

function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  return { ink: of("--ink"), faint: of("--faint"), line: of("--line"), paper: of("--paper") };
}

function config() {
  const c = colours();
  return {
    background: null,
    axis: { labelColor: c.ink, titleColor: c.ink, tickColor: c.line, domainColor: c.line, gridColor: c.line, labelFontSize: 12, titleFontSize: 13 },
    legend: { labelColor: c.ink, titleColor: c.ink, labelFontSize: 12, titleFontSize: 12 },
    title: { color: c.ink },
  };
}

const views = {};
/** Replaces the chart in `id`. A view that was asked for later wins. */
async function draw(id, spec) {
  views[id]?.finalize();
  const view = new vega.View(vega.parse(spec, config()), { renderer: "svg", container: byId(id), hover: true });
  views[id] = view;
  await view.runAsync();
  return view;
}

function colourScale(name) {
  if (name === "front") return null;
  if (isWord[name] || axes.includes(name)) {
    const domain = [...new Set(points.map((p) => p[name]).filter((v) => v != null))].sort((a, b) => (a < b ? -1 : 1));
    if (domain.length <= palette.length) return { name: "colour", type: "ordinal", domain, range: palette };
  }
  return { name: "colour", type: "linear", domain: { data: "points", field: `v.${name}` }, range: { scheme: "viridis" }, zero: false };
}

function scatter() {
  const { x, y, colour } = state;
  const values = visible().filter((p) => p[x] != null && p[y] != null && (!state.xLog || p[x] > 0) && (!state.yLog || p[y] > 0))
    .map((p) => ({ v: p, id: p.id, x: p[x], y: p[y], front: p.front, tip: tip(p) }));
  const line = values.filter((v) => v.front).sort((a, b) => a.x - b.x);
  const scale = colourScale(colour);
  const fill = scale ? { scale: "colour", field: `v.${colour}` } : [{ test: "datum.front", value: frontColour }, { value: palette[0] }];
  const c = colours();
  const axis = (name, log) => ({ type: log ? "log" : "linear", zero: false, nice: true, domain: { data: "points", field: name } });
  const twoObjectives = objectives.length === 2 && objectives.includes(x) && objectives.includes(y);
  return draw("scatter", {
    width: Math.max(320, byId("scatter").clientWidth), height: 460, padding: 2, autosize: { type: "fit", contains: "padding" },
    data: [{ name: "points", values }, { name: "front", values: twoObjectives ? line : [] }],
    signals: [{ name: "chosen", value: state.chosen }, { name: "click", value: null, on: [{ events: "symbol:click", update: "datum" }] }],
    scales: [
      { name: "x", ...axis("x", state.xLog), range: "width" },
      { name: "y", ...axis("y", state.yLog), range: "height" },
      ...(scale ? [scale] : []),
    ],
    axes: [
      { orient: "bottom", scale: "x", title: title(x), grid: true, tickCount: 8, labelOverlap: true },
      { orient: "left", scale: "y", title: title(y), grid: true, tickCount: 8, labelOverlap: true },
    ],
    legends: scale ? [{ fill: "colour", title: title(colour) }] : [],
    marks: [
      { type: "line", from: { data: "front" }, interactive: false, encode: { update: {
        x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" }, stroke: { value: frontColour }, strokeOpacity: { value: 0.5 },
        interpolate: { value: goal[x] === "max" ? "step-before" : "step-after" } } } },
      { type: "symbol", from: { data: "points" }, sort: { field: "datum.front" }, encode: { update: {
        x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" }, fill, cursor: { value: "pointer" },
        shape: [{ test: "datum.front", value: "diamond" }, { value: "circle" }],
        size: [{ test: "datum.front", value: 90 }, { value: 36 }],
        fillOpacity: [{ test: "datum.front", value: 1 }, { value: 0.6 }],
        stroke: [{ test: "datum.id === chosen", value: c.ink }, { test: "datum.front", value: c.paper }, { value: null }],
        strokeWidth: [{ test: "datum.id === chosen", value: 3 }, { value: 0.5 }],
        tooltip: { field: "tip" } } } },
    ],
  }).then((view) => view.addSignalListener("click", (_, datum) => datum && choose(datum.id)));
}

function tip(p) {
  return [`point ${p.id}`, ...[...axes, ...objectives].map((n) => `${n}: ${text(p[n])}`)].join("\n");
}

/** Where a value stands on a parallel axis, 0 at the bottom to 1 at the top. */
const ranges = {};
function range(name) {
  if (ranges[name]) return ranges[name];
  const present = points.map((p) => p[name]).filter((v) => v != null);
  const distinct = [...new Set(present)];
  if (isWord[name] || (axes.includes(name) && distinct.length <= 12)) {
    distinct.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    ranges[name] = { steps: distinct };
  } else {
    let low = Infinity, high = -Infinity;
    for (const v of present) { if (v < low) low = v; if (v > high) high = v; }
    ranges[name] = { low, high, log: spansDecades(name) };
  }
  return ranges[name];
}
function position(name, value) {
  if (value == null) return null;
  const r = range(name);
  if (r.steps) return r.steps.length === 1 ? 0.5 : r.steps.indexOf(value) / (r.steps.length - 1);
  if (r.low === r.high) return 0.5;
  return r.log ? Math.log(value / r.low) / Math.log(r.high / r.low) : (value - r.low) / (r.high - r.low);
}
function ticks(name) {
  const r = range(name);
  if (r.steps) return r.steps.map((value) => ({ at: position(name, value), label: text(value) }));
  return [0, 0.25, 0.5, 0.75, 1].map((at) => ({
    at, label: text(Number((r.log ? r.low * (r.high / r.low) ** at : r.low + at * (r.high - r.low)).toPrecision(3))) }));
}

const mostLines = 2000;
function coordinates() {
  const names = [...axes, ...objectives.filter((n) => !axes.includes(n))].filter((n) => points.some((p) => p[n] != null));
  const width = Math.max(names.length * 90, byId("coordinates").clientWidth - 180), height = 300;
  const at = (i) => (names.length === 1 ? width / 2 : (i * width) / (names.length - 1));
  const shown = filtered().filter((p) => names.every((n) => p[n] != null));
  const sample = shown.length <= mostLines ? shown : [...shown.filter((p) => p.front), ...shown.filter((p) => !p.front).slice(0, mostLines)];
  const segments = sample.flatMap((p) => {
    const kept = inBrushes(p);
    return names.map((n, i) => ({ id: p.id, front: p.front, kept, x: at(i), y: height * (1 - position(n, p[n])) }));
  });
  const c = colours();
  const lines = {
    type: "group", from: { facet: { name: "one", data: "lines", groupby: "id" } }, interactive: false,
    marks: [{ type: "line", from: { data: "one" }, interactive: false, encode: { update: {
      x: { field: "x" }, y: { field: "y" },
      stroke: [{ test: "datum.id === chosen", value: c.ink }, { test: "datum.front", value: frontColour }, { value: palette[0] }],
      strokeWidth: [{ test: "datum.id === chosen", value: 3 }, { test: "datum.front", value: 1.6 }, { value: 1 }],
      strokeOpacity: [{ test: "!datum.kept", value: 0.04 }, { test: "datum.front", value: 0.9 }, { value: 0.25 }] } } }],
  };
  const axisMarks = names.flatMap((name, i) => {
    const signal = `[brush_${i} ? max(brush_${i}[0], brush_${i}[1]) : 0, brush_${i} ? min(brush_${i}[0], brush_${i}[1]) : 0]`;
    const tickLabels = (paint) => ({ type: "text", interactive: false, from: { data: `ticks_${i}` }, encode: { enter: { x: { value: at(i) + 5 }, y: { signal: `${height} * (1 - datum.at)` }, baseline: { value: "middle" }, fontSize: { value: 11 }, text: { field: "label" }, ...paint } } });
    return [
      { type: "rule", interactive: false, encode: { enter: { x: { value: at(i) }, y: { value: 0 }, y2: { value: height }, stroke: { value: c.faint } } } },
      { type: "text", interactive: false, encode: { enter: { x: { value: at(i) }, y: { value: i % 2 ? -22 : -8 }, align: { value: "center" }, fontWeight: { value: 600 }, fontSize: { value: 12 }, fill: { value: c.ink }, text: { value: title(name) } } } },
      tickLabels({ stroke: { value: c.paper }, strokeWidth: { value: 4 } }),
      tickLabels({ fill: { value: c.ink } }),
      { type: "rect", name: `brushed_${i}`, interactive: false, encode: { update: { x: { value: at(i) - 7 }, width: { value: 14 }, y: { signal: `${signal}[1]` }, y2: { signal: `${signal}[0]` }, fill: { value: c.faint }, fillOpacity: { value: 0.35 } } } },
      { type: "rect", name: `handle_${i}`, encode: { enter: { x: { value: at(i) - 12 }, width: { value: 24 }, y: { value: -3 }, height: { value: height + 6 }, fill: { value: "transparent" }, cursor: { value: "ns-resize" } } } },
    ];
  });
  const signals = names.map((name, i) => {
    const brush = state.brushes[name];
    return { name: `brush_${i}`, value: brush ? [height * (1 - brush[0]), height * (1 - brush[1])] : null, on: [
      { events: `@handle_${i}:mousedown`, update: "[y(), y()]" },
      { events: `[@handle_${i}:mousedown, window:mouseup] > window:mousemove!`, update: `[brush_${i}[0], clamp(y(), 0, ${height})]` },
      { events: `@handle_${i}:dblclick`, update: "null" },
    ] };
  });
  return draw("coordinates", {
    width, height, autosize: "none", padding: { left: 70, right: 110, top: 38, bottom: 10 },
    data: [{ name: "lines", values: segments }, ...names.map((n, i) => ({ name: `ticks_${i}`, values: ticks(n) }))],
    signals: [{ name: "chosen", value: state.chosen }, ...signals],
    marks: [lines, ...axisMarks],
  }).then((view) => names.forEach((name, i) => view.addSignalListener(`brush_${i}`, (_, value) => brushed(name, value, height))));
}

let brushTimer = 0;
function brushed(name, value, height) {
  clearTimeout(brushTimer);
  brushTimer = setTimeout(() => {
    if (value && Math.abs(value[0] - value[1]) > 3) {
      const ends = value.map((y) => 1 - y / height).sort((a, b) => a - b);
      state.brushes[name] = [ends[0] - 0.01, ends[1] + 0.01];
    } else {
      delete state.brushes[name];
    }
    changed();
  }, 250);
}

function shares() {
  const values = data.importance.map((i) => ({ ...i, label: i.share == null ? "" : `${Math.round(100 * i.share)} %` }));
  if (!values.length) { byId("importance").hidden = true; return Promise.resolve(); }
  const rows = [...new Set(values.map((v) => v.axis))], columns = [...new Set(values.map((v) => v.objective))];
  const c = colours();
  return draw("shares", {
    width: columns.length * 200, height: rows.length * 26, padding: 5,
    data: [{ name: "shares", values }],
    scales: [
      { name: "x", type: "band", domain: columns, range: "width", paddingInner: 0.08 },
      { name: "y", type: "band", domain: rows, range: "height", paddingInner: 0.15 },
      { name: "bar", type: "linear", domain: [0, 1], range: [0, { signal: "bandwidth('x') - 46" }] },
    ],
    axes: [{ orient: "left", scale: "y", domain: false, ticks: false }, { orient: "top", scale: "x", domain: false, ticks: false }],
    marks: [
      { type: "rect", from: { data: "shares" }, encode: { enter: { x: { scale: "x", field: "objective" }, y: { scale: "y", field: "axis" }, width: { scale: "bar", field: "share" }, height: { scale: "y", band: 1 }, fill: { value: palette[0] } } } },
      { type: "text", from: { data: "shares" }, encode: { enter: { x: { signal: "scale('x', datum.objective) + scale('bar', datum.share) + 5" }, y: { scale: "y", field: "axis", band: 0.5 }, baseline: { value: "middle" }, fill: { value: c.ink }, fontSize: { value: 12 }, text: { field: "label" } } } },
    ],
  });
}

// ---- one point -------------------------------------------------------------------------------

/** The configuration of a point, as a file. */
function configuration(point) {
  const values = { ...data.base };
  for (const name of axes) if (point[name] != null) values[name] = point[name];
  const scalar = (v) => (Array.isArray(v) ? `[${v.join(", ")}]` : String(v));
  return Object.entries(values).map(([name, value]) => `${name}: ${scalar(value)}`).join("\n") + "\n";
}

function showPoint() {
  const place = byId("point");
  const point = points.find((p) => p.id === state.chosen);
  if (!point) { place.replaceChildren(make("p", "Click a point, a line of the table.", { class: "hint" })); return; }
  const list = make("dl", [...axes, ...results].filter((n) => point[n] != null)
    .flatMap((n) => [make("dt", title(n), { title: about[n]?.doc ?? "" }), make("dd", text(point[n]))]));
  const yaml = configuration(point);
  const copy = make("button", "Copy configuration", { type: "button", id: "copy" });
  copy.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(yaml); copy.textContent = "Copied"; } catch { getSelection().selectAllChildren(byId("configuration")); copy.textContent = "Selected: press Ctrl-C"; }
  });
  place.replaceChildren(
    make("p", [make("strong", `${point.id}`), ` ${point.status}${point.front ? ", on the front" : ""}, depth ${point.depth ?? "-"}`]),
    ...(point.reason ? [make("p", point.reason)] : []), list, copy, make("pre", yaml, { id: "configuration" }));
}

function choose(id) {
  state.chosen = id;
  showPoint();
  for (const view of ["scatter", "coordinates"]) views[view]?.signal("chosen", id).runAsync();
  for (const row of document.querySelectorAll("#table tbody tr")) row.classList.toggle("chosen", Number(row.dataset.id) === id);
}

// ---- tables ----------------------------------------------------------------------------------

const pageRows = 50;
const tableColumns = ["id", "status", ...axes, ...results.filter((n) => points.some((p) => p[n] != null))];

function compare(a, b) {
  if (a == null || b == null) return (a == null) - (b == null);
  return a < b ? -1 : a > b ? 1 : 0;
}

function table() {
  const head = make("tr", tableColumns.map((name) => {
    const mark = state.sort === name ? (state.down ? " ▼" : " ▲") : "";
    const button = make("button", name + mark, { type: "button", title: about[name]?.doc ?? "" });
    button.addEventListener("click", () => { state.down = state.sort === name && !state.down; state.sort = name; state.page = 0; table(); });
    const sort = state.sort === name ? (state.down ? "descending" : "ascending") : "none";
    return make("th", [button, ...(about[name]?.unit ? [make("small", about[name].unit)] : [])], { "aria-sort": sort, class: isWord[name] || name === "status" ? "word" : "" });
  }));
  document.querySelector("#table thead").replaceChildren(head);
  const rows = visible().sort((a, b) => compare(a[state.sort], b[state.sort]) * (state.down && a[state.sort] != null && b[state.sort] != null ? -1 : 1) || a.id - b.id);
  const pages = Math.max(1, Math.ceil(rows.length / pageRows));
  state.page = Math.min(state.page, pages - 1);
  document.querySelector("#table tbody").replaceChildren(...rows.slice(state.page * pageRows, (state.page + 1) * pageRows).map((p) => {
    const row = make("tr", tableColumns.map((n) => make("td", text(p[n]), { class: isWord[n] || n === "status" ? "word" : "" })), { "data-id": p.id, class: `${p.front ? "front" : ""} ${p.id === state.chosen ? "chosen" : ""}` });
    row.addEventListener("click", () => choose(p.id));
    return row;
  }));
  const step = (label, by) => {
    const button = make("button", label, { type: "button" });
    button.disabled = state.page + by < 0 || state.page + by >= pages;
    button.addEventListener("click", () => { state.page += by; table(); });
    return button;
  };
  byId("pages").replaceChildren(step("‹", -1), ` ${state.page + 1} of ${pages} `, step("›", 1));
}

function failures() {
  const groups = new Map();
  for (const p of points) {
    if (p.status === "ok" || p.status === "waiting") continue;
    const key = `${p.status}\n${p.reason ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), p]);
  }
  if (!groups.size) { byId("failures").hidden = true; return; }
  const place = document.querySelector("#failures table");
  place.querySelector("thead").replaceChildren(make("tr", ["status", "points", "reason", "first", "log"].map((h) => make("th", h, { class: h === "points" ? "" : "word" }))));
  place.querySelector("tbody").replaceChildren(...[...groups.values()].sort((a, b) => b.length - a.length).map((group) => {
    const p = group[0];
    const row = make("tr", [make("td", p.status, { class: "word" }), make("td", text(group.length)), make("td", p.reason ?? "", { class: "reason" }), make("td", text(p.id), { class: "word" }), make("td", p.log ?? "", { class: "reason" })]);
    row.addEventListener("click", () => choose(p.id));
    return row;
  }));
}

// ---- the page --------------------------------------------------------------------------------

function changed() {
  byId("shown").textContent = `${text(visible().length)} of ${text(points.length)} points`;
  table();
  scatter();
  coordinates();
}

function options(select, names, value) {
  select.replaceChildren(...names.map((n) => make("option", title(n), { value: n })));
  select.value = value;
  select.addEventListener("change", () => {
    state[select.id] = select.value;
    if (select.id !== "colour") byId(`${select.id}-log`).checked = state[`${select.id}Log`] = spansDecades(select.value);
    scatter();
  });
}

function setUp() {
  byId("title").textContent = data.title;
  byId("summary").textContent = `${data.kind}, evaluated to ${data.depth}; front of ${text(data.front.length)} by ${data.objectives.map((o) => `${o.name} (${o.goal})`).join(", ")}` +
    (data.omitted ? `; ${text(data.omitted)} dominated points are left out of this page` : "");
  byId("counts").replaceChildren(...Object.entries(data.counts).map(([status, count]) => make("li", `${text(count)} ${status}`)));
  byId("command").textContent = data.command;
  byId("specification").textContent = data.specification;
  byId("footer").textContent = `weft ${data.weft}, ${data.generated}`;

  options(byId("x"), numbers, state.x);
  options(byId("y"), numbers, state.y);
  byId("x-log").checked = state.xLog;
  byId("y-log").checked = state.yLog;
  options(byId("colour"), ["front", ...axes, ...results.filter((n) => numbers.includes(n))], state.colour);
  for (const [id, key] of [["x-log", "xLog"], ["y-log", "yLog"]]) {
    byId(id).addEventListener("change", (e) => { state[key] = e.target.checked; scatter(); });
  }
  const statuses = [...new Set(points.map((p) => p.status))].sort();
  byId("status").replaceChildren(make("option", "any", { value: "" }), ...statuses.map((s) => make("option", s, { value: s })));
  byId("status").addEventListener("change", (e) => { state.status = e.target.value; changed(); });
  byId("only-front").addEventListener("change", (e) => { state.frontOnly = e.target.checked; changed(); });
  byId("filter").addEventListener("input", (e) => {
    try { predicate = parseFilter(e.target.value); byId("filter-error").textContent = ""; } catch (error) { byId("filter-error").textContent = error.message; return; }
    state.page = 0;
    changed();
  });
  byId("clear").addEventListener("click", () => {
    Object.assign(state, { status: "", frontOnly: false, brushes: {}, page: 0 });
    predicate = () => true;
    byId("filter").value = ""; byId("status").value = ""; byId("only-front").checked = false; byId("filter-error").textContent = "";
    changed();
  });
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    changed(); shares();
  });
  let resizeTimer = 0;
  addEventListener("resize", () => { clearTimeout(resizeTimer); resizeTimer = setTimeout(() => { scatter(); coordinates(); }, 200); });

  showPoint();
  failures();
  changed();
  shares();
}

setUp();
