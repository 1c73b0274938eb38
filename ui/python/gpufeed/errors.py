# SPDX-License-Identifier: Apache-2.0
"""What is wrong with what was given."""

import json
from dataclasses import dataclass, field
from typing import Any, List, Optional


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong."""

    code: str  #: such as "unknown_key": does not change with the wording
    file: str  #: or option
    line: Optional[int]  #: from 1, where it is known
    column: Optional[int]  #: likewise
    key: Optional[str]  #: the key it is about
    sentence: str  #: for people
    known: List[str] = field(default_factory=list)  #: names that may stand there


def _problem(told: Any) -> Problem:
    place = told["place"]
    return Problem(
        code=told["code"],
        file=place["file"],
        line=place.get("line"),
        column=place.get("column"),
        key=told.get("subject"),
        sentence=told["sentence"],
        known=list(told.get("known") or []),
    )


class InputError(ValueError):
    """All problems at once, in `problems`; the message has a line for each."""

    def __init__(self, message: str, problems: str = "[]") -> None:
        super().__init__(message)
        self.problems: List[Problem] = [_problem(one) for one in json.loads(problems)]
