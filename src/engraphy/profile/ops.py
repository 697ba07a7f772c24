"""The knobs of the log of operations (D-53)."""

from typing import Annotated

from msgspec import Meta

from engraphy.profile.knobs import Section


class Ops(Section, frozen=True):
    """What operators can read afterwards; ENGRAPHY_OPS_LOG says otherwise for one process."""

    log: bool
    """Whether operations are logged."""
    path: Annotated[str, Meta(min_length=1, max_length=4_096)]
    """The log's file: `~` is the home folder, a relative one lies beside the store."""
    rotate_bytes: Annotated[int, Meta(ge=1_000, le=1_000_000_000_000)]
    """Size from which the file is set aside under the date of the day, and a new one begun."""
