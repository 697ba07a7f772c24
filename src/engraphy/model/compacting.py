"""What compacting did."""

from engraphy.model.dreaming import DreamStep
from engraphy.record import Record


class Compacted(Record, frozen=True, kw_only=True):
    """What `compact` merged, step by step, and what that and the indexes it put in order left of
    the file. `run`: under which it is undone ('' for a dry run, or where nothing was merged);
    `finished`: whether its time sufficed for all of it."""

    dry_run: bool
    run: str
    steps: tuple[DreamStep, ...]
    merged: int
    bytes_before: int
    bytes_after: int
    finished: bool
