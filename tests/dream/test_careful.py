"""Whatever a merging step makes is as careful as the most careful of what it tells (R-04), and a
cycle is resumed where it was interrupted (D-42)."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.dream.conftest import KilledError, STATES, changed, course, killed_after
from tests.dream.stories import APART, BACKUPS, BREAD, PLANTED, RELEASES, SAME_WORDS
from tests.engine.making import Ticks, opened
from tests.examples import few

from engraphy import Memory
from engraphy.model import Memory as Row

MERGING = ("dedup", "compress", "cluster", "abstract", "recur", "mine", "summaries")
KNOBS: dict[str, Any] = {
    "steps": list(MERGING),
    "summaries": {"above": 4, "debounce_seconds": 0.0},
    "archive": {"episodes": 3},
    "mine": {"episodes": 3},
}
RANK = {"public": 0, "private": 1, "secret": 2}
SAID = (*BACKUPS, *BREAD, *SAME_WORDS, *PLANTED[:6], *APART[:2])
LEAVE: dict[str, Any] = {"allow_private": True, "allow_secret": True}


@st.composite
def told(draw: st.DrawFn) -> dict[str, Any]:
    """How somebody may remember something."""
    return {
        "sensitivity": draw(st.sampled_from(["public", "public", "public", "private", "secret"])),
        "user": draw(st.sampled_from([None, None, "ada", "bob"])),
        "project": draw(st.sampled_from([None, None, None, "apollo"])),
        "trust": draw(st.sampled_from([1.0, 0.9, 0.2])),
        "source_confidence": draw(st.sampled_from([1.0, 0.4])),
        "origin": draw(st.sampled_from(["user", "user", "user", "web"])),
        "scope_globs": draw(st.sampled_from([[], ["src/"], ["docs/"]])),
        "pinned": draw(st.sampled_from([False, False, False, True])),
        "kind": draw(st.sampled_from(["fact", "fact", "discovery"])),
    }


def rows_of(memory: Memory) -> dict[str, Row]:
    """Every row of the tenant, behind whatever walls."""
    found: dict[str, Row] = {}
    for user in (None, "ada", "bob"):
        for project in (None, "apollo"):
            rows = memory.list(include=STATES, limit=10_000, user=user, project=project, **LEAVE)
            found |= {row.id: row for row in rows}
    return found


def walls(row: Row) -> tuple[str | None, ...]:
    """Who and what a row stands behind."""
    return row.scope.user, row.scope.agent, row.scope.project


def careful(memory: Memory) -> int:
    """Hold everything that was made at rest against what it is made of; how much that is."""
    rows = rows_of(memory)
    made = [row for row in rows.values() if row.write_source == "dream"]
    for row in made:
        keys: dict[str, Any] = {"user": row.scope.user, "project": row.scope.project, **LEAVE}
        links = memory.links(row.id, types=["supersedes", "elaborates"], **keys)
        linked = {link.target_id for link in links if link.source_id == row.id}
        sources = [rows[one] for one in row.source_ids]
        assert sources
        for one in sources:
            assert walls(one) == walls(row)
            assert RANK[one.sensitivity] <= RANK[row.sensitivity]
            assert one.trust >= row.trust
            assert one.source_confidence >= row.source_confidence
            assert set(one.scope_globs) <= set(row.scope_globs)
        assert linked <= set(row.source_ids)
        assert linked
    for row in rows.values():
        if row.state == "superseded":
            assert row.superseded_by is not None
            assert rows[row.superseded_by].state != "expired"
            assert not row.pinned
    return len(made)


@pytest.mark.long
@pytest.mark.spec("R-04")
@settings(max_examples=few(10), phases=[Phase.explicit, Phase.generate])
@given(st.lists(told(), min_size=len(SAID), max_size=len(SAID)), st.sampled_from([None, "secret"]))
def test_what_is_merged_is_as_careful_as_its_sources(
    tmp_path_factory: pytest.TempPathFactory, fields: list[dict[str, Any]], level: str | None
) -> None:
    """Over every merging step, whatever the levels, walls, origins, trust, globs and flags of the
    memories: sensitivity never drops, trust and confidence are the lowest, globs the union, scopes
    never mix, sources are linked, and what is pinned is not retired. A second cycle changes
    nothing."""
    clock, path = Ticks(), tmp_path_factory.mktemp("careful") / "store.db"
    with opened(path, clock, profile="layered", overrides={"dream": KNOBS}) as memory:
        for text, wanted in zip(SAID, fields, strict=True):
            memory.remember(text, **(wanted | {"sensitivity": level} if level else wanted))
        for text in RELEASES:
            shared = {key: fields[0][key] for key in ("user", "sensitivity", "trust")}
            memory.episode(text, **shared)
        clock.pass_days(9)
        report = changed(memory.dream())
        assert report["mine"] == 1
        assert report["recur"] >= 1
        assert careful(memory) > 1
        assert memory.dream().changed == 0


@pytest.fixture
def asleep(tmp_path: Path) -> Any:
    """Opens a copy of one store that has a lot to put together, eight memories in a batch."""
    clock = Ticks()
    knobs = {**KNOBS, "batch": 8, "cluster": {"merges": 3}}
    with opened(tmp_path / "first.db", clock, profile="layered") as memory:
        for text in (*SAME_WORDS, *BACKUPS, *BREAD, *PLANTED, *APART):
            memory.remember(text)
        for text in RELEASES:
            memory.episode(text)
        clock.pass_days(9)
        memory.backup(tmp_path / "whole.db")

    def copy(name: str) -> Memory:
        path = tmp_path / f"{name}.db"
        if not path.exists():
            path.write_bytes((tmp_path / "whole.db").read_bytes())
        moment = Ticks(clock.now)
        return opened(path, moment, profile="layered", overrides={"dream": knobs})

    return copy


@pytest.mark.long
@pytest.mark.spec("D-42")
@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_a_killed_cycle_is_resumed_to_the_same_result(asleep: Any, every: int) -> None:
    """Killed before any of its writes, wherever in whichever step: the next one goes on there, and
    the store holds what one that was never killed holds. Nothing is done twice."""
    with asleep("undisturbed") as memory:
        whole = changed(memory.dream())
        wanted = course(memory)
    assert min(whole[name] for name in ("compress", "cluster", "abstract", "mine")) > 0
    writes, resumed = 0, set[bool]()
    while True:
        with asleep(f"killed-{writes}") as memory, killed_after(writes):
            try:
                memory.dream()
                break
            except KilledError:
                pass
        with asleep(f"killed-{writes}") as memory:
            assert careful(memory) >= 0
            report = memory.dream()
            resumed.add(report.resumed)
            assert changed(report) == whole
            assert course(memory) == wanted
            assert memory.dream().changed == 0
        writes += every
    assert writes > len(MERGING)
    assert True in resumed


@pytest.mark.spec("D-42")
def test_a_dry_run_tells_the_same_and_changes_nothing(asleep: Any) -> None:
    """Step by step what was looked at, what would be changed and why; not a byte of the store."""
    with asleep("dry") as memory:
        before = course(memory)
        planned = memory.dream(dry_run=True)
        assert course(memory) == before
        done = memory.dream()
    assert [step.name for step in done.steps] == list(MERGING)
    told_ = [(step.name, step.looked, step.changed, step.why) for step in planned.steps]
    assert told_ == [(step.name, step.looked, step.changed, step.why) for step in done.steps]
    assert all(step.looked >= step.changed for step in done.steps if step.name != "recur")
    assert all(sum(n for _, n in step.why) == step.changed for step in done.steps)
