"""Where a memory comes from, what it inherits from others, and what protects it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, texts

from engraphy import Memory
from engraphy.errors import ConflictError
from engraphy.model import (
    Evidence,
    Insert,
    Kind,
    Scope,
    Sensitivity,
    State,
    Tenant,
    View,
)
from engraphy.model import Memory as Row
from engraphy.ports import Store
from engraphy.stores.sqlite import open_store
from engraphy.write.synthesis import Synthesis, inheriting, synthesised

BASE = "alder birch cedar fern heath ivy juniper laurel maple oak pine reed"
LIKE = "alder birch cedar fern heath ivy juniper laurel maple oak tulip walnut"
HERE = Scope(tenant=Tenant("t"), user="ada")
EVERYTHING = View(
    scope=HERE,
    now=START,
    states=frozenset(State),
    sensitivities=frozenset(Sensitivity),
)


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """Profile `cognitive`."""
    return opening(profile="cognitive")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store for what no verb makes yet."""
    opened = open_store(str(tmp_path / "derived.db"))
    yield opened
    opened.close()


def row(id: str, **fields: Any) -> Row:
    """A memory of the store's only scope."""
    times = {"valid_from": START, "recorded_at": START, "updated_at": START}
    return Row(id=id, content=f"about {id}", **({"scope": HERE} | times | fields))


def seen(store: Store, id: str) -> Row:
    """The row as it stands."""
    (found,) = store.get(EVERYTHING, [id])
    return found


def write(store: Store, *changes: Any) -> None:
    """Apply changes as a test."""
    store.apply(HERE.tenant, changes, now=START, actor="test")


@pytest.mark.spec("R-04", "D-09")
def test_a_merge_is_as_careful_as_its_parts(memory: Memory) -> None:
    """The lowest trust and confidence, the scope limits, tags and files of both."""
    memory.remember(
        BASE, trust=0.9, source_confidence=0.5, scope_globs=["src/**"], tags=["a"],
        files_read=["x.py"],
    )  # fmt: skip
    outcome = memory.remember(LIKE, trust=0.4, scope_globs=["docs/**", "src/**"], tags=["b"])
    merged = kept(outcome)
    assert outcome.action == "updated"
    assert (merged.trust, merged.source_confidence) == (0.4, 0.5)
    assert merged.scope_globs == ("src/**", "docs/**")
    assert (merged.tags, merged.files_read) == (("a", "b"), ("x.py",))
    assert merged.sensitivity == "public"


@pytest.mark.spec("R-04", "R-06")
@pytest.mark.parametrize(("first", "second"), [("public", "secret"), ("secret", "public")])
def test_no_merge_crosses_a_level_of_sensitivity(memory: Memory, first: str, second: str) -> None:
    """What is secret never flows into what is not, nor the other way round."""
    memory.remember(BASE, sensitivity=first)
    outcome = memory.remember(LIKE, sensitivity=second)
    assert (outcome.action, kept(outcome).sensitivity) == ("created", second)
    held = memory.list(allow_secret=True, allow_private=True)
    assert {(one.content, one.sensitivity.value) for one in held} == {(BASE, first), (LIKE, second)}


@pytest.mark.spec("R-04")
def test_a_supposition_never_becomes_part_of_a_statement(memory: Memory) -> None:
    """What was only supposed stands beside what was stated, linked, each with its evidence."""
    stated = kept(memory.remember(BASE))
    supposed = memory.remember(LIKE, evidence="hypothetical")
    assert supposed.action == "created"
    assert memory.get(stated.id).content == BASE
    assert [one.type.value for one in memory.links(stated.id)] == ["elaborates"]


@pytest.mark.spec("D-09")
def test_a_merge_says_nothing_twice(memory: Memory) -> None:
    """What the merged text holds already only counts as told again."""
    memory.remember(BASE)
    merged = kept(memory.remember(LIKE))
    again = memory.remember(LIKE)
    assert again.action == "reinforced"
    assert kept(again).content == merged.content
    assert kept(again).version == 2
    assert [one.content for one in memory.history(merged.id)] == [BASE]


@pytest.mark.spec("R-04")
def test_what_is_derived_inherits(store: Store) -> None:
    """The most restrictive sensitivity, the lowest trust and confidence, the least firm evidence,
    all scope limits, and links to its sources, in one transaction with their retirement."""
    sources = (
        row("a", sensitivity=Sensitivity.PRIVATE, trust=0.9, scope_globs=("src/**",)),
        row("b", sensitivity=Sensitivity.SECRET, trust=0.6, evidence=Evidence.INFERRED),
        row("c", trust=0.3, source_confidence=0.2, scope_globs=("docs/**", "src/**")),
    )
    write(store, *(Insert(memory=one) for one in sources))
    made = row("sum", kind=Kind.SUMMARY, source_ids=("earlier",))
    write(store, *synthesised(Synthesis(memory=made, sources=sources, reason="merged"), START))
    new = seen(store, "sum")
    assert (new.sensitivity, new.trust, new.source_confidence) == ("secret", 0.3, 0.2)
    assert new.evidence == "inferred"
    assert new.scope_globs == ("src/**", "docs/**")
    assert new.source_ids == ("earlier", "a", "b", "c")
    for one in "abc":
        old = seen(store, one)
        assert (old.state, old.superseded_by, old.valid_until) == ("superseded", "sum", START)
    links = store.relations(EVERYTHING, ["sum"])
    assert {(link.target_id, link.type.value) for link in links} == {
        (one, "supersedes") for one in "abc"
    }


@pytest.mark.spec("R-04", "D-16", "D-09")
def test_what_is_protected_is_linked_and_stays(store: Store) -> None:
    """Pinned, immutable and strongly held sources keep their state and are elaborated."""
    sources = (
        row("pinned", pinned=True),
        row("fixed", immutable=True),
        row("strong", storage_strength=8.0),
        row("weak", storage_strength=7.99),
    )
    write(store, *(Insert(memory=one) for one in sources))
    made = Synthesis(memory=row("sum"), sources=sources)
    write(store, *synthesised(made, START))
    states = {one.id: seen(store, one.id).state.value for one in sources}
    assert states == {
        "pinned": "active", "fixed": "active", "strong": "active", "weak": "superseded"
    }  # fmt: skip
    links = {one.target_id: one.type.value for one in store.relations(EVERYTHING, ["sum"])}
    assert links == {
        "pinned": "elaborates", "fixed": "elaborates", "strong": "elaborates", "weak": "supersedes"
    }  # fmt: skip


@pytest.mark.spec("R-04")
def test_a_derivation_is_written_whole_or_not_at_all(store: Store) -> None:
    """Where a source has changed meanwhile nothing is written."""
    source = row("a")
    write(store, Insert(memory=source))
    stale = replace(source, updated_at=START - 1)
    with pytest.raises(ConflictError):
        write(store, *synthesised(Synthesis(memory=row("sum"), sources=[stale]), START))
    assert store.get(EVERYTHING, ["sum"]) == []
    assert seen(store, "a") == source


@pytest.mark.spec("R-04", "P-08")
@pytest.mark.parametrize("wall", ["user", "agent", "project"])
def test_nothing_is_derived_across_a_wall(wall: str) -> None:
    """A source of other walls is refused; another session is no wall."""
    elsewhere: dict[str, Any] = {wall: "somebody"}
    with pytest.raises(ValueError, match="walls"):
        inheriting(row("sum"), [row("a", scope=replace(HERE, **elsewhere))])
    same = row("a", scope=replace(HERE, session="other"))
    assert inheriting(row("sum"), [same]).source_ids == ("a",)


@pytest.mark.spec("D-15")
@pytest.mark.parametrize(
    ("role", "data_source", "origin", "sub_tier"),
    [
        ("user", "user_message", "user", "personal"),
        ("assistant", "assistant_message", "agent", "observed"),
        ("system", "system", "agent", "observed"),
        ("tool", "tool_output", "tool", "observed"),
    ],
)
def test_each_role_is_a_source_of_its_own(
    opening: Opening, role: str, data_source: str, origin: str, sub_tier: str
) -> None:
    """What a memory was made of, and whose it is, follow from who spoke."""
    roles = ["user", "assistant", "system", "tool"]
    memory = opening("default", overrides={"write": {"observe_roles": roles}})
    said = "Acme moved its billing service in Oslo to Postgres 16 on 3 May 2026."
    found = [one for one in memory.observe([{"role": role, "content": said}]) if one.memory]
    made = kept(found[0])
    assert (made.data_source, made.origin) == (data_source, origin)
    assert made.sub_tier == sub_tier


@pytest.mark.spec("D-15")
def test_every_way_of_writing_is_named(opening: Opening, tmp_path: Path) -> None:
    """By hand, as observed, formed from what was observed, captured, and imported."""
    said = "I prefer Postgres over MySQL for the billing service in Oslo."
    default = opening("default")
    assert kept(default.remember(said, user="ada")).write_source == "manual"
    assert kept(default.observe(said)[0]).write_source == "observer"
    assert kept(opening("c", profile="cognitive").observe(said)[0]).write_source == "formation"
    captured = opening("l", profile="layered").observe("I prefer tabs over spaces")
    assert kept(captured[0]).write_source == "capture"


@pytest.mark.spec("D-15")
def test_confidence_grows_with_evidence_and_is_carried_on(memory: Memory) -> None:
    """What is clearly classified is surer than what is not, from .5 on; the facts read out of a
    memory are as sure as the memory."""
    clear, vague = memory.observe(
        [
            {"content": "Actually, I was wrong: I live in Oslo, it should be Oslo."},
            {"content": "The Docker and Redis hosts of Acme stand in Bergen, version 16"},
        ]
    )
    assert 0.5 <= kept(vague).source_confidence < kept(clear).source_confidence <= 1.0
    for fact in memory.facts(current=False):
        source = memory.get(fact.source_id or "", touch=False)
        assert fact.confidence == source.source_confidence


@pytest.mark.spec("D-16")
def test_a_heuristic_never_touches_an_immutable_memory(memory: Memory, clock: Ticks) -> None:
    """Contradicted, elaborated or repeated: the row keeps its text, state and validity, the
    contradiction is a relation and is told, and the other fact is not stated."""
    anchor = kept(memory.remember("The API runs on port 3000", immutable=True))
    clock.pass_days(1)
    outcome = memory.remember("The API runs on port 3001")
    assert "immutable" in outcome.reason
    held = memory.get(anchor.id, touch=False)
    unchanged = (held.content, held.state, held.valid_until, held.superseded_by, held.version)
    assert unchanged == (anchor.content, "active", None, None, 1)
    (link,) = memory.links(anchor.id)
    assert (link.source_id, link.type) == (kept(outcome).id, "contradicts")
    assert [fact.object for fact in memory.facts()] == ["3000"]
    assert texts(memory.list(immutable=True)) == [anchor.content]


@pytest.mark.spec("D-16")
def test_the_flags_are_independent(memory: Memory) -> None:
    """A memory is pinned, immutable, both or neither, and lifting one leaves the other."""
    kitchen = kept(memory.remember("The kitchen closes at noon")).id
    assert [memory.pin(kitchen).immutable, memory.protect(kitchen).pinned] == [False, True]
    assert memory.pin(kitchen, pinned=False).immutable
    assert not memory.protect(kitchen, immutable=False).pinned


@pytest.mark.spec("D-14")
def test_what_was_known_then_is_asked_apart_from_what_was_true(
    memory: Memory, clock: Ticks
) -> None:
    """A change that was told late: on the day it took effect the new value was true, and the old
    one was what was known."""
    memory.remember("My gateway runs on port 3000", at="2026-01-01")
    clock.pass_days(30)
    told = clock.now
    memory.remember("My gateway runs on port 3001", at=START + DAY)
    asked, between = "which port does the gateway run on", START + 2 * DAY

    def answers(**when: Any) -> list[str]:
        return [hit.memory.content[-4:] for hit in memory.recall(asked, touch=False, **when)]

    assert answers() == ["3001"]
    assert answers(as_of=between) == ["3001"]
    assert answers(as_of=between, known_at=between) == ["3000"]
    assert answers(known_at=between) == ["3000"]
    assert answers(known_at=told + DAY) == ["3001"]
    assert answers(as_of=START, known_at=told + DAY) == ["3000"]
    assert answers(known_at=START - DAY) == []
    known = memory.timeline(known_at=between)
    assert [row.content[-4:] for row in known] == ["3000"]
    assert [row.content[-4:] for row in memory.timeline()] == ["3001", "3000"]
    assert memory.explain(asked, known_at=between).hits[0].memory.content.endswith("3000")
