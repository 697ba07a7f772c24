"""Writes that leave every kind of row, and the question whether all kinds agree afterwards."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engraphy.model.change import (
    Change,
    Forget,
    Growth,
    Insert,
    PutFact,
    PutRelation,
    Touch,
    Update,
    VectorRow,
)
from engraphy.model.kinds import RelationType, Sensitivity, State
from engraphy.model.memory import Memory
from engraphy.model.query import Term, View
from engraphy.model.records import Fact, Relation
from engraphy.model.scope import Scope, Tenant
from engraphy.ports import Store

TENANT = Tenant("prove")
SCOPE = Scope(tenant=TENANT)
T0 = 1_767_225_600_000_000
MODEL = "prove-1"
DIM = 16
ACTOR = "prove"
_LETTERS = "bcdfghjklmnpqrtvwxz"
EVERYTHING = View(
    scope=SCOPE,
    now=T0,
    states=frozenset(State),
    sensitivities=frozenset(Sensitivity),
)


def word(chance: random.Random, length: int = 14) -> str:
    """A word of consonants that no language has and no stemmer shortens."""
    return "".join(chance.choice(_LETTERS) for _ in range(length))


def vector(chance: random.Random) -> VectorRow:
    """A random direction."""
    numbers = [chance.gauss(0.0, 1.0) for _ in range(DIM)]
    length = sum(number * number for number in numbers) ** 0.5
    return VectorRow(model_id=MODEL, parts=(tuple(number / length for number in numbers),))


def fresh(
    chance: random.Random, id: str, *, words: int = 12, scope: Scope = SCOPE
) -> Memory:  # fmt: skip
    """A memory whose first word is its own."""
    content = " ".join(word(chance) for _ in range(words))
    return Memory(id=id, scope=scope, content=content, valid_from=T0, recorded_at=T0, updated_at=T0)


def whole(chance: random.Random, memory: Memory, former: str | None) -> list[Change]:
    """One write with a row, full text, vector, fact and, where there is one before, a relation."""
    changes: list[Change] = [
        Insert(memory=memory, vector=vector(chance), reason="prove"),
        PutFact(fact=_fact(memory.id, memory.scope)),
    ]
    if former is not None:
        changes.append(PutRelation(relation=_relation(memory.id, former)))
    return changes


def _fact(id: str, scope: Scope) -> Fact:
    return Fact(
        id=f"fact-{id}",
        scope=scope,
        subject=id,
        predicate="is",
        object="written",
        source_id=id,
        valid_from=T0,
        recorded_at=T0,
        updated_at=T0,
    )


def _relation(source: str, target: str) -> Relation:
    return Relation(source_id=source, target_id=target, type=RelationType.CAUSES, created_at=T0)


@dataclass(slots=True)
class Script:
    """A series of writes, and what the store must hold after each of them.

    `steps[n]` are the changes of one `apply`; `held[n]` maps id to (content, version) once n
    steps are written.
    """

    steps: list[list[Change]] = field(default_factory=list)
    held: list[dict[str, tuple[str, int]]] = field(default_factory=lambda: [{}])


def script(
    chance: random.Random, length: int, *, words: int = 12, scope: Scope = SCOPE, first: int = 0
) -> Script:
    """Insertions with everything beside them, edits, deliveries and forgets, at random; `first` is
    the number of the first step, of which ids are made."""
    made, rows = Script(), dict[str, Memory]()
    for number in range(first, first + length):
        made.steps.append(_step(chance, rows, number, words, scope))
        made.held.append({row.id: (row.content, row.version) for row in rows.values()})
    return made


def _step(
    chance: random.Random, rows: dict[str, Memory], number: int, words: int, scope: Scope
) -> list[Change]:
    draw = chance.random()
    if not rows or draw < 0.6:
        length = chance.randint(3, 2 * words)
        memory = fresh(chance, f"m{number:06d}", words=length, scope=scope)
        former = chance.choice(list(rows)) if rows else None
        rows[memory.id] = memory
        return whole(chance, memory, former)
    old = rows[chance.choice(list(rows))]
    if draw < 0.8:
        return [edited(chance, rows, old, number)]
    if draw < 0.9:
        return [Touch(ids=(old.id,), growth=(Growth(stability_factor=1.5),))]
    del rows[old.id]
    return [Forget(id=old.id, reason="prove")]


def edited(chance: random.Random, rows: dict[str, Memory], old: Memory, number: int) -> Update:
    """A change of a row's text that gives it a first word of its own again."""
    content = f"{word(chance)} {old.content}"
    new = replace(old, content=content, version=old.version + 1, updated_at=T0 + number)
    rows[old.id] = new
    return Update(memory=new, expected=old, vector=vector(chance), reason="prove")


def put(store: Store, changes: Sequence[Change]) -> tuple[int, ...]:
    """Apply one step."""
    return store.apply(TENANT, changes, now=T0, actor=ACTOR)


def held(store: Store) -> dict[str, tuple[str, int]]:
    """What a store holds, as `Script.held` notes it."""
    return {row.id: (row.content, row.version) for row in store.dump(EVERYTHING)}


def disagreements(store: Store) -> list[str]:
    """Where rows, full text, vectors, relations, facts and journal do not tell the same story."""
    rows = list(store.dump(EVERYTHING))
    wrong = [f"check {c.name}: {c.detail}" for c in store.check(deep=True) if not c.ok]
    wrong += [f"{row.id}: {what}" for row in rows for what in half(store, row)]
    vectors = store.stored_models(TENANT).get(MODEL, 0)
    if vectors != len(rows):
        wrong.append(f"{len(rows)} rows, {vectors} with vectors")
    return wrong


def half(store: Store, row: Memory) -> list[str]:
    """What a row lacks of what was written with it."""
    wrong = []
    own = row.content.split(" ", 1)[0]
    matches = store.search_text(EVERYTHING, [Term(term=own, surface=own)], 3).matches
    if [match.id for match in matches] != [row.id]:
        wrong.append("the full text does not find it")
    (light,) = store.candidates(EVERYTHING, [row.id], model_id=MODEL, vector=(1.0,) * DIM)
    if light.cosine is None:
        wrong.append("it has no vector")
    return wrong
