"""What an importer notes while it reads: what it left out and why, what was broken and where."""

from collections import Counter
from pathlib import Path

from msgspec import Struct, field

_SHOWN = 20
_LONGEST = 160


class Notes(Struct):
    """`root`: what is read; `skipped`: how many parts were left out for which reason; `problems`:
    the first broken ones, as `file:line: problem`, with its folder where another file is called
    the same."""

    root: Path = Path()
    files: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    broken: int = 0
    wrongs: list[tuple[Path, int, str]] = field(default_factory=list)
    names: dict[str, Path] = field(default_factory=dict)
    shared: set[str] = field(default_factory=set)

    def reads(self, path: str | Path) -> None:
        """A file, or one of an archive, is read."""
        found = Path(path)
        if self.names.setdefault(found.name, found) != found:
            self.shared.add(found.name)

    def skip(self, why: str) -> None:
        """A part was left out."""
        self.skipped[why] += 1

    def wrong(self, path: str | Path, line: int, problem: object) -> None:
        """A line or part cannot be read; what is around it is."""
        self.broken += 1
        if len(self.wrongs) < _SHOWN:
            told = " ".join(str(problem).split())[:_LONGEST]
            self.wrongs.append((Path(path), line, told))

    @property
    def problems(self) -> list[str]:
        """What was wrong, each with its place."""
        return [f"{self._called(path)}:{line}: {told}" for path, line, told in self.wrongs]

    def _called(self, path: Path) -> str:
        if path.name not in self.shared:
            return path.name
        inside = path.is_relative_to(self.root)
        return (path.relative_to(self.root) if inside else path).as_posix()
