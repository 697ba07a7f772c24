"""Old memories are condensed by category, in their own words; forgetting the summary undoes it."""

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import Ticks, kept, texts

from engraphy import Memory
from engraphy.errors import InvalidInputError
from engraphy.model import Memory as Row
from engraphy.stores.sqlite import open_store

__all__ = ["clock", "opening"]

TOLD = (
    "The gateway listens on port 8443",
    "Deploys run on Tuesdays at 14:30",
    "Ada reviews every change of the parser",
    "The staging database holds 12 GB",
    "Never restart the queue before noon",
    "Backups are kept for 35 days in Zurich",
)
LONG = (
    "We looked at the queue for a while. It felt slow to all of us. In the end Marcus found that "
    "the worker count was 4 and not 16. That was a surprise. So we raised it on 3 March 2026. "
    "Everybody was glad. It has been quiet ever since, and nobody complained about it again."
)


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """An empty memory of letsgo."""
    return opening(profile="letsgo")


def told(memory: Memory, *more: str, **fields: Any) -> list[Row]:
    """Six statements of one category."""
    fields = {"category": "ops", **fields}
    return [kept(memory.remember(text, **fields)) for text in (*TOLD, *more)]


def numbers(text: str) -> set[str]:
    """The figures of a text."""
    return set(re.findall(r"\d+(?:[:.]\d+)?", text))


@pytest.mark.spec("A-01")
@pytest.mark.spec("R-04")
def test_old_memories_of_a_category_become_one_summary(memory: Memory, clock: Ticks) -> None:
    """Every sentence and every number of theirs stands in it, in order, with its day; it takes
    their place, and names them."""
    rows = told(memory)
    clock.pass_days(31)
    done = memory.summarize_old()
    assert (done.categories, done.condensed, len(done.summaries)) == (("ops",), 6, 1)
    (summary,) = memory.list()
    assert (summary.id, summary.kind, summary.category) == (done.summaries[0], "summary", "ops")
    head, *lines = summary.content.split("\n")
    assert head == "ops: 6 memories of 2026-05-01."
    assert lines == [f"- 2026-05-01: {text}" for text in TOLD]
    assert numbers(" ".join(TOLD)) <= numbers(summary.content)
    assert summary.source_ids == tuple(row.id for row in rows)
    assert {link.target_id for link in memory.links(summary.id)} == {row.id for row in rows}
    (hit,) = memory.recall("which port does the gateway listen on?")
    assert hit.memory.id == summary.id


@pytest.mark.spec("R-04")
def test_what_was_condensed_is_history_and_not_destroyed(memory: Memory, clock: Ticks) -> None:
    """The sources are superseded by the summary, each readable as it was."""
    rows = told(memory)
    clock.pass_days(31)
    (summary,) = memory.summarize_old().summaries
    after = {row.id: row for row in memory.list(include=["superseded"])}
    for row in rows:
        held = after[row.id]
        assert (held.state, held.superseded_by, held.content) == (
            "superseded", summary, row.content,
        )  # fmt: skip


@pytest.mark.spec("R-04")
def test_forgetting_the_summary_brings_its_sources_back(memory: Memory, clock: Ticks) -> None:
    """All of them are current again, except what was told anew meanwhile."""
    rows = told(memory)
    clock.pass_days(31)
    (summary,) = memory.summarize_old().summaries
    again = kept(memory.remember(TOLD[0], category="ops"))
    memory.forget(summary)
    assert {row.id for row in memory.list()} == {row.id for row in rows[1:]} | {again.id}
    assert [row.valid_until for row in memory.list()] == [None] * 6


@pytest.mark.spec("R-04")
def test_forgetting_a_source_leaves_no_word_of_it(memory: Memory, clock: Ticks) -> None:
    """The summary that tells it goes as well, and the other sources are current again."""
    rows = told(memory)
    clock.pass_days(31)
    memory.summarize_old()
    memory.forget(rows[3].id)
    assert sorted(texts(memory.list())) == sorted(text for text in TOLD if text != TOLD[3])
    assert texts(memory.list(include=["superseded"])) == texts(memory.list())
    assert b"12 GB" not in Path(memory.path).read_bytes()


@pytest.mark.spec("A-01")
def test_the_age_and_the_number_decide(memory: Memory, clock: Ticks) -> None:
    """More than 5 of a category, each unchanged for more than 30 days; both as the caller says
    where he does."""
    told(memory)
    clock.pass_days(29)
    assert memory.summarize_old().summaries == ()
    clock.pass_days(1.5)
    memory.update(memory.list(limit=1)[0].id, tags=["seen"])
    assert memory.summarize_old().summaries == ()
    assert memory.summarize_old(above=5).condensed == 0
    assert memory.summarize_old(above=4).condensed == 5
    assert len(memory.list()) == 2
    for number in range(6):
        memory.remember(f"Sensor {number} reads {number * 7} volts", category="lab")
    assert memory.summarize_old(older_than_days=0, category="ops").summaries == ()
    assert memory.summarize_old(older_than_days=0, category="lab").condensed == 6


@pytest.mark.spec("R-04")
@pytest.mark.parametrize("level", ["private", "secret"])
def test_no_summary_crosses_a_level(memory: Memory, clock: Ticks, level: str) -> None:
    """What is private is condensed apart, stays as private as it was, and only where the caller
    may see it."""
    told(memory, sensitivity=level)
    for number in range(6):
        memory.remember(f"The public heron number {number} is grey", category="ops")
    clock.pass_days(31)
    assert memory.summarize_old().condensed == 6
    assert all("gateway" not in text for text in texts(memory.list()))
    leave = {f"allow_{level}": True}
    (hidden,) = memory.summarize_old(**leave).summaries
    assert memory.get(hidden, **leave).sensitivity == level
    assert hidden not in {row.id for row in memory.list()}


@pytest.mark.spec("R-04")
@pytest.mark.spec("R-05")
def test_what_becomes_private_is_told_by_no_public_summary(memory: Memory, clock: Ticks) -> None:
    """A source that is made private, or secret, takes the summary that tells it along."""
    rows = told(memory)
    clock.pass_days(31)
    (summary,) = memory.summarize_old().summaries
    memory.update(rows[2].id, sensitivity="private")
    assert memory.list() == []
    assert memory.get(summary, allow_private=True).sensitivity == "private"
    memory.update(rows[3].id, sensitivity="secret")
    assert memory.list(allow_private=True) == []
    assert memory.get(summary, allow_secret=True).sensitivity == "secret"


@pytest.mark.spec("R-04")
def test_a_summary_is_as_careful_as_its_sources(memory: Memory, clock: Ticks) -> None:
    """The lowest trust and confidence, the least trusted origin, the union of globs, files,
    concepts and tags."""
    told(memory, tags=["a"], files_read=["src/a.py"], scope_globs=["src/"], concepts=["gotcha"])
    memory.remember("The build takes 9 minutes", category="ops", origin="tool", trust=0.3,
                    tags=["b"], scope_globs=["docs/"], source_confidence=0.4)  # fmt: skip
    clock.pass_days(31)
    (id,) = memory.summarize_old().summaries  # noqa: A001 - the id of a summary
    row = memory.get(id)
    assert (row.trust, row.source_confidence, row.origin) == (0.3, 0.4, "tool")
    assert (row.tags, row.scope_globs) == (("a", "b"), ("src/", "docs/"))
    assert (row.files_read, row.concepts) == (("src/a.py",), ("gotcha",))
    assert row.importance >= 0.7


@pytest.mark.spec("R-04")
@pytest.mark.spec("R-05")
def test_nothing_is_condensed_across_a_wall(memory: Memory, clock: Ticks) -> None:
    """Each user's, project's and nobody's own apart: shared memories are not drawn into a
    project, nor one project's into another."""
    for scope in ({}, {"project": "apollo"}, {"user": "ada"}):
        for text in TOLD[:4]:
            memory.remember(f"{text} ({scope})", category="ops", **scope)
    clock.pass_days(31)
    assert memory.summarize_old(project="apollo").summaries == ()
    (one,) = memory.summarize_old(project="apollo", above=3).summaries
    row = memory.get(one, project="apollo")
    assert row.scope.project == "apollo"
    assert len(row.source_ids) == 4
    assert len(memory.list()) == 4


@pytest.mark.spec("A-01")
@pytest.mark.parametrize(
    "fields",
    [
        {"pinned": True}, {"immutable": True}, {"evidence": "hypothetical"},
        {"evidence": "quoted"}, {"ttl_days": 60}, {"valid_until": 1_900_000_000_000_000},
        {"kind": "summary"},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_left_alone(memory: Memory, clock: Ticks, fields: dict[str, Any]) -> None:
    """Pinned, immutable, supposed, quoted, of a shorter life of its own, condensed already."""
    alone = kept(memory.remember("Herons nest near the lake", category="ops", **fields))
    told(memory)
    clock.pass_days(31)
    assert memory.summarize_old().condensed == 6
    held = memory.get(alone.id, touch=False)
    assert (held.state, held.superseded_by) == ("active", None)
    assert all("Herons" not in row.content for row in memory.list() if row.id != alone.id)


@pytest.mark.spec("A-01")
def test_of_a_long_memory_what_tells_most(memory: Memory, clock: Ticks) -> None:
    """Whole sentences: those with figures, names and times, in their order; a title of the
    caller's own before them."""
    told(memory)
    memory.remember(LONG, category="ops", title="Slow queue")
    clock.pass_days(31)
    memory.summarize_old()
    (line,) = [one for one in memory.list()[0].content.split("\n") if "Slow queue" in one]
    assert line.startswith("- 2026-05-01: Slow queue: ")
    assert "Marcus found that the worker count was 4 and not 16." in line
    assert "we raised it on 3 March 2026." in line
    assert line.index("Marcus") < line.index("3 March")
    assert len(line) <= len("- 2026-05-01: Slow queue: ") + 240


@pytest.mark.long
@pytest.mark.spec("A-01")
def test_a_large_category_becomes_several(memory: Memory, clock: Ticks) -> None:
    """At most 40 memories in a summary, the summaries of about one length; again condenses
    nothing."""
    for number in range(90):
        memory.remember(f"Sensor {number} reads {number * 7} volts", category="lab")
    clock.pass_days(31)
    done = memory.summarize_old()
    assert (done.condensed, len(done.summaries)) == (90, 3)
    assert {len(row.source_ids) for row in memory.list()} == {30}
    assert memory.summarize_old(older_than_days=0, above=1).condensed == 0


@pytest.mark.spec("A-01")
def test_memories_without_a_category_go_by_their_kind(memory: Memory, clock: Ticks) -> None:
    """A kind is the category of what was given none; in Turkish the head is Turkish."""
    for number in range(6):
        memory.remember(f"Karar {number}: veritabanı için PostgreSQL kullanıyoruz", kind="decision")
    clock.pass_days(31)
    assert memory.summarize_old().categories == ("decision",)
    assert memory.list()[0].content.startswith("decision: 6 anı, 2026-05-01.")


@pytest.mark.spec("R-07")
@pytest.mark.spec("R-04")
def test_condensing_is_journaled_without_texts(memory: Memory, clock: Ticks) -> None:
    """One line for the summary, one for each link and each retirement, no word of theirs in a
    reason."""
    told(memory)
    clock.pass_days(31)
    before = memory.stats().journal_entries
    memory.summarize_old()
    with closing(open_store(memory.path)) as store:
        lines = store.journal(memory.tenant, after=before, limit=100)
    assert sorted(line.op for line in lines) == ["insert"] + ["relation"] * 6 + ["supersede"] * 6
    assert {line.reason for line in lines} == {"condensed with others of its category"}


@pytest.mark.parametrize(
    ("given", "field"),
    [({"older_than_days": -1}, "older_than_days"), ({"above": 0}, "above"),
     ({"above": 2.5}, "above"), ({"category": 3}, "category")],
)  # fmt: skip
def test_wrong_arguments_are_named(memory: Memory, given: dict[str, Any], field: str) -> None:
    """The error says which, and nothing is condensed."""
    told(memory)
    with pytest.raises(InvalidInputError, match=f"{field} is"):
        memory.summarize_old(**given)
    assert len(memory.list()) == 6
