# SPDX-License-Identifier: Apache-2.0
"""weft: generate, co-simulate, measure and explore hardware from Python.

    >>> import weft
    >>> array = weft.TensorArray(name="mine", rows=8, cols=8, dataflow="output_stationary")
    >>> array.estimate("resnet50")["total_cycles"]
    >>> array.generate("rtl")                      # Verilog, manifest, file list
    >>> array.cosimulate()["status"]               # 'pass': RTL and model agree in every bit and cycle
    >>> array.synthesise(clock_ns=5)["area_um2"]

A configuration has an attribute for each of its parameters; what the others make of `auto` and of
defaults is there too. Whatever is wrong raises ConfigurationError with one line a problem, as the
command line says it. A tool (Yosys, Verilator, ...) that is missing or fails raises ToolError with the
place of its log. Long calls release the interpreter lock, so threads can run several at once, and
Ctrl-C ends them.
"""

from __future__ import annotations

import html as _html
import json as _json
import keyword as _keyword
import os as _os
import pathlib as _pathlib
import tempfile as _tempfile
from typing import Any, Iterable, Mapping, Sequence, Union

from . import _core
from ._core import ConfigurationError, ToolError

Path = Union[str, "_os.PathLike[str]"]


def _find_data() -> None:
    for parent in _pathlib.Path(_core.__file__).resolve().parents:
        data = parent / "share" / "weft"
        if (data / "presets").is_dir():
            _core.set_data_directory(data)
            return
    raise ImportError("weft: no share/weft beside the module; is the installation complete?")


_find_data()

__version__: str = _core.version()

DEPTHS = ("estimate", "model", "synth", "cosim")


class Result(dict):
    """A result: a dict with the members of the command line's JSON, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{_html.escape(str(name))}</th>"
            f"<td style='text-align:right'>{_html.escape(_text(value))}</td></tr>"
            for name, value in self.items()
            if isinstance(value, (int, float, str, bool))
        )
        return f"<table>{rows}</table>"


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}"


class Configuration:
    """A design: the values of its kind's parameters, always legal.

    Make one of a kind by its class (TensorArray, Switch, Link), or read one with load(). Configurations
    do not change; replace() makes another one.
    """

    _kind: str = ""

    def __init__(self, kind: str | None = None, **values: Any) -> None:
        object.__setattr__(self, "_kind", kind or type(self)._kind)
        _check_names(self._kind, values)
        object.__setattr__(self, "_given", dict(values))
        object.__setattr__(self, "_values", _core.resolved(self._kind, values))

    @property
    def kind(self) -> str:
        """What it is: "tensor_array", "switch" or "link"."""
        return self._kind

    @property
    def values(self) -> dict[str, Any]:
        """All parameters, `auto` and defaults resolved."""
        return dict(self._values)

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical form: equal designs have equal digests."""
        return _core.digest(self._kind, self._given)

    def to_yaml(self) -> str:
        """The configuration file, every parameter in it."""
        return _core.canonical(self._kind, self._given)

    def save(self, path: Path) -> None:
        """Writes the configuration file."""
        _pathlib.Path(path).write_text(self.to_yaml(), encoding="utf-8")

    def replace(self, **values: Any) -> "Configuration":
        """The same design with other values; what was left to `auto` is resolved anew."""
        return _make(self._kind, {**self._given, **values})

    # ---- what can be done with it

    def generate(self, directory: Path, *, clock_ns: float = 5.0) -> list[str]:
        """Writes its Verilog, manifest.json, weft.f, weft.core and weft.sdc; gives their names."""
        return _core.generate(self._kind, self._given, _pathlib.Path(directory), clock_ns)

    def estimate(self, workload: str) -> Result:
        """Exact array cycles and utilisation of a workload (file or preset), in closed form. Tensor arrays only."""
        return Result(_json.loads(_core.estimate(self._kind, self._given, workload)))

    def cosimulate(self, workload: str = "", *, transactions: int = 1000, seed: int = 1, cache: Path = "") -> Result:
        """Compares RTL and model bit for bit and cycle for cycle; `status` is "pass" or "fail".

        Random transactions or, of tensor arrays, a workload: a file, a preset or "digits".
        """
        return Result(
            _json.loads(
                _core.cosimulate(self._kind, self._given, str(workload), transactions, seed, _pathlib.Path(cache))
            )
        )

    def synthesise(
        self,
        *,
        target: str = "osu018",
        clock_ns: float = 5.0,
        recipe: str = "balanced",
        dont_use: Sequence[str] = (),
        flat: bool = False,
        directory: Path | None = None,
        cache: Path = "",
    ) -> Result:
        """Area (um2), critical path (ns), cells and registers on a cell library or an FPGA.

        The scripts stay in `directory` (default: NAME_synth). `flat` synthesises all at once instead of composing
        the design of its blocks.
        """
        where = _pathlib.Path(directory if directory is not None else f"{self.name}_synth")
        return Result(
            _json.loads(
                _core.synthesise(
                    self._kind, self._given, where, target, list(dont_use), recipe, clock_ns, flat, _pathlib.Path(cache)
                )
            )
        )

    def evaluate(self, depth: str, *, directory: Path | None = None, **conditions: Any) -> Result:
        """The figures that sweeps see at a depth: "estimate", "model", "synth" or "cosim"; see metrics().

        Conditions: workloads, traffic, packet, load, target, dont_use, recipe, clock_ns, transactions, seed, cache.
        """
        if directory is not None:
            return Result(_core.evaluate(self._kind, self._given, depth, conditions, _pathlib.Path(directory)))
        with _tempfile.TemporaryDirectory(prefix="weft-") as folder:
            return Result(_core.evaluate(self._kind, self._given, depth, conditions, _pathlib.Path(folder)))

    # ---- Python's own

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_values")[name]
        except (AttributeError, KeyError):
            raise AttributeError(f"{type(self).__name__} has no parameter '{name}'") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"configurations do not change; use replace({name}={value!r})")

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._values]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and (self._kind, self._values) == (other._kind, other._values)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __getstate__(self) -> dict[str, Any]:
        return {"kind": self._kind, "given": self._given}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        Configuration.__init__(self, state["kind"], **state["given"])

    def __repr__(self) -> str:
        words = ", ".join(f"{name}={value!r}" for name, value in self._given.items())
        return f"weft.{type(self).__name__}({words})"

    def _repr_html_(self) -> str:
        about = {p["name"]: p for p in _kinds[self._kind]["parameters"]}
        rows = "".join(
            f"<tr title='{_html.escape(about[name]['doc'], quote=True)}'><th style='text-align:left'>{name}</th>"
            f"<td>{_html.escape(str(value))}</td><td>{_html.escape(about[name]['unit'])}</td></tr>"
            for name, value in self._values.items()
            if name != "kind"
        )
        return f"<table><caption>{self._kind}</caption>{rows}</table>"


_kinds: dict[str, dict[str, Any]] = {kind["name"]: kind for kind in _core.kinds()}


def _check_names(kind: str, values: Mapping[str, Any]) -> None:
    import difflib

    if kind not in _kinds:
        raise ConfigurationError(f"there is no kind '{kind}'; there are {', '.join(_kinds)}")
    names = [p["name"] for p in _kinds[kind]["parameters"]]
    problems = []
    for name in values:
        if name in names:
            continue
        near = difflib.get_close_matches(name, names, 1)
        problems.append(f"{name}: {kind} has no such parameter" + (f"; did you mean '{near[0]}'?" if near else ""))
    if problems:
        raise ConfigurationError("\n".join(problems))


def _class_of(kind: Mapping[str, Any]) -> type:
    """A class with an attribute and a line of help for each parameter."""
    parameters = [p for p in kind["parameters"] if p["name"] != "kind"]
    lines = []
    for p in parameters:
        default = "required" if p["default"] is None else f"default {p['default']}"
        unit = f" {p['unit']}" if p["unit"] else ""
        lines.append(f"    {p['name']}: {p['legal']}{unit}, {default}\n        {p['doc']}")
    body: dict[str, Any] = {
        "__doc__": f"{kind['doc']}\n\nParameters:\n" + "\n".join(lines),
        "_kind": kind["name"],
        "__module__": __name__,
        "__annotations__": {p["name"]: Any for p in parameters},
    }
    for p in parameters:
        if not _keyword.iskeyword(p["name"]):
            getter = lambda self, name=p["name"]: self._values[name]  # noqa: E731
            body[p["name"]] = property(getter, doc=f"{p['doc']} {p['legal']} {p['unit']}".strip())
    name = "".join(word.capitalize() for word in kind["name"].split("_"))
    return type(name, (Configuration,), body)


_classes: dict[str, type] = {name: _class_of(kind) for name, kind in _kinds.items()}
globals().update({made.__name__: made for made in _classes.values()})


def _make(kind: str, values: Mapping[str, Any]) -> Configuration:
    values = {name: value for name, value in values.items() if name != "kind"}
    return _classes[kind](**values) if kind in _classes else Configuration(kind, **values)


def load(path_or_preset: Path) -> Configuration:
    """Reads a configuration file, or the preset of that name (see presets())."""
    import warnings

    kind, values, told = _core.load(_os.fspath(path_or_preset))
    for text in told:
        warnings.warn(text, stacklevel=2)
    return _make(kind, values)


def presets() -> dict[str, str]:
    """Names and descriptions of the configurations that come with weft."""
    return dict(_core.presets())


def workloads() -> dict[str, str]:
    """Names and descriptions of the workloads that come with weft."""
    return dict(_core.workloads())


def metrics(kind: str, depth: str, **conditions: Any) -> dict[str, tuple[str, str]]:
    """The figures that designs of a kind have at a depth: name to (unit, meaning)."""
    return {name: (unit, doc) for name, unit, doc in _core.metrics(kind, depth, conditions)}


__all__ = [
    "Configuration",
    "ConfigurationError",
    "DEPTHS",
    "Result",
    "ToolError",
    "load",
    "metrics",
    "presets",
    "workloads",
    *(made.__name__ for made in _classes.values()),
]
