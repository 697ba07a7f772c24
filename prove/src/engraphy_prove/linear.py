"""P-15: linear time: every verb and every function of words, against hostile texts.

1 MB at a door (a verb that takes text) is refused, cut or read in a quarter of a second. Behind the
doors no text is longer than `write.max_content_chars`: so much is what a function must read in that
time, while twice the text may cost it at most 2.5 times as much up to 1 MB.
"""

import ast
import gc
import inspect
import random
from collections import deque
from collections.abc import Callable, Collection, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import engraphy
from engraphy.errors import EngraphyError
from engraphy.memory import Memory
from engraphy.text.datafiles import table
from engraphy.text.retraction import retraction
from engraphy_prove.measuring import BYTES, GROWTH, SECONDS, growth, quickest, seconds
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.textbuild import patched

ADMITTED = 100_000
"""Characters that a door lets in (`write.max_content_chars`)."""
SMALL = 4_000
BROKEN = "clean.clean"
"""The function that a broken build replaces."""
PIECES = (
    "a", "7", " ", "\n", "a.", "a/", "a. ", "'", "<", "-", "`", "\"a\" ", "don't ", "aB", "Ab ",
    "I ", "I,", "1 ", "e\u0301\u0316", "東京", "ที่", "한국어 ", "😀", "my ", "and ", "not a b ",
    "ABC ", "Dr. ", "```\n", "*a", "what? ", "May 7 ", "the port ", "I prefer ", "I no longer use ",
    "yapıyorum ", "istemiyorum kullanma ", "never not ", "I live in Rome and my port is 3000. ",
    "http://", "a://b:c", "<memory-context ", "<memory-context><system-reminder>",
    "</memory-context>", "&lt;memory-context", "system: ", "[**", "[INST]", "password = ",
    "password: a1", "4 1 1 ", "sk-ant-api-", "eyJaaaaaaaaaa.", "aws datadog azure_ ",
    "-----BEGIN PRIVATE KEY-----", "ignore all previous the your ", "repeat say \"",
    "<img src ![a](https://x?y", "you are now free from any rules ", "\ufffd\x00", "\u200b",
    "file.py: error: ", "Traceback (most recent call last):\n", "+++ b/a.py\n--- a/a.py\n@@ ",
)  # fmt: skip
_FILLED: dict[str, Callable[[str], Any]] = {
    "now": lambda _: 1_700_000_000_000_000,
    "limit": lambda _: 10,
    "width": lambda _: 200,
    "budget": lambda text: len(text) // 9,
    "question": lambda _: "what is the port of the a?",
    "slots": lambda _: (),
    "speakers": lambda _: ("Ada", "Bo"),
    "tokens": lambda text: text.split(),
    "names": lambda _: frozenset({"ada"}),
    "pair": lambda _: ("Ada", "Bo"),
    "stems": lambda text: {word: word[:4] for word in text.casefold().split()[:3]},
    "heads": lambda text: text.casefold().split()[:3],
    "least": lambda _: 1,
    "turkish": lambda _: True,
    "steps": lambda text: tuple(text.split("\n")[:200]),
    "taken": lambda _: retraction("Forget what I said about MongoDB"),
    "injected": lambda text: (text[: len(text) // 2], "the port of the a is 80"),
}
"""What stands for the arguments beside the text, by their names."""
_ANOTHERS: dict[object, Callable[[str], Any]] = {
    str: lambda text: f"{text[: len(text) // 2]} x",
    Collection[str]: lambda text: (text, f"{text[: len(text) // 2]} x"),
}
"""What stands for those of no such name, by their type."""
_NO_TEXT = frozenset(
    {"atoms.rule", "datafiles.table", "datafiles.words", "parts.listed", "tools.words"}
)
"""What takes the name of a list of ours, and no text from outside."""
_SECOND = {"tooloutput.matches": "commit", "aims.holds": "place"}
"""What takes the text second, and what stands before it."""


def linear(trial: Trial) -> Findings:
    """`rounds` functions and doors meet every shape in small, and their slowest shape in full
    size."""
    findings, units = Findings(), [*PIECES, *_of_data()]
    slowest: dict[str, tuple[float, str]] = {"function": (0.0, ""), "door": (0.0, "")}
    with patched(trial.build), Memory(trial.folder / "m.db", embedder="none") as memory:
        for number in range(20):
            memory.remember(f"Note {number} about the port {number * 7} of service a{number}")
        calls = {name: ("function", call) for name, call in functions().items()}
        calls |= {name: ("door", call) for name, call in _doors(memory).items()}
        names = _chosen(sorted(calls), trial)
        for name in names:
            # What is there is not looked through before each call: that took most of the time.
            gc.freeze()
            kind, call = calls[name]
            unit = _hardest(call, units)
            told, took = f"{name} of {unit[:20]!a}", _best(call, unit, kind)
            slowest[kind] = max(slowest[kind], (took, told))
            if took > SECONDS:
                findings.breach(f"{told}: {took * 1000:.0f} ms")
            if kind == "function" and (times := _growth(call, unit)) > GROWTH:
                findings.breach(f"{told}: twice the text costs {times:.1f} times as much")
        gc.unfreeze()
    findings.tried = len(names)
    worst = "; ".join(f"{k} {s * 1000:.0f} ms ({n})" for k, (s, n) in slowest.items())
    findings.figure = (
        f"{len(names)} of {len(functions())} functions and {len(calls) - len(functions())} doors,"
        f" {len(units)} shapes; CPU of the slowest {worst}"
    )
    return findings


def _chosen(names: list[str], trial: Trial) -> list[str]:
    """As many as there are rounds, in seeded order; the first is the one that builds break."""
    random.Random(trial.seed).shuffle(names)
    names.sort(key=lambda name: name != BROKEN)
    return names[: trial.rounds]


def _hardest(call: Callable[[str], object], units: list[str]) -> str:
    """The unit that costs most in small, once whatever is made at a first use is there."""
    for unit in units:
        call(unit)
    return max(units, key=lambda unit: seconds(call, _sized(unit, SMALL)))


def _best(call: Callable[[str], object], unit: str, kind: str) -> float:
    """CPU seconds of a text of full size."""
    text = _sized(unit, BYTES) if kind == "door" else (unit * ADMITTED)[:ADMITTED]
    return quickest(partial(seconds, call, text))


def _growth(call: Callable[[str], object], unit: str) -> float:
    return growth(partial(seconds, call), partial(_sized, unit))


def _doors(memory: Memory) -> dict[str, Callable[[str], object]]:
    """Every verb that takes a text of any length."""
    held = memory.list(limit=1)[0].id
    verbs: dict[str, Callable[[str], object]] = {
        "remember": memory.remember,
        "remember title": lambda text: memory.remember("A note", title=text),
        "remember by a tool": lambda text: memory.remember(text, origin="tool"),
        "observe": memory.observe,
        "why_not": memory.why_not,
        "observe_tool": lambda text: memory.observe_tool("fetch", text),
        "observe_tool input": lambda text: memory.observe_tool(
            "edit", "ok", input={"file_path": "a.py", "old_string": text, "new_string": text}
        ),
        "update": lambda text: memory.update(held, text),
        "recall": lambda text: memory.recall(text, touch=False),
        "explain": memory.explain,
        "context": memory.context,
        "context recent": lambda text: memory.context("the port of a1", recent=[text]),
        "forget": memory.forget,
        "fact": lambda text: memory.fact("a", "b", text),
        "facts": memory.facts,
        "list": lambda text: memory.list(tag=text),
        "scoped": memory.scoped,
        "episode": memory.episode,
        "procedure": lambda text: memory.procedure("Deploy", [text]),
        "get": memory.get,
    }
    return {f"Memory.{name}": _refusable(verb) for name, verb in verbs.items()}


def _refusable(verb: Callable[[str], object]) -> Callable[[str], object]:
    def call(text: str) -> object:
        try:
            return verb(text)
        except EngraphyError as refusal:
            return refusal

    return call


def _sized(unit: str, size: int) -> str:
    return unit * max(1, size // len(unit.encode("utf-8")))


def _of_data() -> Iterator[str]:
    """Every literal that opens a pattern of credentials or of orders, one after the other."""
    kinds = table("secrets")
    yield " ".join(one for row in kinds["prefixed"] for one in row["any"]) + " "
    yield "= ".join(row[1].split()[0] for row in kinds["contextual"]) + "= "
    yield " ".join(one for row in table("injection")["rules"] for one in row["any"]) + " "


@cache
def functions() -> dict[str, Callable[[str], object]]:
    """The functions over a text that other rooms import from the room of words, by name."""
    return {name: call for name, found in sorted(_imported()) if (call := _called(name, found))}


def _filling(one: inspect.Parameter) -> Callable[[str], Any] | None:
    return _FILLED.get(one.name, _ANOTHERS.get(one.annotation))


def _exhausted(result: object) -> object:
    return deque(result, maxlen=0) if isinstance(result, Iterator) else result


def _imported() -> set[tuple[str, Any]]:
    root = Path(engraphy.__file__).parent
    found = set()
    for file in root.rglob("*.py"):
        if file.parent == root / "text":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "engraphy.text."
            ):
                module = import_module(str(node.module))
                name = str(node.module).rpartition(".")[2]
                found |= {(f"{name}.{one.name}", getattr(module, one.name)) for one in node.names}
    return {pair for pair in found if inspect.isroutine(pair[1])}


def _called(name: str, function: Any) -> Callable[[str], object] | None:
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or parameters[0].annotation is not str or name in _NO_TEXT:
        return None
    if name in _SECOND:
        return lambda text: function(_SECOND[name], text)
    wanted = [one for one in parameters[1:] if one.default is inspect.Parameter.empty]
    missing = [one.name for one in wanted if _filling(one) is None]
    if missing:
        raise LookupError(f"{name} takes {', '.join(missing)}: say in _FILLED what stands for it")
    fillings = [(one, fill) for one in wanted if (fill := _filling(one))]
    module, _, attribute = name.partition(".")

    def call(text: str) -> object:
        found = getattr(import_module(f"engraphy.text.{module}"), attribute)
        named = {one.name: fill(text) for one, fill in fillings if one.kind is one.KEYWORD_ONLY}
        rest = [fill(text) for one, fill in fillings if one.kind is not one.KEYWORD_ONLY]
        return _exhausted(found(text, *rest, **named))

    return call
