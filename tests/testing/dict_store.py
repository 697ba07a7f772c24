"""A second engine, in plain dictionaries: it shows that the suite asks for nothing of SQLite."""

import json
import math
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations, count
from typing import Any

from tests.testing.dict_ledger import DictLedger

from engraphy.errors import ConflictError, NotFoundError, ProtectedError, StoreClosedError
from engraphy.model.calls import CallLimits, CallOutcome, ModelCall, ModelUse
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
    Tally,
    Touch,
    Update,
    VectorRow,
)
from engraphy.model.kinds import PRIORITY_RANK, RelationType, Sensitivity, State
from engraphy.model.memory import Memory, Version
from engraphy.model.overview import SessionLine
from engraphy.model.query import (
    Candidate,
    Check,
    FactFilter,
    Listing,
    StoreStats,
    Term,
    TextMatch,
    TextResult,
    VectorMatch,
    View,
)
from engraphy.model.records import (
    CoActivation,
    Episode,
    Fact,
    JournalEntry,
    Procedure,
    Relation,
    SessionState,
)
from engraphy.model.scope import Scope, Tenant
from engraphy.testing.contract.reference import Reference, visible
from engraphy.text.analyser import analyse
from engraphy.text.imprint import imprint
from engraphy.text.tokens import tokens_of_bytes

_KEYS: dict[str, tuple[Callable[[int, Memory], Any], bool]] = {
    "newest": (lambda seq, m: seq, True),
    "oldest": (lambda seq, m: seq, False),
    "happened": (lambda seq, m: (m.valid_from, seq), True),
    "importance": (lambda seq, m: (m.importance, seq), True),
    "updated": (lambda seq, m: (m.updated_at, seq), True),
    "accessed": (lambda seq, m: (m.last_accessed_at or -1, seq), True),
    "utility": (lambda seq, m: (m.utility, seq), True),
    "id": (lambda seq, m: m.id, False),
}


def _walls(scope: Scope) -> tuple[str | None, ...]:
    return (scope.tenant, scope.user, scope.agent, scope.project, scope.conversation)


@dataclass(frozen=True)
class _Line:
    tenant: Tenant
    op: Any
    actor: str
    reason: str
    at: int


@dataclass
class _Held:
    rows: dict[str, Memory] = field(default_factory=dict)
    seqs: dict[str, int] = field(default_factory=dict)
    vectors: dict[str, dict[str, VectorRow]] = field(default_factory=lambda: defaultdict(dict))
    versions: dict[str, list[Version]] = field(default_factory=lambda: defaultdict(list))
    relations: dict[tuple[str, str, str], Relation] = field(default_factory=dict)
    pairs: dict[tuple[str, str], CoActivation] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    levels: dict[str, Sensitivity] = field(default_factory=dict)
    episodes: dict[str, Episode] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    states: dict[tuple[Scope, str], SessionState] = field(default_factory=dict)
    journal: list[JournalEntry] = field(default_factory=list)
    ledger: DictLedger = field(default_factory=DictLedger)


class DictStore:
    """Everything in memory; a list of changes is tried on a copy."""

    path = "memory"
    read_only = False

    def __init__(self) -> None:
        self.held = _Held()
        self.closed = False
        self._serial = count(1)
        self._turn = threading.Lock()

    # writing
    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, now: int, actor: str
    ) -> tuple[int, ...]:
        self._open()
        with self._turn:
            before, self.held = self.held, deepcopy(self.held)
            try:
                told = [self._apply(tenant, change, now, actor) for change in changes]
            except (ConflictError, NotFoundError, ProtectedError):
                self.held = before
                raise
        return tuple(seq for seqs in told for seq in seqs)

    def _apply(self, tenant: Tenant, change: Change, now: int, actor: str) -> list[int]:
        self._known(tenant, change)
        targets, op, payload = self._written(tenant, change, now)
        line = _Line(
            tenant=tenant, op=op, actor=actor, reason=getattr(change, "reason", ""), at=now
        )
        return [self._log(line, target, payload) for target in targets]

    def _written(self, tenant: Tenant, change: Change, now: int) -> tuple[list[str], str, str]:
        match change:
            case Insert():
                self._insert(change)
                return [change.memory.id], change.op, repr(change.memory)
            case Update():
                return [change.memory.id], change.op, self._update(tenant, change, now)
            case Reinforce() | Touch():
                self._counted(change, now)
                return list(_named(change)), getattr(change, "op", "access"), ""
            case Strengthen():
                return self._strengthened(change), "strengthen", ""
            case Tally():
                return self._tallied(change), "procedure", ""
            case Forget():
                if self._row(tenant, change.id).immutable:
                    raise ProtectedError(id=change.id, why="immutable")
                self._forget(change.id)
                return [change.id], "forget", ""
            case _:
                return self._beside(tenant, change, now)

    def _beside(self, tenant: Tenant, change: Any, now: int) -> tuple[list[str], str, str]:
        match change:
            case PutRelation(relation=relation):
                self._relate(relation)
                return [relation.source_id], "relation", ""
            case CoActivate(ids=ids):
                return ([ids[0]] if self._delivered(change, now) else []), "coactivation", ""
            case Spread():
                return self._spread(change), "strengthen", ""
            case PutFact(fact=fact):
                self._fact(fact)
                return [fact.id], "fact", ""
            case DeleteFact(id=name):
                del self.held.facts[name]
                return [name], "fact_delete", ""
            case PutEpisode(episode=episode):
                self.held.episodes[episode.memory_id] = episode
                return [episode.memory_id], "episode", repr(episode)
            case PutProcedure(procedure=procedure):
                self.held.procedures[procedure.memory_id] = procedure
                return [procedure.memory_id], "procedure", repr(procedure)
        return self._stated_or_gone(tenant, change, now)

    def _stated_or_gone(self, tenant: Tenant, change: Any, now: int) -> tuple[list[str], str, str]:
        match change:
            case DeleteRelation() if not self._owns(tenant, change.source_id):
                return [], "relation_delete", ""
            case DeleteRelation():
                key = (change.source_id, change.target_id, change.type)
                gone = self.held.relations.pop(key, None)
                return [change.source_id] if gone else [], "relation_delete", ""
            case PutSessionState(guarded=True):
                held = self.held.states.get((change.state.scope, change.state.name))
                over = held is not None and held.expires_at is not None and held.expires_at <= now
                if (None if held is None or over else held.value) != change.expected:
                    raise ConflictError(path=self.path, id=change.state.name)
        self.held.states[(change.state.scope, change.state.name)] = change.state
        return [], "session", ""

    def _known(self, tenant: Tenant, change: Change) -> None:
        for name in _named(change):
            self._row(tenant, name)
        if isinstance(change, DeleteFact) and change.id not in self.held.facts:
            raise NotFoundError(id=change.id)

    def _relate(self, relation: Relation) -> None:
        key = (relation.source_id, relation.target_id, relation.type)
        old = self.held.relations.get(key, relation)
        self.held.relations[key] = max(old, relation, key=lambda one: one.confidence)

    def _insert(self, change: Insert) -> None:
        memory = change.memory
        if memory.id in self.held.rows:
            raise ConflictError(path=self.path, id=memory.id)
        self._unique(memory)
        self.held.rows[memory.id] = memory
        self.held.seqs[memory.id] = next(self._serial)
        if change.vector:
            self.held.vectors[memory.id][change.vector.model_id] = change.vector

    def _update(self, tenant: Tenant, change: Update, now: int) -> str:
        old, new, seen = self._row(tenant, change.memory.id), change.memory, change.expected
        if (old.version, old.state, old.updated_at) != (seen.version, seen.state, seen.updated_at):
            raise ConflictError(path=self.path, id=old.id)
        retold = (old.content, old.title) != (new.content, new.title)
        if new.origin != old.origin or (old.immutable and retold):
            raise ProtectedError(id=old.id, why="immutable")
        self._unique(new)
        if retold:
            version = Version(memory_id=old.id, version=old.version, content=old.content,
                              title=old.title, replaced_at=now, reason=change.reason)  # fmt: skip
            self.held.versions[old.id].append(version)
            self.held.vectors.pop(old.id, None)
        if change.vector:
            self.held.vectors[old.id][change.vector.model_id] = change.vector
        self.held.rows[old.id] = new
        return f"{old!r} {new!r}"

    def _tallied(self, change: Tally) -> list[str]:
        row, uses = self.held.rows[change.id], change.successes + change.failures
        target = change.successes / uses if uses else row.utility
        self.held.rows[change.id] = replace(
            row,
            success_count=row.success_count + change.successes,
            failure_count=row.failure_count + change.failures,
            utility=row.utility + change.utility_rate * (target - row.utility),
        )
        return [change.id]

    def _counted(self, change: Reinforce | Touch, now: int) -> None:
        reference = Reference(self.held.rows)
        reference.apply(change, now)
        self.held.rows = reference.rows
        if isinstance(change, Reinforce) and change.revive:
            row = self.held.rows[change.id]
            if row.expires_at is not None and row.expires_at <= now:
                self.held.rows[change.id] = replace(row, expires_at=None)

    def _strengthened(self, change: Strengthen) -> list[str]:
        known = [name for name in change.ids if name in self.held.rows]
        for name in known:
            row = self.held.rows[name]
            most = min(36_500.0, row.stability * change.stability_factor)
            self.held.rows[name] = replace(row, stability=most)
        return ["" if len(known) > 1 else known[0]] if known else []

    def _forget(self, name: str) -> None:
        held = self.held
        for table in (held.rows, held.vectors, held.versions, held.episodes, held.procedures):
            table.pop(name, None)  # type: ignore[attr-defined]
        held.relations = {k: r for k, r in held.relations.items() if name not in k[:2]}
        held.pairs = {k: p for k, p in held.pairs.items() if name not in k}
        held.facts = {
            k: replace(f, source_id=None) if f.source_id == name else f
            for k, f in held.facts.items()
        }
        held.journal = [
            replace(e, payload=None) if e.target_id == name else e for e in held.journal
        ]

    def _delivered(self, change: CoActivate, now: int) -> bool:
        counted: set[str] = set()
        for pair in combinations(sorted(set(change.ids)), 2):
            old = self.held.pairs.get(pair)
            if old is not None and change.gap > 0 and now - change.gap < old.last_at:
                continue
            counted |= set(pair)
            self.held.pairs[pair] = CoActivation(
                first_id=pair[0], second_id=pair[1], count=old.count + 1 if old else 1, last_at=now
            )
        gone = (State.SUPERSEDED, State.EXPIRED, State.QUARANTINED)
        alive = tuple(name for name in counted if self.held.rows[name].state not in gone)
        self._strengthened(Strengthen(ids=alive, stability_factor=change.stability_factor))
        return bool(counted)

    def _spread(self, change: Spread) -> list[str]:
        ids = set(change.ids)
        ends = {e for k in self.held.relations if ids & set(k[:2]) for e in k[:2]} - ids
        near = tuple(row.id for row in self._seen(change.view) if row.id in ends)
        return self._strengthened(Strengthen(ids=near, stability_factor=change.stability_factor))

    def _fact(self, fact: Fact) -> None:
        known = self.held.facts.get(fact.id)
        if known is not None and _walls(known.scope) != _walls(fact.scope):
            raise ConflictError(path=self.path, id=fact.id)
        same = [old for old in self.held.facts.values() if known is None and _same(old, fact)]
        for old in same:
            self.held.facts[old.id] = replace(
                old,
                confidence=fact.confidence,
                source_id=fact.source_id,
                valid_from=min(old.valid_from, fact.valid_from),
            )
        if not same:
            self.held.facts[fact.id] = fact
            source = self.held.rows.get(fact.source_id or "")
            level = source.sensitivity if source else Sensitivity.PUBLIC
            self.held.levels.setdefault(fact.id, level)

    def _log(self, line: "_Line", target: str, payload: str) -> int:
        mine = [entry for entry in self.held.journal if entry.tenant == line.tenant]
        previous = mine[-1].hash if mine else ""
        text = json.dumps({"change": payload}, ensure_ascii=False) if payload else None
        told = sha256((text or "").encode()).hexdigest()
        entry = JournalEntry(
            seq=len(self.held.journal) + 1,
            at=line.at,
            tenant=line.tenant,
            op=line.op,
            target_id=target,
            actor=line.actor,
            reason=line.reason,
            payload_hash=told,
            previous_hash=previous,
            hash=sha256(f"{previous} {line} {target} {told} {len(mine)}".encode()).hexdigest(),
            payload=text,
        )
        self.held.journal.append(entry)
        return entry.seq

    def _row(self, tenant: Tenant, name: str) -> Memory:
        row = self.held.rows.get(name)
        if row is None or row.scope.tenant != tenant:
            raise NotFoundError(id=name)
        return row

    def _owns(self, tenant: Tenant, name: str) -> bool:
        row = self.held.rows.get(name)
        return row is not None and row.scope.tenant == tenant

    def _unique(self, memory: Memory) -> None:
        for row in self.held.rows.values():
            same = (_walls(row.scope), row.sensitivity, row.content)
            mine = (_walls(memory.scope), memory.sensitivity, memory.content)
            history = State.SUPERSEDED in {row.state, memory.state}
            if row.id != memory.id and same == mine and not history:
                raise ConflictError(path=self.path, id=row.id)

    def put_vectors(self, tenant: Tenant, rows: Sequence[tuple[str, str, object]]) -> int:
        told = {
            row.id: row.content for row in self.held.rows.values() if row.scope.tenant == tenant
        }
        fitting = [(name, row) for name, text, row in rows if told.get(name) == text]
        for name, row in fitting:
            assert isinstance(row, VectorRow)
            self.held.vectors[name][row.model_id] = row
        return len(fitting)

    # reading
    def _open(self) -> None:
        if self.closed:
            raise StoreClosedError(path=self.path)

    def _seen(self, view: View) -> list[Memory]:
        self._open()
        return [row for row in self.held.rows.values() if visible(view, row, self.held.rows)]

    def get(self, view: View, ids: Sequence[str]) -> list[Memory]:
        seen = {row.id: row for row in self._seen(view)}
        return [seen[name] for name in ids if name in seen]

    def ids_from(self, view: View, start: str, length: int, limit: int) -> list[str]:
        seen = (row.id for row in self._seen(view))
        return sorted(one for one in seen if one.startswith(start) and len(one) == length)[:limit]

    def on_replica(self, run: Callable[[], Any]) -> Any:
        return run()

    def at_once(self) -> AbstractContextManager[None]:
        return nullcontext()

    def let_go(self) -> None:
        pass

    def held_ids(self, tenant: Tenant, ids: Sequence[str]) -> frozenset[str]:
        return frozenset(ids) & {*self.held.rows, *self.held.facts}

    def find_hash(self, view: View, content_hash: str) -> Memory | None:
        for row in self.held.rows.values():
            digest = sha256(row.content.encode()).hexdigest()
            if (digest == content_hash and row.state != State.SUPERSEDED
                    and row.sensitivity in view.sensitivities
                    and _walls(row.scope) == _walls(view.scope)):  # fmt: skip
                return row
        return None

    def find_over(self, view: View, content_hash: str, told_of: int) -> Memory | None:
        for row in self.held.rows.values():
            digest = sha256(row.content.encode()).hexdigest()
            if (digest == content_hash and row.state == State.SUPERSEDED
                    and row.valid_from == told_of != row.valid_until
                    and row.sensitivity in view.sensitivities
                    and _walls(row.scope) == _walls(view.scope)):  # fmt: skip
                return row
        return None

    def page(self, view: View, listing: Listing) -> list[Memory]:
        key, falling = _KEYS[listing.order]
        rows = sorted(
            self._listed(view, listing), key=lambda m: key(self.held.seqs[m.id], m), reverse=falling
        )
        names = [row.id for row in rows]
        start = names.index(listing.after) + 1 if listing.after else 0
        return rows[start : start + listing.limit]

    def count(self, view: View, listing: Listing) -> int:
        return len(self._listed(view, listing))

    def arrivals(self, view: View, since: int, step: int) -> list[tuple[int, int]]:
        after = [row.recorded_at - since for row in self._seen(view) if row.recorded_at >= since]
        return sorted(Counter(one // step for one in after).items())

    def _listed(self, view: View, listing: Listing) -> list[Memory]:
        return [row for row in self._seen(view) if _matches(listing, row)]

    def versions(self, view: View, id: str) -> list[Version]:
        return list(self.held.versions[id]) if self.get(view, [id]) else []

    def retold_since(self, view: View, ids: Sequence[str] | None, limit: int) -> list[Version]:
        if view.known_at is None:
            return []
        seen = sorted(self._seen(view), key=lambda m: -self.held.seqs[m.id])
        wanted = [m.id for m in seen if ids is None or m.id in ids]
        since = [
            [v for v in self.held.versions[name] if v.replaced_at > view.known_at]
            for name in wanted
        ]
        return [min(found, key=lambda v: v.version) for found in since if found][:limit]

    def search_text(self, view: View, terms: Sequence[Term], limit: int) -> TextResult:
        seen = self._seen(view)
        bags = {m.id: Counter(f"{m.title} {m.content}".split()) for m in seen}
        frequency = {t.term: sum(t.term in bag for bag in bags.values()) for t in terms}
        scores = {
            name: sum(_bm25(t, bag, frequency[t.term], len(bags)) for t in terms if t.term in bag)
            for name, bag in bags.items()
        }
        best = sorted((n for n in scores if scores[n] > 0), key=lambda n: -scores[n])[:limit]
        return TextResult(
            matches=tuple(TextMatch(id=name, bm25=scores[name]) for name in best),
            document_frequency=tuple(frequency.items()),
            documents=len(bags),
        )

    def search_vector(
        self, view: View, model_id: str, vector: Sequence[float], limit: int
    ) -> list[VectorMatch]:
        found = [(self._cosine(row.id, model_id, vector), row.id) for row in self._seen(view)]
        best = sorted((pair for pair in found if pair[0] is not None), reverse=True)[:limit]
        return [VectorMatch(id=name, cosine=cosine or 0.0) for cosine, name in best]

    def _cosine(
        self, name: str, model_id: str | None, vector: Sequence[float] | None
    ) -> float | None:
        row = self.held.vectors.get(name, {}).get(model_id or "")
        if row is None or vector is None:
            return None
        return max(_cosine(part, vector) for part in row.parts)

    def candidates(
        self,
        view: View,
        ids: Sequence[str],
        *,
        model_id: str | None = None,
        vector: Sequence[float] | None = None,
        neighbours: int = 0,
    ) -> list[Candidate]:
        wanted = {row.id: row for row in self.get(view, ids)}
        links: dict[str, tuple[str | None, str | None]] = {}
        for row in list(wanted.values()):
            line = self._line(view, row)
            place = line.index(row)
            near = line[max(0, place - neighbours) : place + neighbours + 1]
            wanted |= {one.id: one for one in near}
            names = [None, *(one.id for one in near), None] if neighbours else []
            links |= {names[n]: (names[n - 1], names[n + 1]) for n in range(1, len(names) - 1)}  # type: ignore[misc]
        return [
            _light(
                row,
                self.held.seqs[row.id],
                self.held.vectors.get(row.id, {}),
                self._cosine(row.id, model_id, vector),
                links.get(row.id, (None, None)),
            )
            for row in wanted.values()
        ]

    def _line(self, view: View, row: Memory) -> list[Memory]:
        if row.scope.session is None:
            return [row]
        line = [one for one in self._seen(view) if one.scope == row.scope]
        return sorted(line, key=lambda one: self.held.seqs[one.id])

    def stored_models(self, tenant: Tenant) -> dict[str, int]:
        return dict(Counter(
            model for name, models in self.held.vectors.items() for model in models
            if self.held.rows[name].scope.tenant == tenant
        ))  # fmt: skip

    def missing_vectors(self, tenant: Tenant, model_id: str, limit: int) -> list[tuple[str, str]]:
        return [
            (row.id, row.content) for row in self.held.rows.values()
            if row.scope.tenant == tenant and model_id not in self.held.vectors.get(row.id, {})
        ][:limit]  # fmt: skip

    def relations(
        self, view: View, ids: Sequence[str], *, hops: int = 1, types: frozenset[str] = frozenset()
    ) -> list[Relation]:
        seen, reached = {row.id for row in self._seen(view)}, set(ids)
        open_ = [
            r
            for r in self.held.relations.values()
            if {r.source_id, r.target_id} <= seen and (not types or r.type in types)
        ]
        found: dict[int, Relation] = {}
        for _ in range(hops):
            step = [r for r in open_ if reached & {r.source_id, r.target_id}]
            found |= {id(r): r for r in step}
            reached |= {end for r in step for end in (r.source_id, r.target_id)}
        return list(found.values())

    def labelled(self, view: View, names: Sequence[str], limit: int) -> list[tuple[str, str]]:
        rows = sorted(self._seen(view), key=lambda row: -self.held.seqs[row.id])
        found = []
        for name in names:
            named = [row.id for row in rows if name in (row.speaker, *row.entities)]
            found += [(name, one) for one in named[:limit]]
        return found

    def any_asleep(self, view: View) -> bool:
        states = frozenset({State.DORMANT, State.ARCHIVED})
        return bool(self._seen(replace(view, states=states, sensitivities=frozenset(Sensitivity))))

    def count_relations(self, view: View, most: int) -> int:
        return min(most, len(self._starting(view)))

    def weakest_relations(
        self, view: View, types: Sequence[RelationType], limit: int
    ) -> list[Relation]:
        chosen = [one for one in self._starting(view) if one.type in types]
        order = {kind: place for place, kind in enumerate(types)}
        chosen.sort(key=lambda one: (order[one.type], one.confidence, one.created_at))
        return chosen[:limit]

    def _starting(self, view: View) -> list[Relation]:
        walls, rows = _walls(view.scope), self.held.rows
        return [
            one for one in self.held.relations.values()
            if _walls(rows[one.source_id].scope) == walls
        ]  # fmt: skip

    def coactivations(self, view: View, ids: Sequence[str], minimum: int) -> list[CoActivation]:
        seen = {row.id for row in self._seen(view)}
        return [p for k, p in self.held.pairs.items()
                if p.count >= minimum and set(k) <= seen and set(k) & set(ids)]  # fmt: skip

    def facts(self, view: View, wanted: FactFilter) -> list[Fact]:
        names = ("subject", "predicate", "object", "source_id")
        found = [
            fact for fact in self.held.facts.values()
            if view.asker.sees(fact.scope)
            and self.held.levels[fact.id] in view.sensitivities
            and all(getattr(wanted, n) in (None, getattr(fact, n)) for n in names)
            and not (wanted.current and fact.valid_until and fact.valid_until <= view.now)
            and not (wanted.current and fact.valid_from > max(view.now, fact.recorded_at))
        ]  # fmt: skip
        return sorted(found, key=lambda fact: -fact.recorded_at)[: wanted.limit]

    def episode(self, view: View, id: str) -> Episode | None:
        return self.held.episodes.get(id) if self.get(view, [id]) else None

    def procedure(self, view: View, id: str) -> Procedure | None:
        return self.held.procedures.get(id) if self.get(view, [id]) else None

    def session_state(self, view: View, name: str) -> SessionState | None:
        state = self.held.states.get((view.scope, name))
        over = state is not None and state.expires_at is not None and state.expires_at <= view.now
        return None if over else state

    def session_values(self, view: View, names: Sequence[str]) -> dict[str, str]:
        found = {name: self.session_state(view, name) for name in names}
        return {name: state.value for name, state in found.items() if state is not None}

    def session_states(
        self, tenant: Tenant, prefix: str, *, now: int, limit: int
    ) -> list[SessionState]:
        found = [
            state
            for (scope, name), state in self.held.states.items()
            if scope.tenant == tenant and name.startswith(prefix)
            if state.expires_at is None or state.expires_at > now
        ]
        return sorted(found, key=lambda state: (state.updated_at, state.name))[:limit]

    def entity_names(self, view: View, limit: int) -> list[tuple[str, int]]:
        names = Counter(n for m in self._seen(view) for n in (m.speaker, *m.entities) if n)
        return names.most_common(limit)

    def sessions(self, view: View, limit: int, before: int | None) -> list[SessionLine]:
        held: dict[str, list[int]] = {}
        for row in self._seen(view):
            if row.scope.session is not None:
                held.setdefault(row.scope.session, []).append(row.recorded_at)
        found = [
            SessionLine(session=name, memories=len(at), first_at=min(at), last_at=max(at))
            for name, at in held.items()
            if before is None or max(at) < before
        ]
        return sorted(found, key=lambda one: (-one.last_at, one.session))[:limit]

    # keeping
    def journal(self, tenant: Tenant, *, after: int = 0, limit: int = 100) -> list[JournalEntry]:
        self._open()
        return [e for e in self.held.journal if e.tenant == tenant and e.seq > after][:limit]

    def stats(self, view: View) -> StoreStats:
        every = replace(view, states=frozenset(State), sensitivities=frozenset(Sensitivity))
        rows = self._seen(every)
        names = [row.id for row in rows]
        return StoreStats(
            total=len(rows),
            by_state=dict(Counter(row.state.value for row in rows)),
            by_kind=dict(Counter(row.kind.value for row in rows)),
            by_sensitivity=dict(Counter(row.sensitivity.value for row in rows)),
            facts=len(self.facts(view, FactFilter(current=False))),
            relations=len(self.relations(every, names)),
            sessions=len({row.scope.session for row in rows} - {None}),
            average_importance=sum(r.importance for r in rows) / len(rows) if rows else 0.0,
            tokens=tokens_of_bytes(sum(len(row.content.encode()) for row in rows)),
            oldest=min((row.valid_from for row in rows), default=None),
            newest=max((row.valid_from for row in rows), default=None),
            journal_entries=sum(
                entry.target_id in names for entry in self.journal(view.scope.tenant, limit=10**9)
            ),
        )

    def begin_call(
        self, tenant: Tenant, call: ModelCall, limits: CallLimits, *, now: int
    ) -> int | CallOutcome:
        self._open()
        with self._turn:
            return self.held.ledger.begin(tenant, call, limits, now)

    def finish_call(self, tenant: Tenant, number: int, call: ModelCall) -> None:
        self._open()
        with self._turn:
            self.held.ledger.finish(tenant, number, call)

    def model_use(self, tenant: Tenant, since: int, until: int) -> list[ModelUse]:
        self._open()
        return self.held.ledger.use(tenant, since, until)

    def scopes(self, tenant: Tenant) -> list[tuple[Scope, int]]:
        rows = [row.scope for row in self.held.rows.values() if row.scope.tenant == tenant]
        return list(Counter(replace(scope, session=None) for scope in rows).items())

    def tenants(self) -> list[Tenant]:
        return sorted({row.scope.tenant for row in self.held.rows.values()})

    def places(self, tenant: Tenant, walls: Mapping[str, str]) -> list[Scope]:
        return [
            scope
            for scope, _ in self.scopes(tenant)
            if all(getattr(scope, wall) == name for wall, name in walls.items())
        ]

    def scope_of(self, tenant: Tenant, id: str) -> Scope | None:
        row = self.held.rows.get(id)
        mine = row is not None and row.scope.tenant == tenant
        return replace(row.scope, session=None) if row is not None and mine else None

    def dump(self, view: View) -> Iterator[Memory]:
        rows = self._seen(view)
        return iter(sorted(rows, key=lambda row: self.held.seqs[row.id]))

    def check(self, *, deep: bool = False) -> list[Check]:
        self._open()
        return [Check(name="rows", ok=self.held.rows.keys() <= self.held.seqs.keys())]

    def backup(self, target: str) -> int:
        raise NotImplementedError(target)

    def restore(self, source: str) -> None:
        raise NotImplementedError(source)

    def optimise(self) -> None:
        self._open()

    def close(self) -> None:
        self.closed = True


def _same(old: Fact, fact: Fact) -> bool:
    """Whether a triple is stated again: one that has ended may open anew beside it."""

    def key(one: Fact) -> tuple[Any, ...]:
        return (_walls(one.scope), one.subject, one.predicate, one.object)

    return old.valid_until is None and key(old) == key(fact)


def _named(change: Change) -> tuple[str, ...]:
    match change:
        case Update(memory=part):
            return (part.id,)
        case Reinforce(id=name) | Forget(id=name) | Tally(id=name):
            return (name,)
        case Touch(ids=ids) | CoActivate(ids=ids):
            return ids
        case PutRelation(relation=relation):
            return (relation.source_id, relation.target_id)
        case PutEpisode(episode=part) | PutProcedure(procedure=part):
            return (part.memory_id,)
    return ()


def _matches(listing: Listing, row: Memory) -> bool:
    exact = ("category", "speaker", "pinned", "immutable", "priority", "origin", "tier")
    inside = {
        "tag": row.tags,
        "concept": row.concepts,
        "entity": row.entities,
        "file": row.files_read + row.files_modified,
        "content_hash": (sha256(row.content.encode()).hexdigest(),),
    }
    return (
        (not listing.kinds or row.kind in listing.kinds)
        and all(getattr(listing, n) in (None, getattr(row, n)) for n in exact)
        and all(getattr(listing, n) in (None, *values) for n, values in inside.items())
        and (listing.least_access is None or row.access_count >= listing.least_access)
        and (listing.least_utility is None or row.utility >= listing.least_utility)
        and (
            listing.least_priority is None
            or PRIORITY_RANK[row.priority] >= PRIORITY_RANK[listing.least_priority]
        )
        and (listing.since is None or row.valid_from >= listing.since)
        and (listing.until is None or row.valid_from < listing.until)
    )


def _bm25(term: Term, bag: Counter[str], frequency: int, documents: int) -> float:
    rarity = math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
    often, length = bag[term.term], sum(bag.values())
    return term.weight * rarity * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * length / 8))


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    product = sum(x * y for x, y in zip(left, right, strict=True))
    return product / (math.hypot(*left) * math.hypot(*right) or 1.0)


def _light(
    row: Memory,
    seq: int,
    vectors: dict[str, VectorRow],
    cosine: float | None,
    beside: tuple[str | None, str | None],
) -> Candidate:
    own = {name: getattr(row, name) for name in Candidate.__struct_fields__ if hasattr(row, name)}
    seen = imprint(row.content, analyse(row.content))
    told = {
        "seq": seq,
        "session": row.scope.session,
        "words": seen.codes,
        "length": seen.tokens,
        "content": seen.content,
        "asks": seen.asks,
        "timed": seen.timed,
        "tokens": b"".join(vector.tokens for vector in vectors.values()),
        "cosine": cosine,
        "previous_id": beside[0],
        "next_id": beside[1],
    }
    return Candidate(**(own | told))
