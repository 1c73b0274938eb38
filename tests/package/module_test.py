# SPDX-License-Identifier: Apache-2.0
"""module_test.py GPUFEED: the module answers as the program of the same build does."""

import json
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import gpufeed

GPUFEED = sys.argv.pop()
EXAMPLES = gpufeed.examples()
CORES = EXAMPLES / "06_how_many_cores" / "scenario.toml"


def told(*arguments):
    return subprocess.run([GPUFEED, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


class Module(unittest.TestCase):
    def test_simulate_is_the_program(self):
        result = gpufeed.load(CORES).set("loader.workers_per_gpu", 16).simulate()
        other = json.loads(told("simulate", CORES, "--set", "loader.workers_per_gpu=16", "--json", "-"))
        mine = result.to_dict()
        mine.pop("timeline"), other.pop("timeline")
        self.assertEqual(mine, other)
        self.assertEqual(result.job_samples_per_s, other["job_samples_per_s"])
        self.assertTrue(str(result).startswith(other["title"]))
        self.assertIn("job_samples_per_s", repr(result))
        self.assertIn("<table>", result._repr_html_())

    def test_every_annotated_number_is_there(self):
        result = gpufeed.load(CORES).simulate()
        for name in gpufeed.Result.__annotations__:
            self.assertTrue(hasattr(result, name), name)

    def test_set_makes_another_scenario(self):
        one = gpufeed.load(CORES)
        two = one.set("workload.batch_per_gpu", 64).set("run.extrapolate", False)
        self.assertIn("batch_per_gpu = 64", two.to_toml())
        self.assertIn("batch_per_gpu = 512", one.to_toml())
        self.assertIn("batch_per_gpu = 512", two.set("workload.batch_per_gpu", 512).to_toml())

    def test_errors_list_all_problems(self):
        with self.assertRaises(gpufeed.InputError) as caught:
            gpufeed.parse('schema = 1\nsystem = "nvidia-dgx1-p10"\n[workload]\nmodle = "resnet-50"\n', "mine.toml")
        problems = caught.exception.problems
        self.assertGreater(len(problems), 1)
        self.assertEqual({one.file for one in problems}, {"mine.toml"})
        self.assertEqual(problems[0].line, 2)
        self.assertIn("nvidia-dgx1-p100", str(caught.exception))
        with self.assertRaises(gpufeed.InputError):
            gpufeed.load("no/such/file.toml")
        with self.assertRaises(AttributeError):
            gpufeed.load(CORES).simulate().no_such_number

    def test_a_sweep_is_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "scenario.toml").write_text(CORES.read_text())
            sweep = Path(folder) / "sweep.toml"
            sweep.write_text(
                'scenario = "scenario.toml"\n[[axis]]\nname = "workers"\n'
                'path = "loader.workers_per_gpu"\nvalues = [4, 8, 16]\n')
            table = gpufeed.sweep(sweep, store=Path(folder) / "kept.sqlite")
            self.assertEqual(table["workers"], [4, 8, 16])
            self.assertEqual(table, gpufeed.sweep(sweep))
            rates = table.to_numpy()["job_samples_per_s"]
            self.assertEqual(rates.dtype, float)
            out = Path(folder) / "out.csv"
            told("sweep", sweep, "--out", Path(folder) / "its.sqlite", "--csv", out)
            lines = out.read_text().splitlines()
            at = lines[0].split(",").index("job_samples_per_s")
            self.assertEqual([float(line.split(",")[at]) for line in lines[1:]], list(rates))

    def test_a_point_is_a_sweeps(self):
        point = gpufeed.load(CORES).set("loader.workers_per_gpu", 16).point()
        with tempfile.TemporaryDirectory() as folder:
            sweep = Path(folder) / "sweep.toml"
            sweep.write_text(f'scenario = "{CORES}"\n[[axis]]\npath = "loader.workers_per_gpu"\nvalues = [16]\n')
            table = gpufeed.sweep(sweep)
        self.assertEqual(point, {name: table[name][0] for name in point})

    def test_the_other_verbs(self):
        scenario = gpufeed.load(CORES)
        self.assertGreater(scenario.whatif(free_only=True, jobs=2).rows[0].gain, 0)
        both = gpufeed.compare(scenario, scenario.set("loader.workers_per_gpu", 16))
        self.assertIn("workers_per_gpu", str(both))
        goal = EXAMPLES / "21_cheapest_machine" / "goal.toml"
        self.assertEqual(str(gpufeed.recommend(goal)), told("recommend", goal))
        self.assertIn("[[socket]]", gpufeed.discover())

    def test_threads_simulate_at_the_same_time(self):
        scenario = gpufeed.load(CORES)
        expected = scenario.simulate().to_json()
        found = []
        threads = [threading.Thread(target=lambda: found.append(scenario.simulate().to_json())) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(found, [expected] * 4)


if __name__ == "__main__":
    unittest.main()
