# SPDX-License-Identifier: Apache-2.0
"""The module against the command line's own words and files, and against what is known of small designs."""

import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path

import weft


class Configurations(unittest.TestCase):
    def test_parameters_are_attributes(self):
        array = weft.TensorArray(name="mine", rows=4, cols=6)
        self.assertEqual((array.rows, array.cols, array.kind), (4, 6, "tensor_array"))
        self.assertEqual(array.dataflow, "weight_stationary")
        self.assertIn("rows", dir(array))
        self.assertIn("Rows of the grid", weft.TensorArray.__doc__)
        self.assertIn("1..256", weft.TensorArray.rows.__doc__)
        with self.assertRaises(AttributeError):
            array.rwos

    def test_they_do_not_change(self):
        array = weft.TensorArray(name="mine", rows=4, cols=6)
        with self.assertRaisesRegex(AttributeError, "replace"):
            array.rows = 8
        self.assertEqual(array.replace(rows=8).rows, 8)
        self.assertEqual(array.rows, 4)

    def test_what_is_auto_is_resolved_anew(self):
        array = weft.TensorArray(name="mine", rows=4, cols=6)
        self.assertLess(array.accumulator_width, array.replace(rows=256).accumulator_width)

    def test_all_that_is_wrong_is_said_at_once(self):
        with self.assertRaises(weft.ConfigurationError) as caught:
            weft.TensorArray(name="mine", rows=0, cols="many")
        self.assertEqual(len(str(caught.exception).splitlines()), 2)
        with self.assertRaisesRegex(weft.ConfigurationError, "did you mean 'ports'"):
            weft.Switch(name="mine", prots=4)
        with self.assertRaises(ValueError):
            weft.TensorArray(name="mine", rows=1.5)
        with self.assertRaises(weft.ConfigurationError):
            weft.TensorArray(name="module")

    def test_numpy_like_integers_are_integers(self):
        class Index:
            def __index__(self):
                return 7

        self.assertEqual(weft.TensorArray(name="mine", rows=Index(), cols=2).rows, 7)

    def test_files_and_presets(self):
        self.assertIn("quickstart", weft.presets())
        preset = weft.load("quickstart")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "copy.yaml"
            preset.save(path)
            self.assertEqual(weft.load(path), preset)
            self.assertEqual(weft.load(path).digest, preset.digest)
        with self.assertRaisesRegex(weft.ConfigurationError, "quickstart"):
            weft.load("quickstrat")

    def test_equal_designs_are_equal(self):
        one = weft.TensorArray(name="mine", rows=4, cols=4)
        other = weft.TensorArray(name="mine", rows=4, cols=4, accumulator_width=one.accumulator_width)
        self.assertEqual(one, other)
        self.assertEqual(len({one, other}), 1)
        self.assertEqual(pickle.loads(pickle.dumps(one)), one)
        self.assertIn("rows=4", repr(one))
        self.assertEqual(eval(repr(one)), one)

    def test_every_preset_can_be_made_from_its_values(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name in weft.presets():
                preset = weft.load(name)
                self.assertEqual(type(preset)(**{k: v for k, v in preset.values.items() if k != "kind"}), preset)

    def test_notebooks_show_tables(self):
        array = weft.TensorArray(name="mine", rows=4, cols=6)
        self.assertIn("<td>6</td>", array._repr_html_())
        self.assertIn("1,234", weft.Result(x=1234)._repr_html_())


class Jobs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        self.array = weft.TensorArray(name="tiny", rows=2, cols=2)

    def test_estimate_is_the_contracts(self):
        # 2x2 weight stationary, one tile of one vector: B load beats, then LATENCY, then the result's cycle.
        workload = self.path / "one.yaml"
        workload.write_text("kind: workload\nname: one\nlayers:\n  - {name: l, type: gemm, m: 1, n: 2, k: 2}\n")
        result = self.array.estimate(str(workload))
        self.assertEqual(result["macs"], 4)
        figures = self.array.evaluate("estimate", workloads=[str(workload)])
        self.assertEqual(figures["total_cycles"], result["total_cycles"])
        self.assertEqual(figures["latency"] + 2 + 1, result["total_cycles"])

    def test_generate(self):
        names = self.array.generate(self.path / "rtl")
        self.assertIn("tiny.v", names)
        self.assertEqual(sorted(p.name for p in (self.path / "rtl").iterdir()), sorted(names))

    def test_cosimulate(self):
        result = self.array.cosimulate(transactions=3, cache=self.path / "cache")
        self.assertEqual(result["status"], "pass")
        with self.assertRaisesRegex(weft.ConfigurationError, "no workloads"):
            weft.Switch(name="sw", ports=2, flit_width=16).cosimulate("tiny")

    def test_synthesise(self):
        result = self.array.synthesise(directory=self.path / "s", cache=self.path / "cache")
        flat = self.array.synthesise(directory=self.path / "f", cache=self.path / "cache", flat=True)
        self.assertEqual(result["area_um2"], flat["area_um2"])
        self.assertEqual(
            self.array.evaluate("synth", cache=self.path / "cache")["area_um2"], result["area_um2"]
        )
        with self.assertRaises(weft.ConfigurationError):
            self.array.synthesise(target="osu017", directory=self.path / "s")

    def test_tools_that_are_missing_say_so(self):
        code = (
            "import weft; weft.TensorArray(name='tiny', rows=2, cols=2)"
            f".synthesise(directory={str(self.path / 's')!r}, cache={str(self.path / 'c')!r})"
        )
        ran = subprocess.run(
            [sys.executable, "-c", code], env={"PATH": "/nowhere", "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, text=True,
        )
        self.assertIn("ToolError", ran.stderr)
        self.assertIn("yosys", ran.stderr)

    def test_other_threads_go_on_meanwhile(self):
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.01)

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        self.array.cosimulate(transactions=2000, cache=self.path / "cache")
        end = time.monotonic()
        done.set()
        thread.join()
        during = [t for t in ticks if begin < t < end]
        self.assertGreater(len(during), (end - begin) / 0.01 / 20)

    def test_control_c_ends_a_long_call(self):
        code = (
            "import weft, sys; print('ready', flush=True)\n"
            "try:\n"
            "    weft.load('tpu_v1').cosimulate(transactions=10**9)\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted')\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", code], env={**__import__("os").environ, "WEFT_CACHE": str(self.path / "c")},
            stdout=subprocess.PIPE, text=True,
        ) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        self.assertEqual(out, "interrupted\n")


if __name__ == "__main__":
    unittest.main()
