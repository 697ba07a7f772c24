"""Credentials in a text: found by their public shapes, replaced before anything is written."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from engraphy.text.datafiles import table

_ASSIGNED = r"[\w .-]{0,30}[\"'`]?\s{0,3}(?:=>|:=|==?|:|\bis\b)\s{0,3}[\"'`]?"
_NAME_BEFORE = r"(?<![A-Za-z])"
_CARD = re.compile(r"(?<![\w.-])(?:\d[ -]?){13,18}\d(?![\w-])|(?<![\w.-])\d{14}(?![\w-])")
_CARD_BRANDS = re.compile(
    r"4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"
)
_RANDOM_BITS, _PASSWORD_BITS = 3.2, 2.2
_RANDOM_LENGTH = 12
_LONG = 4_000
"""Characters from which on a text's own are counted before it is searched."""
# Short passwords of two kinds of characters are taken for one only where they are assigned, not in
# prose: "Password: word45" may be a story, `password=word45` is none.
_IN_PROSE_FROM = 10
_CODE = re.compile(
    r"[(){}\[\]<>$,]|\.\w+\.|^\w+\.\w+$|^[a-z_]+$|^[A-Z_]+$|^\W+$|^\d{1,5}$|//|…|\.\.\."
)
_REPEATED = re.compile(r"(?i)x{4,}|\*{3,}|your|example|placeholder|dummy|changeme|redacted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """One credential: its kind and where it stands, as character offsets `[start, end)`."""

    kind: str
    start: int
    end: int


class _Shape(NamedTuple):
    kind: str
    literals: tuple[str, ...]
    source: str
    opens: bool = True
    """Whether every match begins with one of the literals."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when a text holds a literal: all of them would be a third of a cold start."""
        return _compiled(self.source)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The credentials of a text in order, not overlapping; of two that overlap the longer stays."""
    found = sorted(_candidates(text), key=lambda secret: (secret.start, -secret.end))
    kept: list[Secret] = []
    for secret in found:
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
        elif secret.end > kept[-1].end:
            kept[-1] = Secret(kind=kept[-1].kind, start=kept[-1].start, end=secret.end)
    return tuple(kept)


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with every credential replaced by `[redacted:kind]`, and the kinds in order."""
    secrets = find_secrets(text)
    parts: list[str] = []
    position = 0
    for secret in secrets:
        parts += [text[position : secret.start], f"[redacted:{secret.kind}]"]
        position = secret.end
    return "".join((*parts, text[position:])), tuple(secret.kind for secret in secrets)


def secret_in_name(name: str) -> str:
    """The kind of the first credential in a name; empty where there is none. A number alone is a
    name, even where its check digit makes it a card's."""
    found = () if name.isdigit() else find_secrets(name)
    return found[0].kind if found else ""


def secret_kinds() -> tuple[str, ...]:
    """The names of all kinds that can be found."""
    return tuple(
        dict.fromkeys(
            (
                *(shape.kind for shape in _shapes()),
                *("password", "api_key", "card_number"),
            )
        )
    )


def _candidates(text: str) -> Iterator[Secret]:
    lowered = _lowered(text)
    present = _present(lowered)
    for shape in _shapes() if present else ():
        if shape.opens:
            yield from _at_literals(text, lowered, shape, present)
        elif not present.isdisjoint(shape.literals):
            for match in shape.pattern.finditer(text):
                yield _secret(shape.kind, match)
    yield from _assigned(text, lowered)
    for match in _CARD.finditer(text):
        if _is_card(match[0]):
            yield _secret("card_number", match)


def _present(lowered: str) -> frozenset[str]:
    """The literals that a text holds; in a long one only those are sought of whose characters it
    has each."""
    sought: Sequence[str] = _literals()
    if len(lowered) > _LONG:
        letters = set(lowered)
        sought = [literal for literal in sought if letters.issuperset(literal)]
    return frozenset([literal for literal in sought if literal in lowered])


def _lowered(text: str) -> str:
    """The text in lower case, of the same length: `İ` alone would become two characters."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.replace("İ", "i").lower()


def _at_literals(
    text: str, lowered: str, shape: _Shape, present: frozenset[str]
) -> Iterator[Secret]:
    """What a shape that opens with one of its literals finds: it is tried only where they are."""
    for literal in present.intersection(shape.literals):
        matched, length = shape.pattern.match, len(literal)
        place = lowered.find(literal)
        while place >= 0:
            if match := matched(text, place):
                yield _secret(shape.kind, match)
            place = lowered.find(literal, place + length)


@cache
def _literals() -> tuple[str, ...]:
    """Every literal of every shape once: most texts hold none, and are done after this."""
    return tuple(dict.fromkeys(one for shape in _shapes() for one in shape.literals))


def _secret(kind: str, match: re.Match[str]) -> Secret:
    group = "secret" if match.groupdict().get("secret") else 0
    return Secret(kind=kind, start=match.start(group), end=match.end(group))


def _assigned(text: str, lowered: str) -> Iterator[Secret]:
    for kind, names in (("password", "password"), ("api_key", "token")):
        literals, pattern = _assignment(names)
        if any(literal in lowered for literal in literals):
            for match in pattern.finditer(text):
                if _looks_secret(match["secret"].rstrip(".,;:!?"), kind, match["sign"]):
                    yield _secret(kind, match)
    generic = table("secrets")["generic"]
    if any(literal in lowered for literal in generic["spoken_of"].split()):
        yield from _spoken(text, [one + generic["spoken_secret"] for one in generic["spoken"]])


def _spoken(text: str, sources: Sequence[str]) -> Iterator[Secret]:
    """Passwords that a sentence tells ("the password for the wiki is ...")."""
    for source in sources:
        for match in _compiled(f"(?im){source}").finditer(text):
            value = match["secret"].rstrip(".,;:!?")
            if _looks_secret(value, "password", match["sign"]):
                begin = match.start("secret")
                yield Secret(kind="password", start=begin, end=begin + len(value))


def _looks_secret(value: str, kind: str, sign: str) -> bool:
    """Whether an assigned value is more than a word, a call or a placeholder."""
    if value.lower() in _harmless() or _CODE.search(value) or _REPEATED.search(value):
        return False
    classes = sum(
        bool(re.search(kind_of, value)) for kind_of in ("[a-z]", "[A-Z]", r"\d", r"[^\w]")
    )
    if kind == "password":
        enough = 3 if sign.endswith(" ") and len(value) < _IN_PROSE_FROM else 2
        return classes >= enough and not value.isalpha() and _bits(value) >= _PASSWORD_BITS
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return len(value) >= _RANDOM_LENGTH and mixed and _bits(value) >= _RANDOM_BITS


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
def _shapes() -> tuple[_Shape, ...]:
    data = table("secrets")
    prefixed = [
        _Shape(row["kind"], tuple(row["any"]), row["pattern"], _opens(row))
        for row in data["prefixed"]
    ]
    return tuple(prefixed + [_contextual(*row) for row in data["contextual"]])


def _opens(row: Mapping[str, Any]) -> bool:
    """Whether a pattern begins with its only literal, whatever follows."""
    spelled = str(row["pattern"]).removeprefix(r"\b").replace("\\", "").lower()
    return len(row["any"]) == 1 and "|" not in spelled and spelled.startswith(row["any"][0])


def _contextual(kind: str, names: str, shape: str) -> _Shape:
    literals = tuple(names.split())
    words = "|".join(map(re.escape, literals))
    value = rf"(?P<secret>(?=[^\s]{{0,80}}\d)(?:{shape}))(?![\w-])"
    return _Shape(kind, literals, rf"{_NAME_BEFORE}(?i:{words}){_ASSIGNED}{value}")


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


@cache
def _assignment(names: str) -> tuple[tuple[str, ...], re.Pattern[str]]:
    literals = tuple(table("secrets")["generic"][names].split())
    words = "|".join(sorted(map(re.escape, literals), key=len, reverse=True))
    value = r"(?P<secret>(?!\[redacted:)[^\s\"'`;,]{6,200})"
    suffix = r"(?:[_-](?!hash)\w{1,20}|s|\d{1,2})?"
    ended = suffix + r"[\"'`]?\s{0,3}(?P<sign>(?:=>|:=|==?|:|\bis\b)\s{0,3})[\"'`]?"
    return literals, re.compile(rf"(?i){_NAME_BEFORE}(?:\w{{1,20}}[_-])?(?:{words}){ended}{value}")


@cache
def _harmless() -> frozenset[str]:
    value: str = table("secrets")["generic"]["harmless"]
    return frozenset(value.split())
