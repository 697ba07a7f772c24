"""Full-text search: BM25 over what one view may see, as on the other engines.

`ts_rank` is no BM25: the index finds candidates, and their score is made here, from the places of
each term and the statistics of the view's own walls (Robertson and Zaragoza, The Probabilistic
Relevance Framework: BM25 and Beyond). Which terms choose candidates and which only refine is the
engine-neutral half's decision (`relational/terms.py`).
"""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from engraphy.model.query import Term, TextMatch, TextResult, View
from engraphy.stores.postgres.connection import Connection
from engraphy.stores.postgres.dialect import own
from engraphy.stores.relational import filters, scopes
from engraphy.stores.relational.sql import every, numbers, query
from engraphy.stores.relational.terms import POSTINGS, Weighed, is_held, phrases, split

WEIGHTS = {"D": 1.0, "A": 1.2, "B": 0.8, "C": 0.4}
"""What a term counts by the mark of its place: content, title, subtitle and labels, context."""
K1 = 1.2
B = 0.75
COUNTED_EXACTLY = 5_000
"""Up to so many rows every count is made anew."""
_GROWTH = 1.05
_LONGEST = 2_046
"""Bytes from which on PostgreSQL takes no word."""
_MOST_COUNTS = 50_000
_FIRST_CANDIDATES, _FIRST_EACH = 60, 2
"""Rows that are looked at first: at least, and for each one asked for."""


class _Corpus(NamedTuple):
    """What a view may search: its walls, rows and mean length behind them."""

    walls: tuple[str, ...]
    documents: int
    mean_length: float

    def behind(self, wanted: str) -> str:
        """Rows that match, behind these walls, as a text query."""
        walls = " | ".join(lexeme(f"#{wall}") for wall in self.walls)
        return f"({wanted}) & ({walls})"


def plain(term: str) -> str:
    """A term as it is; '' for what the index cannot hold."""
    return term if is_held(term) and len(term.encode()) < _LONGEST else ""


def lexeme(term: str) -> str:
    """A term as it stands in a text query."""
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"


class TextSearch:
    """The full-text search of one store; remembers how frequent terms are in large corpora."""

    def __init__(self) -> None:
        self._counts: dict[tuple[tuple[str, ...], str], tuple[int, int]] = {}

    def search(
        self, connection: Connection, view: View, terms: Sequence[Term], limit: int
    ) -> TextResult:
        """The visible rows that match, best first, with the view's own statistics."""
        visible = scopes.visible(connection, view)
        corpus = _corpus(connection, scopes.walls(visible, view.sensitivities))
        weights = phrases(terms, plain) if corpus.documents else {}
        counts = self._frequencies(connection, corpus, view, list(weights))
        told = tuple((term.term, counts.get(plain(term.term), 0)) for term in terms)
        nothing = TextResult(
            document_frequency=told, documents=corpus.documents, mean_length=corpus.mean_length
        )
        choosing, refining = split(weights, counts, corpus.documents)
        if not choosing or limit < 1:
            return nothing
        gate, bound = filters.gate(view), filters.bindings(view, visible)
        seen: list[tuple[float, int, str]] = []
        size = max(_FIRST_CANDIDATES, _FIRST_EACH * limit)
        for rows in _reach(connection, corpus, choosing, size):
            values = bound | {"seqs": numbers(rows)}
            ids = dict(every(connection, query("visible_rows", gate=gate), values))
            scores = _scores(connection, [*choosing, *refining], [*ids], corpus.mean_length)
            seen += ((-scores[seq], -seq, known) for seq, known in ids.items())
            if len(seen) >= limit:
                break
        best = heapq.nsmallest(limit, seen)
        matches = tuple(TextMatch(id=known, bm25=-score) for score, _, known in best)
        return replace(nothing, matches=matches)

    def _frequencies(
        self, connection: Connection, corpus: _Corpus, view: View, wanted: list[str]
    ) -> dict[str, int]:
        """How many rows behind the walls hold each phrase."""
        # The number of a wall is one tenant's own.
        corner = (str(view.scope.tenant), *corpus.walls)
        is_large = corpus.documents > COUNTED_EXACTLY
        counts: dict[str, int] = {}
        for one in wanted if is_large else ():
            known = self._counts.get((corner, one))
            if known and _close(known[0], corpus.documents):
                counts[one] = known[1]
        asked = [one for one in wanted if one not in counts]
        if asked:
            matches = [corpus.behind(lexeme(one)) for one in asked]
            most = max(POSTINGS, corpus.documents // 2 + 1)
            values = {"matches": matches, "most": most}
            found = dict(every(connection, own("count_matches"), values))
            counts |= {one: found[place] for place, one in enumerate(asked, start=1)}
        if is_large:
            self._note(corner, {one: (corpus.documents, counts[one]) for one in asked})
        return counts

    def _note(self, corner: tuple[str, ...], counts: dict[str, tuple[int, int]]) -> None:
        if len(self._counts) + len(counts) > _MOST_COUNTS:
            self._counts.clear()
        self._counts.update(((corner, one), told) for one, told in counts.items())


def _close(then: int, now: int) -> bool:
    return then <= now * _GROWTH and now <= then * _GROWTH


def _corpus(connection: Connection, walls: list[str]) -> _Corpus:
    held = every(connection, query("text_totals"), {"walls": _listed(walls)})
    documents, tokens = sum(one[1] for one in held), sum(one[2] for one in held)
    mean_length = max(1.0, tokens / max(1, documents))
    return _Corpus(tuple(sorted(one for one, _, _ in held)), documents, mean_length)


def _listed(words: Sequence[str]) -> str:
    return "[" + ",".join(f'"{word}"' for word in words) + "]"


def _reach(
    connection: Connection, corpus: _Corpus, choosing: list[Weighed], size: int
) -> Iterator[list[int]]:
    """Matched rows in ever larger batches, the first of `size`, those with the most telling terms
    first, the newest of equals."""
    words = [lexeme(term.phrase) for term in choosing]
    bound = {
        "match": corpus.behind(" | ".join(words)),
        "words": words,
        "worths": [term.value for term in choosing],
    }
    # The first are mostly enough, and all of them take as long to send as to find.
    first = [seq for (seq,) in every(connection, own("match_rows"), bound | {"most": size})]
    if first:
        yield first
    if len(first) < size:
        return
    ranked = every(connection, own("match_rows"), bound | {"most": POSTINGS})
    rest = iter([seq for (seq,) in ranked[size:]])
    while batch := list(islice(rest, size := 4 * size)):
        yield batch


def _scores(
    connection: Connection, terms: Sequence[Weighed], seqs: list[int], mean_length: float
) -> dict[int, float]:
    """BM25 of rows. A term counts in a row by its places, each by its mark."""
    scores: dict[int, float] = dict.fromkeys(seqs, 0.0)
    if not seqs:
        return scores
    values = {term.phrase: term.value for term in terms}
    bound = {"seqs": seqs, "lexemes": [*values]}
    for seq, length, term, marks in every(connection, own("term_places"), bound):
        counts: dict[str, float] = defaultdict(float)
        for mark in marks:
            counts[mark] += 1
        count = sum(WEIGHTS[mark] * often for mark, often in counts.items())
        damping = K1 * (1 - B + B * length / mean_length)
        scores[seq] += values[term] * count * (K1 + 1) / (count + damping)
    return scores
