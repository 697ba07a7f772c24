"""What may leave for others, and as what it arrives there (D-70)."""

from dataclasses import replace

from engraphy.model import (
    DataSource,
    Evidence,
    Memory,
    ORIGIN_TRUST,
    Origin,
    Sensitivity,
    State,
    SubTier,
    WriteSource,
)
from engraphy.model.federating import Publication, Subscription, vicarious
from engraphy.text.cues import reminds
from engraphy.text.moments import iso

_SAID = (
    "content", "title", "subtitle", "kind", "category", "speaker", "tags", "concepts", "entities",
    "files_read", "files_modified", "scope_globs", "priority", "importance", "channels", "valence",
    "emotional_arousal", "emotion", "temporal_type", "valid_from", "valid_until", "expires_at",
)  # fmt: skip
"""What a copy takes over. Not the context, the metadata and the sources, which tell of others."""


def admits(publication: Publication, memory: Memory, now: int) -> bool:
    """Whether a publication shares a memory: what its filter names of what stands in exactly its
    walls, is public and current, and its owner's own. What is known from others is never passed
    on, so that it ends where its own source says."""
    return (
        _shareable(memory, now)
        and _behind(publication, memory)
        and (not publication.kinds or memory.kind in publication.kinds)
        and (not publication.origins or memory.origin in publication.origins)
        and (not publication.tags or not set(publication.tags).isdisjoint(memory.tags))
    )


def _shareable(memory: Memory, now: int) -> bool:
    own = not vicarious(memory) and memory.origin is not Origin.FEDERATION
    return (
        own
        and memory.sensitivity is Sensitivity.PUBLIC
        and memory.state is State.ACTIVE
        and memory.evidence is not Evidence.RETRACTED
        and not reminds(memory)
        and not over(memory, now)
    )


def over(memory: Memory, now: int) -> bool:
    """Whether a moment has passed at which a memory was said to end."""
    ends = (memory.expires_at, memory.valid_until)
    return any(end is not None and end <= now for end in ends)


def _behind(publication: Publication, memory: Memory) -> bool:
    scope = memory.scope
    same = (scope.tenant, scope.user, scope.agent, scope.conversation)
    own = (publication.tenant, publication.user, publication.agent, None)
    return same == own and scope.project in (publication.projects or (None,))


def copied(
    memory: Memory, publication: Publication, subscription: Subscription, *, id: str, now: int
) -> Memory:
    """The copy that waits at a receiver: quoted, so that it states no fact, is condensed into
    nothing and contradicts nobody; trusted as federation is; with where it comes from beside it."""
    told = {name: getattr(memory, name) for name in _SAID}
    came = (
        ("source_tenant", str(publication.tenant)),
        ("source_agent", publication.agent or ""),
        ("source_id", memory.id),
        ("source_origin", memory.origin.value),
        ("publication", publication.id),
    )
    return Memory(
        **told,
        id=id,
        scope=subscription.scope,
        metadata=tuple(pair for pair in came if pair[1]),
        origin=Origin.FEDERATION,
        write_source=WriteSource.IMPORT,
        data_source=DataSource.FEDERATION,
        evidence=Evidence.QUOTED,
        sub_tier=SubTier.VICARIOUS,
        trust=min(memory.trust, ORIGIN_TRUST[Origin.FEDERATION]),
        source_confidence=memory.source_confidence,
        state=State.QUARANTINED,
        recorded_at=now,
        updated_at=now,
    )


def why_waits(memory: Memory, due_at: int) -> str:
    """Why a copy waits, in words."""
    came = dict(memory.metadata)
    agent = f"agent {came['source_agent']} of " if "source_agent" in came else ""
    return f"it came from {agent}tenant {came['source_tenant']} and waits until {iso(due_at)}"


def released(memory: Memory) -> Memory:
    """A copy whose quarantine is over."""
    return replace(memory, state=State.ACTIVE)
