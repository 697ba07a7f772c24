"""What a user can see of a store beside memories: what is written there before it is damaged, and
what is read of it."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from engraphy.model.change import (
    Change,
    CoActivate,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutSessionState,
)
from engraphy.model.kinds import EpisodeOutcome, RelationType
from engraphy.model.memory import Memory
from engraphy.model.query import FactFilter, View
from engraphy.model.records import Episode, Fact, JournalEntry, Procedure, Relation, SessionState
from engraphy.ports import Store
from engraphy_prove.workload import T0, word

TABLES = (
    "facts", "relations", "versions", "coactivations", "episodes", "procedures", "session_state",
    "memory_journal", "journal_texts", "memories",
)  # fmt: skip
"""Whose pages are damaged on purpose."""
_SESSION, _NAMES = "prove", ("note", "window", "tags")
_MOST = 10_000
_EACH = 12


def beside(chance: random.Random, rows: Sequence[Memory]) -> Iterator[list[Change]]:
    """Writes of each sort that puts something beside memories of one home, some of them twice."""
    some = list(rows[:: max(1, len(rows) // _EACH)])
    for one in some:
        episode = Episode(
            memory_id=one.id,
            outcome=chance.choice(list(EpisodeOutcome)),
            started_at=_moment(chance),
            lesson=_words(chance),
        )
        steps = tuple(_words(chance) for _ in range(3))
        procedure = Procedure(
            memory_id=one.id, name=word(chance), steps=steps, trigger=_words(chance)
        )
        fact = _fact(chance, one)
        yield [PutEpisode(episode=episode), PutProcedure(procedure=procedure), PutFact(fact=fact)]
        yield [
            PutFact(fact=replace(fact, confidence=chance.random(), updated_at=_moment(chance))),
            PutRelation(relation=_relation(chance, one, chance.choice(rows))),
        ]
    pair = sorted({one.id for one in chance.sample(some, 3)})
    yield [CoActivate(ids=tuple(pair))]
    scope = replace(rows[0].scope, session=_SESSION)
    yield [
        PutSessionState(
            state=SessionState(scope=scope, name=name, value=f'"{_words(chance)}"', updated_at=T0)
        )
        for name in _NAMES
    ]


def _words(chance: random.Random) -> str:
    return " ".join(word(chance) for _ in range(chance.randint(2, 30)))


def _moment(chance: random.Random) -> int:
    return T0 + chance.randrange(10**12)


def _fact(chance: random.Random, one: Memory) -> Fact:
    return Fact(
        id=f"told-{one.id}",
        scope=replace(one.scope, session=None),
        subject=word(chance),
        predicate=word(chance),
        object=_words(chance),
        confidence=chance.random(),
        source_id=one.id,
        valid_from=T0,
        recorded_at=_moment(chance),
        updated_at=_moment(chance),
    )


def _relation(chance: random.Random, one: Memory, other: Memory) -> Relation:
    return Relation(
        source_id=one.id,
        target_id=other.id,
        type=chance.choice(list(RelationType)),
        confidence=chance.random(),
        created_at=_moment(chance),
    )


_LINES = "lines"
Seen = Callable[[Store, View, Sequence[str]], list[object]]
SEEN: Mapping[str, Seen] = {
    "facts": lambda store, view, _: [
        *store.facts(view, FactFilter(current=False, limit=_MOST)),
    ],
    "relations": lambda store, view, ids: [
        *store.relations(view, ids, hops=1, types=frozenset()),
    ],
    "coactivations": lambda store, view, ids: [*store.coactivations(view, ids, 1)],
    "earlier texts": lambda store, view, ids: [
        version for one in ids for version in store.versions(view, one)
    ],
    "episodes": lambda store, view, ids: [
        found for one in ids if (found := store.episode(view, one)) is not None
    ],
    "procedures": lambda store, view, ids: [
        found for one in ids if (found := store.procedure(view, one)) is not None
    ],
    "session state": lambda store, view, _: [
        found for name in _NAMES if (found := store.session_state(_in_session(view), name))
    ],
    _LINES: lambda store, view, _: [
        *map(_line, store.journal(view.scope.tenant, limit=_MOST)),
    ],
}
"""What is read beside memories, by its name."""


def _in_session(view: View) -> View:
    return replace(view, scope=replace(view.scope, session=_SESSION))


def _line(entry: JournalEntry) -> JournalEntry:
    """What a line tells. Which one stood before it a repair cannot know where that is lost."""
    return replace(entry, previous_hash="")


def is_told(one: object, ever: frozenset[object]) -> bool:
    """Whether something was written as it is shown; a line may have lost what it kept."""
    if isinstance(one, JournalEntry) and one.payload is None:
        return replace(one, payload="") in ever
    return one in ever


def everything(store: Store, view: View, ids: Sequence[str], after: int) -> Iterator[object]:
    """All that one view shows beside memories; of lines those after this number, and of each also
    that it told something once."""
    for name, read in SEEN.items():
        if name != _LINES:
            yield from read(store, view, ids)
    for entry in map(_line, store.journal(view.scope.tenant, after=after, limit=_MOST)):
        yield from (entry, replace(entry, payload=""))
