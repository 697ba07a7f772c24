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
_GROUPS = 4
"""So many times a run of numbers is tried, each time without its last group."""

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
    held: dict[tuple[str, bool], bool] = {}
    for match in _pattern("phone", "pattern").finditer(text):
        named = _named(table("personal")["phone"]["context"], text, match.start())
        for written in _shortened(match[0]):
            if (written, named) not in held:
                held[written, named] = _is_phone(phones, regions, written, named=named)
            if held[written, named]:
                yield Personal("phone", match.start(), match.start() + len(written))
                break


def _shortened(written: str) -> Iterator[str]:
    """A run of numbers, and the same without its last groups, which may be something else."""
    for _ in range(_GROUPS):
        yield written
        last = _pattern("phone", "group").search(written)
        if last is None:
            return
        written = written[: last.start()]


def _is_phone(phones: Any, regions: tuple[str, ...], written: str, *, named: bool) -> bool:
    """Whether a number of a numbering plan is written as one is, or called one: ten digits in a
    row are mostly something else."""
    if _pattern("phone", "numbers").search(written):
        return False
    whole = written.startswith("+")
    grouped = _pattern("phone", "grouped").search(written) is not None
    if not (whole or named or grouped or written.startswith("0")):
        return False
    for region in (None,) if whole else regions:
        try:
            number = phones.parse(written, region)
        except phones.NumberParseException:
            continue
        if phones.is_valid_number(number) and (
            whole or named or _as_dialled(phones, number, written)
        ):
            return True
    return False


def _as_dialled(phones: Any, number: Any, written: str) -> bool:
    """Whether a number is written with all that is dialled in its country, the leading 0 too."""
    national = phones.format_number(number, phones.PhoneNumberFormat.NATIONAL)
    return _digits(national) == _digits(written)


def _digits(written: str) -> str:
    return "".join(filter(str.isdigit, written))


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
