"""What an importer notes while it reads: what it left out and why, what was broken and where."""

from collections import Counter
from pathlib import Path

from msgspec import Struct, field

_SHOWN = 20
_LONGEST = 160


class Notes(Struct):
    """`skipped`: how many parts were left out for which reason; `problems`: the first broken ones,
    as `file:line: problem`."""

    files: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    broken: int = 0
    problems: list[str] = field(default_factory=list)

    def skip(self, why: str) -> None:
        """A part was left out."""
        self.skipped[why] += 1

    def wrong(self, path: str | Path, line: int, problem: object) -> None:
        """A line or part cannot be read; what is around it is."""
        self.broken += 1
        if len(self.problems) < _SHOWN:
            told = " ".join(str(problem).split())[:_LONGEST]
            self.problems.append(f"{Path(path).name}:{line}: {told}")
