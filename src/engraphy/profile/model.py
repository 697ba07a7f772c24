"""The knobs of a language model, where one is configured (R-12)."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.profile.knobs import Count, Section


class Model(Section, frozen=True):
    """A language model, where one is configured: what it is asked, and what it may cost (R-12)."""

    skills: list[
        Literal[
            "formation",
            "contradiction",
            "summary",
            "title",
            "intent",
            "hypotheses",
            "consolidation",
            "abstraction",
        ]
    ]
    """What it is asked for before the rules; without a model these are always the rules'."""
    timeout_seconds: Annotated[float, Meta(gt=0.0, le=600.0)]
    """For one question with everything that belongs to it: retries, and one more try."""
    retries: Annotated[int, Meta(ge=0, le=10)]
    """Further attempts where a server is busy or failing."""
    prompt_tokens: Annotated[int, Meta(ge=0, le=1_000_000)]
    """Longer questions are not asked."""
    answer_tokens: Annotated[int, Meta(ge=16, le=100_000)]
    """At most this long an answer is asked for."""
    statements: Annotated[int, Meta(ge=1, le=50)]
    """Memories it may form of one message."""
    most_sensitive: Literal["public", "private", "secret"]
    """What is more sensitive is never sent to it."""
    daily_calls: Count
    """Calls, tokens and money per tenant and day (UTC), over all processes; 0 = no limit."""
    daily_tokens: Count
    """See `daily_calls`."""
    daily_cost: Annotated[float, Meta(ge=0.0, le=1_000_000.0)]
    """See `daily_calls`; counts where prices are known."""
    prompt_price: Annotated[float, Meta(ge=0.0, le=1_000_000.0)]
    """Price of a million tokens that are sent, in the currency of `daily_cost`; 0 = not known."""
    answer_price: Annotated[float, Meta(ge=0.0, le=1_000_000.0)]
    """The same for tokens of the answer."""
    pause_after: Annotated[int, Meta(ge=0, le=1_000)]
    """After so many failures in a row nothing is asked for a while; 0 = never."""
    pause_seconds: Annotated[float, Meta(ge=0.0, le=86_400.0)]
    """How long that while is."""
