"""The command line."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engraphy.cli.app import main

__all__ = ["main"]

_WORDS = 4
"""A hook is called as `engraphy hook AGENT EVENT`."""


def __getattr__(name: str) -> "Any":
    """`main` when it is first asked for (PEP 562). A hook goes a way of its own, before anything of
    the command line is imported: its agent waits for the answer."""
    if name != "main":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if sys.argv[1:2] == ["hook"] and len(sys.argv) >= _WORDS:
        return _hook
    try:
        return __import__("engraphy.cli.app", fromlist=["main"]).main
    except KeyboardInterrupt:
        # As click says it from here on.
        sys.stderr.write("Aborted!\n")
        sys.exit(1)


def _hook() -> None:
    __import__("engraphy.hooks.door", fromlist=["main"]).main(sys.argv[2:])
