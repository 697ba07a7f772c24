"""What the suite writes: memories, views, hostile names, and strategies for all of them."""

import math
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from engraphy.model.kinds import (
    DataSource,
    EmotionCategory,
    Evidence,
    Kind,
    Origin,
    Priority,
    Sensitivity,
    State,
    SubTier,
    TemporalScale,
    TemporalType,
    Tier,
    WriteSource,
)
from engraphy.model.memory import Channels, MICROSECONDS_PER_DAY, Memory
from engraphy.model.query import View
from engraphy.model.scope import Scope, Tenant

T0 = 1_767_225_600_000_000
DAY = MICROSECONDS_PER_DAY
TENANT = Tenant("main")
HERE = Scope(tenant=TENANT)
MODEL = "toy-1"

HOSTILE = ("a", "A", "a%", "a_", "ab", "ａ", "a/", "*", "", "' OR 1=1--", '"', "a\nb", "null", "0")
"""Names that a careless filter takes for one another, for a pattern, or for SQL."""

EVERY_STATE = frozenset(State)
EVERY_SENSITIVITY = frozenset(Sensitivity)

PROPERTY = settings(
    max_examples=min(25, settings().max_examples),
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.differing_executors,
        HealthCheck.too_slow,
    ],
)
"""Fewer where the run's own profile has fewer. Examples share one store: each takes a tenant of its
own, which is the strongest wall. They are small by themselves, and a store that fills up would make
shrinking slow."""


def made(id: str, content: str = "", **fields: Any) -> Memory:
    """A memory that is complete enough to be stored; its content is unique to its id."""
    when = {"valid_from": T0, "recorded_at": T0, "updated_at": T0}
    return Memory(id=id, content=content or f"content of {id}", **({"scope": HERE} | when | fields))


def seen_from(scope: Scope = HERE, **fields: Any) -> View:
    """A view of one day after T0."""
    fields.setdefault("now", T0 + DAY)
    return View(scope=scope, **fields)


def wide(scope: Scope = HERE, **fields: Any) -> View:
    """A view of every state and sensitivity."""
    return seen_from(scope, states=EVERY_STATE, sensitivities=EVERY_SENSITIVITY, **fields)


def full(id: str = "full") -> Memory:
    """A memory with every field away from its default."""
    return replace(
        _told_fully(id),
        importance=0.1 + 0.2,
        channels=Channels(novelty=0.125, arousal=0.25, reward=0.375, attention=1.0),
        utility=1 / 3,
        valence=-0.75,
        emotional_arousal=0.6,
        emotion=EmotionCategory.DISGUST,
        flashbulb=True,
        stability=36_500.0,
        difficulty=9.99,
        storage_strength=7.5,
        retrieval_loss=0.3,
        tier=Tier.SEMANTIC,
        sub_tier=SubTier.PROCEDURAL,
        temporal_scale=TemporalScale.PROJECT,
        state=State.DORMANT,
        pinned=True,
        immutable=True,
        temporal_type=TemporalType.TIME_BOUNDED,
        valid_from=T0 - 5 * DAY,
        valid_until=T0 + 50 * DAY,
        expires_at=T0 + 60 * DAY,
        recorded_at=T0 - 1,
        updated_at=T0 + 1,
        last_accessed_at=T0 + 2,
        last_decayed_at=T0 + 3,
        last_reinforced_at=T0 + 4,
        last_rehearsed_at=T0 + 5,
        last_strengthened_at=T0 + 6,
        last_drifted_at=T0 + 7,
        access_count=5,
        settled_access_count=3,
        reinforcement_count=6,
        success_count=7,
        failure_count=8,
        superseded_by="newer",
        supersedes="older",
        version=9,
    )


def _told_fully(id: str) -> Memory:
    return Memory(
        id=id,
        scope=Scope(tenant=TENANT, user="u", agent="g", project="p", session="s", conversation="s"),
        content="Ünïcode “quotes” 記憶 🧠\n\ttab, 'single', \"double\", %_*\\",
        kind=Kind.PITFALL,
        title="title",
        subtitle="subtitle",
        context="context",
        category="category",
        speaker="Zoë",
        tags=("b", "a", "with space", 'quote"', "comma,"),
        concepts=("c1", "c2"),
        entities=("entity://tech/python", "entity://person/zoe"),
        files_read=("src/a.py",),
        files_modified=("src/b.py", "src/ç.py"),
        scope_globs=("src/**", "*.md"),
        metadata=(("z", "1"), ("a", "2"), ("", "")),
        priority=Priority.CRITICAL,
        discovery_tokens=1234,
        origin=Origin.WEB,
        write_source=WriteSource.OBSERVER,
        data_source=DataSource.TOOL_OUTPUT,
        evidence=Evidence.QUOTED,
        source_ids=("other-1", "other-2"),
        trust=0.4,
        source_confidence=0.9,
        sensitivity=Sensitivity.SECRET,
    )


_words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
_several = st.lists(_words, max_size=3, unique=True).map(tuple)
_share = st.floats(0.0, 1.0)
_counts = st.integers(0, 2**40)
_moments = st.integers(T0 - 20_000 * DAY, T0 + 20_000 * DAY)
_maybe = st.none() | _moments
_names = st.none() | st.sampled_from(HOSTILE)


def contents() -> st.SearchStrategy[str]:
    """Any text that is not blank; NUL and lone surrogates never reach a store."""
    return _words.filter(lambda text: bool(text.strip())) | st.text("ab %_*\"'", min_size=1).map(
        lambda text: f"x{text}"
    )


def scopes(tenant: Tenant) -> st.SearchStrategy[Scope]:
    """Scopes of one tenant with hostile names on every wall."""
    return st.builds(
        Scope, tenant=st.just(tenant), user=_names, agent=_names, project=_names, session=_names
    )


def vectors(dim: int = 8) -> st.SearchStrategy[tuple[float, ...]]:
    """Vectors of length 1."""
    numbers = st.lists(st.floats(-1.0, 1.0, width=32), min_size=dim, max_size=dim)
    return numbers.filter(lambda xs: math.hypot(*xs) > 0.1).map(
        lambda xs: tuple(x / math.hypot(*xs) for x in xs)
    )


@st.composite
def memories(draw: st.DrawFn, id: str, tenant: Tenant = TENANT) -> Memory:
    """Any memory the model allows, in any state."""
    return replace(
        draw(_described(id, tenant)),
        channels=Channels(*(draw(_share) for _ in Channels._fields)),
        stability=draw(st.floats(0.001, 36_500.0)),
        difficulty=draw(st.floats(1.0, 10.0)),
        storage_strength=draw(st.floats(1.0, 10.0)),
        valence=draw(st.floats(-1.0, 1.0)),
        valid_until=draw(_maybe),
        expires_at=draw(_maybe),
        last_accessed_at=draw(_maybe),
        last_decayed_at=draw(_maybe),
        last_reinforced_at=draw(_maybe),
        last_rehearsed_at=draw(_maybe),
        last_strengthened_at=draw(_maybe),
        last_drifted_at=draw(_maybe),
        version=draw(st.integers(1, 1000)),
    )


def _described(id: str, tenant: Tenant) -> st.SearchStrategy[Memory]:
    vocabularies = {
        "kind": Kind,
        "priority": Priority,
        "origin": Origin,
        "write_source": WriteSource,
        "data_source": DataSource,
        "evidence": Evidence,
        "sensitivity": Sensitivity,
        "emotion": EmotionCategory,
        "tier": Tier,
        "sub_tier": SubTier,
        "temporal_scale": TemporalScale,
        "state": State,
        "temporal_type": TemporalType,
    }
    texts = ("title", "subtitle", "context", "category", "speaker")
    lists = ("tags", "concepts", "entities", "files_read", "files_modified", "scope_globs")
    shares = ("trust", "source_confidence", "importance", "utility", "emotional_arousal")
    counts = ("discovery_tokens", "access_count", "reinforcement_count", "success_count")
    fields: dict[str, st.SearchStrategy[Any]] = {
        **{name: st.sampled_from(list(values)) for name, values in vocabularies.items()},
        **dict.fromkeys(texts, _words),
        **dict.fromkeys(lists, _several),
        **dict.fromkeys(shares, _share),
        **dict.fromkeys(counts, _counts),
        **dict.fromkeys(("flashbulb", "pinned", "immutable"), st.booleans()),
        **dict.fromkeys(("valid_from", "recorded_at", "updated_at"), _moments),
        "metadata": st.dictionaries(_words, _words, max_size=3).map(lambda d: tuple(d.items())),
        "failure_count": _counts,
        "retrieval_loss": _share,
        "source_ids": _several,
    }
    return st.builds(Memory, id=st.just(id), scope=scopes(tenant), content=contents(), **fields)
