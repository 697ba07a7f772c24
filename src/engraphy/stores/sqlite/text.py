"""Full-text search: BM25 over what one view may see, at a bounded cost.

The numbers of rows, their mean length and how many rows hold a term are those of the view's walls,
never of the whole file: no score tells what stands behind another wall. Rare terms choose the
candidates, common ones only refine their order.
"""

import heapq
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import apsw

from engraphy.model.query import Term, TextMatch, TextResult, View
from engraphy.stores.sqlite import filters, scopes
from engraphy.stores.sqlite.sql import every, first, query

COLUMN_WEIGHTS = (1.0, 1.2, 0.8, 0.4, 0.8, 0.0)
"""content, title, subtitle, context, tags, wall."""
K1 = 1.2
B = 0.75
POSTINGS = 8_000
"""Rows that the terms which choose candidates may match together."""
COMMON_SHARE = 0.15
"""A term in a larger share of the rows only refines."""
COUNTED_EXACTLY = 5_000
"""Up to so many rows every count is made anew, and every term may choose."""
_MOST_TERMS = 64
_GROWTH = 1.05
_MOST_COUNTS = 50_000
_FIRST_CANDIDATES = 300


class _Weighed(NamedTuple):
    phrase: str
    frequency: int
    value: float
    """Weight x inverse document frequency."""


@dataclass(frozen=True, slots=True)
class _Corpus:
    """What a view may search: its walls as a condition, rows and mean length behind them."""

    walls: str
    documents: int
    mean_length: float


class _Scorer:
    """BM25 of the current row, as an auxiliary function of FTS5."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.mean_length = 1.0

    def __call__(self, row: apsw.FTS5ExtensionApi, /, *_: object) -> float:
        damping = K1 * (1 - B + B * row.column_size(-1) / self.mean_length)
        score = 0.0
        for phrase, value in enumerate(self.values):
            columns = row.phrase_columns(phrase)
            if columns:
                count = sum(
                    COLUMN_WEIGHTS[column] * len(row.phrase_column_offsets(phrase, column))
                    for column in columns
                )
                score += value * count * (K1 + 1) / (count + damping)
        return score


class TextSearch:
    """The full-text search of one store; remembers how frequent terms are in large corpora."""

    def __init__(self) -> None:
        self._scorers: WeakKeyDictionary[apsw.Connection, _Scorer] = WeakKeyDictionary()
        self._counts: dict[tuple[str, str], tuple[int, int]] = {}

    def prepare(self, connection: apsw.Connection) -> None:
        """Give a connection the scoring function."""
        scorer = _Scorer()
        connection.register_fts5_function("engraphy_bm25", scorer)
        self._scorers[connection] = scorer

    def search(
        self, connection: apsw.Connection, view: View, terms: Sequence[Term], limit: int
    ) -> TextResult:
        """The visible rows that match, best first, with the view's own statistics."""
        visible = scopes.visible(connection, view.scope)
        corpus = _corpus(connection, scopes.walls(visible, view.sensitivities))
        phrases = _phrases(terms) if corpus.documents else {}
        counts = {p: self._frequency(connection, corpus, p) for p in phrases}
        told = tuple((term.term, counts.get(_quoted(term.term), 0)) for term in terms)
        choosing, refining = _split(phrases, counts, corpus.documents)
        if not choosing or limit < 1:
            return TextResult(document_frequency=told, documents=corpus.documents)
        reached = _reach(connection, corpus, choosing)
        bound = filters.bindings(view, visible)
        seen = _first_visible(connection, filters.gate(view), bound, reached, limit)
        if not seen:
            return TextResult(document_frequency=told, documents=corpus.documents)
        scores = self._scores(connection, corpus, choosing, refining, list(seen))
        best = heapq.nsmallest(limit, ((-score, -seq) for seq, score in scores.items()))
        matches = tuple(TextMatch(id=seen[-seq], bm25=-score) for score, seq in best)
        return TextResult(matches=matches, document_frequency=told, documents=corpus.documents)

    def _frequency(self, connection: apsw.Connection, corpus: _Corpus, phrase: str) -> int:
        key = (corpus.walls, phrase)
        known = self._counts.get(key)
        if known and corpus.documents > COUNTED_EXACTLY and _close(known[0], corpus.documents):
            return known[1]
        most = max(POSTINGS, corpus.documents // 2 + 1)
        match = {"match": f"{phrase} AND {corpus.walls}", "most": most}
        (count,) = first(connection, query("count_matches"), match)
        if corpus.documents > COUNTED_EXACTLY:
            if len(self._counts) >= _MOST_COUNTS:
                self._counts.clear()
            self._counts[key] = (corpus.documents, count)
        return int(count)

    def _scores(
        self,
        connection: apsw.Connection,
        corpus: _Corpus,
        choosing: list[_Weighed],
        refining: list[_Weighed],
        seqs: list[int],
    ) -> dict[int, float]:
        scorer = self._scorers[connection]
        scorer.mean_length = corpus.mean_length
        scores: dict[int, float] = dict.fromkeys(seqs, 0.0)
        chosen, listed = _any(choosing), json.dumps(seqs)
        # Refining terms are looked up among the chosen rows only; their shares add up.
        asked = [(f"{chosen} AND {corpus.walls}", choosing)]
        if refining:
            asked.append((f"{_any(refining)} AND {chosen} AND {corpus.walls}", refining))
        for match, scored in asked:
            scorer.values = [term.value for term in scored]
            bound = {"match": match, "seqs": listed, "first": min(seqs), "last": max(seqs)}
            found = connection.execute(query("score_rows"), bound)
            for seq, score in found:
                scores[seq] += score
        return scores


def _close(then: int, now: int) -> bool:
    return then <= now * _GROWTH and now <= then * _GROWTH


def _corpus(connection: apsw.Connection, walls: list[str]) -> _Corpus:
    documents, tokens = first(connection, query("text_totals"), {"walls": json.dumps(walls)})
    condition = "wall : (" + " OR ".join(f'"{wall}"' for wall in walls) + ")"
    return _Corpus(condition, documents, max(1.0, tokens / max(1, documents)))


def _quoted(term: str) -> str:
    """A term as an FTS5 string; '' for what the index cannot hold."""
    if not any(sign.isalnum() for sign in term) or "\0" in term or not _is_encodable(term):
        return ""
    return '"' + term.replace('"', '""') + '"'


def _is_encodable(term: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in term)


def _phrases(terms: Sequence[Term]) -> dict[str, float]:
    weights: dict[str, float] = defaultdict(float)
    for term in terms:
        phrase = _quoted(term.term)
        if phrase and term.weight > 0:
            weights[phrase] = max(weights[phrase], term.weight)
    heaviest = heapq.nlargest(_MOST_TERMS, weights.items(), key=lambda item: item[1])
    return dict(heaviest)


def _split(
    phrases: dict[str, float], counts: dict[str, int], documents: int
) -> tuple[list[_Weighed], list[_Weighed]]:
    """The terms that choose candidates, rarest first, and those that only refine."""
    weighed = sorted(
        (
            _Weighed(phrase, counts[phrase], weight * _rarity(counts[phrase], documents))
            for phrase, weight in phrases.items()
            if counts[phrase]
        ),
        key=lambda term: (term.frequency, term.phrase),
    )
    choosing: list[_Weighed] = []
    refining: list[_Weighed] = []
    postings = 0
    for term in weighed:
        postings += term.frequency
        rare = documents <= COUNTED_EXACTLY or term.frequency <= COMMON_SHARE * documents
        if not choosing or (rare and postings <= POSTINGS):
            choosing.append(term)
        elif term.frequency * 2 <= documents or documents <= COUNTED_EXACTLY:
            refining.append(term)
    return choosing, refining


def _rarity(frequency: int, documents: int) -> float:
    """Inverse document frequency of BM25 in its form that stays positive."""
    rows = max(documents, frequency)
    return math.log1p((rows - frequency + 0.5) / (frequency + 0.5))


def _any(terms: Sequence[_Weighed]) -> str:
    return "(" + " OR ".join(term.phrase for term in terms) + ")"


def _reach(
    connection: apsw.Connection, corpus: _Corpus, choosing: list[_Weighed]
) -> Iterator[list[int]]:
    """Matched rows in ever larger batches, those with the most telling terms first."""
    values: dict[int, float] = defaultdict(float)
    for term in choosing:
        match = {"match": f"{term.phrase} AND {corpus.walls}", "most": POSTINGS}
        (rows,) = first(connection, query("match_rows"), match)
        for seq in map(int, rows.split(",") if rows else ()):
            values[seq] += term.value
    ranked = sorted(values, key=lambda seq: (-values[seq], -seq))
    size = _FIRST_CANDIDATES
    while ranked:
        yield ranked[:size]
        ranked = ranked[size:]
        size *= 4


def _first_visible(
    connection: apsw.Connection,
    gate: str,
    bound: filters.Bindings,
    batches: Iterator[list[int]],
    limit: int,
) -> dict[int, str]:
    """Ids by row of the first visible rows, about twice as many as asked for."""
    seen: dict[int, str] = {}
    for batch in batches:
        values = bound | {"seqs": json.dumps(batch)}
        seen.update(every(connection, query("visible_rows", gate=gate), values))
        if len(seen) >= 2 * limit:
            break
    return seen
