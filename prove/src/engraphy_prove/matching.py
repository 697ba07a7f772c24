"""P-15: linear time, of every pattern and of what takes texts apart outside of the room of words.

A pattern meets its own repetitions, repeated, and what is hard for functions of words; the slowest
of it in full size. What a parser is given is what it is given from outside.
"""

import gc
import inspect
import json
import random
import re
import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from engraphy.errors import MissingExtraError
from engraphy_prove.builds import SOUND
from engraphy_prove.giant import reading
from engraphy_prove.linear import ADMITTED, PIECES
from engraphy_prove.measuring import GROWTH, SECONDS, growth, quickest, seconds, steep
from engraphy_prove.patterns import modules, patterns, shapes
from engraphy_prove.proof import Build, Findings, Trial

_SMALL = (30, 250, 4_000)
"""So small one begins: what is exponential shows there, and is ended after some seconds."""
_FATAL = 2.0
BACKTRACKING = Build(name="has a pattern that backtracks", open=SOUND.open)
STEEP = Build(name="has a function that is a little more than linear", open=SOUND.open)
_BAD = re.compile(r"(?:a+)+$")


class Shape(NamedTuple):
    """A text of many units between a beginning and an end."""

    before: str
    unit: str
    end: str

    def sized(self, size: int) -> str:
        """It in so many characters, about."""
        return self.before + self.unit * max(1, size // len(self.unit)) + self.end

    def told(self) -> str:
        """It in a line of findings."""
        return f"{self.before[-20:]!a} {self.unit[:20]!a} {self.end!a}"


class _TooSlowError(Exception):
    """A pattern took longer than anybody waits."""


def matching(trial: Trial) -> Findings:
    """`rounds` patterns and parsers meet every shape in small, the slowest in full size."""
    calls: dict[str, tuple[Callable[[str], object], list[Shape]]] = {
        name: (_over(one), [*map(Shape._make, shapes(one)), *_COMMON])
        for name, one in patterns().items()
    }
    count = len(calls)
    calls |= {n: (call, _COMMON + _NESTED) for n, call in parsers(trial.folder).items()}
    if trial.build is BACKTRACKING:
        calls = {"a bad pattern": (_over(_BAD), [*map(Shape._make, shapes(_BAD))])}
    elif trial.build is STEEP:
        calls = {"a steep function": (steep, _COMMON)}
    names = sorted(calls)
    random.Random(trial.seed).shuffle(names)
    names = names[: trial.rounds]
    findings, slowest = Findings(tried=len(names)), (0.0, "")
    for name in names:
        # What is there is not looked through before each call.
        gc.freeze()
        call, tried = calls[name]
        took, worst = _slowest(call, tried)
        slowest = max(slowest, (took, f"{name} of {worst.told()}"))
        for what in _wrong(call, worst, took):
            findings.breach(f"{name}: {what}")
            trial.tell(f"  {name}: {what}")
    gc.unfreeze()
    findings.figure = (
        f"{len(names)} of {count} patterns and {len(calls) - count} parsers; CPU of the slowest"
        f" {slowest[0] * 1000:.0f} ms ({slowest[1]})"
    )
    return findings


_COMMON = [Shape("", piece, "!") for piece in PIECES]
_NESTED = [
    Shape("", "[", ""),
    Shape("", '{"a":', ""),
    Shape('{"a": "', "\\\\", '"}'),
    Shape("", "// x\n", "{"),
    Shape("", "/* ", ""),
    Shape("", '"a":1,', "}"),
    Shape("", '"', ""),
    Shape("", "{}", ""),
    Shape("[", "1,", "1]"),
    Shape("data: ", "{", "\n\n"),
    Shape("", "data: {}\n", "\n"),
]


def _over(pattern: re.Pattern[str]) -> Callable[[str], object]:
    def call(text: str) -> object:
        pattern.match(text)
        pattern.fullmatch(text)
        return sum(1 for _ in pattern.finditer(text))

    return call


def _slowest(call: Callable[[str], object], tried: list[Shape]) -> tuple[float, Shape]:
    """The slowest shape in small, measured where a door lets no more in."""
    took: list[tuple[float, int]] = []
    for number, shape in enumerate(tried):
        try:
            took.append((_grown(call, shape), number))
        except _TooSlowError:
            return _FATAL, shape
    worst = tried[max(took)[1]]
    try:
        return quickest(partial(_seconds, call, worst.sized(ADMITTED))), worst
    except _TooSlowError:
        return _FATAL, worst


def _grown(call: Callable[[str], object], shape: Shape) -> float:
    took = 0.0
    for size in _SMALL:
        took = _seconds(call, shape.sized(size))
    return took


def _wrong(call: Callable[[str], object], worst: Shape, took: float) -> Iterator[str]:
    if took > SECONDS:
        yield f"{worst.told()}: {took * 1000:.0f} ms for {ADMITTED:,} characters at most"
        return
    try:
        times = growth(partial(_seconds, call), worst.sized)
    except _TooSlowError:
        times = float("inf")
    if times > GROWTH:
        yield f"{worst.told()}: twice the text costs {times:.1f} times as much"


def _seconds(call: Callable[[str], object], text: str) -> float:
    with _limited():
        return seconds(call, text)


@contextmanager
def _limited() -> Iterator[None]:
    """Nothing inside takes more than so many seconds of CPU. Raises _TooSlowError."""

    def ring(*_: object) -> None:
        raise _TooSlowError

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, 5 * _FATAL)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def parsers(folder: Path) -> dict[str, Callable[[str], object]]:
    """What takes a text apart beside the functions of words: every function whose first argument is
    called as texts from outside are, and that needs no other; those that need more; and what reads
    a file, which is written into the folder."""
    found = {name: _given(call, kind) for name, call, kind in _taking()}
    event, import_ = _of("hooks.event", "told_event"), _of("write.imported", "arrived")
    words = ["claude-code", "UserPromptSubmit", "0" * 16, "1", "2f"]
    found |= reading(folder)
    found |= {
        "hooks.event": lambda text: event(words, text.encode("utf-8", "surrogatepass")),
        "hooks.event prompt": lambda text: event(words, json.dumps({"prompt": text}).encode()),
        "write.imported": lambda text: import_("x", text.split("\n")),
        "write.messages": lambda text: _of("write.messages", "messages")(
            [{"role": "user", "content": text}]
        ),
        "stores.sqlite.pages": _pages,
    }
    return {name: _refusable(call) for name, call in found.items()}


def _taking() -> Iterator[tuple[str, Callable[..., object], object]]:
    for name in modules():
        if name.startswith(_ELSEWHERE):
            continue
        with suppress(ImportError, MissingExtraError):
            for key, held in list(vars(import_module(name)).items()):
                if inspect.isfunction(held) and held.__module__ == name and _takes_text(held):
                    first = next(iter(inspect.signature(held).parameters.values()))
                    yield f"{name.partition('.')[2]}.{key}", held, first.annotation


def _takes_text(function: Callable[..., object]) -> bool:
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or parameters[0].name not in _TEXTS:
        return False
    needed = [one for one in parameters[1:] if one.default is inspect.Parameter.empty]
    return parameters[0].annotation in {str, bytes} and not needed


_TEXTS = frozenset({"text", "data", "body", "raw", "answer", "line", "content"})
_ELSEWHERE = tuple(
    f"engraphy.{room}"
    for room in (
        *("text.", "benchmarks", "cli", "testing", "tuning", "stores", "formulas"),
        "agents",  # reads the settings files of its user's own agents
    )
)
"""Rooms that are measured as functions of words, or that take no text from others."""


def _given(call: Callable[..., object], kind: object) -> Callable[[str], object]:
    def run(text: str) -> object:
        found = call(text.encode("utf-8", "surrogatepass") if kind is bytes else text)
        return deque(found, maxlen=0) if isinstance(found, Iterator) else found

    return run


def _pages(text: str) -> object:
    image = _of("stores.sqlite.pages", "Image")(text.encode("utf-8", "surrogatepass"))
    return [list(image.rows(number)) for number in range(1, image.count + 1)]


def _of(module: str, name: str) -> Any:
    return getattr(import_module(f"engraphy.{module}"), name)


def _refusable(call: Callable[[str], object]) -> Callable[[str], object]:
    def run(text: str) -> object:
        try:
            return call(text)
        except _TooSlowError:
            raise
        except Exception as refusal:  # noqa: BLE001 - how long it takes is the question
            return refusal

    return run
