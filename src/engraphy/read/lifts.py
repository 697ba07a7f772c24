"""What is added to a candidate's blend of signals, and what it is multiplied with (D-24).

The most that a candidate of the query reaches of each is known, and the score is divided by it, so
that scores stay in [0, 1] (R-11) and the best of everything still scores 1 (D-27).
"""

from collections.abc import Mapping, Sequence

from engraphy.formulas import (
    boosted_score,
    co_activation_boost,
    entity_boost,
    episode_boost,
    mood_factor,
    utility_boost,
)
from engraphy.model import Candidate, Intent
from engraphy.profile import Boost
from engraphy.record import Record
from engraphy.text.emotion import emotion
from engraphy.text.entities import entities
from engraphy.text.intents import intent

Parts = Mapping[str, float]
_FELT = 0.1
"""A valence nearer to 0 than this is no mood."""


class Lift(Record, frozen=True, kw_only=True):
    """What is added to one candidate and what multiplies it, by name; `attainable`: what the
    score is divided by, the same for all candidates of a query."""

    added: Parts
    factors: Parts
    attainable: float

    def of(self, score: float) -> float:
        """The score with all of it, in [0, 1] where `score` is."""
        raised = boosted_score(
            score=score,
            additions=tuple(self.added.values()),
            factors=tuple(self.factors.values()),
        )
        return raised / self.attainable


class Asking(Record, frozen=True, kw_only=True):
    """What a question brings along: its text, the session it is asked in, ids of what is often
    delivered together with something found, and the names of the signals that count."""

    text: str
    session: str | None
    together: frozenset[str]
    signals: frozenset[str]
    intent: Intent | None = None


def lifts(candidates: Sequence[Candidate], asking: Asking, knobs: Boost) -> dict[str, Lift]:
    """The lift of each candidate by its id; empty where the profile lifts nothing."""
    if _neutral(knobs):
        return {}
    named = frozenset(one.uri for one in entities(asking.text)) if knobs.entity else frozenset()
    counted = 0.0 if "utility" in asking.signals else _by_intent(asking, knobs)
    mood = emotion(asking.text).valence if knobs.mood != 1.0 else 0.0
    added = [_added(one, asking, named, counted, knobs) for one in candidates]
    tiers: Parts = {str(name): gain for name, gain in knobs.sub_tiers.items()}
    factors = [_factors(one, mood, tiers, knobs) for one in candidates]
    most = boosted_score(score=1.0, additions=_most(added, 0.0), factors=_most(factors, 1.0))
    return {
        one.id: Lift(added=more, factors=times, attainable=most)
        for one, more, times in zip(candidates, added, factors, strict=True)
    }


def _neutral(knobs: Boost) -> bool:
    added = (knobs.entity, knobs.episode, knobs.together, *knobs.utility.values())
    factors = (knobs.mood, *knobs.sub_tiers.values())
    return not any(added) and all(factor == 1.0 for factor in factors)


def _by_intent(asking: Asking, knobs: Boost) -> float:
    if not knobs.utility:
        return 0.0
    wanted = (asking.intent or intent(asking.text)).value
    return next((share for name, share in knobs.utility.items() if name == wanted), 0.0)


def _added(
    one: Candidate, asking: Asking, named: frozenset[str], counted: float, knobs: Boost
) -> Parts:
    # Only what is there: it runs for every candidate of every query.
    parts: dict[str, float] = {}
    matches = len(named.intersection(one.entities)) if named else 0
    if matches:
        parts["entity"] = entity_boost(matches=matches, each=knobs.entity)
    if asking.session is not None and one.session == asking.session:
        parts["episode"] = episode_boost(same_session=True, boost=knobs.episode)
    if one.id in asking.together:
        least = knobs.together_from
        parts["together"] = co_activation_boost(count=least, threshold=least, boost=knobs.together)
    if counted:
        parts["utility"] = utility_boost(utility=one.utility, boost=counted)
    return parts


def _factors(one: Candidate, mood: float, tiers: Parts, knobs: Boost) -> Parts:
    parts: dict[str, float] = {}
    tier = tiers.get(one.sub_tier, 1.0)
    if tier != 1.0:
        parts["sub-tier"] = tier
    if min(abs(mood), abs(one.valence)) >= _FELT and (mood > 0.0) == (one.valence > 0.0):
        parts["mood"] = mood_factor(same_mood=True, factor=max(1.0, knobs.mood))
    return parts


def _most(rows: Sequence[Parts], least: float) -> list[float]:
    """The most of each part that any row has, at least what a row without it counts as."""
    most: dict[str, float] = {}
    for row in rows:
        for name, value in row.items():
            most[name] = max(value, most.get(name, least))
    return list(most.values())
