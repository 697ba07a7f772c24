"""The knobs of a second look at the best."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.profile.knobs import Section, Unit


class Reranking(Section, frozen=True):
    """How far a reranker is heeded (`engraphy.read.rerank`); without one nothing here counts."""

    most: Annotated[int, Meta(ge=0, le=200)]
    """How many of the best it reads; 0 = none, it is never asked."""
    weight: Unit
    """What its score counts beside ours, both spread over [0, 1]; 1 = its order alone."""
    chars: Annotated[int, Meta(ge=1, le=100_000)]
    """How much of each text it is given."""
    most_sensitive: Literal["public", "private", "secret"]
    """What is more sensitive is never given to it, and keeps its score."""
