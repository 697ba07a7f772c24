"""What a request for advice and a preference may both be about, as food or clothes, or a task and
a convention, as testing or styling."""

from collections.abc import Collection, Iterator
from functools import cache
from itertools import chain, zip_longest

from engraphy.text.analyser import analyse
from engraphy.text.datafiles import table
from engraphy.text.fold import fold
from engraphy.text.imprint import CODE_BYTES, code

_MARK = "__"
"""Stands in index tokens that are no words (`engraphy.text.pieces`)."""
_STEM = 5
"""Letters of a stem at least: shorter ones are of many words."""
_READ = 1_000
"""Characters of a question that are read."""


CODE = frozenset(table("domains")["code"])
"""The kinds of work on code; the others are domains of life."""


def of_question(question: str) -> frozenset[str]:
    """The domains of a question, of which the first 1,000 characters are read; English and
    Turkish."""
    return of_codes(b"".join(map(code, analyse(question[:_READ]))))


def of_codes(codes: bytes) -> frozenset[str]:
    """The domains of a text, given the codes of its index tokens (`engraphy.text.imprint`)."""
    known, width = _domains(), CODE_BYTES
    found = (known.get(codes[at : at + width]) for at in range(0, len(codes), width))
    return frozenset[str]().union(*(one for one in found if one))


def words_of(domains: Collection[str]) -> list[str]:
    """The index tokens of the words of some domains, those that each list begins with first."""
    lists = (
        _tokens(words)
        for section in table("domains").values()
        for name, words in section.items()
        if name in domains
    )
    in_turn = chain.from_iterable(zip_longest(*lists))
    return [one for one in dict.fromkeys(in_turn) if one is not None]


@cache
def _domains() -> dict[bytes, frozenset[str]]:
    """The domains of each token's code."""
    found: dict[bytes, frozenset[str]] = {}
    for section in table("domains").values():
        for name, words in section.items():
            for token in _tokens(words):
                found[code(token)] = found.get(code(token), frozenset()) | {name}
    return found


def _tokens(words: str) -> Iterator[str]:
    """The index tokens of words: each as it is written, and its stem where that is long; of one
    with a hyphen the whole, not its parts."""
    written = {fold(word).replace("-", "") for word in words.split()}
    plain = " ".join(word for word in words.split() if "-" not in word)
    joined = chain.from_iterable(analyse(word) for word in words.split() if "-" in word)
    for token in analyse(plain):
        if token in written or (len(token) >= _STEM and _MARK not in token):
            yield token
    yield from (token for token in joined if token.replace("_", "") in written)
