"""How much a draft matters: four channels, a boost by kind, flashbulbs (D-10, D-12)."""

from collections.abc import Sequence
from typing import NamedTuple

from engraphy.formulas import (
    flashbulb_importance,
    importance_score,
    priority_level,
    strengthened_stability,
)
from engraphy.model import Channels, Draft, EmotionCategory, Memory, Near, Priority, moved
from engraphy.profile import Weigh
from engraphy.text.emotion import emotion
from engraphy.text.urgency import urgency
from engraphy.write.given import Given, kind_priority

_NEUTRAL = 0.5


class Fixed(NamedTuple):
    """What a caller gave and is not worked out: the importance; the priority, or a kind that has
    its own."""

    importance: bool = False
    priority: bool = False


def weighed(
    draft: Draft, near: Sequence[Near], knobs: Weigh, fixed: Fixed, surprise: float | None = None
) -> Memory:
    """The draft's memory with its importance, but for what is `fixed`; `surprise` is the blend of
    the gate, None where there is none."""
    feeling = emotion(draft.memory.content)
    channels = Channels(
        novelty=1.0 - max((one.similarity for one in near), default=0.0),
        arousal=max(feeling.arousal, urgency(draft.memory.content)),
        reward=_reward(near),
        attention=_attention(draft, near),
    )
    memory = moved(
        draft.memory,
        channels=channels,
        valence=feeling.valence,
        emotional_arousal=feeling.arousal,
        emotion=EmotionCategory(feeling.category),
        stability=knobs.initial_stability,
        utility=knobs.initial_utility,
    )
    if not fixed.importance:
        memory = moved(memory, importance=_importance(memory, knobs, surprise))
    if feeling.arousal >= knobs.flashbulb_from:
        memory = _flashbulb(memory, knobs)
    if knobs.priority == "importance" and not fixed.priority:
        level = priority_level(importance=memory.importance)
        memory = moved(memory, priority=Priority(level))
    return memory


def reranked(memory: Memory, wanted: Given, knobs: Weigh) -> Memory:
    """A memory that was given another importance, with the priority that follows from it where the
    profile has it so (D-10); a priority of the caller's own stays."""
    told = isinstance(wanted.importance, float | int) and not wanted.urgent
    own = kind_priority(memory.kind) is Priority.CRITICAL
    if not told or own or knobs.priority != "importance":
        return memory
    return moved(memory, priority=Priority(priority_level(importance=memory.importance)))


def _importance(memory: Memory, knobs: Weigh, surprise: float | None) -> float:
    if knobs.importance == "gate" and surprise is not None:
        return surprise
    return _composite(memory, knobs)


def _composite(memory: Memory, knobs: Weigh) -> float:
    wanted = knobs.kind_boost.get(memory.kind.value, 1.0)
    return importance_score(
        novelty=memory.channels.novelty,
        arousal=memory.channels.arousal,
        reward=memory.channels.reward,
        attention=memory.channels.attention,
        boost=min(knobs.boost_max, max(knobs.boost_min, wanted)),
        weights={
            "novelty": knobs.novelty,
            "arousal": knobs.arousal,
            "reward": knobs.reward,
            "attention": knobs.attention,
        },
    )


def _flashbulb(memory: Memory, knobs: Weigh) -> Memory:
    return moved(
        memory,
        flashbulb=True,
        pinned=True,
        importance=flashbulb_importance(
            importance=memory.importance, floor=knobs.flashbulb_importance
        ),
        stability=strengthened_stability(
            stability=memory.stability, factor=knobs.flashbulb_stability
        ),
    )


def _attention(draft: Draft, near: Sequence[Near]) -> float:
    """Relevance to what the session is about: the nearest memory of the same session."""
    session = draft.memory.scope.session
    of_session = [n.similarity for n in near if session and n.memory.scope.session == session]
    return max(of_session, default=_NEUTRAL)


def _reward(near: Sequence[Near]) -> float:
    """How useful similar information has been: the utility of what stands near, by similarity."""
    total = sum(one.similarity for one in near)
    if total <= 0.0:
        return _NEUTRAL
    return sum(one.similarity * one.memory.utility for one in near) / total
