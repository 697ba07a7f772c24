"""The dashboard in a real browser: `pages`, `actions`, `inert` (P-19), and where they are named
`inert-short` (P-19 with fewer pages) and `pictures`."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import actions
import inert
import pages
import pictures
import year

_PARTS: Mapping[str, Callable[[Path], int]] = {
    "pages": pages.main,
    "actions": actions.main,
    "inert": inert.main,
    "inert-short": inert.short,
    "pictures": pictures.main,
}
_BARE = {"inert", "inert-short"}
"""Parts with a store of their own."""
_USUAL = ("pages", "actions", "inert")


def main(wanted: list[str]) -> int:
    """The parts that are named, or the usual ones; 1 where one fails, 2 where one is unknown."""
    unknown = [name for name in wanted if name not in _PARTS]
    if unknown:
        print(f"no part {', '.join(unknown)}; there are {', '.join(_PARTS)}", file=sys.stderr)
        return 2
    passed = failed = 0
    with tempfile.TemporaryDirectory() as home:
        lived = Path(home) / "year.db"
        if not {*wanted} <= _BARE:
            print("-- a year is lived", flush=True)
            year.build(lived)
        for name in wanted:
            store = Path(home) / name / "memory.db"
            store.parent.mkdir()
            if name not in _BARE:
                shutil.copy(lived, store)
            print(f"-- {name}", flush=True)
            wrong = _PARTS[name](store)
            passed, failed = (passed + 1, failed) if not wrong else (passed, failed + 1)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(_USUAL)))
