"""What has to stand in a text for a pattern to match it: pieces that are looked for first, as to
look for a few dozen of them takes a tenth of what a search takes."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import count, product
from typing import NamedTuple

OFTEN = 8
"""Times that something is looked for, from which on it is worth sorting it first: a short process
looks for it fewer times."""
_MOST = 100
"""Strings that are told apart in a part of a pattern, at most."""
_LONGEST = 24
"""Characters of a piece that are worth looking for."""
_LEAST = 3
"""Characters of a piece at least, and of what a text is first looked through for."""
LONGEST_TEXT = 4_096
"""Characters of a text that pieces are looked for in, at most."""
_KEPT = 16
_RANKS = {sign: rank for rank, sign in enumerate(" etaoinsrhldcumfpgwybvkxjqz")}
"""What stands in texts, the most frequent first; all else is as rare as the last."""
_RAREST = len(_RANKS) - 1
_EDGE = "\x08"
"""Between a word's letter and what is none."""
_AGAIN = r"[*+?][+?]?|\{(?:\d+(?:,\d*)?|,\d+)\}[+?]?"
_TOKEN = re.compile(
    rf"""
    (?P<again>{_AGAIN}) | (?P<looks>\(\?<?[=!]) | (?P<opens>\((?:\?(?::|>|P<\w+>))?(?!\?))
    | (?P<same>\(\?P=\w+\)) | (?P<closes>\)) | (?P<either>\|)
    | \[(?P<set>\^?\]?(?:\\.|[^\]\\])*)(?:\]|\Z) | \\(?P<escaped>.)
    | (?P<plain>[^\\()\[|*+?{{.^$]+(?![*+?{{])|[^\\()\[])
    """,
    re.VERBOSE | re.DOTALL,
)
_SPACES = str.maketrans({chr(n): " " for n in range(128) if not re.match(r"\w", chr(n))})
_EDGES, _ANYTHING, _GAPS = frozenset("bAZ"), frozenset("wSdD"), frozenset("sWntrfv")
_OPTIONAL = ("*", "{0", "{,")


class _Part(NamedTuple):
    """What a part of a pattern matches: all of it, where that are few strings; and pieces of which
    every match holds one. None: not known."""

    all: frozenset[str] | None
    pieces: frozenset[str] | None = None


class _UnreadError(ValueError):
    """A pattern says something that is not read here."""


_NOTHING, _SOMETHING = _Part(frozenset({""})), _Part(None)


class Needed:
    """Pieces of which one stands in each ASCII text in lower case that a pattern finds anything
    in, by three characters of theirs that are rare."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self._by_mark = _by_mark((piece, piece) for piece in pieces)
        self._marks = frozenset(self._by_mark)

    def stands_in(self, text: str) -> bool:
        """Whether such a text holds one of them."""
        held, marks = _spaced(text)
        for mark in self._marks & marks:
            for piece in self._by_mark[mark]:
                if piece in held:
                    return True
        return False


class Cues:
    """Many pieces of words that are looked for at once."""

    def __init__(self, cues: Iterable[str]) -> None:
        self._every = tuple(dict.fromkeys(cues))
        self._looked = count()

    def held_by(self, text: str) -> set[str]:
        """Those that a text in lower case holds."""
        if len(text) > LONGEST_TEXT:
            letters = set(text)
            return {cue for cue in self._every if letters.issuperset(cue) and cue in text}
        if next(self._looked) <= OFTEN or not text.isascii():
            return {cue for cue in self._every if cue in text}
        _, marks = _spaced(text)
        known, by_mark, short = self._sorted
        found = {cue for mark in known & marks for cue in by_mark[mark] if cue in text}
        return found.union(cue for cue in short if cue in text)

    @cached_property
    def _sorted(self) -> tuple[frozenset[str], dict[str, list[str]], tuple[str, ...]]:
        """Those that an ASCII text may hold, by what is rare in them, and those that are short."""
        long = (cue for cue in self._every if len(cue) >= _LEAST and cue.isascii())
        short = tuple(cue for cue in self._every if len(cue) < _LEAST)
        by_mark = _by_mark((cue, cue.translate(_SPACES)) for cue in long)
        return frozenset(by_mark), by_mark, short


def _by_mark(pieces: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Pieces by what is rare in them as they stand in a spaced text."""
    found: dict[str, list[str]] = {}
    for piece, held in pieces:
        found.setdefault(max(_marks(held), key=_rarity), []).append(piece)
    return found


def needs(source: str) -> Needed | None:
    """What a pattern, which minds case, needs; None where that is not known."""
    try:
        part = _Reading(source).whole()
    except _UnreadError:
        return None
    found = _rarer(part.pieces, _pieces(part.all))
    return None if found is None else Needed(found)


@lru_cache(maxsize=_KEPT)
def _spaced(text: str) -> tuple[str, frozenset[str]]:
    """A text with a space for all that is no letter of a word, and one at each end."""
    held = f" {text.translate(_SPACES)} "
    return held, frozenset(_marks(held))


def _marks(text: str) -> Iterable[str]:
    return map("".join, zip(text, text[1:], text[2:], strict=False))


def _rarity(mark: str) -> int:
    first, second, third = mark[0], mark[1], mark[2]
    rank = _RANKS.get
    return rank(first, _RAREST) + rank(second, _RAREST) + rank(third, _RAREST)


class _Reading:
    """A pattern that is read from left to right."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0

    def whole(self) -> _Part:
        """What all of it matches. Raises _UnreadError."""
        part = self._alternatives()
        if self._at < len(self._source):
            raise _UnreadError
        return part

    def _next(self) -> re.Match[str] | None:
        """What comes next, which is not gone past yet."""
        if self._at >= len(self._source):
            return None
        found = _TOKEN.match(self._source, self._at)
        if found is None:
            raise _UnreadError
        return found

    def _alternatives(self) -> _Part:
        """What stands up to the end or to the bracket that closes."""
        parts = [self._sequence()]
        while (token := self._next()) is not None and token["either"]:
            self._at = token.end()
            parts.append(self._sequence())
        every = frozenset[str]().union(*(one.all or () for one in parts))
        if len(every) <= _MOST and all(one.all is not None for one in parts):
            return _Part(every)
        pieces = [_rarer(one.pieces, _pieces(one.all)) for one in parts]
        known = [one for one in pieces if one is not None]
        return _Part(None, frozenset().union(*known) if len(known) == len(pieces) else None)

    def _sequence(self) -> _Part:
        run, pieces, whole = _NOTHING.all, None, True
        for part in self._parts():
            joined = _joined(run, part.all)
            if joined is not None:
                run = joined
                continue
            pieces, whole = _rarer(_rarer(pieces, _pieces(run)), part.pieces), False
            run = part.all if part.all is not None else _NOTHING.all
        return _Part(run) if whole else _Part(None, _rarer(pieces, _pieces(run)))

    def _parts(self) -> Iterator[_Part]:
        while (token := self._next()) is not None and not (token["closes"] or token["either"]):
            self._at = token.end()
            part = self._part(token)
            again = self._next()
            if again is not None and again["again"]:
                self._at = again.end()
                part = _repeated(part, again["again"])
            yield part

    def _part(self, token: re.Match[str]) -> _Part:
        if token["opens"] or token["looks"]:
            part = self._alternatives()
            if self._source[self._at : self._at + 1] != ")":
                raise _UnreadError
            self._at += 1
            return part if token["opens"] else _NOTHING
        if token["again"]:
            raise _UnreadError
        if token["set"] is not None:
            return _of_set(token["set"])
        if token["escaped"] is not None:
            return _of_escaped(token["escaped"])
        return _SOMETHING if token["same"] else _of_plain(token["plain"])


def _of_plain(signs: str) -> _Part:
    if signs == ".":
        return _SOMETHING
    return _Part(frozenset({_EDGE})) if signs in ("^", "$") else _of_signs(signs)


def _of_signs(signs: str) -> _Part:
    """No ASCII text holds what is not ASCII."""
    return _Part(frozenset({signs.translate(_SPACES)} if signs.isascii() else ()))


def _of_escaped(sign: str) -> _Part:
    if sign in _EDGES:
        return _Part(frozenset({_EDGE}))
    if sign in _ANYTHING:
        return _SOMETHING
    if sign == "B":
        return _NOTHING
    if sign in _GAPS:
        return _of_signs(" ")
    if sign.isalnum():
        raise _UnreadError
    return _of_signs(sign)


def _of_set(signs: str) -> _Part:
    if signs.startswith("^") or "\\" in signs or "-" in signs[1:-1]:
        return _SOMETHING
    return _Part(frozenset(one.translate(_SPACES) for one in signs if one.isascii()))


def _repeated(part: _Part, how: str) -> _Part:
    if how[0] == "?":
        return _SOMETHING if part.all is None else _Part(part.all | {""})
    if how.startswith(_OPTIONAL):
        return _SOMETHING
    return _Part(None, _rarer(part.pieces, _pieces(part.all)))


def _joined(run: frozenset[str] | None, more: frozenset[str] | None) -> frozenset[str] | None:
    """Each of the one before each of the other; None where that are too many, or too long."""
    if run is None or more is None or len(run) * len(more) > _MOST:
        return None
    found = frozenset(a + b for a, b in product(run, more))
    return found if all(len(one) <= _LONGEST for one in found) else None


def _rarer(pieces: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if pieces is None or other is None:
        return pieces if other is None else other
    return min(pieces, other, key=_commonness)


def _commonness(pieces: Iterable[str]) -> float:
    return sum(4.0 ** -len(one) for one in pieces)


def _pieces(strings: frozenset[str] | None) -> frozenset[str] | None:
    """What stands in the `spaced` form of a text where one of these does; None where one of them is
    too short to be worth looking for."""
    made = frozenset(map(_with_spaces, strings or ()))
    return None if strings is None or any(len(one) < _LEAST for one in made) else made


def _with_spaces(string: str) -> str:
    """An edge outside of a word's first and last letter is a space."""
    bare = string.replace(_EDGE, "")
    before = " " if string.startswith(_EDGE) and bare[:1].strip() else ""
    after = " " if string.endswith(_EDGE) and bare[-1:].strip() else ""
    return f"{before}{bare}{after}"
