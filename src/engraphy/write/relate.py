"""Which memories near a new one it is related to, and how (D-13), without a model."""

from collections.abc import Collection, Iterator, Sequence

from engraphy.model import Memory, Near, Relation, RelationType
from engraphy.profile import Relate
from engraphy.text.causes import Causal, causal, content_stems
from engraphy.write.near import overlap


def related(
    new: Memory, near: Sequence[Near], taken: Collection[str], knobs: Relate, now: int
) -> Iterator[Relation]:
    """At most `knobs.most` relations of `new` to what stands near it, nearest first, one of each
    memory; `taken` are the ids that it is related to already."""
    said = causal(new.content) if knobs.causes else None
    left = knobs.most
    for one in near:
        if not left:
            return
        if one.memory.id in taken or one.memory.id == new.id:
            continue
        found = _caused(new, one.memory, said, knobs, now) or _alike(new, one.memory, knobs, now)
        if found is not None:
            left -= 1
            yield found


def _alike(new: Memory, other: Memory, knobs: Relate, now: int) -> Relation | None:
    """By the document's three heuristics, the first that holds: shared entities, words with an
    entity, words with the category."""
    shared = len(set(new.entities) & set(other.entities))
    words = overlap(new.content, other.content)
    if shared >= knobs.same_entity_from:
        return _relation(new.id, other.id, RelationType.SAME_ENTITY, knobs.same_entity, now)
    if shared and words > knobs.elaborates_above:
        return _relation(new.id, other.id, RelationType.ELABORATES, knobs.elaborates, now)
    if new.kind is other.kind and words > knobs.related_above:
        return _relation(new.id, other.id, RelationType.RELATED_TO, knobs.related_to, now)
    return None


def _caused(
    new: Memory, other: Memory, said: Causal | None, knobs: Relate, now: int
) -> Relation | None:
    """Where one of the two names a cause and an effect and the other tells one of these."""
    if not knobs.causes:
        return None
    if said is not None:
        part = _told(said, other.content, knobs.causes_from)
        if part is not None:
            ends = (other.id, new.id) if part == "cause" else (new.id, other.id)
            return _relation(*ends, RelationType.CAUSES, knobs.causes, now)
    held = causal(other.content)
    part = None if held is None else _told(held, new.content, knobs.causes_from)
    if part is None:
        return None
    ends = (new.id, other.id) if part == "cause" else (other.id, new.id)
    return _relation(*ends, RelationType.CAUSES, knobs.causes, now)


def _told(said: Causal, text: str, least: float) -> str | None:
    """Which part of a causal statement another text tells, if it tells enough of one of them."""
    words = content_stems(text)
    shares = {name: _share(content_stems(getattr(said, name)), words) for name in Causal._fields}
    best = max(shares, key=lambda name: shares[name])
    if shares[best] < least or shares["cause"] == shares["effect"]:
        return None
    return best


def _share(part: frozenset[str], words: frozenset[str]) -> float:
    return len(part & words) / len(part) if part else 0.0


def _relation(source: str, target: str, kind: RelationType, share: float, now: int) -> Relation:
    return Relation(source_id=source, target_id=target, type=kind, confidence=share, created_at=now)
