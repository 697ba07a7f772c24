"""What a text names: technology, organisations, people, places, files, addresses, versions, dates.

Precision first: a lower-case phrase is never a person, and a capital at the start of a sentence
proves nothing by itself (D-04).
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from engraphy.model.language import Entity
from engraphy.text.gazetteer import Known, known, lookup, named, signs_of_technology
from engraphy.text.persons import people
from engraphy.text.wordlists import READ_LIMIT, pattern, plain, shapes

MOST = 8

_SLUG = re.compile(r"(?:[^\w.+#-]|(?<=[^\w.+#-])-)+")


def entities(text: str) -> tuple[Entity, ...]:
    """The entities of a text in the order they appear, at most 8, none twice."""
    return _of(text[:READ_LIMIT])


@lru_cache(maxsize=256)
def _of(read: str) -> tuple[Entity, ...]:
    # What is written is asked for them several times: for its kind, its density and its own sake.
    folded = plain(read)
    taken = bytearray(len(read))
    kept: list[Entity] = []
    for found in everything(read, folded):
        if not any(taken[found.start : found.end]):
            kept.append(found)
            taken[found.start : found.end] = b"\1" * (found.end - found.start)
    return distinct(sorted(kept, key=place))


def everything(text: str, folded: str) -> Iterator[Entity]:
    """All candidates, the surest kinds first; a later one may not overlap an earlier one."""
    yield from shaped(text, folded)
    yield from gazetted(text, folded)
    yield from people(text)
    yield from organisations(text)


def shaped(text: str, folded: str) -> Iterator[Entity]:
    """Entities known by their spelling."""
    for shape in shapes():
        for found in shape.pattern.finditer(folded):
            name = text[found.start() : found.end()].rstrip(".,;:!?")
            if name and lookup(name) is None:
                yield entity(shape.name, name, found.start())


def gazetted(text: str, folded: str) -> Iterator[Entity]:
    """Entities known by name."""
    found = list(named(folded))
    technical = any(row.ambiguous for _, _, row in found) and (
        any(row.kind == "tech" and not row.ambiguous for _, _, row in found)
        or signs_of_technology(folded)
    )
    for start, end, row in found:
        if certain(text, start, end, row, technical):
            yield Entity(kind=row.kind, name=row.name, slug=slug(row.name), start=start, end=end)


def certain(text: str, start: int, end: int, row: Known, technical: bool) -> bool:
    """Whether an occurrence means the name: always, or for everyday words only on further signs."""
    surface = text[start:end]
    if not row.ambiguous:
        return row.kind == "tech" or spelled_as_name(surface, row.surface)
    if surface != row.surface:
        return surface.islower() and put_to_use(text, start, end)
    if not opens_sentence(text, start):
        return technical or (row.distinct and len(surface) > 1)
    return technical and row.distinct and names_a_thing(text, end)


def spelled_as_name(surface: str, known_as: str) -> bool:
    """Whether an organisation or a place is written as one: "WHO", not "Who"."""
    if known_as.isupper():
        return surface.isupper()
    return surface[0].isupper() or not known_as[0].isupper()


def put_to_use(text: str, start: int, end: int) -> bool:
    """Whether an everyday word stands where a tool stands: "we use rust for the server"."""
    before, after = plain(text[max(0, start - 24) : start]), plain(text[end : end + 16])
    used = pattern("use", "before").search(before) and pattern("use", "closes").match(after)
    return bool(used or pattern("use", "after").match(after))


def names_a_thing(text: str, end: int) -> bool:
    """Whether what follows makes the word before a noun: "React and", not "React to"."""
    return pattern("use", "noun").match(plain(text[end : end + 16])) is not None


def opens_sentence(text: str, start: int) -> bool:
    """Whether nothing but space and quotes stands between `start` and the sentence's beginning."""
    before = text[max(0, start - 8) : start].rstrip(" \t\"'(*-")
    return not before or before[-1] in ".!?\n:"


@cache
def organisation_pattern() -> re.Pattern[str]:
    """Capitalised words that end in a word organisations end in."""
    endings = "|".join(sorted(map(re.escape, known("org", "suffixes")), key=len, reverse=True))
    word = r"[A-ZÇĞİÖŞÜ][\w&'’-]{1,30}"
    return re.compile(rf"\b(?:{word} ){{1,4}}(?:of {word} )?(?:{endings})(?![\w])")


def organisations(text: str) -> Iterator[Entity]:
    """Organisations known by their last word: "Tartine Lab", "Boğaziçi Üniversitesi"."""
    for found in organisation_pattern().finditer(text):
        name = found[0]
        start = found.start()
        for article in ("The ", "At ", "In ", "Our ", "My ", "From ", "And ", "But "):
            if name.startswith(article):
                name, start = name[len(article) :], start + len(article)
        if " " in name:
            yield entity("org", name, start)


def entity(kind: str, name: str, start: int) -> Entity:
    """An entity named as it stands in the text."""
    return Entity(kind=kind, name=name, slug=slug(name), start=start, end=start + len(name))


def slug(name: str) -> str:
    """The name as part of an address: lower case, words joined by hyphens."""
    return _SLUG.sub("-", plain(name).lower()).strip("-.") or "unnamed"


def place(found: Entity) -> int:
    """Where an entity stands."""
    return found.start


def distinct(found: Iterable[Entity]) -> tuple[Entity, ...]:
    """The first occurrence of each entity, at most `MOST`."""
    seen: dict[str, Entity] = {}
    for one in found:
        seen.setdefault(one.uri, one)
    return tuple(seen.values())[:MOST]
