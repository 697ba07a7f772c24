"""Lines in any order, twice, torn; and imports that are cut short."""

import json
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.making import Ticks, opened
from tests.importers.conftest import LATER, rows, said
from tests.importers.samples import FIXTURES, SAMPLES, made

from engraphy import Memory
from engraphy.errors import InvalidInputError
from engraphy.importers import imported

LINED = {
    "claude-code": "-srv-none-shop/0b1f5c1e-0000-4000-8000-000000000001.jsonl",
    "codex": "2026/04/02/rollout-2026-04-02T10-00-00-019d0000-0000-7000-8000-000000000001.jsonl",
    "gemini": "shop/chats/session-2026-05-02T08-00-aaaaaaaa.jsonl",
    "cursor": "srv-none-shop/agent-transcripts/c1/c1.jsonl",
    "server-memory": "memory.jsonl",
}
SHOP = "shop-d4673e1e"
NUMBERS = count()


class KilledError(BaseException):
    """The process ends here."""


class Mortal(Ticks):
    """A clock at whose last tick everything ends: it is asked before and after each write."""

    left = 10**9

    def __call__(self) -> int:
        self.left -= 1
        if self.left < 0:
            raise KilledError
        return super().__call__()


@pytest.mark.long
@pytest.mark.parametrize("source", sorted(LINED))
@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_lines_in_any_order_come_in_once(
    source: str, shared: Memory, tmp_path: Path, data: st.DataObject
) -> None:
    """Shuffled, repeated and torn lines raise nothing but errors of ours and come in once: in
    another order nothing is new, the whole file brings only what was torn or missing, and then
    nothing more."""
    lines = (FIXTURES / source / LINED[source]).read_text("utf-8").splitlines()
    # What was gone back behind is known by the order of the lines alone.
    lines = [line for line in lines if "g4" not in line]
    mixed = data.draw(st.lists(st.sampled_from(lines), min_size=1, max_size=2 * len(lines)))
    torn = data.draw(st.integers(0, len(mixed) - 1))
    mixed[torn] = mixed[torn][: data.draw(st.integers(0, len(mixed[torn])))]
    place = f"{source}-{next(NUMBERS)}"
    file = tmp_path / LINED[source]
    file.parent.mkdir(parents=True, exist_ok=True)

    def brought(told: list[str]) -> int:
        file.write_text("\n".join(told), "utf-8")
        return imported(shared, file, source=source, project=place).memories

    with suppress(InvalidInputError):
        # Where no line is left that tells whose they are.
        brought(mixed)
        assert brought(mixed[::-1]) == 0
    brought(lines)
    assert brought(lines[::-1]) == 0
    states = ("superseded", "quarantined", "archived")
    held = shared.list(include=states, limit=1_000, project=place)
    own = [row.content for row in held if row.scope.project == place]
    assert len(own) == len(set(own)) > 0


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, ...]]:
    """What an import that nobody disturbs says."""
    folder = tmp_path_factory.mktemp("expected")
    sample = next(one for one in SAMPLES if one.source == "claude-code")
    with opened(folder / "store.db", Ticks(LATER)) as memory:
        memory.remember("I live in Oslo.", at="2020-01-01", project=SHOP)
        imported(memory, made(sample, folder))
        return said(memory)


@pytest.mark.parametrize("ticks", [9, 20, 31, 42, 53])
def test_an_import_that_was_cut_short_goes_on(
    ticks: int, expected: list[tuple[str, ...]], tmp_path: Path
) -> None:
    """Wherever the process ends, the next import ends where an undisturbed one does, and one undo
    takes both parts out."""
    sample = next(one for one in SAMPLES if one.source == "claude-code")
    path, clock = made(sample, tmp_path), Mortal(LATER)
    with opened(tmp_path / "store.db", clock) as memory:
        memory.remember("I live in Oslo.", at="2020-01-01", project=SHOP)
        before = rows(memory)
        clock.left = ticks
        with pytest.raises(KilledError):
            imported(memory, path)
        clock.left = 10**9
        imported(memory, path)
        assert said(memory) == expected
        assert imported(memory, path).run == ""
        memory.undo(last="import")
        assert rows(memory) == before


def test_what_was_added_since_comes_in(memory: Memory, tmp_path: Path) -> None:
    """A transcript that went on brings only what is new, as an import that is undone by itself."""
    file = tmp_path / LINED["claude-code"]
    file.parent.mkdir(parents=True)
    lines = (FIXTURES / "claude-code" / LINED["claude-code"]).read_text("utf-8").splitlines()
    file.write_text("\n".join(lines[:5]) + "\n", "utf-8")
    first, before = imported(memory, file), rows(memory)
    more = json.loads(lines[2]) | {"uuid": "new", "timestamp": "2026-03-20T09:00:00Z"}
    more["message"]["content"] = "The carpet in my office is green."
    file.write_text("\n".join([*lines[:5], json.dumps(more)]) + "\n", "utf-8")
    second = imported(memory, file)
    assert (second.memories, second.already) == (1, first.read)
    memory.undo(run=second.run)
    assert rows(memory) == before
    memory.undo(last="import")
    assert memory.list(tag="from:claude-code", project=SHOP) == []


class Meanwhile(Ticks):
    """A clock at one of whose ticks something else happens."""

    left = 0

    def __init__(self, start: int, act: Callable[[], object]) -> None:
        super().__init__(start)
        self.act = act

    def __call__(self) -> int:
        self.left -= 1
        if self.left == 0:
            self.act()
        return super().__call__()


@pytest.mark.parametrize("ticks", [2, 7, 13, 17, 24, 35])
def test_two_imports_at_once_are_one(
    ticks: int, expected: list[tuple[str, ...]], tmp_path: Path
) -> None:
    """Another process that imports the same, wherever the first one is: everything comes in once,
    and one undo takes it out."""
    sample = next(one for one in SAMPLES if one.source == "claude-code")
    path, store = made(sample, tmp_path), tmp_path / "store.db"
    with opened(store, Ticks(LATER)) as other:
        other.remember("I live in Oslo.", at="2020-01-01", project=SHOP)
        before = rows(other)
        clock = Meanwhile(LATER, lambda: imported(other, path))
        with opened(store, clock) as memory:
            clock.left = ticks
            imported(memory, path)
            assert clock.left <= 0
            assert said(memory) == expected
            memory.undo(last="import")
            assert rows(memory) == before
