"""In profile `titans` a session is a wall: it sees its own memories and global ones (C-12)."""

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, everything_said, kept, opened, texts
from tests.engine.test_walls import SEEING, STATES, surfaces
from tests.examples import few

from engraphy import Memory
from engraphy.errors import NotFoundError, UnknownSessionError
from engraphy.model import Action

NUMBERS = count()
SESSIONS = [None, "a", "A", "a ", "b", "%", "None", "=a", "' OR 1=1--"]
Told = tuple[str | None, str]
HIDE_GLOBAL = {"sessions": {"include_global": False}}


@pytest.fixture
def walled(opening: Opening) -> Memory:
    """A memory in profile `titans`."""
    return opening(profile="titans")


def sees(caller: str | None, owner: str | None) -> bool:
    """The rule itself: global, or the caller's own."""
    return owner in (None, caller)


def check_verbs_by_id(memory: Memory, id: str, scope: dict[str, Any]) -> None:
    """Who knows an id but may not see the row is told that there is none, by every verb."""
    verbs: list[Callable[[], object]] = [
        lambda: memory.get(id, **scope),
        lambda: memory.update(id, "taken over", **scope),
        lambda: memory.pin(id, **scope),
        lambda: memory.protect(id, **scope),
        lambda: memory.forget(id, **scope),
        lambda: memory.delete(id, **scope),
        lambda: memory.history(id, **scope),
        lambda: memory.links(id, **scope),
        lambda: memory.link(id, id[::-1], **scope),
        lambda: memory.fact("x", "y", "z", source_id=id, **scope),
        lambda: memory.list(after=id, **scope),
        lambda: memory.steps(id, **scope),
        lambda: memory.outcome(id, **scope),
        lambda: memory.report(id, **scope),
        lambda: memory.accept(id, **scope),
        lambda: memory.reject(id, **scope),
    ]
    for verb in verbs:
        with pytest.raises(NotFoundError):
            verb()
    missing = memory.explain("walled secret", missing=id, **scope).missing
    assert missing is not None
    assert missing.stage == "scope"


def more_surfaces(memory: Memory, scope: dict[str, Any]) -> str:
    """What the verbs beside `surfaces` give to a caller."""
    said = [
        memory.entity("src/walled.py", **scope),
        memory.scoped("src/walled.py", limit=100, **scope),
        memory.timeline_of("walled secret", limit=100, **scope),
        memory.review(limit=100, **scope),
        memory.list(file="src/walled.py", limit=100, include=STATES, **scope),
        memory.list(concept="walled", limit=100, include=STATES, **scope),
        memory.jobs(**scope),
    ]
    if (name := scope.get("session")) is not None:
        leave = {key: value for key, value in scope.items() if key != "session"}
        said.append(memory.working(name, **leave))
        with suppress(UnknownSessionError):
            said.append(memory.session(name))
    return repr(said)


@pytest.mark.long
@pytest.mark.spec("C-12", "R-05", "R-06")
@settings(max_examples=few(12), deadline=None)
@given(
    told=st.lists(st.tuples(st.sampled_from(SESSIONS), st.booleans()), min_size=2, max_size=8),
    callers=st.lists(st.sampled_from(SESSIONS), min_size=2, max_size=3, unique=True),
)
def test_nothing_crosses_the_wall_of_a_session(
    tmp_path_factory: pytest.TempPathFactory,
    told: list[tuple[str | None, bool]],
    callers: list[str | None],
) -> None:
    """Whatever sessions write, every reading verb gives a caller all of their own and of what is
    global, and not a text, a count or an id of another session's."""
    folder = tmp_path_factory.mktemp("walls")
    with opened(folder / "m.db", Ticks(), profile="titans") as memory:
        held = []
        for number, (owner, fact) in enumerate(told):
            mark = f"mark{number}x"
            text = f"The walled secret of someone is {mark} and no other"
            where = {"session": owner}
            row = kept(memory.remember(
                text, files_read=["src/walled.py"], concepts=["walled"],
                scope_globs=["src/**"], **where))  # fmt: skip
            if fact:
                memory.fact(mark, "stands", "walled", source_id=row.id, **where)
            held.append((owner, mark, row.id, fact))
        for caller in callers:
            scope = {"session": caller}
            full = {**scope, **SEEING}
            said = "\n".join([*surfaces(memory, folder, scope), more_surfaces(memory, full)])
            own = [one for one in held if sees(caller, one[0])]
            foreign = [one for one in held if not sees(caller, one[0])]
            assert [mark for _, mark, _, _ in foreign if mark in said] == []
            assert [known for _, _, known, _ in foreign if known in said] == []
            assert [mark for _, mark, _, _ in own if mark not in said] == []
            stats = memory.stats(**full)
            assert stats.total == len(own)
            assert stats.facts == sum(fact for _, _, _, fact in own)
            assert stats.sessionless == sum(owner is None for owner, _, _, _ in own)
            for _, _, known, _ in foreign[:1]:
                check_verbs_by_id(memory, known, full)


@pytest.mark.spec("C-12", "R-06")
@pytest.mark.parametrize("write", ["remember", "observe"])
@pytest.mark.parametrize("order", [("one", "two", None), (None, "one", "two")])
def test_two_sessions_that_say_the_same_have_theirs_each(
    walled: Memory, write: str, order: tuple[str | None, ...]
) -> None:
    """The same text is new in every session, and once for all: nobody learns who else holds it."""
    text = "I prefer Python for data processing"
    ids = set()
    for session in order:
        if write == "remember":
            outcome = walled.remember(text, session=session)
        else:
            [outcome] = walled.observe([{"role": "user", "content": text}], session=session)
        assert outcome.action is Action.CREATED
        assert outcome.previous is None
        ids.add(kept(outcome).id)
    assert len(ids) == 3
    assert walled.remember(text, session="one").action is Action.REINFORCED
    assert [row.reinforcement_count for row in walled.list(session="two")] == [0, 0]


@pytest.mark.spec("C-12")
def test_a_score_tells_nothing_of_other_sessions(opening: Opening) -> None:
    """Surprise, importance and match are the same whatever other sessions hold."""
    told = [{"role": "user", "content": "I prefer Python for data processing"}]
    alone, beside = opening("alone", profile="titans"), opening("beside", profile="titans")
    beside.observe(told, session="two")
    beside.remember("Python is what everybody prefers for processing", session="three")
    rows, hits = [], []
    for memory in (alone, beside):
        [outcome] = memory.observe(told, session="one")
        rows.append((outcome.reason, kept(outcome).importance, kept(outcome).channels))
        hits.append([(h.score, h.why) for h in memory.recall("Python?", session="one")])
    assert rows[0] == rows[1]
    assert hits[0] == hits[1]


@pytest.mark.spec("C-12")
def test_a_session_contradicts_and_takes_back_only_its_own(walled: Memory) -> None:
    """What one session says anew or takes back leaves the other sessions' memories as they are."""
    for session in ("one", "two", None):
        walled.remember("I live in Berlin", session=session)
    walled.observe([{"role": "user", "content": "Actually, I live in Madrid now"}], session="one")
    walled.observe([{"role": "user", "content": "Forget that I live in Berlin"}], session="one")
    assert "I live in Berlin" in texts(walled.list(session="two"))
    assert texts(walled.list()) == ["I live in Berlin"]
    assert "Madrid" not in " ".join(everything_said(walled, session="two"))


@pytest.mark.spec("C-12")
def test_global_memories_may_be_hidden_from_sessions(opening: Opening) -> None:
    """MEMORY_INCLUDE_GLOBAL=false: a session sees its own only; without a session the global ones
    are there as before."""
    memory = opening(profile="titans", overrides=HIDE_GLOBAL)
    memory.remember("The falcon has no name")
    memory.remember("The falcon nests on the tower", session="one")
    memory.remember("The falcon hunts at dawn", session="two")
    mine = ["The falcon nests on the tower"]
    assert texts(memory.list(session="one")) == mine
    assert texts(memory.recall("falcon", session="one")) == mine
    assert texts(memory.context("where is the falcon?", session="one").hits) == mine
    assert memory.stats(session="one").total == 1
    assert texts(memory.list()) == ["The falcon has no name"]
    shown = opening(profile="titans")
    assert len(shown.list(session="one")) == 2


@pytest.mark.spec("C-12")
def test_forgetting_by_words_stays_inside(walled: Memory) -> None:
    """A session forgets what matches among its own and the global ones, nobody else's."""
    rows = {s: kept(walled.remember(f"MongoDB is what {s} uses", session=s)) for s in ("a", "b")}
    preview = walled.forget("MongoDB", session="a")
    assert [one.split()[-2] for one in preview.previews] == ["a"]
    walled.forget("MongoDB", session="a", confirm=preview.confirm)
    assert walled.list(session="a") == []
    assert texts(walled.list(session="b")) == [rows["b"].content]


def test_other_profiles_have_no_such_wall(memory: Memory) -> None:
    """There a session is where a memory came from: the same text stands once for all of them."""
    first = memory.remember("The falcon nests on the tower", session="one")
    again = memory.remember("The falcon nests on the tower", session="two")
    assert kept(first).id == kept(again).id
    assert texts(memory.list()) == ["The falcon nests on the tower"]


@pytest.mark.spec("C-12")
def test_a_file_of_another_profile_keeps_sessions_apart(opening: Opening) -> None:
    """What was written where sessions are no walls is seen in `titans` by its own session; told
    again without one, it is global."""
    plain = opening(profile="default")
    plain.remember("The falcon nests on the tower", session="one")
    plain.remember("The falcon has no name")
    walled = opening(profile="titans")
    assert len(walled.list(session="one")) == 2
    assert texts(walled.list(session="two")) == texts(walled.list()) == ["The falcon has no name"]
    assert texts(walled.recall("falcon tower", session="two")) == ["The falcon has no name"]
    walled.remember("The falcon nests on the tower")
    assert len(walled.list(session="two")) == 2


@pytest.mark.spec("C-12")
def test_a_wall_stands_under_any_profile(opening: Opening) -> None:
    """What was written behind a wall is seen elsewhere only where its session is named."""
    walled = opening(profile="titans")
    row = kept(walled.remember("The falcon nests on the tower", session="one"))
    walled.remember("The falcon has no name")
    plain = opening(profile="default")
    assert texts(plain.list()) == texts(plain.recall("falcon")) == ["The falcon has no name"]
    assert plain.list(session="two") == []
    assert texts(plain.list(session="one")) == ["The falcon nests on the tower"]
    assert texts(plain.recall("falcon", session="one")) == ["The falcon nests on the tower"]
    assert plain.get(row.id, session="one").id == row.id
    with pytest.raises(NotFoundError):
        plain.get(row.id)


@pytest.mark.spec("C-12")
def test_an_export_brings_the_walls_along(opening: Opening, tmp_path: Path) -> None:
    """The operator's copy holds every session; brought in, each is behind its wall again."""
    memory = opening(profile="titans")
    memory.remember("The falcon nests on the tower", session="one")
    memory.remember("The falcon has no name")
    memory.export(tmp_path / "mine.jsonl", session="two")
    memory.export(tmp_path / "all.jsonl", everything=True)
    assert "tower" not in (tmp_path / "mine.jsonl").read_text(encoding="utf-8")
    other = opening("other", profile="titans")
    assert other.import_(tmp_path / "all.jsonl", trusted=True).memories == 2
    assert texts(other.list(session="two")) == ["The falcon has no name"]
    assert len(other.list(session="one")) == 2


@pytest.mark.spec("C-12")
def test_what_is_brought_into_a_session_is_behind_its_wall(
    opening: Opening, tmp_path: Path
) -> None:
    """A file of any profile, brought in for a session: there, and nowhere else, not even once it is
    opened under a profile without walls."""
    plain = opening("plain")
    plain.remember("The falcon nests on the tower", session="elsewhere")
    plain.export(tmp_path / "plain.jsonl")
    walled = opening("walled", profile="titans")
    walled.import_(tmp_path / "plain.jsonl", session="one")
    assert len(walled.list(session="one")) == 1
    assert opening("walled").list() == walled.list() == walled.list(session="elsewhere") == []
    walled.export(tmp_path / "walled.jsonl", session="one")
    third = opening("third")
    third.import_(tmp_path / "walled.jsonl", session="two")
    assert len(third.list()) == 1


def test_maintenance_reaches_every_session(
    walled: Memory,
) -> None:
    """Rows behind a wall are looked at by a dream as all others are."""
    walled.remember("The falcon nests on the tower", session="one")
    walled.remember("The falcon has no name")
    looked = {step.name: step.looked for step in walled.dream(dry_run=True).steps}
    assert looked["expire"] == 2


@pytest.mark.spec("C-12")
def test_a_session_of_a_plain_file_is_neither_told_nor_touched(opening: Opening) -> None:
    """What a session said where sessions were no walls: no remark without a session repeats it,
    ends it or takes it back, and no receipt tells it."""
    plain = opening(profile="default")
    said = ("The falcon nests on the old harbour tower", "I live in Berlin")
    before = [kept(plain.remember(one, session="one")) for one in said]
    assert "harbour" in repr(plain.context("where does the falcon nest?"))
    walled = opening(profile="titans")
    told = [walled.remember(f"{said[0]}!")]
    for one in (f"Actually, {said[0]} no longer", "Actually, I live in Madrid now",
                "Forget that I live in Berlin"):  # fmt: skip
        told += walled.observe([{"role": "user", "content": one}])
    held = [row for row in walled.list(session="one") if row.scope.session]
    assert [(row.content, row.version) for row in reversed(held)] == [(one, 1) for one in said]
    assert {row.reinforcement_count for row in held} == {0}
    shown = repr([told, walled.list(limit=100, include=STATES), walled.receipts()])
    assert [row.id for row in before if row.id in shown] == []
