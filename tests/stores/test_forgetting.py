"""Forgotten means forgotten: no byte of it is left in the files (P-16)."""

import random
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from tests.stores.making import (
    HERE,
    MODEL,
    NOW,
    TENANT,
    insert,
    made,
    opened,
    seen,
    with_vector,
    write,
)

from engraphy.model.change import (
    CoActivate,
    Forget,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutSessionState,
    Update,
)
from engraphy.model.kinds import RelationType, Sensitivity
from engraphy.model.query import FactFilter
from engraphy.model.records import Episode, Fact, Procedure, Relation, SessionState
from engraphy.stores.sqlite import SqliteStore

LETTERS = "klmnopqrstuvwxyz"


def bytes_of(store: SqliteStore) -> bytes:
    """Every byte of the store's files (the store must be closed: see P-04)."""
    folder = Path(store.path).parent
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))


def test_everything_that_knew_it_is_erased(tmp_path: Path) -> None:
    """Row, words, labels, vectors, versions, relations, state and journal texts all go; what
    others own stays, without its link."""
    store = opened(tmp_path)
    secret = "zqxsecret"
    row = made("m", f"{secret}content", title=f"{secret}title", tags=(f"{secret}tag",),
               entities=(f"entity://person/{secret}",), speaker=f"{secret}speaker")  # fmt: skip
    write(store, with_vector(row, 1.0, 0.5), with_vector(made("other"), 0.0, 1.0))
    changed = replace(row, content=f"{secret}later", version=2)
    relation = Relation(source_id="m", target_id="other", type=RelationType.CAUSES)
    state = SessionState(scope=HERE, name="window", value='{"ids": ["m"]}', updated_at=NOW)
    said = SessionState(scope=HERE, name="said", value=f'["{secret}later"]', updated_at=NOW)
    kept = SessionState(scope=HERE, name="kept", value='["other"]', updated_at=NOW)
    fact = Fact(id="f", scope=HERE, subject="s", predicate="p", object="o", source_id="m")
    write(
        store,
        Update(memory=changed, expected=row),
        PutRelation(relation=relation),
        CoActivate(ids=("m", "other")),
        PutEpisode(episode=Episode(memory_id="m", lesson=f"{secret}lesson")),
        PutProcedure(procedure=Procedure(memory_id="m", name=secret, steps=(f"{secret}step",))),
        PutFact(fact=fact),
        PutSessionState(state=state),
        PutSessionState(state=said),
        PutSessionState(state=kept),
    )
    write(store, Forget(id="m"))
    assert [f.source_id for f in store.facts(seen(), FactFilter())] == [None]
    assert store.relations(seen(), ["other"]) == []
    assert store.coactivations(seen(), ["other"], 1) == []
    assert [store.session_state(seen(), n) is None for n in ("window", "said", "kept")] == [
        True,
        True,
        False,
    ]
    assert [m.id for m in store.search_vector(seen(), MODEL, (1.0, 0.5), 9)] == ["other"]
    assert [check.detail for check in store.check(deep=True) if not check.ok] == []
    store.close()
    assert secret.encode() not in bytes_of(store)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_no_byte_is_left(tmp_path: Path, seed: int) -> None:
    """After any mix of writes and forgets, no word of what was forgotten is in any file."""
    chance = random.Random(seed)
    store = opened(tmp_path)
    live: dict[str, list[str]] = {}
    gone: list[str] = []
    for step in range(300):
        word = "zq" + "".join(chance.choice(LETTERS) for _ in range(12))
        filler = " ".join(f"w{chance.randrange(500)}" for _ in range(chance.choice([3, 30, 300])))
        roll = chance.random()
        if roll < 0.6 or not live:
            name = f"m{step}"
            row = made(name, f"{filler} {word}", tags=(f"{word}tag",))
            write(store, with_vector(row, *(chance.uniform(-1, 1) for _ in range(8))))
            live[name] = [word]
        elif roll < 0.8:
            name = chance.choice(list(live))
            (held,) = store.get(seen(), [name])
            new = replace(held, content=f"{word} {filler}", version=held.version + 1)
            write(store, Update(memory=new, expected=held))
            live[name].append(word)
        else:
            name = chance.choice(list(live))
            gone += live.pop(name)
            write(store, Forget(id=name))
    store.close()
    left = bytes_of(store)
    assert [word for word in gone if word.encode() in left] == []
    assert all(words[-1].encode() in left for words in live.values())
    assert len(gone) > 20


def test_a_reader_only_puts_the_emptying_of_the_log_off(tmp_path: Path) -> None:
    """A reader that needs the log does not stop a forget; the next write empties the log."""
    store, other = opened(tmp_path), opened(tmp_path, busy_seconds=0.1)
    insert(store, made("m", "zqxsecret words"), made("other"))
    reader = apsw.Connection(store.path)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memories").fetchone()
    write(other, Forget(id="m"))
    assert (tmp_path / "store.db-wal").stat().st_size > 0
    reader.close()
    insert(other, made("next"))
    assert (tmp_path / "store.db-wal").stat().st_size == 0
    store.close()
    other.close()
    assert b"zqxsecret" not in bytes_of(store)


def test_facts_of_a_secret_stay_secret(tmp_path: Path) -> None:
    """A fact is as sensitive as its source, when that changes, and after it was forgotten."""
    store = opened(tmp_path)
    row = made("m")
    insert(store, row)
    fact = Fact(id="f", scope=HERE, subject="s", predicate="p", object="o", source_id="m")
    write(store, PutFact(fact=fact))
    assert len(store.facts(seen(), FactFilter())) == 1
    secret = replace(row, sensitivity=Sensitivity.SECRET)
    write(store, Update(memory=secret, expected=row))
    allowed = seen(sensitivities=frozenset(Sensitivity))
    for _ in range(2):
        assert store.facts(seen(), FactFilter()) == []
        assert len(store.facts(allowed, FactFilter())) == 1
        if store.get(allowed, ["m"]):
            write(store, Forget(id="m"))
    assert store.journal(TENANT)[-1].op == "forget"
    store.close()
