"""Themes and patterns: what is told together becomes one memory, and what recurs in it another."""

import re
from typing import Any

import pytest
from tests.dream.conftest import Resting, changed, everything, tagged
from tests.dream.stories import APART, BACKUPS, BICYCLES, BREAD, PLANTED
from tests.engine.making import Ticks, kept, texts

from engraphy import Memory
from engraphy.model import Memory as Row


@pytest.fixture
def memory(resting: Resting) -> Memory:
    """A memory that makes themes and patterns of them."""
    return resting("cluster", "abstract")


def told(memory: Memory, said: tuple[str, ...] = BACKUPS, **fields: Any) -> list[Row]:
    """Each of these, remembered."""
    return [kept(memory.remember(text, **fields)) for text in said]


@pytest.mark.spec("D-47")
@pytest.mark.spec("R-04")
def test_memories_of_one_theme_become_one_memory(memory: Memory, clock: Ticks) -> None:
    """Three or more around one entity: a semantic memory of importance .8 that tells each of them
    with its day and names them; they are superseded, linked, and readable as they were."""
    rows = told(memory)
    told(memory, APART)
    clock.pass_days(8)
    assert changed(memory.dream())["cluster"] == 1
    (theme,) = tagged(memory, "theme")
    assert (theme.kind, theme.importance, theme.tier) == ("summary", 0.8, "semantic")
    head, *lines = theme.content.split("\n")
    assert head == "PostgreSQL, backups, staging: 4 memories of 2026-05-01."
    assert lines == [f"- 2026-05-01: {text}" for text in BACKUPS]
    assert set(theme.source_ids) == {row.id for row in rows}
    assert {link.target_id for link in memory.links(theme.id)} >= {row.id for row in rows}
    held = {row.id: row for row in memory.list(include=["superseded"])}
    for row in rows:
        after = held[row.id]
        assert (after.state, after.superseded_by, after.content) == (
            "superseded", theme.id, row.content,
        )  # fmt: skip


@pytest.mark.spec("D-47")
def test_a_category_alone_makes_no_theme(memory: Memory, clock: Ticks) -> None:
    """Preferences of one kind and about one importance that are about different things stay."""
    told(memory, APART)
    clock.pass_days(8)
    assert memory.dream().changed == 0
    assert sorted(texts(memory.list())) == sorted(APART)


@pytest.mark.spec("D-47")
def test_a_theme_needs_three(memory: Memory, clock: Ticks) -> None:
    """Two that share an entity stay as they are."""
    told(memory, BACKUPS[:2])
    clock.pass_days(8)
    assert memory.dream().changed == 0


@pytest.mark.spec("D-47")
def test_importance_that_lies_apart_keeps_a_kind_apart(memory: Memory, clock: Ticks) -> None:
    """Without a shared entity the same kind counts only where importance is within .3."""
    for number, text in enumerate(PLANTED[:4]):
        memory.remember(text.replace("near", "at the meadow near"), kind="fact",
                        importance=0.1 + 0.4 * (number % 2))  # fmt: skip
    clock.pass_days(8)
    assert memory.dream().changed == 0


@pytest.mark.spec("D-47")
def test_what_is_young_waits(memory: Memory, clock: Ticks) -> None:
    """A theme is made of what is seven days old."""
    told(memory)
    clock.pass_days(6.9)
    assert memory.dream().changed == 0
    clock.pass_days(0.2)
    assert changed(memory.dream())["cluster"] == 1


@pytest.mark.spec("D-47")
def test_the_largest_themes_have_a_pattern(resting: Resting, clock: Ticks) -> None:
    """Of at most so many themes of a cycle, the largest: importance .85, kind pattern, linked to
    the theme, which stays; a theme has no second one."""
    memory = resting("cluster", "abstract", cluster={"patterns": 1})
    told(memory)
    told(memory, BREAD)
    clock.pass_days(8)
    assert changed(memory.dream()) == {"cluster": 2, "abstract": 1}
    (pattern,) = tagged(memory, "pattern")
    big = next(one for one in tagged(memory, "theme") if "PostgreSQL" in one.content)
    assert (pattern.kind, pattern.importance, big.state) == ("pattern", 0.85, "active")
    assert pattern.content.startswith("PostgreSQL, backups, staging: recurs in 4 memories")
    assert set(pattern.source_ids) == {big.id, *big.source_ids}
    for _ in range(3):
        clock.pass_days(1)
        assert memory.dream().changed == 0


@pytest.mark.spec("D-47")
def test_a_pattern_tells_its_rhythm(memory: Memory, clock: Ticks) -> None:
    """What comes back on a weekday, or every so many days, is said to."""
    for text in BACKUPS:
        memory.remember(text)
        clock.pass_days(7)
    clock.pass_days(8)
    memory.dream()
    (pattern,) = tagged(memory, "pattern")
    assert "2026-05-01 to 2026-05-22, mostly on Fridays." in pattern.content


@pytest.mark.spec("D-47")
@pytest.mark.parametrize(
    "fields",
    [
        {"pinned": True}, {"immutable": True}, {"evidence": "hypothetical"},
        {"evidence": "quoted"}, {"ttl_days": 30}, {"valid_until": 1_900_000_000_000_000},
        {"kind": "procedure"}, {"kind": "episode"}, {"kind": "summary"}, {"kind": "pattern"},
        {"origin": "tool"}, {"sensitivity": "private"},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_left_alone(memory: Memory, clock: Ticks, fields: dict[str, Any]) -> None:
    """Protected, supposed, quoted, bounded in time, put together already, an event or a workflow,
    of another origin, of another level: none of these is told by a theme of the others."""
    told(memory, BACKUPS[:3])
    alone = kept(memory.remember(BACKUPS[3], **fields))
    clock.pass_days(8)
    memory.dream()
    leave: dict[str, Any] = {"allow_private": True}
    assert memory.get(alone.id, touch=False, **leave).state == "active"
    assert alone.id not in tagged(memory, "theme")[0].source_ids


@pytest.mark.spec("R-04")
def test_forgetting_a_theme_brings_its_memories_back(memory: Memory, clock: Ticks) -> None:
    """They are current again; its pattern goes with it, as it tells what the theme told."""
    rows = told(memory)
    clock.pass_days(8)
    memory.dream()
    memory.forget(tagged(memory, "theme")[0].id)
    assert {row.id for row in memory.list()} == {row.id for row in rows}


@pytest.mark.spec("R-04")
def test_forgetting_a_source_leaves_no_word_of_it(memory: Memory, clock: Ticks) -> None:
    """The theme and the pattern that tell it go as well; the other sources are current again."""
    rows = told(memory)
    clock.pass_days(8)
    memory.dream()
    memory.forget(rows[2].id)
    assert sorted(texts(everything(memory))) == sorted(set(BACKUPS) - {BACKUPS[2]})


def test_more_themes_than_a_cycle_may_make_follow(resting: Resting, clock: Ticks) -> None:
    """The cap holds for a cycle, a second one at once makes no more; the next ones make the
    rest."""
    memory = resting("cluster", cluster={"merges": 1})
    told(memory, (*BACKUPS, *BICYCLES, *BREAD))
    clock.pass_days(8)
    made = []
    for _ in range(5):
        made += [memory.dream().changed, memory.dream().changed]
        clock.pass_days(1)
    assert made == [1, 0, 1, 0, 1, 0, 0, 0, 0, 0]


def test_no_number_of_a_source_is_lost(memory: Memory, clock: Ticks) -> None:
    """Every figure of what a theme took the place of stands in it."""
    told(memory)
    clock.pass_days(8)
    memory.dream()
    figures = re.findall(r"\d+", " ".join(BACKUPS))
    assert set(figures) <= set(re.findall(r"\d+", tagged(memory, "theme")[0].content))
