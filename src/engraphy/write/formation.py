"""An observed text made into statements that can be read alone (D-05, D-06), without a model."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engraphy.model import Entity, Role
from engraphy.profile import Form
from engraphy.record import Record
from engraphy.text.atoms import halves
from engraphy.text.coref import resolved
from engraphy.text.dates import annotated
from engraphy.text.rewrite import standalone
from engraphy.text.split import chunks, sentence_spans
from engraphy.text.wordlists import READ_LIMIT

LONGEST = 500
"""Characters of a rewritten statement; a longer one becomes several, so that nothing is lost."""
_READ = 8_000
_FENCES = ("```", "~~~")
_NARRATORS = {Role.USER: "User", Role.ASSISTANT: "Assistant"}


class Telling(Record, frozen=True, kw_only=True):
    """Who tells a text, when (microseconds UTC), and what was named before it in the same
    conversation, oldest first."""

    role: Role
    at: int
    speaker: str = ""
    known: Sequence[Entity] = ()

    @property
    def narrator(self) -> str:
        """Who "I" is; empty where nobody speaks."""
        return self.speaker or _NARRATORS.get(self.role, "")


class Formed(NamedTuple):
    """A statement as it was said, which tells what it is, and as it is kept."""

    said: str
    kept: str


def formed(text: str, telling: Telling, form: Form) -> Iterator[Formed]:
    """The statements of a text of at most a few thousand characters; code keeps its words."""
    if any(fence in text for fence in _FENCES):
        yield Formed(text, text)
        return
    whole = resolved(text, known=telling.known) if form.coreference else text
    for piece in statements(whole) if form.split_atomic else (whole,):
        yield from _told(piece, telling, form)


def statements(text: str) -> Iterator[str]:
    """A text cut where a sentence says two things; the sentences between stay together, and so does
    what is beyond `READ_LIMIT`."""
    start: int | None = None
    end = 0
    for begin, stop in sentence_spans(text):
        if begin >= READ_LIMIT:
            start, end = begin if start is None else start, len(text.rstrip())
            break
        cut = list(halves(text[begin:stop]))
        if len(cut) > 1:
            if start is not None:
                yield text[start:end]
            yield from cut
            start = None
        elif start is None:
            start = begin
        end = stop
    if start is not None:
        yield text[start:end]


def _told(piece: str, telling: Telling, form: Form) -> Iterator[Formed]:
    dated = annotated(piece, now=telling.at) if form.dates else piece
    if not form.rewrite or not telling.narrator:
        yield Formed(piece, dated)
        return
    told = standalone(dated, speaker=telling.narrator, limit=_READ)
    if len(told) <= LONGEST:
        yield Formed(piece, told)
        return
    for half in chunks(piece, limit=len(piece) // 2 + 1):
        yield from _told(half, telling, form)
