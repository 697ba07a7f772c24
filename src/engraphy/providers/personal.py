"""Personal data in a text: candidates by shape (`lexicon/personal.toml`), and then what decides:
numbering plans of phones (`phonenumbers`), check digits of ids and accounts (`stdnum`)."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from ipaddress import ip_address
from typing import Any

from engraphy.errors import MissingExtraError
from engraphy.model.personal import Personal
from engraphy.text.datafiles import table
from engraphy.text.wordlists import plain

_BEFORE = 48
"""Characters before a number in which the word that tells what it is may stand."""
_SHORTEST_IBAN = 15
_READ = 4_000
"""Characters of a piece in which phone numbers are looked for at once."""

_LONGEST = 64
"""Characters that a number at the border of a piece may reach into the next."""

_Check = Callable[[str], bool]


def finder(regions: Sequence[str]) -> Callable[[str], Sequence[Personal]]:
    """What finds personal data. Raises MissingExtraError."""
    try:
        phones = import_module("phonenumbers")
        import_module("stdnum.iban")
    except ImportError as error:
        raise MissingExtraError(extra="pii") from error
    return partial(_found, phones, tuple(regions))


def _found(phones: Any, regions: tuple[str, ...], text: str) -> tuple[Personal, ...]:
    """All of a text in order, not overlapping; of two that overlap the surer kind stays."""
    found = (*_ids(text), *_ibans(text), *_emails(text), *_addresses(text))
    ranked = [(one.start, rank, one) for rank, one in enumerate(found)]
    ranked += [(one.start, len(found), one) for one in _phones(phones, regions, text)]
    kept: list[tuple[int, Personal]] = []
    for start, rank, one in sorted(ranked):
        if not kept or start >= kept[-1][1].end:
            kept.append((rank, one))
        elif rank < kept[-1][0]:
            kept[-1] = (rank, one)
    return tuple(one for _, one in kept)


def _emails(text: str) -> Iterator[Personal]:
    if "@" in text:
        for match in _pattern("email", "pattern").finditer(text):
            yield Personal("email", *match.span())


def _ids(text: str) -> Iterator[Personal]:
    if not any(map(str.isdigit, text)):
        return
    for row in table("personal")["national_id"]:
        for match in _compiled(row["pattern"]).finditer(text):
            near = "context" not in row or _named(row["context"], text, match.start())
            if near and _check(row["number"])(match[0]):
                yield Personal("national_id", *match.span())


def _ibans(text: str) -> Iterator[Personal]:
    valid = _check("iban")
    for match in _pattern("iban", "pattern").finditer(text):
        for end in range(match.end(), match.start() + _SHORTEST_IBAN - 1, -1):
            if text[end - 1].isalnum() and valid(text[match.start() : end]):
                yield Personal("iban", match.start(), end)
                break


def _addresses(text: str) -> Iterator[Personal]:
    """Addresses of the internet that are somebody's: none of a machine or a network of one's own,
    and no version of four numbers."""
    rows, versions = table("personal")["ip_address"], _pattern("ip_address", "versions")
    for match in _pattern("ip_address", "pattern").finditer(text):
        before = plain(text[max(0, match.start() - _BEFORE) : match.start()])
        if versions.search(before) or not _is_global(match[0]):
            continue
        if ":" in match[0] or _large(match[0]) or _named(rows["context"], text, match.start()):
            yield Personal("ip_address", *match.span())


def _large(written: str) -> bool:
    small: int = table("personal")["ip_address"]["small"]
    return int(written.partition(".")[0]) >= small


def _is_global(written: str) -> bool:
    try:
        return ip_address(written).is_global
    except ValueError:
        return False


def _phones(phones: Any, regions: tuple[str, ...], text: str) -> Iterator[Personal]:
    if not _pattern("phone", "candidate").search(text):
        return
    for start in range(0, len(text), _READ):
        piece = text[start : start + _READ + _LONGEST]
        for region in regions or (None,):
            for match in phones.PhoneNumberMatcher(piece, region):
                span = Personal("phone", start + match.start, start + match.end)
                if _is_phone(match.raw_string, text, span.start):
                    yield span


def _is_phone(written: str, text: str, start: int) -> bool:
    """Whether a number of a numbering plan is written as one is, or called one: ten digits in a
    row are mostly something else."""
    joined = _pattern("phone", "joined").search(text[max(0, start - 1) : start])
    if joined or _pattern("phone", "numbers").search(written):
        return False
    if written[:1] in "+0(" or _pattern("phone", "grouped").search(written):
        return True
    return _named(table("personal")["phone"]["context"], text, start)


def _named(words: str, text: str, start: int) -> bool:
    before = plain(text[max(0, start - _BEFORE) : start])
    return _compiled(rf"(?i)\b(?:{words})").search(before) is not None


@cache
def _check(number: str) -> _Check:
    """Whether a number's check digits are right; where it has none, its shape has to do."""
    if not number:
        return bool
    valid: _Check = import_module(f"stdnum.{number}").is_valid
    return valid


def _pattern(kind: str, name: str) -> re.Pattern[str]:
    rows: Mapping[str, Any] = table("personal")[kind]
    return _compiled(str(rows[name]))


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)
