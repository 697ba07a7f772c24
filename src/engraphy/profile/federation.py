"""The knobs of what other agents and tenants share (D-70)."""

from typing import Annotated

from msgspec import Meta

from engraphy.profile.knobs import Section


class Federation(Section, frozen=True):
    """How what arrives is received; without a subscription none of it is looked at."""

    quarantine_hours: Annotated[float, Meta(ge=0.0, le=87_600.0)]
    """Hours for which a copy waits, unless a person accepts it before."""
    look_seconds: Annotated[float, Meta(gt=0.0, le=86_400.0)]
    """A process looks at most so often for copies whose time has come."""
    most: Annotated[int, Meta(ge=1, le=1_000_000)]
    """The most copies that one subscription brings, the newest of its sources first."""
