"""The knobs of what is made of a question before anything is searched."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.model import Kind
from engraphy.profile.knobs import Section, Unit
from engraphy.profile.links import IntentName


class Route(Section, frozen=True):
    """How a question of one intent is searched (D-21)."""

    intent: IntentName
    """What a question is after, by its key words, or by a model where `model.skills` names it."""
    vector: Unit
    """What the list found by vector counts where ranks are fused, and vectors and soft matches
    where shares are; .5 = as everywhere else."""
    text: Unit
    """The same for what full text found."""
    limit: Annotated[int, Meta(ge=1, le=1_000)]
    """The most hits where a caller names no limit."""
    sort: Literal["score", "newest", "utility"]
    """The order of the hits that are delivered: by score, by when they began to hold, the latest
    first, or by their utility."""
    superseded: bool
    """What was superseded is found too."""
    kinds: list[Kind]
    """Only memories of these kinds are found, unless none answers or a caller names others;
    empty = every kind."""


class Questions(Section, frozen=True):
    """What is made of a question before anything is searched (D-21, D-22, D-23)."""

    routes: list[Route]
    """By what a question is after; an intent without a route is searched as all are."""
    kinds_from: Unit
    """Confidence from which a memory of a route's kinds answers that holds no word of the question;
    where none answers, every kind is looked at."""
    sorted_from: Unit
    """Share of the best hit's confidence from which a hit is put into the order of its route; those
    below stay behind, by score."""
    parts: Annotated[int, Meta(ge=1, le=4)]
    """Into so many questions of its own a compound one is taken apart; 1 = it is asked whole."""
    hypotheses: Annotated[int, Meta(ge=0, le=3)]
    """So many hypothetical answers are embedded with a question; 0 = the question alone."""
