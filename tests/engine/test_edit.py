"""Looking after a memory: update with versions, pin, protect, link, facts, clocks of access."""

from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, texts

from engraphy import Memory
from engraphy.errors import (
    ContentTooLongError,
    EmptyContentError,
    EngraphyError,
    InvalidInputError,
    NotFoundError,
    ProtectedError,
    UnknownFieldError,
)


@pytest.mark.spec("D-09")
def test_every_version_stays_readable(opening: Opening) -> None:
    """Each edit counts the version up and keeps the text before it, oldest first."""
    memory = opening(profile="cognitive")
    row = kept(memory.remember("Deploys happen on Tuesday", user="ada"))
    for number, day in enumerate(("Wednesday", "Thursday"), 2):
        row = memory.update(row.id, f"Deploys happen on {day}", user="ada")
        assert (row.content, row.version) == (f"Deploys happen on {day}", number)
    history = memory.history(row.id, user="ada")
    assert [(one.version, one.content) for one in history] == [
        (1, "Deploys happen on Tuesday"),
        (2, "Deploys happen on Wednesday"),
    ]
    assert texts(memory.recall("deploys", user="ada")) == ["Deploys happen on Thursday"]
    assert memory.recall("Tuesday", user="ada") == []
    with pytest.raises(NotFoundError):
        memory.history(row.id, user="bob")


def test_an_edit_moves_the_clock_of_change_only(memory: Memory, clock: Ticks) -> None:
    """updated_at moves, valid_from and access stay; a derived title follows, a given one stays."""
    plain = kept(memory.remember("First words here", at=START - DAY))
    titled = kept(memory.remember("Second words here", title="Mine"))
    clock.pass_days(1)
    new = memory.update(plain.id, "Other words there")
    assert new.updated_at > plain.updated_at
    assert (new.valid_from, new.recorded_at) == (plain.valid_from, plain.recorded_at)
    assert (new.access_count, new.last_accessed_at) == (0, None)
    assert new.title == "Other words there"
    assert memory.update(titled.id, "Third words here").title == "Mine"


def test_fields_change_without_a_version(memory: Memory) -> None:
    """Metadata alone changes the row, not its text, and no version is made."""
    row = kept(memory.remember("A note"))
    new = memory.update(row.id, tags=["x"], importance=0.9, category="c", sensitivity="private")
    assert (new.tags, new.importance, new.category, new.version) == (("x",), 0.9, "c", 1)
    assert memory.history(row.id, allow_private=True) == []
    with pytest.raises(NotFoundError):
        memory.get(row.id)
    assert memory.list(tag="x", allow_private=True) != []


def test_an_edit_retells_the_facts(memory: Memory) -> None:
    """Facts of the old text end, those of the new one begin; what disagrees is superseded."""
    row = kept(memory.remember("I live in Berlin"))
    job = kept(memory.remember("I work at Acme"))
    memory.update(row.id, "I live in Porto")
    assert [f.object for f in memory.facts(predicate="city")] == ["porto"]
    past = {f.object: f.valid_until for f in memory.facts(predicate="city", current=False)}
    assert past["berlin"] is not None
    memory.update(row.id, "I work at Initech")
    assert memory.facts(predicate="city") == []
    assert [f.object for f in memory.facts(predicate="employer")] == ["initech"]
    assert memory.get(job.id).state == "superseded"


def test_a_new_title_is_a_new_version(memory: Memory) -> None:
    """A title can be changed alone; the one before stays readable."""
    row = kept(memory.remember("A note", title="First"))
    new = memory.update(row.id, title="Second")
    assert (new.title, new.content, new.version) == ("Second", "A note", 2)
    assert [one.title for one in memory.history(row.id)] == ["First"]


@pytest.mark.parametrize("embedder", ["none", "static"])
def test_an_edit_is_found_by_what_it_says_now(opening: Opening, embedder: str) -> None:
    """After an edit neither words nor vectors nor the words it is asked by are the old ones."""
    memory = opening(embedder=embedder)
    row = kept(memory.remember("I live in Berlin"))
    new = memory.update(row.id, "I work at Acme")
    other = opening("other", embedder=embedder)
    fresh = kept(other.remember("I work at Acme"))
    assert (new.context, new.entities) == (fresh.context, fresh.entities)
    hits, expected = memory.recall("who employs me?"), other.recall("who employs me?")
    assert texts(hits) == texts(expected)
    assert [hit.why.get("relevance.soft") for hit in hits] == [
        hit.why.get("relevance.soft") for hit in expected
    ]


BAD: list[tuple[dict[str, Any], type[EngraphyError]]] = [
    ({"content": ""}, EmptyContentError),
    ({"content": 5}, InvalidInputError),
    ({"content": "x" * 100_001}, ContentTooLongError),
    ({}, InvalidInputError),
    ({"kind": "nothing"}, InvalidInputError),
    ({"state": "archived"}, UnknownFieldError),
    ({"version": 9}, UnknownFieldError),
    ({"origin": "agent"}, ProtectedError),
    ({"content": "The other one"}, InvalidInputError),
    ({"importance": 2}, InvalidInputError),
]


@pytest.mark.parametrize(("wrong", "error"), BAD, ids=lambda value: repr(value)[:30])
def test_a_bad_edit_changes_nothing(
    memory: Memory, wrong: dict[str, Any], error: type[EngraphyError]
) -> None:
    """A typed error, and the row stands as it stood; an origin is never raised."""
    row = kept(memory.remember("A note"))
    memory.remember("The other one")
    with pytest.raises(error):
        memory.update(row.id, **wrong)
    assert memory.get(row.id, touch=False) == row


def test_an_edit_redacts_secrets(memory: Memory) -> None:
    """What is updated is as free of credentials as what is remembered."""
    row = kept(memory.remember("A note"))
    new = memory.update(row.id, "key AKIAIOSFODNN7EXAMPLQ here", title="ghp_" + "a1B2" * 9)
    assert "AKIA" not in new.content
    assert "ghp_" not in new.title


@pytest.mark.spec("D-16")
@pytest.mark.parametrize("profile", ["default", "cognitive"])
def test_pinned_and_immutable_are_independent(opening: Opening, profile: str) -> None:
    """Each flag is set and lifted by itself; only an immutable memory refuses an edit."""
    memory = opening(profile=profile)
    row = kept(memory.remember("An anchor"))
    assert (memory.pin(row.id).pinned, memory.get(row.id).immutable) == (True, False)
    assert memory.update(row.id, "An anchor of iron").content == "An anchor of iron"
    assert memory.protect(row.id).pinned is True
    for edit in ({"content": "Another"}, {"title": "Another"}, {"importance": 0.1}):
        with pytest.raises(ProtectedError):
            memory.update(row.id, **edit)
    assert memory.pin(row.id, pinned=False).immutable is True
    assert memory.protect(row.id, immutable=False).immutable is False
    assert memory.update(row.id, "An anchor of steel").version == 3


@pytest.mark.spec("D-16")
@pytest.mark.parametrize("flag", ["pinned", "immutable"])
def test_an_anchor_is_never_merged(opening: Opening, flag: str) -> None:
    """A near text beside an anchor becomes a memory of its own; the anchor's text stays."""
    memory = opening(profile="cognitive")
    text = "The quarterly report covers revenue, costs and staff of the Oslo office"
    row = kept(memory.remember(text, **{flag: True}))
    memory.remember(f"{text} and of its warehouse")
    held = memory.get(row.id)
    assert (held.content, held.version) == (text, 1)


@pytest.mark.spec("D-16")
def test_a_pinned_memory_survives_upkeep(opening: Opening, clock: Ticks) -> None:
    """Past any time to live a pinned memory is still active."""
    memory = opening()
    memory.remember("pinned for good", pinned=True, ttl_days=36_500)
    row = kept(memory.remember("pinned later", ttl_days=1))
    memory.pin(row.id)
    clock.pass_days(30)
    memory.dream()
    assert "pinned later" in texts(memory.list(include=["expired"]))
    assert memory.stats().by_state == {"active": 2}


@pytest.mark.spec("R-03")
@pytest.mark.parametrize("profile", ["default", "letsgo"])
def test_only_what_is_delivered_is_accessed(opening: Opening, profile: str) -> None:
    """get, recall and context count the memories they deliver; nothing else counts anything."""
    memory = opening(profile=profile)
    rows = [kept(memory.remember(f"The otter number {n} swims in lake {n}")) for n in range(6)]
    quiet = [
        lambda: memory.recall("otter", touch=False),
        lambda: memory.explain("otter"),
        memory.list,
        memory.timeline,
        memory.stats,
        memory.facts,
        lambda: memory.history(rows[0].id),
        lambda: memory.links(rows[0].id),
        lambda: memory.forget("otter"),
        memory.doctor,
        lambda: memory.get(rows[0].id, touch=False),
        lambda: memory.dream(dry_run=True),
    ]
    for verb in quiet:
        verb()
    assert {row.access_count for row in memory.list()} == {0}
    assert {row.last_accessed_at for row in memory.list()} == {None}
    hits = memory.recall("where does the otter swim?", limit=2)
    delivered = {hit.memory.id for hit in hits}
    assert len(delivered) == 2
    counts = {row.id: row.access_count for row in memory.list()}
    assert {one for one, count in counts.items() if count} == delivered
    block = memory.context("where does the otter swim?", budget=90)
    injected = {hit.memory.id for hit in block.hits}
    assert injected
    after = {row.id: row.access_count for row in memory.list()}
    assert {one for one in after if after[one] != counts[one]} == injected


@pytest.mark.spec("A-10")
def test_get_counts_an_access(opening: Opening) -> None:
    """Each get adds one and moves the clock of access, not that of change."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("Read me"))
    for number in range(1, 4):
        got = memory.get(row.id)
        assert got.access_count == number
        assert got.last_accessed_at is not None
        assert got.updated_at == row.updated_at
    memory.recall("read me")
    assert memory.get(row.id, touch=False).access_count == 4
    memory.context("what should I read?")
    assert memory.get(row.id, touch=False).access_count == 5


def test_links_are_found_from_both_ends(memory: Memory) -> None:
    """A relation has a direction, a type and a confidence; walks go several hops."""
    a, b, c = (kept(memory.remember(f"node {name}")).id for name in ("alpha", "beta", "gamma"))
    memory.link(a, b, "causes", confidence=0.5)
    memory.link(b, c)
    assert [(r.source_id, r.type, r.confidence) for r in memory.links(a)] == [(a, "causes", 0.5)]
    assert len(memory.links(b)) == 2
    assert {(r.source_id, r.target_id) for r in memory.links(a, hops=2)} == {(a, b), (b, c)}
    memory.link(a, b, "causes", confidence=0.9)
    assert [r.confidence for r in memory.links(a)] == [0.9]
    wrong: list[dict[str, Any]] = [
        {"target": a}, {"type": "likes"}, {"type": 5}, {"confidence": 2}, {"confidence": "x"},
        {"confidence": True}, {"confidence": float("nan")},
    ]  # fmt: skip
    for more in wrong:
        with pytest.raises(InvalidInputError):
            memory.link(**{"source": a, "target": b, **more})
    with pytest.raises(NotFoundError):
        memory.link(a, "nobody")
    assert len(memory.links(a)) == 1


@pytest.mark.spec("A-12")
@pytest.mark.parametrize("profile", ["default", "letsgo"])
def test_facts_are_kept_and_filtered(opening: Opening, profile: str) -> None:
    """The same triple updates its confidence and source; filters combine."""
    memory = opening(profile=profile)
    row = kept(memory.remember("Minutes of Monday"))
    first = memory.fact("api", "owner", "Ada", confidence=0.4)
    again = memory.fact("api", "owner", "Ada", confidence=0.9, source_id=row.id)
    assert again.id == first.id
    memory.fact("api", "port", "80")
    memory.fact("web", "owner", "Ada")
    memory.fact("api", "owner", "Bob", user="bob")
    (owner,) = memory.facts("api", "owner")
    assert (owner.confidence, owner.source_id) == (0.9, row.id)
    assert {(f.subject, f.predicate) for f in memory.facts(object="Ada")} == {
        ("api", "owner"),
        ("web", "owner"),
    }
    assert [f.object for f in memory.facts(subject="api", predicate="port")] == ["80"]
    assert memory.facts("api", "owner", "Eve") == memory.facts("AP%") == []
    assert len(memory.facts()) == 3
    assert len(memory.facts(limit=2)) == 2
    assert {f.object for f in memory.facts("api", "owner", user="bob")} == {"Ada", "Bob"}
    memory.delete_fact(owner.id)
    assert memory.facts("api", "owner") == []
    with pytest.raises(NotFoundError):
        memory.delete_fact(owner.id)


@pytest.mark.parametrize(
    "wrong",
    [
        {"subject": ""},
        {"predicate": "  "},
        {"object": 5},
        {"confidence": 1.5},
        {"confidence": True},
        {"confidence": float("nan")},
        {"at": "soon"},
        {"object": "x" * 2_001},
        {"source_id": 5},
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_bad_fact_is_refused(memory: Memory, wrong: dict[str, Any]) -> None:
    """Each is a typed error that names the part, and nothing is written."""
    with pytest.raises(InvalidInputError):
        memory.fact(**{"subject": "s", "predicate": "p", "object": "o", **wrong})
    assert memory.facts() == []


def test_facts_hold_no_secrets_and_another_users_fact_stays(memory: Memory) -> None:
    """A credential in a triple is redacted; deleting needs the fact's own scope."""
    fact = memory.fact("db", "password", "hunter2-Xk9!", user="ada")
    assert "hunter2" not in repr(memory.facts(user="ada"))
    with pytest.raises(NotFoundError):
        memory.delete_fact(fact.id, user="bob")
    assert len(memory.facts(user="ada")) == 1


def test_statistics_count_what_the_scope_sees(memory: Memory) -> None:
    """Counts by state, kind and sensitivity, links, facts and sessions; sizes are the file's."""
    a = kept(memory.remember("one", kind="decision", session="s1", importance=0.2))
    b = kept(memory.remember("two", kind="plan", session="s2", importance=0.6))
    memory.remember("three", sensitivity="secret")
    memory.link(a.id, b.id)
    memory.fact("x", "y", "z")
    stats = memory.stats()
    assert (stats.total, stats.facts, stats.relations, stats.sessions) == (2, 1, 1, 2)
    assert stats.by_kind == {"decision": 1, "plan": 1}
    assert stats.by_state == {"active": 2}
    assert stats.average_importance == pytest.approx(0.4)
    assert stats.file_bytes > 0
    assert stats.oldest == a.recorded_at
    assert memory.stats(allow_secret=True).total == 3
