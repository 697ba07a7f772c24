"""What a proof is: an experiment on a build, and broken builds on which it must fail."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from engraphy.ports import Store


class Open(Protocol):
    """Opens a store file, on the named VFS if one is named."""

    def __call__(self, path: str, vfs: str | None = None) -> Store: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One way to open a store: the real one, or one that is broken on purpose."""

    name: str
    open: Open


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What an experiment is given: the build, how often, which chances, and an empty folder."""

    build: Build
    rounds: int
    seed: int
    folder: Path
    tell: Callable[[str], None] = print
    data: Path | None = None
    """A folder with texts beside those that ship."""
    until_caught: bool = False
    """Whether one breach is enough, as in a self-check: then the rounds may end."""


@dataclass(slots=True)
class Findings:
    """What an experiment saw: how much it tried, its figure in words, and every breach."""

    tried: int = 0
    figure: str = ""
    breaches: list[str] = field(default_factory=list)

    def breach(self, what: str) -> None:
        """Note that the promise was broken."""
        self.breaches.append(what)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A promise, the experiment that tests it, and the builds the experiment must catch."""

    name: str
    promise: str
    about: str
    experiment: Callable[[Trial], Findings]
    short: int
    full: int
    check_rounds: int
    """Rounds of a self-check: enough for the broken build to show itself."""
    sound: Build
    broken: Sequence[Build]
