"""The generated awaitable class: the same verbs, in threads."""

import asyncio
import inspect
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import generate_async

SHELF = '''\
"""A shelf, as an example of a class with verbs."""

import threading
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self


class Shelf:
    """Keeps labels."""

    def __init__(self, first: str | None = None, *, limit: int = 9) -> None:
        self.labels = [first] if first else []
        self.limit = limit
        self.opened_in = threading.current_thread().name

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def put(self, label: str, /, *more: str, at: int = 0, **notes: str) -> list[object]:
        """Put labels on it.

        A second paragraph.
        """
        self.labels += [label, *more]
        return [label, *more, at, notes, threading.current_thread().name]

    def fail(self, verb: "Sequence[str]") -> None:
        raise LookupError(verb)

    def state(self) -> list[str]:
        return [self.opened_in, *self.labels]

    def each(self) -> Iterator[str]:
        """One label after the other."""
        for label in self.labels:
            yield f"{label} in {threading.current_thread().name}"

    @property
    def capacity(self) -> int:
        """How many fit."""
        return self.limit

    def _inner(self) -> None:
        """Not a verb."""

    def close(self) -> None:
        """Close it."""
        self.labels.clear()
'''


def run(folder: Path, *extra: str) -> int:
    """The tool over the shelf in a folder."""
    return generate_async.main(
        [
            f"--root={folder}",
            f"--target={folder / 'shelf_async.py'}",
            "--name=Shelf",
            "--module=shelf_sync",
            *extra,
        ]
    )


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The generated module of the shelf, imported."""
    (tmp_path / "shelf_sync.py").write_text(SHELF)
    assert run(tmp_path) == 0
    monkeypatch.syspath_prepend(str(tmp_path))
    yield import_module("shelf_async")
    for name in ("shelf_async", "shelf_sync"):
        sys.modules.pop(name, None)


def test_same_verbs_and_signatures(shelf: ModuleType) -> None:
    """Every public method is there, awaited, with the signature it had; private ones are not."""
    awaited, plain = shelf.AsyncShelf, sys.modules["shelf_sync"].Shelf
    public = [name for name in vars(awaited) if not name.startswith("_")]
    assert public == ["put", "fail", "state", "each", "capacity", "close"]
    awaitable = [name for name in public if inspect.iscoroutinefunction(getattr(awaited, name))]
    assert awaitable == ["put", "fail", "state", "close"]
    shape = [(one.name, one.kind, one.default) for one in _parameters(plain.put)]
    assert [(one.name, one.kind, one.default) for one in _parameters(awaited.put)] == shape
    assert list(inspect.signature(awaited).parameters) == ["first", "limit"]


def _parameters(function: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def test_arguments_arrive_in_a_thread(shelf: ModuleType) -> None:
    """Every kind of argument is handed on, and the verb runs outside the loop's thread."""

    async def use() -> list[object]:
        async with shelf.AsyncShelf("a", limit=2) as opened:
            result: list[object] = await opened.put("b", "c", at=3, colour="red")
            return result

    *arguments, thread = asyncio.run(use())
    assert arguments == ["b", "c", 3, {"colour": "red"}]
    assert thread != threading.current_thread().name


def test_an_iterator_is_walked_in_threads(shelf: ModuleType) -> None:
    """A verb that gives one value after the other does so to `async for`, outside the loop."""

    async def use() -> list[str]:
        async with shelf.AsyncShelf("a") as opened:
            await opened.put("b")
            return [one async for one in opened.each()]

    told = [one.split(" in ") for one in asyncio.run(use())]
    assert [label for label, _ in told] == ["a", "b"]
    assert threading.current_thread().name not in {thread for _, thread in told}


def test_opened_once(shelf: ModuleType) -> None:
    """Verbs that start at the same time share one object, opened in a thread."""

    async def use() -> list[list[str]]:
        opened = shelf.AsyncShelf()
        await asyncio.gather(*(opened.put(str(number)) for number in range(20)))
        return [await opened.state() for _ in range(2)]

    first, second = asyncio.run(use())
    assert first == second
    assert sorted(first[1:]) == sorted(map(str, range(20)))
    assert first[0].startswith("engraphy")


def test_errors_come_back(shelf: ModuleType) -> None:
    """An error of a verb reaches whoever awaits it, a parameter called `verb` notwithstanding."""
    with pytest.raises(LookupError, match="x"):
        asyncio.run(shelf.AsyncShelf().fail(verb=["x"]))


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        ("@classmethod\n    def size(cls) -> int: ...", "decorated"),
        ("@staticmethod\n    def make() -> int: ...", "decorated"),
        ("async def wait(self) -> int: ...", "async"),
        ("def walk(self) -> Iterable[str]: ...", "return a list"),
        ("def guess(self): ...", "say what it returns"),
    ],
)
def test_what_cannot_be_awaited_is_refused(tmp_path: Path, member: str, reason: str) -> None:
    """A public member without an awaited form is an error that names it, never left out."""
    source = f"class Box:\n    def __init__(self) -> None: ...\n\n    {member}\n"
    (tmp_path / "box.py").write_text(source)
    with pytest.raises(generate_async.UnsupportedError, match=reason):
        generate_async.generate(tmp_path, module="box", name="Box")


def test_bases_and_shadowed_builtins(tmp_path: Path) -> None:
    """Verbs of a base in the same package come along; a verb called `list` does not spoil
    `list[...]` in the signatures; the nearest definition wins."""
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/low.py").write_text(
        "from pathlib import Path as Place\n\n"
        "class Low:\n"
        "    def __init__(self) -> None: ...\n"
        "    def where(self) -> 'Place': ...\n"
        "    def list(self) -> None: ...\n"
    )
    (tmp_path / "pack/high.py").write_text(
        "from pack.low import Low\n\n"
        "class High(Low):\n"
        "    def list(self, *, names: list[str]) -> list[int]: ...\n"
    )
    text = generate_async.generate(tmp_path, module="pack.high", name="High")
    assert "from pathlib import Path as Place" in text
    assert "async def where(self) -> Place:" in text
    assert "async def list(self, *, names: builtins.list[str]) -> builtins.list[int]:" in text
    assert text.count("async def list") == 1


def test_one_name_two_meanings(tmp_path: Path) -> None:
    """A name that two modules of the lineage import from different places is an error."""
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/low.py").write_text(
        "from a import Row\n\nclass Low:\n"
        "    def __init__(self) -> None: ...\n    def one(self) -> Row: ...\n"
    )
    (tmp_path / "pack/high.py").write_text(
        "from b import Row\nfrom pack.low import Low\n\nclass High(Low):\n"
        "    def two(self) -> Row: ...\n"
    )
    with pytest.raises(generate_async.UnsupportedError, match="rename one"):
        generate_async.generate(tmp_path, module="pack.high", name="High")


def test_property_answers_at_once(shelf: ModuleType) -> None:
    """A property is not awaited."""
    assert shelf.AsyncShelf(limit=3).capacity == 3


@pytest.mark.long
def test_check_notices_a_stale_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--check` passes on a fresh file, fails on a stale or missing one, and writes nothing."""
    (tmp_path / "shelf_sync.py").write_text(SHELF)
    assert run(tmp_path, "--check") == 1
    assert run(tmp_path) == 0
    assert run(tmp_path, "--check") == 0
    (tmp_path / "shelf_sync.py").write_text(SHELF.replace("limit: int = 9", "limit: int = 8"))
    before = (tmp_path / "shelf_async.py").read_text()
    assert run(tmp_path, "--check") == 1
    assert (tmp_path / "shelf_async.py").read_text() == before
    assert "stale" in capsys.readouterr().out
