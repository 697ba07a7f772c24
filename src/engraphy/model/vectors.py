"""Whose vectors answer the questions of a tenant."""

from msgspec import field

from engraphy.record import Record


class ServedModel(Record, frozen=True, kw_only=True):
    """The embedding model that answers, since when (microseconds UTC), and the one before it, whose
    vectors still stand (None: none). `spec`: what an opener says to have it, '' where it has no
    name to be said."""

    model: str
    spec: str
    since: int
    model_before: str | None = None
    spec_before: str = ""


class Reembedded(Record, frozen=True, kw_only=True):
    """What became of the vectors: which model answers and which did `before` ('' where none can
    be gone back to), for how many memories each has vectors, for how many the one that answers has
    none, how many vectors were `made` and `dropped`."""

    serves: str
    before: str
    models: dict[str, int] = field(default_factory=dict)
    missing: int = 0
    made: int = 0
    dropped: int = 0
