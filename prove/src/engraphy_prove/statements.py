"""P-20: no SQL from data: whatever stands in a filter's key or value, SQLite is given the same
texts; and nothing in the package turns data into code."""

import ast
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import apsw

import engraphy
from engraphy.errors import EngraphyError
from engraphy.memory import Memory
from engraphy.model.query import Listing
from engraphy.operations import OPERATIONS
from engraphy.operations.shape import Argument, Operation
from engraphy.stores.relational import filters
from engraphy_prove.hostile import texts
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.textbuild import Patched, patched

MARK = "zqv"
"""Stands in every hostile text: no statement may hold it."""
TAME = ("heron", "wharf", "crane", "rope", "tide", "a much longer text about the harbour of Oslo")
_LEFT_OUT = frozenset({"import", "backup", "journal", "doctor"})
"""They take files, or look at everything: tried once each, not over and over."""
_SELDOM = frozenset({"dream", "compact", "prune", "summarize_old", "forget_user", "diff"})
_MOMENTS = ("2026-03-01", "2026-03-01T10:00:00Z", "1 day ago", "yesterday")
_TABLES = (
    "{} = 1 --", "content) OR (1=1", "m.{}", "x'); DROP TABLE memories; --{}", "' UNION SELECT {}",
    "json_extract(metadata, '$.{}')", '"{}"', "[{}]", "`{}`", "{}\x00", "tag' OR '{}'='{}",
    "%{}%", "{}_", "*{}*", "{}\u2019 OR 1=1", "');ATTACH DATABASE '{}' AS x;--", "1;{}", "{}/*",
)  # fmt: skip
UNSAFE = frozenset(
    {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "jsonpickle"}
)
_WORD = re.compile(r"[A-Za-z_]+|\d+")
_CALLS = frozenset({"eval", "exec", "compile", "execfile"})
_LOADERS = frozenset({"load", "load_all", "unsafe_load", "full_load"})


class _Heard:
    """The texts that SQLite was given, by who was speaking."""

    def __init__(self) -> None:
        self.said: dict[str, set[str]] = {"tame": set(), "hostile": set()}
        self.speaker = "tame"

    def hook(self, connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, self._note)

    def marked(self) -> bool:
        """Whether data stood in a statement."""
        return any(MARK in text.lower() for text in self.said["hostile"])

    def _note(self, event: dict[str, Any]) -> None:
        self.said[self.speaker].add(event["sql"])


@contextmanager
def _listening() -> Iterator[_Heard]:
    heard = _Heard()
    apsw.connection_hooks.append(heard.hook)
    try:
        yield heard
    finally:
        apsw.connection_hooks.remove(heard.hook)


def statements(trial: Trial) -> Findings:
    """Give every operation `rounds` hostile keys and values, each call beside a tame one of the
    same shape."""
    chance = random.Random(trial.seed)
    findings, half = Findings(), 0
    with (
        patched(trial.build),
        _listening() as heard,
        Memory(trial.folder / "m.db", embedder="none", tenant="prove") as memory,
    ):
        walk = _Walk(memory, chance)
        while findings.tried < trial.rounds and not (trial.until_caught and heard.marked()):
            shape = walk.shape()
            for speaker in ("tame", "hostile"):
                heard.speaker = speaker
                findings.tried += walk.call(shape, hostile=speaker == "hostile")
            if findings.tried <= trial.rounds // 2:
                half = len(heard.said["tame"] | heard.said["hostile"])
    hostile, tame = heard.said["hostile"], heard.said["tame"]
    ours = {word for text in tame for word in _WORD.findall(text)}
    written = " ".join(" ".join(_written()).split())
    for text in sorted(hostile - tame):
        known = ours.issuperset(_WORD.findall(text)) or " ".join(text.split()) in written
        if MARK in text.lower() or not known:
            findings.breach(f"only hostile data brings: {' '.join(text.split())[:200]!a}")
    modules, found = unsafe(Path(engraphy.__file__).parent)
    for what in found:
        findings.breach(what)
    findings.figure = (
        f"{findings.tried} hostile keys and values by {len(walk.used)} operations:"
        f" {len(tame | hostile)} texts of SQL, {len(tame | hostile) - half} of them since the"
        f" middle, none with a word of the data; {modules} modules without unsafe loading"
    )
    return findings


def _written() -> Iterator[str]:
    """The package's own files of SQL: a short walk may come to one of their statements, word for
    word, with hostile data alone."""
    for file in sorted(Path(engraphy.__file__).parent.rglob("*.sql")):
        yield file.read_text("utf-8")


class _Walk:
    """Calls of operations: shapes by chance, values tame or hostile."""

    def __init__(self, memory: Memory, chance: random.Random) -> None:
        self.memory, self.chance = memory, chance
        self.used: set[str] = set()
        self._hostile = texts(chance, 10**9)
        self._known = [one for one in OPERATIONS if one.name not in _LEFT_OUT]
        self._ids = [
            made.memory.id
            for number, word in enumerate(TAME * 3)
            if (made := memory.remember(f"{word} number {number}", tags=[word])).memory
        ]

    def shape(self) -> tuple[Operation, tuple[Argument, ...]]:
        """An operation, and which of its arguments are given."""
        operation = self.chance.choice(self._known)
        if operation.name in _SELDOM and self.chance.random() > 0.02:
            return self.shape()
        given = tuple(
            one for one in operation.arguments if one.required or self.chance.random() < 0.25
        )
        return operation, given

    def call(self, shape: tuple[Operation, tuple[Argument, ...]], *, hostile: bool) -> int:
        """Do it; how many hostile keys and values it was given."""
        operation, given = shape
        values = {one.name: self._value(one, hostile=hostile) for one in given}
        self.used.add(operation.name)
        self._try(lambda: operation.run(self.memory, values))
        key: dict[str, Any] = {self._text() if hostile else "heron": "x"}
        self._try(lambda: self.memory.list(limit=3, **key))
        self._try(lambda: self.memory.timeline(limit=3, **key))
        self._try(lambda: self.memory.recall("rope", **key))
        # What is filtered by comes into nearly every text of a list: never left to chance.
        wanted = self._text() if hostile else self.chance.choice(TAME)
        self._try(lambda: self.memory.list(limit=3, category=wanted))
        return len(values) + 4 if hostile else 0

    def _try(self, call: Callable[[], object]) -> None:
        try:
            call()
        except EngraphyError:
            return

    def _value(self, argument: Argument, *, hostile: bool) -> Any:
        made: dict[str, Callable[[], Any]] = {
            "integer": lambda: self.chance.choice((1, 2, 7)) if not hostile else self._number(),
            "number": lambda: 0.5 if not hostile else self.chance.choice((0.1, -1.0, 1e308)),
            "flag": lambda: True,
            "texts": lambda: [self._word(argument, hostile=hostile)],
            "objects": lambda: [{"role": "user", "content": self._text() if hostile else "rope"}],
        }
        return made.get(argument.type, lambda: self._word(argument, hostile=hostile))()

    def _word(self, argument: Argument, *, hostile: bool) -> str:
        if argument.choices and self.chance.random() < 0.8:
            return self.chance.choice(argument.choices)
        if argument.name in ("id", "source", "target", "missing") and self.chance.random() < 0.5:
            return self.chance.choice(self._ids)
        if argument.name in ("at", "since", "until", "as_of") and self.chance.random() < 0.7:
            return self.chance.choice(_MOMENTS)
        return self._text() if hostile else self.chance.choice(TAME)

    def _text(self) -> str:
        if self.chance.random() < 0.5:
            return self.chance.choice(_TABLES).replace("{}", f"{MARK}{self._number()}")
        return f"{next(self._hostile)[:2_000]} {MARK}{self._number()}"

    def _number(self) -> int:
        return self.chance.randrange(10**8, 10**9)


@cache
def unsafe(folder: Path) -> tuple[int, list[str]]:
    """How many modules there are, and where one of them would run what it is given."""
    files = sorted(folder.rglob("*.py"))
    return len(files), [
        f"{file.relative_to(folder)}:{line}: {what}"
        for file in files
        for line, what in unsafe_in(file.read_text(encoding="utf-8"))
    ]


def unsafe_in(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of what loads or runs data as code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, one.name) for one in node.names if _root(one.name) in UNSAFE)
        elif isinstance(node, ast.ImportFrom) and _root(node.module or "") in UNSAFE:
            yield node.lineno, str(node.module)
        elif isinstance(node, ast.Call):
            yield from ((node.lineno, what) for what in (_unsafe_call(node),) if what)


def _root(name: str) -> str:
    return name.partition(".")[0]


def _unsafe_call(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Name) and function.id in _CALLS:
        return function.id
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return ""
    room, name = function.value.id, function.attr
    if room == "yaml" and name in _LOADERS:
        safe = any("Safe" in ast.unparse(one) for one in (*node.args, *node.keywords))
        return "" if safe else f"yaml.{name}"
    if room in ("np", "numpy") and name == "load":
        allowed = any(one.arg == "allow_pickle" and ast.unparse(one.value) != "False"
                      for one in node.keywords)  # fmt: skip
        return "numpy.load with pickle" if allowed else ""
    return ""


def _written_in(listing: Listing) -> tuple[str, dict[str, Any]]:
    text, bound = _listed(listing)
    if listing.category is None:
        return text, bound
    quoted = listing.category.replace("'", "''").replace("\x00", "")
    return text.replace(":category", f"'{quoted}'"), bound


_listed = filters.listed
QUOTING = Patched(
    name="writes a filter's value into the text, quoted",
    patches=(("engraphy.stores.relational.filters", "listed", _written_in),),
)
