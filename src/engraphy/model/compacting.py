"""What compacting did."""

from dataclasses import dataclass

from engraphy.model.dreaming import DreamStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
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
