"""The named queries of `queries/*.sql`, loaded once."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import apsw
import msgspec

Bound = Mapping[str, Any] | Sequence[Any] | None
"""Values of a statement, by name or by place."""

_FOLDER = Path(__file__).parent / "queries"
_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


def _load() -> dict[str, str]:
    found: dict[str, str] = {}
    for file in sorted(_FOLDER.glob("*.sql")):
        _, *parts = _NAME.split(file.read_text(encoding="utf-8"))
        found.update(zip(parts[::2], parts[1::2], strict=True))
    return found


_encoded = msgspec.json.Encoder().encode
QUERIES = _load()
"""Query text by name."""


@cache
def query(name: str, **slots: str) -> str:
    """The query `name` with its `{slots}` filled; slots hold fragments of our own, never data."""
    text = QUERIES[name].strip().rstrip(";")
    for slot, fragment in slots.items():
        text = text.replace("{" + slot + "}", fragment)
    return text


def first(connection: apsw.Connection, text: str, bound: Bound = None) -> Any:
    """The first result row as a tuple; None where there is none."""
    return connection.execute(text, bound).fetchone()


def every(connection: apsw.Connection, text: str, bound: Bound = None) -> list[Any]:
    """All result rows, each a tuple."""
    return connection.execute(text, bound).fetchall()


def numbers(values: Sequence[int]) -> str:
    """Numbers of rows as JSON text; hundreds at a time, at a tenth of what `json.dumps` takes."""
    return _encoded(values).decode("ascii")
