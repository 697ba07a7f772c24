"""The command line."""

import sys
from importlib import import_module
from typing import Any, TYPE_CHECKING

if TYPE_CHECKING:
    from engraphy.cli.app import main

__all__ = ["main"]

_WORDS = 4
"""A hook is called as `engraphy hook AGENT EVENT`."""


def __getattr__(name: str) -> Any:
    """`main` when it is first asked for (PEP 562). A hook goes a way of its own, before anything of
    the command line is imported: its agent waits for the answer."""
    if name != "main":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if sys.argv[1:2] == ["hook"] and len(sys.argv) >= _WORDS:
        return _hook
    return import_module("engraphy.cli.app").main


def _hook() -> None:
    import_module("engraphy.hooks.door").main(sys.argv[2:])
