"""Credentials in a text: found by their public shapes, replaced before anything is written."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from engraphy.record import Record
from engraphy.text.datafiles import table
from engraphy.text.needed import Cues
from engraphy.text.openings import Shape, searched

_ASSIGNED = r"[\w .-]{0,30}[\"'`]?\s{0,3}(?:=>|:=|==?|:|\bis\b)\s{0,3}[\"'`]?"
_TO_SIGN = r"[\w .\-\"'`\s]{0,34}"
_ASSIGNED_SOON = rf"(?={_TO_SIGN}+[=:]|{_TO_SIGN}?\bis\b)"
"""What `_ASSIGNED` needs, looked for first: most names of a text are assigned nothing."""
_NAME_BEFORE = r"(?<![A-Za-z])"
_CARD = re.compile(r"(?<![\w.-])(?:\d[ -]?){13,18}\d(?![\w-])|(?<![\w.-])\d{14}(?![\w-])")
_CARD_BRANDS = re.compile(
    r"4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"
)
_RANDOM_BITS, _PASSWORD_BITS = 3.2, 2.2
_RANDOM_LENGTH = 12
# What is handed over in a sentence: so long a stretch, in pieces of letters and digits that are so
# short as no name's are.
_STRETCH, _PIECE, _LETTERS = 15, 4, 3
_ASSIGNED_KINDS = (("password", "password"), ("api_key", "token"))
_PREFIX = 21
"""Characters that may stand before a telling name, as in `db_password`."""
# Short passwords of two kinds of characters are taken for one only where they are assigned, not in
# prose: "Password: word45" may be a story, `password=word45` is none.
_IN_PROSE_FROM = 10
_CODE = re.compile(
    r"[(){}\[\]<>$,]|\.\w+\.|^\w+\.\w+$|^[a-z_]+$|^[A-Z_]+$|^\W+$|^\d{1,5}$|//|…|\.\.\."
)
_CLASSES = tuple(map(re.compile, ("[a-z]", "[A-Z]", r"\d", r"[^\w]")))
_PIECES = re.compile(r"[A-Z]+[a-z]*|[a-z]+|\d+")
_SENTENCE = re.compile(r"[\s=]")
"""What an id that begins with a word for a key ("key:9f86...") has nowhere."""
_STRETCHES = re.compile(r"[A-Za-z0-9]+")
_WORDY = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{4,}(?![A-Za-z0-9])")
_REPEATED = re.compile(r"(?i)x{4,}|\*{3,}|your|example|placeholder|dummy|changeme|redacted")


class Secret(Record, frozen=True, kw_only=True):
    """One credential: its kind and where it stands, as character offsets `[start, end)`."""

    kind: str
    start: int
    end: int


def find_secrets(text: str, named: int = 0) -> tuple[Secret, ...]:
    """The credentials of a text in order, not overlapping; of two that overlap the longer stays.
    So many characters of it as `named` says are the name of a field: no words of a sentence."""
    found = sorted(_candidates(text, named), key=lambda secret: (secret.start, -secret.end))
    kept: list[Secret] = []
    for secret in found:
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
        elif secret.end > kept[-1].end:
            kept[-1] = Secret(kind=kept[-1].kind, start=kept[-1].start, end=secret.end)
    return tuple(kept)


def redact(text: str, named: int = 0) -> tuple[str, tuple[str, ...]]:
    """The text with every credential replaced by `[redacted:kind]`, and the kinds in order."""
    secrets = find_secrets(text, named)
    parts: list[str] = []
    position = 0
    for secret in secrets:
        parts += [text[position : secret.start], f"[redacted:{secret.kind}]"]
        position = secret.end
    return "".join((*parts, text[position:])), tuple(secret.kind for secret in secrets)


@lru_cache(maxsize=4_096)
def secret_in_name(name: str) -> str:
    """The kind of the first credential in a name; empty where there is none. A number alone is a
    name, even where its check digit makes it a card's."""
    found = () if name.isdigit() else find_secrets(name)
    return found[0].kind if found else ""


def secret_kinds() -> tuple[str, ...]:
    """The names of all kinds that can be found."""
    return tuple(dict.fromkeys((*(shape.kind for shape in _shapes()), "card_number")))


def _candidates(text: str, named: int) -> Iterator[Secret]:
    sentence = _SENTENCE.search(text) is not None
    given, numbers = searched(text, _literals()), _numbers()
    judged: dict[tuple[str, ...], bool] = {}
    for number in sorted({number for literal in given.places for number in numbers[literal]}):
        shape = _shapes()[number]
        handed = shape.told == "handed"
        for match in shape.matches(given) if sentence or not handed else ():
            if handed and match.start() < named:
                continue
            if secret := _secret(text, shape, match, judged):
                yield secret
    for match in _CARD.finditer(text):
        if _is_card(match[0]):
            yield Secret(kind="card_number", start=match.start(), end=match.end())


def _secret(
    text: str, shape: Shape, match: re.Match[str], judged: dict[tuple[str, ...], bool]
) -> Secret | None:
    """What a match holds; None where its value does not look like a secret, which a text is asked
    once of each."""
    groups = match.groupdict()
    begin, end = match.span(next((name for name in ("secret", "whole") if groups.get(name)), 0))
    if shape.told:
        value = text[begin:end].rstrip(".,;:!?")
        random = _looks_random if shape.told == "handed" else _looks_secret
        sign = groups.get("sign") or ""
        asked = (shape.told, shape.kind, value, sign)
        if asked not in judged:
            judged[asked] = random(value, shape.kind, sign)
        if not judged[asked]:
            return None
        if shape.told != "assigned":
            end = begin + len(value)
    return Secret(kind=shape.kind, start=begin, end=end)


def _looks_secret(value: str, kind: str, sign: str) -> bool:
    """Whether an assigned value is more than a word, a call or a placeholder."""
    if value.lower() in _harmless() or _CODE.search(value) or _REPEATED.search(value):
        return False
    classes = sum(one.search(value) is not None for one in _CLASSES)
    if kind == "password":
        enough = 3 if sign.endswith(" ") and len(value) < _IN_PROSE_FROM else 2
        return classes >= enough and not value.isalpha() and _bits(value) >= _PASSWORD_BITS
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return len(value) >= _RANDOM_LENGTH and mixed and _bits(value) >= _RANDOM_BITS


def _looks_random(value: str, kind: str, sign: str) -> bool:
    """Whether a value in a sentence is no name either: mixed as no words, numbers and dates are."""
    if not _looks_secret(value, kind, sign) or sum(map(str.isalpha, value)) < _LETTERS:
        return False
    stretches = [one for one in _STRETCHES.findall(value) if len(one) >= _STRETCH]
    told = stretches or ([] if _WORDY.search(value) else [value])
    return any(
        sum(map(len, pieces)) <= _PIECE * len(pieces) and any(map(str.isdigit, pieces))
        for pieces in map(_PIECES.findall, told)
    )


def _bits(value: str) -> float:
    """Shannon entropy per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def _is_card(written: str) -> bool:
    digits = re.sub(r"\D", "", written)
    return bool(_CARD_BRANDS.fullmatch(digits)) and _luhn(digits)


def _luhn(digits: str) -> bool:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(map(int, digits[-1::-2]))) % 10 == 0


@cache
def _numbers() -> Mapping[str, Sequence[int]]:
    """The shapes of every literal, by their place: most texts hold none, and are done."""
    found: dict[str, list[int]] = {}
    for number, shape in enumerate(_shapes()):
        for literal in shape.literals:
            found.setdefault(literal, []).append(number)
        for literal in shape.at:
            found.setdefault(literal, [])
    return found


@cache
def _literals() -> Cues:
    return Cues(_numbers())


@cache
def _shapes() -> tuple[Shape, ...]:
    """Every shape; of two that find the same the first one names it."""
    data = table("secrets")
    generic = data["generic"]
    return (
        *(_shape(row, row["pattern"], kind=row["kind"]) for row in data["prefixed"]),
        *(_contextual(*row) for row in data["contextual"]),
        *(_assigned(kind, generic[names]) for kind, names in _ASSIGNED_KINDS),
        *(_handed(row, generic) for row in generic["handed"]),
        *(
            _shape(row, f"(?im:{row['pattern']}{generic['spoken_secret']})", told="spoken")
            for row in generic["spoken"]
        ),
    )


def _shape(row: Mapping[str, Any], source: str, kind: str = "password", told: str = "") -> Shape:
    literals = tuple(row["any"])
    spelled = source.removeprefix(r"\b").replace("\\", "").lower()
    return Shape(
        kind=kind,
        literals=literals,
        source=source,
        before=row.get("before", 0),
        at=tuple(row.get("at", ())),
        rest=row.get("rest", ""),
        nested=len(literals) == 1 and "|" not in spelled and spelled.startswith(literals[0]),
        told=told,
    )


def _contextual(kind: str, names: str, shape: str) -> Shape:
    literals = tuple(names.split())
    words = "|".join(map(re.escape, literals))
    value = rf"(?P<secret>(?=[^\s]{{0,80}}\d)(?:{shape}))(?![\w-])"
    source = rf"{_NAME_BEFORE}(?i:{words}){_ASSIGNED_SOON}{_ASSIGNED}{value}"
    return Shape(kind, literals, source, nested=True)


def _assigned(kind: str, names: str) -> Shape:
    literals = tuple(names.split())
    words = "|".join(sorted(map(re.escape, literals), key=len, reverse=True))
    value = r"(?P<secret>(?!\[redacted:)[^\s\"'`;,]{6,200})"
    suffix = r"(?:[_-](?!hash)\w{1,20}|s|\d{1,2})?"
    ended = suffix + r"[\"'`]?\s{0,3}(?P<sign>(?:=>|:=|==?|:|\bis\b)\s{0,3})[\"'`]?"
    return Shape(
        kind=kind,
        literals=literals,
        source=rf"(?<![a-z])(?:\w{{1,20}}[_-])?(?:{words}){ended}{value}",
        before=_PREFIX,
        rest=rf"(?:{words}){ended}{value}",
        told="assigned",
        caseless=True,
    )


def _handed(row: Mapping[str, Any], generic: Mapping[str, str]) -> Shape:
    ids = generic["handed_ids"].split()
    behind = "".join(rf"(?<!{re.escape(word)}[ _-])" for word in ids)
    told = generic["handed_of"].replace("@ids", "|".join(map(re.escape, ids)))
    ended = f"{told}{generic['handed_sign']}{row['then']}{generic['handed_secret']}"
    source = rf"(?i:{behind}{row['pattern']}(?!\w){ended})"
    return _shape(row, source, kind="api_key", told="handed")


@cache
def _harmless() -> frozenset[str]:
    value: str = table("secrets")["generic"]["harmless"]
    return frozenset(value.split())
