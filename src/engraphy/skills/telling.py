"""Shorter wordings: the summary of a session or of a theme, a pattern, the title of a note."""

from typing import Annotated

from msgspec import Meta, Struct

from engraphy.record import Record
from engraphy.skills.grounding import Ground, ungrounded
from engraphy.skills.shape import Skill, Unusable, closed, read

LONGEST_SUMMARY = 800
LONGEST_TITLE = 80


class Notes(Record, frozen=True, kw_only=True):
    """What is to be told shorter, in order, and the moment of the last of it (microseconds UTC).

    `names` may be told though no note has them: the speaker's, the project's.
    """

    texts: tuple[str, ...]
    at: int
    names: tuple[str, ...] = ()


class _Summary(Struct, frozen=True, forbid_unknown_fields=True):
    summary: Annotated[str, Meta(min_length=3, max_length=LONGEST_SUMMARY)]


class _Title(Struct, frozen=True, forbid_unknown_fields=True):
    title: Annotated[str, Meta(min_length=2, max_length=LONGEST_TITLE)]


def _data(notes: Notes) -> dict[str, object]:
    return {"notes": list(notes.texts)}


def _held(text: str, notes: Notes) -> str | Unusable:
    ground = Ground(text="\n".join(notes.texts), at=notes.at, names=notes.names)
    problem = ungrounded(text, ground)
    return Unusable(problem=problem) if problem else " ".join(text.split())


def _summary(answer: str, notes: Notes) -> str | Unusable:
    found = read(answer, _Summary)
    return found if isinstance(found, Unusable) else _held(found.summary, notes)


def _title(answer: str, notes: Notes) -> str | Unusable:
    found = read(answer, _Title)
    return found if isinstance(found, Unusable) else _held(found.title, notes)


SUMMARY: Skill[Notes, str] = Skill(
    name="summary",
    schema=closed({"summary": {"type": "string"}}),
    data=_data,
    parse=_summary,
    fallback="engraphy.write.summary",
)
CONSOLIDATION: Skill[Notes, str] = Skill(
    name="consolidation",
    schema=closed({"summary": {"type": "string"}}),
    data=_data,
    parse=_summary,
    fallback="engraphy.text.gist",
)
ABSTRACTION: Skill[Notes, str] = Skill(
    name="abstraction",
    schema=closed({"summary": {"type": "string"}}),
    data=_data,
    parse=_summary,
    fallback="engraphy.text.gist",
)
TITLE: Skill[Notes, str] = Skill(
    name="title",
    schema=closed({"title": {"type": "string"}}),
    data=_data,
    parse=_title,
    fallback="engraphy.text.rewrite",
)
