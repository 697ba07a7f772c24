"""A hit's score taken apart: what each signal gave, what was added, what multiplied it."""

from collections.abc import Mapping
from typing import NamedTuple

from engraphy.dashboard.charts import Piece, stack
from engraphy.model import Hit
from engraphy.profile import Profile, Score
from engraphy.read.signals import SIGNALS
from engraphy.record import Record

_ROUNDED = 0.001
_RELEVANCE = "relevance."
_ROUTE = "route: "


class Part(NamedTuple):
    """One signal of a score: its value in [0, 1], its weight, and the product of both."""

    name: str
    value: float
    weight: float
    share: float


class Dissected(Record, frozen=True, kw_only=True):
    """A hit with its parts. `pieces`: signals and additions beside one another, of what is
    attainable; `relevance`: what the relevance is made of; `beside`: everything else, by name."""

    hit: Hit
    parts: tuple[Part, ...]
    pieces: tuple[Piece, ...]
    attainable: float
    relevance: tuple[tuple[str, float], ...]
    added: tuple[tuple[str, float], ...]
    factors: tuple[tuple[str, float], ...]
    beside: tuple[tuple[str, float], ...]


def dissected(hit: Hit, profile: Profile) -> Dissected:
    """A hit taken apart by the weights that its query was scored with."""
    signals = {name: share for name, share in hit.why.items() if name in SIGNALS}
    weights = _weights(signals, profile.score)
    rest = {name: value for name, value in hit.why.items() if name not in signals}
    added = _with(rest, "+ ")
    attainable = sum(weights.values()) or 1.0
    return Dissected(
        hit=hit,
        parts=tuple(_part(name, share, weights.get(name, 0.0)) for name, share in signals.items()),
        pieces=tuple(stack({**signals, **dict(added)}, tuple(SIGNALS), attainable)),
        attainable=attainable,
        relevance=_with(rest, _RELEVANCE),
        added=added,
        factors=(*_with(rest, "x "), *((f"÷ {name}", x) for name, x in _with(rest, "/ "))),
        beside=tuple(
            (name, value)
            for name, value in rest.items()
            if not name.startswith(("+ ", "x ", "/ ", _RELEVANCE))
        ),
    )


def _part(name: str, share: float, weight: float) -> Part:
    return Part(name, min(1.0, share / weight) if weight else 0.0, weight, share)


def _with(rest: Mapping[str, float], beginning: str) -> tuple[tuple[str, float], ...]:
    return tuple(
        (name.removeprefix(beginning), value)
        for name, value in rest.items()
        if name.startswith(beginning)
    )


def _weights(signals: Mapping[str, float], knobs: Score) -> dict[str, float]:
    """The weights that these shares come from: the usual ones, or, where a share is more than they
    could give, those for queries without vectors; of signals that were measured."""
    for told in (knobs.weights, knobs.without_vectors):
        weights = {str(name): weight for name, weight in told.items() if name in signals}
        if weights and all(
            share <= weights.get(name, 0.0) + _ROUNDED for name, share in signals.items()
        ):
            return weights
    return {str(name): weight for name, weight in knobs.weights.items() if name in signals}
