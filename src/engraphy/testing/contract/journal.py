"""The journal: one entry for each change, chained, append-only, silent about what is forgotten."""

import itertools
import json
from dataclasses import replace

from engraphy.model.change import (
    Change,
    CoActivate,
    DeleteFact,
    DeleteRelation,
    Forget,
    Insert,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutSessionState,
    Reinforce,
    Spread,
    Strengthen,
    Touch,
    Update,
)
from engraphy.model.kinds import RelationType
from engraphy.model.records import (
    Episode,
    Fact,
    JournalEntry,
    Procedure,
    Relation,
    SessionState,
)
from engraphy.model.scope import Scope, Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import HERE, T0, TENANT, made, seen_from, wide
from engraphy.testing.contract.suite import ACTOR, Suite, insert, write


class JournalConformance(Suite):
    """R-07 on every engine."""

    def test_each_change_has_its_entry(self, store: Store) -> None:
        """Every kind of change but session state is journaled under its name, in order."""
        for change, op, target in _one_of_each():
            before = store.journal(TENANT)
            numbers = write(store, change, now=T0 + len(before))
            after = store.journal(TENANT)
            lines = [_without_payload(entry) for entry in after[: len(before)]]
            assert lines == [_without_payload(entry) for entry in before], f"{op} changed others"
            (entry,) = after[len(before) :]
            assert numbers == (entry.seq,)
            assert (entry.op, entry.at) == (op, T0 + len(before))
            assert (entry.actor, entry.tenant, entry.reason) == (ACTOR, TENANT, f"why {op}")
            assert target is None or entry.target_id == target

    def test_session_state_is_not_journaled(self, store: Store) -> None:
        """Session state ends with its session: writing it leaves no entry."""
        state = SessionState(scope=replace(HERE, session="s"), name="n", value="1", updated_at=T0)
        assert write(store, PutSessionState(state=state)) == ()
        assert store.journal(TENANT) == []

    def test_a_list_is_journaled_in_its_order(self, store: Store) -> None:
        """The numbers `apply` returns are those of the entries of its changes."""
        rows = [made(f"m{n}") for n in range(3)]
        numbers = write(store, *(Insert(memory=row) for row in rows), Touch(ids=("m0", "m2")))
        entries = store.journal(TENANT)
        assert [entry.seq for entry in entries] == list(numbers) == sorted(set(numbers))
        assert [entry.target_id for entry in entries[:3]] == ["m0", "m1", "m2"]
        assert {entry.op for entry in entries[3:]} == {"access"}

    def test_entries_form_a_chain(self, store: Store) -> None:
        """Each entry names the hash of the one before, and no two hashes are equal."""
        for change, _, _ in _one_of_each():
            write(store, change)
        entries = store.journal(TENANT)
        for former, entry in itertools.pairwise(entries):
            assert entry.previous_hash == former.hash
        assert len({entry.hash for entry in entries}) == len(entries)

    def test_entries_hold_old_and_new_values(self, store: Store) -> None:
        """The payload is JSON with the texts before and after."""
        row = made("m", "the former text")
        insert(store, row)
        changed = replace(row, content="the later text", version=2, updated_at=T0 + 1)
        write(store, Update(memory=changed, expected=row))
        first, second = (entry.payload or "" for entry in store.journal(TENANT))
        assert "the former text" in json.dumps(json.loads(first))
        assert all(text in second for text in ("the former text", "the later text"))
        assert json.loads(second)

    def test_forgetting_empties_payloads_and_keeps_the_chain(self, store: Store) -> None:
        """After a forget the journal keeps ids and hashes, and no word of the memory."""
        row = made("m", "unspeakable zebra", title="unmentionable")
        other = made("other", "some other words")
        insert(store, row, other)
        changed = replace(row, content="unspeakable zebra twice", version=2)
        write(store, Update(memory=changed, expected=row, reason="edited"))
        write(store, PutEpisode(episode=Episode(memory_id="m", lesson="unteachable")))
        before = store.journal(TENANT)
        write(store, Forget(id="m", reason="asked"))
        after = store.journal(TENANT)
        assert [_without_payload(e) for e in after[:-1]] == [_without_payload(e) for e in before]
        assert all(entry.payload is None for entry in after if entry.target_id == "m")
        assert [e.payload for e in after if e.target_id == "other"] == [before[1].payload]
        told = repr(after)
        assert all(word not in told for word in ("unspeakable", "unmentionable", "unteachable"))
        assert all(check.ok for check in store.check(deep=True))

    def test_pages_of_the_journal(self, store: Store) -> None:
        """`after` and `limit` walk the journal without gap or overlap."""
        insert(store, *(made(f"m{n}") for n in range(7)))
        whole = store.journal(TENANT)
        walked: list[JournalEntry] = []
        while page := store.journal(TENANT, after=walked[-1].seq if walked else 0, limit=3):
            assert len(page) <= 3
            walked += page
        assert walked == whole
        assert len(whole) == 7

    def test_journals_of_tenants_are_apart(self, store: Store) -> None:
        """A tenant's journal holds its own entries only, and stays whole when others write."""
        others = Scope(tenant=Tenant("other"))
        for number in range(3):
            insert(store, made(f"mine-{number}"), made(f"other-{number}", scope=others))
        for tenant, prefix in ((TENANT, "mine"), (Tenant("other"), "other")):
            targets = [entry.target_id for entry in store.journal(tenant)]
            assert targets == [f"{prefix}-{number}" for number in range(3)]
        assert all(check.ok for check in store.check(deep=True))
        assert store.stats(wide()).journal_entries == 3


def _without_payload(entry: JournalEntry) -> JournalEntry:
    return replace(entry, payload=None)


def _one_of_each() -> list[tuple[Change, str, str | None]]:
    first, second = made("a"), made("b")
    changed = replace(first, pinned=True, updated_at=T0 + 9)
    asleep = replace(changed, importance=0.1)
    relation = Relation(source_id="a", target_id="b", type=RelationType.CAUSES)
    unrelated = DeleteRelation(
        source_id="a", target_id="b", type=RelationType.CAUSES, reason="why relation_delete"
    )
    spread = Spread(ids=("a",), view=seen_from(), stability_factor=1.02)
    fact = Fact(id="f", scope=HERE, subject="s", predicate="p", object="o")
    procedure = Procedure(memory_id="b", name="n", steps=("one",))
    return [
        (Insert(memory=first, reason="why insert"), "insert", "a"),
        (Insert(memory=second, reason="why import", op="import"), "import", "b"),
        (Update(memory=changed, expected=first, reason="why update"), "update", "a"),
        (Update(memory=asleep, expected=changed, reason="why state", op="state"), "state", "a"),
        (Reinforce(id="a", reason="why dedup_refresh"), "dedup_refresh", "a"),
        (Touch(ids=("a",), reason="why access"), "access", "a"),
        (Strengthen(ids=("a",), stability_factor=1.3, reason="why strengthen"), "strengthen", "a"),
        (PutRelation(relation=relation, reason="why relation"), "relation", None),
        (unrelated, "relation_delete", None),
        (CoActivate(ids=("a", "b"), reason="why coactivation"), "coactivation", None),
        (PutRelation(relation=relation, reason="why relation"), "relation", None),
        (replace(spread, reason="why strengthen"), "strengthen", "b"),
        (PutFact(fact=fact, reason="why fact"), "fact", "f"),
        (PutEpisode(episode=Episode(memory_id="a"), reason="why episode"), "episode", "a"),
        (PutProcedure(procedure=procedure, reason="why procedure"), "procedure", "b"),
        (DeleteFact(id="f", reason="why fact_delete"), "fact_delete", "f"),
        (Forget(id="b", reason="why forget"), "forget", "b"),
    ]
