"""Working memory: what a session is about just now (D-31)."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept

from engraphy import Memory
from engraphy.errors import UnknownSessionError
from engraphy.operations import operation
from engraphy.plain import plain

MINUTE = 60_000_000
TREES = ("alder", "beech", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "yew")


@pytest.fixture
def mind(opening: Opening) -> Memory:
    """A memory of cognitive."""
    return opening(profile="cognitive")


def said(memory: Memory, tree: str, importance: float = 0.5, session: str = "s") -> str:
    """The id of what was said about a tree in a session."""
    text = f"The {tree} stands behind the {tree} house"
    return kept(memory.remember(text, session=session, importance=importance)).id


def held(memory: Memory, session: str = "s") -> list[str]:
    """The ids in a session's working memory, the strongest first."""
    return [one.memory.id for one in memory.working(session)]


@pytest.mark.spec("D-31")
def test_it_holds_nine_per_session(mind: Memory) -> None:
    """The tenth pushes one out; another session has a working memory of its own."""
    ids = [said(mind, tree) for tree in TREES[:9]]
    assert set(held(mind)) == set(ids)
    other = said(mind, "walnut", session="t")
    assert (set(held(mind)), held(mind, "t")) == (set(ids), [other])
    tenth = said(mind, TREES[9])
    assert len(held(mind)) == 9
    assert tenth in held(mind)


@pytest.mark.spec("D-31")
def test_the_weakest_leaves(mind: Memory, clock: Ticks) -> None:
    """Importance x recency x (1 + .1 access): the least important of equals; of the important one
    that is an hour old a quarter is left."""
    ids = {tree: said(mind, tree, 0.4 if tree == "cedar" else 0.5) for tree in TREES[:9]}
    said(mind, "yew")
    assert ids["cedar"] not in held(mind)
    clock.now += 60 * MINUTE
    fresh = said(mind, "pine", 0.2)
    found = {one.memory.id: one.score for one in mind.working("s")}
    assert found[fresh] == pytest.approx(0.2, abs=0.001)
    old = found[next(iter(set(ids.values()) & set(found)))]
    assert old == pytest.approx(0.5 / 4, abs=0.002)


@pytest.mark.spec("D-31")
def test_recency_halves_in_thirty_minutes(mind: Memory, clock: Ticks) -> None:
    """R-08: half means half."""
    said(mind, "alder", 0.8)
    clock.now += 30 * MINUTE
    (item,) = mind.working("s")
    assert item.score == pytest.approx(0.4, abs=0.001)


@pytest.mark.spec("D-31")
def test_what_comes_up_again_is_updated_in_place(mind: Memory, clock: Ticks) -> None:
    """The same id pushes none out, grows by a tenth each time, and is fresh again."""
    ids = [said(mind, tree) for tree in TREES[:9]]
    clock.now += 30 * MINUTE
    again = said(mind, TREES[0])
    assert again == ids[0]
    assert set(held(mind)) == set(ids)
    first = mind.working("s")[0]
    assert (first.memory.id, first.access_count) == (again, 1)
    assert first.score == pytest.approx(0.5 * 1.1, abs=0.01)
    assert first.added_at < clock.now - 29 * MINUTE


@pytest.mark.spec("D-31")
def test_candidates_for_promotion(mind: Memory) -> None:
    """Two times or an importance of .6; neither is none."""
    weighty, often = said(mind, "alder", 0.6), said(mind, "beech", 0.1)
    plain_one = said(mind, "cedar", 0.59)
    for count in (0, 1, 2):
        found = {one.memory.id: one.promotable for one in mind.working("s")}
        assert found == {weighty: True, often: count == 2, plain_one: False}
        said(mind, "beech", 0.1)


@pytest.mark.spec("D-31")
def test_the_end_of_the_session_clears_it(mind: Memory) -> None:
    """Also where the end fails: nothing of it is left."""
    mind.start_session("s")
    said(mind, "alder")
    mind.end_session("s")
    assert held(mind) == []
    said(mind, "beech", session="never begun")
    with pytest.raises(UnknownSessionError):
        mind.end_session("never begun")
    assert held(mind, "never begun") == []


def test_what_is_injected_comes_up(opening: Opening) -> None:
    """A memory that is given to a conversation is what it is about."""
    memory = opening(profile="cognitive", embedder="static")
    row = kept(memory.remember("The alder stands behind the old house"))
    assert held(memory, "c") == []
    assert memory.context("The alder stands behind the old house?", conversation="c").hits
    assert held(memory, "c") == [row.id]


def test_it_stands_in_the_store_behind_its_walls(opening: Opening) -> None:
    """Another process sees it, another user does not; what is forgotten is gone from it."""
    first, second = opening(profile="cognitive"), opening(profile="cognitive")
    row = kept(first.remember("The alder stands", session="s", user="ada"))
    assert [one.memory.id for one in second.working("s", user="ada")] == [row.id]
    assert second.working("s", user="bob") == second.working("s") == []
    second.forget(row.id, user="ada")
    assert first.working("s", user="ada") == []


def test_where_a_profile_has_none_there_is_none(memory: Memory) -> None:
    """`default` keeps no working memory."""
    said(memory, "alder")
    assert memory.working("s") == []


def test_the_operation_says_the_same(mind: Memory) -> None:
    """With the moment as text and the memory whole."""
    said(mind, "alder")
    (row,) = plain(operation("working").run(mind, {"session": "s"}))
    assert row["memory"]["content"] == "The alder stands behind the alder house"
    assert row["promotable"] is False
    assert row["added_at"].startswith("2026-05-01T12:")
