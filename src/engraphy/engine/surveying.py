"""A look at every memory of a tenant, in batches; nothing is changed and nothing is accessed."""

from collections import Counter
from collections.abc import Iterator
from zlib import crc32

from engraphy.dream.strength import days_since_access, retention
from engraphy.engine.manage import whole
from engraphy.engine.parts import Engine
from engraphy.model import LineFilter, MICROSECONDS_PER_DAY, Memory, State, View
from engraphy.model.survey import Retained, Survey

_BATCH = 1_000
_SAMPLE = 300
_STEPS = 10
_READS = frozenset({"tier", "recorded_at", "last_accessed_at", "stability", "retrieval_loss"})


def survey(engine: Engine) -> Survey:
    """How the memories of the engine's tenant stand now."""
    now, curve = engine.clock(), engine.profile.dream.decay.curve
    states, tiers = Counter[str](), Counter[str]()
    strengths, sample = [0] * _STEPS, list[tuple[int, Retained]]()
    for memory in _every(engine):
        states[memory.state.value] += 1
        if memory.state is not State.ACTIVE:
            continue
        tiers[memory.tier.value] += 1
        strengths[min(int(retention(memory, curve, now) * _STEPS), _STEPS - 1)] += 1
        sample.append((crc32(memory.id.encode()), _held(memory, now)))
        if len(sample) > 4 * _SAMPLE:
            sample = sorted(sample)[:_SAMPLE]
    return Survey(
        at=now,
        curve=curve,
        total=states.total(),
        by_state=dict(states),
        by_tier=dict(tiers),
        by_strength=tuple(strengths),
        sample=tuple(held for _, held in sorted(sample)[:_SAMPLE]),
    )


def latest(engine: Engine) -> int:
    """The number of the last line of the tenant's journal, 0 where there is none."""
    last = engine.store.past(engine.tenant, LineFilter(limit=1))
    return last[0].entry.seq if last else 0


def arrivals(engine: Engine, view: View, days: int) -> list[tuple[int, int]]:
    """(Beginning of the day, memories recorded on it) of so many days, today's last."""
    start = (view.now // MICROSECONDS_PER_DAY - days + 1) * MICROSECONDS_PER_DAY
    found = dict(engine.store.arrivals(whole(view), start, MICROSECONDS_PER_DAY))
    return [(start + day * MICROSECONDS_PER_DAY, found.get(day, 0)) for day in range(days)]


def _every(engine: Engine) -> Iterator[Memory]:
    for scope, _ in engine.store.scopes(engine.tenant):
        after = 0
        while rows := engine.store.walk(
            scope, tuple(State), after=after, limit=_BATCH, fields=_READS
        ):
            yield from (memory for _, memory in rows)
            after = rows[-1][0]


def _held(memory: Memory, now: int) -> Retained:
    return Retained(
        id=memory.id,
        tier=memory.tier.value,
        age_days=days_since_access(memory, now),
        stability=memory.stability,
        loss=memory.retrieval_loss,
    )
