"""What the sections of a profile are made of: ranges of numbers, and a strict table."""

from typing import Annotated

from msgspec import Meta, Struct

Unit = Annotated[float, Meta(ge=0.0, le=1.0)]
Weight = Annotated[float, Meta(ge=0.0, le=10.0)]
Days = Annotated[float, Meta(ge=0.0, le=36_500.0)]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Factor = Annotated[float, Meta(ge=0.0, le=100.0)]


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A named group of knobs; an unknown key is an error."""
