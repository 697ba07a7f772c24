"""Which hits a layer of an injected block may take, in which order, from which temporal scale."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engraphy.formulas import (
    contextual_score,
    elapsed_days,
    half_life_decay,
    reaches,
    reinforcement_factor,
    temporal_scale,
)
from engraphy.model import Hit, LeftOut, Memory, PRIORITY_RANK, Priority
from engraphy.profile import Inject, Layer
from engraphy.record import Record

_MOST_CONTEXTUAL = 4.0
_MINUTES_PER_DAY = 1_440.0
_SCALES = ("immediate", "task", "session", "project")


class Offer(Record, frozen=True, kw_only=True):
    """What a layer chooses from: groups of hits, each with its places, best first; what was not
    good enough for it."""

    groups: tuple[tuple[int, tuple[Hit, ...]], ...]
    left: tuple[LeftOut, ...]


def offer(hits: Sequence[Hit], layer: Layer, knobs: Inject, now: int) -> Offer:
    """The hits of a layer's source that belong in it, ordered, by temporal scale where it has
    any."""
    fitting: list[Hit] = []
    left: list[LeftOut] = []
    for hit in hits:
        scored = _contextual(hit, knobs, now) if layer.score == "contextual" else hit
        reason = _unfit(scored, layer)
        if reason is None:
            fitting.append(scored)
        else:
            left.append(replace(reason, memory_id=hit.memory.id))
    fitting.sort(key=_ORDERS[layer.order])
    return Offer(groups=tuple(_groups(fitting, layer, knobs, now)), left=tuple(left))


def _groups(
    hits: Sequence[Hit], layer: Layer, knobs: Inject, now: int
) -> Iterator[tuple[int, tuple[Hit, ...]]]:
    if not layer.scales:
        yield layer.quota, tuple(hits)
        return
    by_scale: dict[str, list[Hit]] = {name: [] for name in _SCALES}
    for hit in hits:
        by_scale[scale(hit.memory, knobs, now)].append(hit)
    quotas = {str(name): places for name, places in layer.scales.items()}
    for name in _SCALES:
        yield quotas.get(name, 0), tuple(by_scale[name])


def scale(memory: Memory, knobs: Inject, now: int) -> str:
    """The temporal scale of a memory (A-17): that of its age, or the one it was promoted to: by
    maintenance, or by the deliveries that maintenance has not seen yet."""
    written = min(memory.recorded_at, memory.valid_from)
    minutes = elapsed_days(now=now, then=written) * _MINUTES_PER_DAY
    by_age = _SCALES.index(temporal_scale(age_minutes=minutes))
    promoted = _SCALES.index(memory.temporal_scale.value)
    if knobs.promote_every:
        promoted = max(promoted, memory.access_count // knobs.promote_every)
    return _SCALES[min(max(by_age, promoted), len(_SCALES) - 1)]


def contextual(memory: Memory, knobs: Inject, now: int) -> float:
    """The score of layer B (B-04), in [0, 4]: kind weight x decay x reinforcement.

    The decay halves with every `half_life_days` since the last access, re-statement or change; a
    delivery reinforces as a re-statement does.
    """
    weights = knobs.type_weights
    fresh = max(
        memory.recorded_at,
        memory.updated_at,
        memory.last_accessed_at or 0,
        memory.last_reinforced_at or 0,
    )
    idle = elapsed_days(now=now, then=fresh)
    count = memory.access_count + memory.reinforcement_count
    return contextual_score(
        type_weight=weights.get(memory.kind.value, weights.get("fact", 1.0)),
        decay=half_life_decay(age=idle, half_life=knobs.half_life_days),
        reinforcement=reinforcement_factor(count=count),
    )


def _contextual(hit: Hit, knobs: Inject, now: int) -> Hit:
    # Rounded, so that seconds between two memories never decide which of them comes first.
    value = round(contextual(hit.memory, knobs, now), 4)
    share = min(1.0, value / _MOST_CONTEXTUAL)
    return replace(hit, score=share, why={**hit.why, "contextual": value})


def _unfit(hit: Hit, layer: Layer) -> LeftOut | None:
    memory = hit.memory
    if layer.kinds and memory.kind.value not in layer.kinds:
        return LeftOut(stage="layer", detail=f"{layer.name} takes no {memory.kind.value}")
    if PRIORITY_RANK[memory.priority] < PRIORITY_RANK[Priority(layer.min_priority)]:
        detail = f"{layer.name} takes {layer.min_priority} priority; it is {memory.priority.value}"
        return LeftOut(stage="layer", detail=detail)
    value = hit.why["contextual"] if layer.score == "contextual" else hit.score
    if not reaches(score=value, threshold=layer.min_score):
        detail = f"its score {value:.3f} is below {layer.min_score:g}, the least of {layer.name}"
        return LeftOut(stage="threshold", detail=detail)
    return None


def _by_score(hit: Hit) -> tuple[float, ...]:
    return (-hit.score,)


def _by_priority(hit: Hit) -> tuple[float, ...]:
    return (-PRIORITY_RANK[hit.memory.priority], -hit.score)


def _proven_first(hit: Hit) -> tuple[float, ...]:
    return (hit.memory.success_count == 0, -hit.score)


def _by_utility(hit: Hit) -> tuple[float, ...]:
    return (-hit.memory.utility,)


_ORDERS = {
    "score": _by_score,
    "priority": _by_priority,
    "proven": _proven_first,
    "utility": _by_utility,
}
