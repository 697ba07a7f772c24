"""Tenant, user, agent and project are walls on every surface (P-08, R-05); session is a filter."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule
from tests.engine.making import Ticks, kept, opened, texts

from engraphy import Memory
from engraphy.errors import InvalidInputError, NotFoundError, UnknownFieldError, UnknownScopeError
from engraphy.model import Memory as Row

NAMES = [
    None, "a", "A", "a%", "a_", "a*", "a/", "a ", " a", "ａ", "á", "a\u0301", "ä", "%", "_", "*",
    "' OR 1=1--", '"', "a;b", "a\nb", "None", "null", "0", "user", "=a", "ı", "i", "İ", "😀",
]  # fmt: skip
SEEING = {"allow_private": True, "allow_secret": True}
STATES = ("dormant", "archived", "superseded", "expired", "quarantined")
NUMBERS = count()

names = st.sampled_from(NAMES)
scopes = st.fixed_dictionaries({"user": names, "agent": names, "project": names})


def sees(caller: dict[str, Any], owner: dict[str, Any]) -> bool:
    """The rule itself: shared on a wall, or the caller's own."""
    return all(owner[wall] in (None, caller[wall]) for wall in ("user", "agent", "project"))


def surfaces(memory: Memory, folder: Path, scope: dict[str, Any]) -> Iterator[str]:
    """Every text that any reading verb gives to a caller, in any state and sensitivity."""
    full = {**scope, **SEEING}
    wide = {**full, "include": STATES}
    yield from texts(memory.list(limit=1_000, **wide))
    yield from texts(memory.timeline(limit=1_000, **wide))
    yield from texts(memory.recall("walled secret of someone", limit=50, **wide))
    yield from texts(memory.explain("walled secret of someone", limit=50, **wide).hits)
    asked = "tell me the walled secret of someone"
    yield memory.context(asked, budget=4_000, conversation="c", **full).text
    yield from texts(memory.explain_context(asked, budget=4_000, **full).hits)
    made = memory.inject([{"role": "user", "content": asked}], budget=4_000, **full)
    yield str(made.messages)
    for receipt in memory.receipts(limit=1_000, **full):
        yield from (line.content for line in receipt.lines)
    for fact in memory.facts(current=False, **full):
        yield f"{fact.subject} {fact.predicate} {fact.object}"
    target = folder / f"export-{next(NUMBERS)}.jsonl"
    memory.export(target, **full)
    yield target.read_text(encoding="utf-8")
    yield " ".join(memory.forget("walled secret of someone", limit=50, **full).previews)


class Walls(RuleBasedStateMachine):
    """Callers write, read and meddle at random; none ever gets what is not theirs to see."""

    folder: Path
    rows: Bundle[tuple[Row, str]] = Bundle("rows")

    @initialize()
    def open(self) -> None:
        """A store of its own for each run."""
        self.held: list[tuple[dict[str, Any], str, str]] = []
        self.serial = count()
        self.memory = opened(self.folder / f"{next(NUMBERS)}.db", Ticks())
        self.other = opened(self.memory.path, Ticks(), tenant="other")

    def teardown(self) -> None:
        """Close what was opened."""
        self.memory.close()
        self.other.close()

    @rule(target=rows, owner=scopes, level=st.sampled_from(["public", "private", "secret"]))
    def write(self, owner: dict[str, Any], level: str) -> Any:
        """Somebody keeps something, and a fact with it."""
        mark = f"mark{next(self.serial)}x"
        text = f"The walled secret of someone is {mark} and no other"
        row = kept(self.memory.remember(text, sensitivity=level, **owner))
        self.memory.fact(mark, "stands", "walled", source_id=row.id, **owner, **SEEING)
        self.held.append((owner, mark, row.id))
        return row, mark

    @rule(caller=scopes)
    def read(self, caller: dict[str, Any]) -> None:
        """Whatever a caller reads holds the marks of what they may see, and of nothing else."""
        said = "\n".join(surfaces(self.memory, self.folder, caller))
        foreign = [mark for owner, mark, _ in self.held if not sees(caller, owner)]
        assert [mark for mark in foreign if mark in said] == []
        own = [mark for owner, mark, _ in self.held if sees(caller, owner)]
        assert [mark for mark in own if mark not in said] == []
        stats = self.memory.stats(**caller, **SEEING)
        assert (stats.total, stats.facts) == (len(own), len(own))

    @rule(row=rows, caller=scopes)
    def meddle(self, row: tuple[Row, str], caller: dict[str, Any]) -> None:
        """Who knows an id but may not see the row is told that there is none, by every verb."""
        memory, held = self.memory, row[0]
        owner = {wall: getattr(held.scope, wall) for wall in ("user", "agent", "project")}
        if sees(caller, owner):
            return
        full = {**caller, **SEEING}
        verbs: list[Callable[[], object]] = [
            lambda: memory.get(held.id, **full),
            lambda: memory.update(held.id, "taken over", **full),
            lambda: memory.pin(held.id, **full),
            lambda: memory.protect(held.id, **full),
            lambda: memory.forget(held.id, **full),
            lambda: memory.history(held.id, **full),
            lambda: memory.links(held.id, **full),
            lambda: memory.link(held.id, held.id[::-1], **full),
            lambda: memory.fact("x", "y", "z", source_id=held.id, **full),
            lambda: memory.list(after=held.id, **full),
        ]
        for number, verb in enumerate(verbs):
            try:
                found = verb()
            except NotFoundError:
                continue
            assert (number, found) == (6, [])
        missing = memory.explain("walled secret", missing=held.id, **full).missing
        assert missing is not None
        assert missing.stage == "scope"
        assert row[1] not in missing.detail

    @rule(row=rows)
    def from_another_tenant(self, row: tuple[Row, str]) -> None:
        """The outermost wall: another tenant of the same file sees neither rows nor counts."""
        held = row[0]
        same = {wall: getattr(held.scope, wall) for wall in ("user", "agent", "project")}
        assert row[1] not in "\n".join(surfaces(self.other, self.folder, same))
        with pytest.raises(NotFoundError):
            self.other.get(held.id, **same, **SEEING)
        stats = self.other.stats(**same, **SEEING)
        assert (stats.total, stats.facts, stats.journal_entries) == (0, 0, 0)

    @rule(row=rows)
    def forget(self, row: tuple[Row, str]) -> None:
        """The owner may forget; the others' rows stay."""
        known = [entry for entry in self.held if entry[2] == row[0].id]
        if known:
            owner = known[0][0]
            self.memory.forget(row[0].id, **owner, **SEEING)
            for fact in self.memory.facts(subject=row[1], **owner, **SEEING):
                self.memory.delete_fact(fact.id, **owner, **SEEING)
            self.held.remove(known[0])


def run_walls(folder: Path, examples: int, steps: int) -> None:
    """Run the machine with its files in `folder`."""
    machine = type("WallsHere", (Walls,), {"folder": folder}).TestCase
    machine.settings = settings(max_examples=examples, stateful_step_count=steps, deadline=None)
    machine().runTest()


@pytest.mark.long
@pytest.mark.spec("P-08", "R-05")
def test_no_row_crosses_a_wall(tmp_path: Path) -> None:
    """A random history of writes and reads under hostile names: no foreign text, count or id."""
    run_walls(tmp_path, 8, 12)


@pytest.mark.slow
@pytest.mark.spec("P-08", "R-05")
def test_no_row_crosses_a_wall_at_length(tmp_path: Path) -> None:
    """The same for a long time."""
    run_walls(tmp_path, 150, 40)


READING: dict[str, Callable[[Memory, dict[str, Any]], object]] = {
    "recall": lambda m, s: m.recall("x", **s),
    "context": lambda m, s: m.context("what is x?", **s),
    "explain": lambda m, s: m.explain("x", **s),
    "explain_context": lambda m, s: m.explain_context("what is x?", **s),
    "inject": lambda m, s: m.inject([{"role": "user", "content": "what is x?"}], **s),
    "receipts": lambda m, s: m.receipts(**s),
    "get": lambda m, s: m.get("x", **s),
    "history": lambda m, s: m.history("x", **s),
    "list": lambda m, s: m.list(**s),
    "timeline": lambda m, s: m.timeline(**s),
    "update": lambda m, s: m.update("x", "y", **s),
    "pin": lambda m, s: m.pin("x", **s),
    "protect": lambda m, s: m.protect("x", **s),
    "forget": lambda m, s: m.forget("x", **s),
    "link": lambda m, s: m.link("x", "y", **s),
    "links": lambda m, s: m.links("x", **s),
    "entity": lambda m, s: m.entity("x", **s),
    "fact": lambda m, s: m.fact("x", "y", "z", **s),
    "facts": lambda m, s: m.facts(**s),
    "delete_fact": lambda m, s: m.delete_fact("x", **s),
    "stats": lambda m, s: m.stats(**s),
    "export": lambda m, s: m.export("nowhere.jsonl", **s),
    "export_lines": lambda m, s: m.export_lines(**s),
    "import_": lambda m, s: m.import_("nowhere.jsonl", **s),
    "import_lines": lambda m, s: m.import_lines([], **s),
}


@pytest.mark.parametrize("verb", READING)
def test_unknown_scope_keys_are_refused_everywhere(
    shared: Callable[..., Memory], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    """A misspelt key never means "everybody": every verb names it and what is allowed."""
    monkeypatch.chdir(tmp_path)
    for key in ("usr", "tenant", "user_id", "namespace"):
        with pytest.raises((UnknownScopeError, UnknownFieldError)) as caught:
            READING[verb](shared(), {key: "ada"})
        assert repr(key) in str(caught.value)
        assert "user" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", READING)
def test_wrong_scope_values_are_refused_everywhere(
    shared: Callable[..., Memory], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    """A scope name is a text of 1 to 512 characters; anything else is a typed error."""
    monkeypatch.chdir(tmp_path)
    for value in ("", 5, b"ada", ["ada"], "a\0", "\udcff", "x" * 513):
        with pytest.raises(InvalidInputError):
            READING[verb](shared(), {"user": value})
    for flag in ("yes", 1, None):
        with pytest.raises(InvalidInputError):
            READING[verb](shared(), {"allow_secret": flag})


@given(one=st.text(min_size=1, max_size=8), two=st.text(min_size=1, max_size=8))
def test_two_names_are_never_one(shared: Callable[..., Memory], one: str, two: str) -> None:
    """Whatever two different names look like, one does not see what the other keeps."""
    memory, project = shared(), f"p{next(NUMBERS)}"
    try:
        memory.remember(f"kept for {project}", user=one, project=project)
        found = memory.list(user=two, project=project)
    except InvalidInputError:
        return
    assert len(found) == int(one == two)


def test_session_is_provenance_and_filters_only_when_asked(memory: Memory) -> None:
    """Sessions hide nothing; `session=` keeps that session's rows, on every listing and search."""
    memory.remember("The falcon nests on the tower", session="one")
    memory.remember("The falcon hunts at dawn", session="two")
    memory.remember("The falcon has no name")
    assert len(memory.recall("falcon")) == len(memory.list()) == 3
    assert texts(memory.recall("falcon", session="one")) == ["The falcon nests on the tower"]
    assert texts(memory.list(session="two")) == ["The falcon hunts at dawn"]
    assert texts(memory.timeline(session="two")) == ["The falcon hunts at dawn"]
    assert memory.recall("falcon", session="three") == []
    assert "dawn" not in memory.context("where is the falcon?", session="one").text
    assert memory.get(memory.list(session="one")[0].id).scope.session == "one"
