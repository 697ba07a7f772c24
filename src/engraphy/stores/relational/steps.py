"""Migrations as files: small named steps, each a number, a name and its SQL."""

import re
from pathlib import Path
from typing import NamedTuple

_STEP = re.compile(r"(\d{4})_(\w+)\.sql")


class Step(NamedTuple):
    """One migration: its number, its name and its SQL."""

    number: int
    name: str
    sql: str


def steps_in(folder: Path) -> tuple[Step, ...]:
    """Every migration of an engine that this version knows, in order."""
    found = ((_STEP.fullmatch(file.name), file) for file in sorted(folder.glob("*.sql")))
    return tuple(
        Step(int(match[1]), match[2], file.read_text(encoding="utf-8"))
        for match, file in found
        if match is not None
    )
