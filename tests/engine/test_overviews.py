"""Lists and a picture for people: sessions, cycles of maintenance, a graph; pages of the audit."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept

from engraphy import Memory
from engraphy.errors import InvalidInputError
from engraphy.model.overview import Owner

ADA = {"user": "ada"}


def test_sessions_are_listed_with_how_far_they_have_come(opening: Opening, clock: Ticks) -> None:
    """The last active first, page by page; a session that was begun as one says how it stands; what
    the caller may not see lends no session a name."""
    memory = opening()
    memory.start_session("begun", **ADA)
    memory.remember("The kettle is blue", session="begun", **ADA)
    clock.pass_days(1)
    memory.remember("The cup is green", session="only named", **ADA)
    memory.remember("Bo's secret", session="of another", user="bo")
    memory.remember("Hidden", session="private", sensitivity="private", **ADA)
    found = memory.sessions(**ADA)
    assert [one.session for one in found] == ["only named", "begun"]
    assert found[0].status is None
    assert found[1].status is not None
    assert found[1].status.ended_at is None
    memory.end_session("begun", **ADA)
    begun = {one.session: one for one in memory.sessions(**ADA)}["begun"]
    assert begun.status is not None
    assert begun.status.ended_at is not None
    [first] = memory.sessions(limit=1, **ADA)
    following = memory.sessions(before=first.last_at, **ADA)
    assert first.session not in [one.session for one in following]
    seen = memory.sessions(allow_private=True, **ADA)
    assert "private" in [one.session for one in seen]
    with pytest.raises(InvalidInputError):
        memory.sessions(limit=0)


def test_a_session_whose_memories_were_all_replaced_is_listed_where_it_is_wanted(
    opening: Opening,
) -> None:
    """What was replaced counts where its state is included, as in the counts of everything."""
    memory = opening()
    memory.observe(["The kettle stands on port 8080."], session="first", **ADA)
    memory.observe(["The kettle now stands on port 9090."], session="second", **ADA)
    assert [one.session for one in memory.sessions(**ADA)] == ["second"]
    both = memory.sessions(include=["superseded"], **ADA)
    assert {one.session for one in both} == {"first", "second"}
    assert len(both) == memory.stats(**ADA).sessions


def test_cycles_are_listed(opening: Opening, clock: Ticks) -> None:
    """What each cycle did, the newest first; a try on a copy is none of them."""
    memory = opening()
    memory.remember("Only for a day", ttl_days=1)
    first = memory.dream()
    clock.pass_days(2)
    second = memory.dream()
    memory.dream(dry_run=True)
    told = memory.dreams()
    assert [one.run for one in told] == [second.run, first.run]
    assert [one.changed for one in told] == [second.changed, first.changed]
    assert told[0].steps == second.steps
    assert [one.run for one in memory.dreams(limit=1)] == [second.run]


def test_the_graph_shows_what_ties_memories_together(opening: Opening) -> None:
    """Entities with the memories that name them, and memories that are related, with both ends of
    every line; what has none, what only says when, and what the caller may not see is left out."""
    memory = opening()
    rust, bo, day = "entity://tech/rust", "entity://person/bo", "entity://date/monday"
    first = kept(memory.remember("Bo writes Rust", entities=[rust, bo, day], **ADA))
    second = kept(memory.remember("Rust is quick", entities=[rust], **ADA))
    alone = kept(memory.remember("Nothing is named here", **ADA))
    memory.remember("Bo hides", entities=[bo], sensitivity="secret", **ADA)
    memory.link(first.id, second.id, "causes", **ADA)
    found = memory.graph(**ADA)
    nodes = {one.id: one for one in found.nodes}
    assert set(nodes) >= {rust, bo, first.id, second.id}
    assert day not in nodes
    assert alone.id not in nodes
    assert (nodes[rust].label, nodes[rust].kind, nodes[rust].weight) == ("rust", "tech", 2)
    assert nodes[bo].weight == 1
    lines = {(one.source, one.target, one.type) for one in found.edges}
    assert (first.id, second.id, "causes") in lines
    assert (first.id, rust, "names") in lines
    assert all({one.source, one.target} <= set(nodes) for one in found.edges)
    small = memory.graph(limit=2, **ADA)
    assert len(small.nodes) <= 2
    assert small.more > 0
    assert memory.graph(user="bo").nodes == ()


def test_the_audit_is_paged(opening: Opening) -> None:
    """`before` goes on where the last page ended; nothing is told twice or left out."""
    memory = opening()
    for number in range(7):
        memory.remember(f"Cup number {number} is blue")
    whole = [one.line for one in memory.audit().entries]
    told, before = [], None
    while page := memory.audit(limit=3, before=before).entries:
        told += [one.line for one in page]
        before = page[-1].line
        if before == 1:
            break
    assert told == whole


def test_owners_are_everybody_that_memories_belong_to(memory: Memory) -> None:
    """Each combination of walls that any memory stands behind, in whatever state, the most first;
    what names nobody is everybody's."""
    assert memory.owners() == []
    memory.remember("Herons nest by the lake")
    for number in range(3):
        memory.remember(f"Storks nest on chimney {number}", user="ada", project="birds")
    going = kept(memory.remember("Owls nest in barns", user="bo"))
    assert memory.owners() == [
        Owner(user="ada", agent=None, project="birds", conversation=None, memories=3),
        Owner(user=None, agent=None, project=None, conversation=None, memories=1),
        Owner(user="bo", agent=None, project=None, conversation=None, memories=1),
    ]
    memory.forget(going.id, user="bo")
    assert [one.user for one in memory.owners()] == ["ada", None]
