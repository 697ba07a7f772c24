"""The one analyser: what is indexed of a document and what is asked of the index.

The output is plain words of letters, digits and `_`; joined by spaces it is what every engine
indexes (SQLite FTS5 with `unicode61 remove_diacritics 0 tokenchars '_'`, PostgreSQL `simple`),
and each word comes back from the engine unchanged. Change `ANALYSER_VERSION` with every change of
the output: the store compares it and rebuilds its index.
"""

from collections.abc import Iterator

from engraphy.record import Record
from engraphy.text.bent import other_forms
from engraphy.text.language import language, latin_evidence
from engraphy.text.latin import foreign_evidence, foreign_words, latin_key
from engraphy.text.pieces import PREFIX_LENGTH, Role, Style, Term, cut, prefix
from engraphy.text.stopwords import other_stop_words, stop_words

ANALYSER_VERSION = 5
_MOST_ASKED = 20_000
_WORDS = frozenset({"word", "stem"})

_WEIGHT: dict[Role, float] = {
    "word": 1.0,
    "whole": 1.0,
    "pair": 1.0,
    "stem": 0.8,
    "part": 0.5,
    "single": 0.4,
    "prefix": 0.3,
}


class QueryTerm(Record, frozen=True, kw_only=True):
    """One term to look up.

    `surface` is the folded word of the query that it stands for (terms of one word share it);
    `weight` in (0, 1] says how much a match of this term is worth beside the word itself.
    """

    term: str
    surface: str
    weight: float


def analyse(text: str) -> list[str]:
    """The index tokens of a document in reading order, repeated as often as they occur. Linear."""
    style = _style(text)
    return [term.text for piece in text.split() for term in cut(piece, style=style)]


def query_terms(text: str, *, limit: int = 64) -> list[QueryTerm]:
    """The distinct terms of a query, at most `limit`, in reading order; any text is legal.

    Stop words are dropped unless nothing else is left. If there are more terms than `limit`, the
    heavier ones stay; of a longer text the first 20,000 characters are read. Empty only if those
    have no letter, digit or emoji.
    """
    text = text.strip()[:_MOST_ASKED]
    style = _style(text)
    terms = list(_terms(text, style))
    stops = _stops(text, style)
    kept = [one for one in terms if not _is_noise(one, stops)] or terms
    found: dict[str, QueryTerm] = {}
    for term, surface, role in kept:
        weight = _WEIGHT[role]
        if term not in found or found[term].weight < weight:
            found[term] = QueryTerm(term=term, surface=surface, weight=weight)
    heaviest = sorted(found.values(), key=lambda query: -query.weight)[:limit]
    chosen = {query.term for query in heaviest}
    return [query for query in found.values() if query.term in chosen]


def _style(text: str) -> Style:
    spoken = language(text)
    if spoken not in ("en", "tr"):
        return "plain"
    english, turkish, foreign = _evidence(text)
    if foreign > max(english, turkish):
        return "latin"
    return "turkish" if spoken == "tr" else "plain"


def _evidence(text: str) -> tuple[float, float, float]:
    """What speaks for English alone, for Turkish, and for another Latin language."""
    english, turkish = latin_evidence(text)
    found = foreign_evidence(text)
    return english - found.english_too, turkish - found.turkish_too, found.foreign


def _stops(text: str, style: Style) -> frozenset[str]:
    stops = stop_words("tr" if style == "turkish" else "en")
    if style == "latin" or not text.isascii():
        stops |= other_stop_words()
    # One word of grammar that is a word of content elsewhere (Turkish `ses`) is no proof.
    proven = style == "latin" and foreign_evidence(text).foreign >= 1
    return stops | foreign_words() if proven else stops


def _terms(text: str, style: Style) -> Iterator[Term]:
    """What a query's words are looked up by; a word that comes again adds nothing."""
    english, turkish, foreign = _evidence(text)
    guess_prefix = style == "plain" and not latin_evidence(text)[0]
    guess_key = style != "latin" and english <= 0 and turkish <= max(foreign, 0.5)
    for piece in dict.fromkeys(text.split()):
        terms = dict.fromkeys(cut(piece, style=style))
        paired = {term.surface for term in terms if term.role == "pair"}
        for term in terms:
            if term.role != "single" or term.surface not in paired:
                yield term
            if term.role in _WORDS:
                yield from (Term(one, term.surface, "stem") for one in other_forms(term.text))
            if guess_prefix and term.role == "word" and _may_be_inflected(term.text):
                yield Term(prefix(term.text), term.surface, "prefix")
            if guess_key and term.role == "word" and (key := latin_key(term.text)):
                yield Term(key, term.surface, "part")


def _may_be_inflected(word: str) -> bool:
    """Without any evidence a Latin word may be of any language; only English texts have no
    prefixes."""
    return len(word) >= PREFIX_LENGTH and word.isascii() and word.isalpha()


def _is_noise(term: Term, stops: frozenset[str]) -> bool:
    return term.surface in stops or (term.role != "whole" and term.text in stops)
