"""Reads the plain word lists and tables of the word rooms, which stand in `lexicon/` as data."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).with_name("lexicon")


@cache
def lines(name: str) -> frozenset[str]:
    """The words of `lexicon/<name>.txt`: whitespace-separated, `#` starts a comment."""
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() for word in line.partition("#")[0].split())


def raw(file: str) -> str:
    """`lexicon/<file>` as it stands."""
    return (_FOLDER / file).read_text(encoding="utf-8")


@cache
def table(name: str) -> dict[str, Any]:
    """`lexicon/<name>.toml` as it parses. Callers must not change it."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def words(name: str, key: str) -> frozenset[str]:
    """The whitespace-separated words under a top-level string key of a table."""
    value: str = table(name)[key]
    return frozenset(value.split())
