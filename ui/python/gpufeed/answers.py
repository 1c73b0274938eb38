# SPDX-License-Identifier: Apache-2.0
"""Answers: what is in their JSON, as attributes; the unit of a number ends its name."""

import html
import json
from typing import Any, Dict, Iterator, List, Optional, Tuple


class Record:
    """A table of an answer: its keys are attributes."""

    def __init__(self, values: Dict[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(f"there is no {name!r}; known: {', '.join(self._values)}")
        return _wrapped(self._values[name])

    def __dir__(self) -> List[str]:
        return sorted([*super().__dir__(), *self._values])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._values == other._values

    def to_dict(self) -> Dict[str, Any]:
        """The same as plain dicts, lists, texts and numbers."""
        return json.loads(json.dumps(self._values))  # type: ignore[no-any-return]

    def _rows(self) -> Iterator[Tuple[str, str]]:
        for name, value in self._values.items():
            if isinstance(value, bool) or value is None:
                continue
            if isinstance(value, float):
                yield name, f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
            elif isinstance(value, (int, str)) and "\n" not in str(value):
                yield name, f"{value:,}" if isinstance(value, int) else value

    def __repr__(self) -> str:
        rows = list(self._rows())
        width = max((len(name) for name, _ in rows), default=0)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self._rows()
        )
        return f"<table>{rows}</table>"


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return [_wrapped(one) for one in value]
    return value


class Answer(Record):
    """An answer; `str()` is the screen that the command of that name prints."""

    def __init__(self, text: str, told: str) -> None:
        super().__init__(json.loads(told))
        self._text = text
        self._json = told

    def __str__(self) -> str:
        return self._text

    def to_json(self) -> str:
        """As the option --json writes it."""
        return self._json


class Result(Answer):
    """What a simulation says. `gpufeed.Result.__annotations__` lists its numbers; more stand in
    `to_dict()`, but for the timeline, which is empty here."""

    title: str
    system: str
    workload: str
    storage: str
    job_samples_per_s: float
    job_gpu_utilization: float
    job_samples: int
    job_tokens_per_s: Optional[float]
    first_epoch_samples_per_s: Optional[float]
    later_epochs_samples_per_s: Optional[float]
    steady_samples_per_s: Optional[float]
    step_s: Optional[float]
    epoch_s: Optional[float]
    first_epoch_s: Optional[float]
    staging_s: Optional[float]
    index_s: Optional[float]
    training_s: Optional[float]
    time_to_first_result_s: float
    time_to_result_s: float
    bytes_per_gpu_second: Optional[float]
    price_USD: Optional[float]
    power_W: Optional[float]
    bottleneck: Record
    bound: Record
    stages: List[Record]
    gpus: List[Record]
    bill: List[Record]
    warnings: List[Any]
