# SPDX-License-Identifier: Apache-2.0
"""Will this machine keep its GPUs busy?

>>> import gpufeed
>>> scenario = gpufeed.load(gpufeed.examples() / "06_how_many_cores" / "scenario.toml")
>>> result = scenario.set("loader.workers_per_gpu", 16).simulate()
>>> 10_000 < result.job_samples_per_s < 20_000
True
>>> result.bottleneck.resource
'CPU decode'
>>> sorted(result.to_dict())[:2]
['accelerator_utilization', 'assumption_codes']

Loops over many scenarios are as fast as sweeps when they take points alone:

>>> rates = [scenario.set("loader.workers_per_gpu", n).point()["job_samples_per_s"] for n in (4, 8)]
>>> rates[0] < rates[1]
True

What is wrong is an exception that lists all of it:

>>> try:
...     scenario.set("loader.workers_per_gpus", 16)
... except gpufeed.InputError as error:
...     print(error.problems[0].code, error.problems[0].key)
unknown_key loader.workers_per_gpus
"""

import os
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

from . import _core
from .answers import Answer, Record, Result
from .errors import InputError, Problem

__all__ = [
    "Answer",
    "InputError",
    "Problem",
    "Record",
    "Result",
    "Scenario",
    "Table",
    "compare",
    "discover",
    "examples",
    "load",
    "parse",
    "recommend",
    "sweep",
    "validate",
]
__version__: str = _core.version()

File = Union[str, "os.PathLike[str]"]
Value = Union[bool, int, float, str, Sequence[Union[bool, int, float, str]]]


def _toml(value: Value) -> str:
    """As --set takes it: text may leave its quotes out."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return value
    return "[" + ", ".join(f'"{one}"' if isinstance(one, str) else _toml(one) for one in value) + "]"


def _settings(catalogs: Iterable[File], prices: Optional[File]) -> _core.Settings:
    return _core.Settings([Path(one) for one in catalogs], None if prices is None else Path(prices))


class Scenario:
    """A machine and its job. Never changes: `set` gives another one."""

    def __init__(self, core: _core.Scenario) -> None:
        self._core = core

    def set(self, key: str, value: Value) -> "Scenario":
        """The same with another value for a key, such as "loader.workers_per_gpu"; an empty text
        leaves the key out."""
        return Scenario(self._core.set(key, _toml(value)))

    def simulate(self) -> Result:
        """How fast it trains, how busy its GPUs are and what holds them back."""
        answer = self._core.simulate()
        return Result(answer.text, answer.json)

    def point(self) -> Dict[str, Any]:
        """What a sweep's row has of it, by the names of the columns. Simulated once: in a loop over
        many scenarios a third of the time of `simulate`, which also finds out how sure it is."""
        return self._core.point()

    def whatif(self, *, free_only: bool = False, jobs: int = 0) -> Answer:
        """What one change at a time would give, the best first. `jobs`: threads; 0: one a core."""
        answer = self._core.whatif(free_only, jobs)
        return Answer(answer.text, answer.json)

    def to_toml(self) -> str:
        """All it says, every default spelled."""
        return self._core.toml()

    def __repr__(self) -> str:
        return self.to_toml()


def load(file: File, *, catalogs: Iterable[File] = (), prices: Optional[File] = None) -> Scenario:
    """Reads a scenario and checks it."""
    return Scenario(_core.load(Path(file), _settings(catalogs, prices)))


def parse(
    text: str,
    name: str = "scenario",
    *,
    catalogs: Iterable[File] = (),
    prices: Optional[File] = None,
) -> Scenario:
    """The same of a text; `name` stands for its file in messages."""
    return Scenario(_core.parse(text, name, _settings(catalogs, prices)))


class Table(Dict[str, List[Any]]):
    """The points of a sweep: a list for each column, a value for each point."""

    def to_numpy(self) -> Dict[str, Any]:
        """A NumPy array for each column; what is not known is NaN in columns of numbers."""
        import numpy

        def array(values: List[Any]) -> Any:
            if any(isinstance(one, str) for one in values):
                return numpy.array(["" if one is None else one for one in values])
            return numpy.array([numpy.nan if one is None else one for one in values])

        return {name: array(values) for name, values in self.items()}

    def to_pandas(self) -> Any:
        """A frame of pandas, a row for each point."""
        import pandas  # type: ignore

        return pandas.DataFrame(dict(self))


def sweep(
    file: File,
    *,
    store: Optional[File] = None,
    jobs: int = 0,
    catalogs: Iterable[File] = (),
    prices: Optional[File] = None,
) -> Table:
    """Simulates all points of a sweep's file. `store`: the SQLite file that takes them as they
    come, and from which the same call goes on."""
    kept = None if store is None else Path(store)
    return Table(_core.sweep(Path(file), _settings(catalogs, prices), jobs, kept))


def recommend(
    goal: File, *, jobs: int = 0, catalogs: Iterable[File] = (), prices: Optional[File] = None
) -> Answer:
    """The choice that a goal's file asks for, with proof."""
    answer = _core.recommend(Path(goal), _settings(catalogs, prices), jobs)
    return Answer(answer.text, answer.json)


def compare(*scenarios: Scenario) -> Answer:
    """Two to six scenarios side by side: what differs, and what comes of it."""
    answer = _core.compare([one._core for one in scenarios])
    return Answer(answer.text, answer.json)


def validate(*paths: File, jobs: int = 0, catalogs: Iterable[File] = ()) -> Answer:
    """Predictions against measurements: of these files, or of those that came with gpufeed."""
    answer = _core.validate([Path(one) for one in paths], _settings(catalogs, None), jobs)
    return Answer(answer.text, answer.json)


def discover(*, catalogs: Iterable[File] = ()) -> str:
    """This machine as the TOML of a system."""
    return _core.discover(_settings(catalogs, None))


def examples() -> Path:
    """The folder of the examples that came with gpufeed."""
    return Path(_core.examples())
