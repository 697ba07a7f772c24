"""Stored text as a page shows it: whoever wrote it, it is read and never obeyed (P-19)."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import quote

from markupsafe import Markup, escape

from engraphy.text.clean import REPLACEMENT

_JOINERS = "\u200c\u200d"
_STYLES = "\ufe0e\ufe0f"
_KEPT = frozenset("\n\t")
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_BLANKS = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
_SELECTORS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180F))
_URL = re.compile(r"https?://[\w\-.~:/?#\[\]@!$&*+,;=%]+", re.ASCII | re.IGNORECASE)
_TAIL = ".,;:!?]"
_ID = re.compile(r"(?<!\w)[0-7][0-9A-HJKMNP-TV-Z]{25}(?!\w)", re.ASCII)


def visible(text: object) -> Markup:
    """A text with everything that would not be seen, or would turn the line around, as a marked
    sign of its own: bidi controls, zero-width and control characters, tags, line separators."""
    return Markup("").join(_pieces(str(text)))


def flat(text: object) -> str:
    """A text for where no marks can stand (titles, options): what would not be seen is U+FFFD."""
    told = str(text)
    return "".join(
        REPLACEMENT if _hides(told, place, sign) else sign for place, sign in enumerate(told)
    )


def linked(text: object) -> Markup:
    """The same, with web addresses as links that tell nobody where they were followed from. Only
    http and https, and only plain ASCII: an address that looks like another stays text."""
    told, made, end = str(text), list[Markup](), 0
    for found in _URL.finditer(told):
        address = found[0].rstrip(_TAIL)
        made += [visible(told[end : found.start()]), _link(address)]
        end = found.start() + len(address)
    return Markup("").join([*made, visible(told[end:])])


def referred(text: object) -> Markup:
    """The same, with the ids of memories in it as links to them: their ends, which differ."""
    told, made, end = str(text), list[Markup](), 0
    for found in _ID.finditer(told):
        made += [visible(told[end : found.start()]), memory_link(found[0])]
        end = found.end()
    return Markup("").join([*made, visible(told[end:])])


def memory_link(id: str) -> Markup:
    """A memory by the end of its id, where nothing more is known of it."""
    address = quote(id, safe="")
    told = visible(id[-6:])
    return Markup('<a class="mono" href="/memories/{0}" title="{1}">…{2}</a>').format(
        address, flat(id), told
    )


def _link(address: str) -> Markup:
    return Markup(
        '<a href="{0}" rel="noreferrer noopener nofollow" target="_blank" class="outside">{0}</a>'
    ).format(address)


def _pieces(text: str) -> Iterator[Markup]:
    start = 0
    for place, sign in enumerate(text):
        if _hides(text, place, sign):
            if start < place:
                yield escape(text[start:place])
            yield _glyph(sign)
            start = place + 1
    yield escape(text[start:])


def _hides(text: str, place: int, sign: str) -> bool:
    if sign < "\x7f":
        return sign < " " and sign not in _KEPT
    if sign in _JOINERS or sign in _STYLES:
        return not _between_letters(text, place)
    if sign in _BLANKS or unicodedata.category(sign) in _HIDDEN:
        return True
    return any(first <= ord(sign) <= last for first, last in _SELECTORS)


def _between_letters(text: str, place: int) -> bool:
    """Whether a joiner stands where scripts and emoji need it: beside a sign that is not ASCII and
    not hidden itself."""
    before = text[place - 1] if place else ""
    return before > "\x7f" and unicodedata.category(before) not in _HIDDEN


@lru_cache(maxsize=1_024)
def _glyph(sign: str) -> Markup:
    code = f"U+{ord(sign):04X}"
    name = unicodedata.name(sign, "no name")
    return Markup('<span class="glyph" title="{0} {1}">{0}</span>').format(code, name)
