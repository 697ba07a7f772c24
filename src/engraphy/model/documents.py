"""Documents: what a host keeps under keys of its own, and wants back as it was put."""

from engraphy.model.memory import Memory
from engraphy.record import Record


class Document(Record, frozen=True, kw_only=True):
    """A text, and data beside it, under a key.

    `text` is what is searched, `data` any JSON value (None for none). `heading`: a line that
    stands over the text in the memory, for whoever finds it, and is not part of it.
    `ttl_days`: how long it is kept, None for good. `embed`: whether its text is found by meaning.
    `parts`: texts that are embedded each for itself, in place of `text`.
    `expected`: the version that is to be replaced (0: there is none yet), None for any; with the
    `memory` that was read, which may have other data in the same version, only that one is.
    `labels`: further names under which it is found, one or many of them under each. `past`: it is
    history, as what was superseded is: found by its key and its labels, and by recall only of a
    time at which it stood.
    On the way out `memory` is the memory that holds it, `version` its version, and `score` how
    near it stands, by cosine, where it was asked for by meaning.
    """

    key: str
    text: str = ""
    data: object = None
    heading: str = ""
    ttl_days: float | None = None
    embed: bool = True
    parts: tuple[str, ...] = ()
    expected: int | None = None
    labels: tuple[str, ...] = ()
    past: bool = False
    removed: bool = False
    """On the way in: this key is to be taken out."""
    memory: Memory | None = None
    score: float | None = None

    @property
    def version(self) -> int:
        """The version that is stored, 0 where none is."""
        return 0 if self.memory is None else self.memory.version
