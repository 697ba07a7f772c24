"""Full-text search: BM25 over what one view may see, at a bounded cost.

The numbers of rows, their mean length and how many rows hold a term are those of the view's walls,
never of the whole file: no score tells what stands behind another wall. Rare terms choose the
candidates, common ones only refine their order.
"""

import heapq
import json
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import filterfalse, islice
from weakref import WeakKeyDictionary

import apsw
from msgspec.structs import replace

from engraphy.model.query import Term, TextMatch, TextResult, View
from engraphy.record import Record
from engraphy.stores.relational import filters, scopes
from engraphy.stores.relational.damage import id_read
from engraphy.stores.relational.sql import every, first, numbers, query
from engraphy.stores.relational.terms import POSTINGS, Weighed, either, phrases, quoted, split
from engraphy.stores.sqlite.sql import own

COLUMN_WEIGHTS = (1.0, 1.2, 0.8, 0.4, 0.8, 0.0)
"""content, title, subtitle, context, tags, wall."""
K1 = 1.2
B = 0.75
COUNTED_EXACTLY = 5_000
"""Up to so many rows every count is made anew."""
_GROWTH = 1.05
_MOST_COUNTS = 50_000
_FIRST_CANDIDATES, _FIRST_EACH = 60, 2
"""Rows that are looked at first: at least, and for each one asked for."""
_FEW_WALLS = 8


class _Corpus(Record, frozen=True):
    """What a view may search: its walls as a condition, rows and mean length behind them."""

    walls: str
    others: str | None
    """The other walls of the file, "" for none, where naming them is quicker."""
    documents: int
    mean_length: float

    def behind(self, wanted: str) -> str:
        """The rows behind the walls that match. Each row stands behind one wall, and FTS5 reads
        the list of each wall that is named."""
        if self.others is None:
            return f"{wanted} AND {self.walls}"
        return f"({wanted}) NOT {self.others}" if self.others else wanted


class _Gate:
    """Which rows a view sees."""

    def __init__(self, connection: apsw.Connection, view: View, visible: Sequence[int]) -> None:
        self._connection = connection
        self._text = query("visible_rows", gate=filters.gate(view))
        self._bound = filters.bindings(view, visible)

    def passed(self, rows: list[int], enough: int) -> dict[int, str]:
        """The ids of those among `rows`, from the first on, until there are enough."""
        found: dict[int, str] = {}
        while rows and len(found) < enough:
            bound = self._bound | {"seqs": numbers(rows[:enough])}
            found.update(every(self._connection, self._text, bound))
            rows = rows[enough:]
        return found


class _Scorer:
    """BM25 of the current row, as an auxiliary function of FTS5."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.mean_length = 1.0

    def __call__(self, row: apsw.FTS5ExtensionApi, /, *_: object) -> float:
        damping = K1 * (1 - B + B * row.column_size(-1) / self.mean_length)
        score = 0.0
        columns_of = row.phrase_columns
        for phrase, value in enumerate(self.values):
            # Most phrases stand in few rows.
            if columns := columns_of(phrase):
                count = 0.0
                for column in columns:
                    offsets = row.phrase_column_offsets(phrase, column)
                    count += COLUMN_WEIGHTS[column] * len(offsets)
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
        visible = scopes.visible(connection, view)
        corpus = _corpus(connection, scopes.walls(visible, view.sensitivities))
        weights = phrases(terms) if corpus.documents else {}
        counts, lists = self._lookup(connection, corpus, list(weights))
        told = tuple((term.term, counts.get(quoted(term.term), 0)) for term in terms)
        choosing, refining = split(weights, counts, corpus.documents)
        nothing = TextResult(
            document_frequency=told, documents=corpus.documents, mean_length=corpus.mean_length
        )
        if not choosing or limit < 1:
            return nothing
        gate = _Gate(connection, view, visible)
        seen: list[tuple[float, int, str]] = []
        for place, rows in enumerate(
            _reach(connection, corpus, choosing, lists, max(_FIRST_CANDIDATES, _FIRST_EACH * limit))
        ):
            # A row is dear to look up: of the first only the best are, where few are wanted.
            few = place == 0 and limit < len(rows)
            ids = {} if few else gate.passed(rows, len(rows))
            scores = self._scores(connection, corpus, choosing, refining, rows if few else [*ids])
            if few:
                ranked = sorted(scores, key=lambda seq: (-scores[seq], -seq))
                ids = gate.passed(ranked, limit)
            seen += ((-scores[seq], -seq, ids[seq]) for seq in ids)
            if len(seen) >= limit:
                break
        best = heapq.nsmallest(limit, seen)
        matches = tuple(TextMatch(id=id_read(known), bm25=-score) for score, _, known in best)
        return replace(nothing, matches=matches)

    def _lookup(
        self, connection: apsw.Connection, corpus: _Corpus, wanted: list[str]
    ) -> tuple[dict[str, int], dict[str, list[str]]]:
        """How many rows hold each phrase, and which, where they had to be looked up and are few."""
        counts: dict[str, int] = {}
        lists: dict[str, list[str]] = {}
        is_large = corpus.documents > COUNTED_EXACTLY
        for phrase in wanted:
            known = self._counts.get((corpus.walls, phrase))
            if known and is_large and _close(known[0], corpus.documents):
                counts[phrase] = known[1]
                continue
            rows = _matched(connection, corpus.behind(phrase))
            if len(rows) < POSTINGS or not is_large:
                counts[phrase], lists[phrase] = len(rows), rows
            else:
                counts[phrase] = _frequency(connection, corpus, phrase)
            if is_large:
                self._note(corpus, phrase, counts[phrase])
        return counts, lists

    def _note(self, corpus: _Corpus, phrase: str, count: int) -> None:
        if len(self._counts) >= _MOST_COUNTS:
            self._counts.clear()
        self._counts[corpus.walls, phrase] = (corpus.documents, count)

    def _scores(
        self,
        connection: apsw.Connection,
        corpus: _Corpus,
        choosing: list[Weighed],
        refining: list[Weighed],
        seqs: list[int],
    ) -> dict[int, float]:
        if not seqs:
            return {}
        scorer = self._scorers[connection]
        scorer.mean_length = corpus.mean_length
        scores: dict[int, float] = dict.fromkeys(seqs, 0.0)
        chosen, listed = either(choosing), numbers(seqs)
        # Refining terms are looked up among the chosen rows only; their shares add up.
        asked = [(corpus.behind(chosen), choosing)]
        if refining:
            asked.append((corpus.behind(f"{either(refining)} AND {chosen}"), refining))
        for match, scored in asked:
            scorer.values = [term.value for term in scored]
            bound = {"match": match, "seqs": listed, "first": min(seqs), "last": max(seqs)}
            found = connection.execute(own("score_rows"), bound)
            for seq, score in found:
                scores[seq] += score
        return scores


def _frequency(connection: apsw.Connection, corpus: _Corpus, phrase: str) -> int:
    most = max(POSTINGS, corpus.documents // 2 + 1)
    match = {"match": corpus.behind(phrase), "most": most}
    (count,) = first(connection, own("count_matches"), match)
    return int(count)


def _close(then: int, now: int) -> bool:
    return then <= now * _GROWTH and now <= then * _GROWTH


def _corpus(connection: apsw.Connection, walls: list[str]) -> _Corpus:
    bound = {"walls": json.dumps(walls), "most": _FEW_WALLS + 1}
    # A wall without a row would cost a look at the index for each term.
    held = every(connection, query("text_totals"), bound)
    documents, tokens = sum(one[1] for one in held), sum(one[2] for one in held)
    rest = every(connection, own("other_walls"), bound)
    fewer = len(rest) <= _FEW_WALLS and sum(count for _, count in rest) < documents
    others = _named([wall for wall, _ in rest]) if fewer else None
    mean_length = max(1.0, tokens / max(1, documents))
    return _Corpus(_named([one for one, _, _ in held]), others, documents, mean_length)


def _named(walls: Sequence[str]) -> str:
    return "wall : (" + " OR ".join(f'"{wall}"' for wall in walls) + ")" if walls else ""


def _reach(
    connection: apsw.Connection,
    corpus: _Corpus,
    choosing: list[Weighed],
    lists: Mapping[str, list[str]],
    size: int,
) -> Iterator[list[int]]:
    """Matched rows in ever larger batches, the first of `size`, those with the most telling terms
    first."""
    found = [
        (term.value, lists.get(term.phrase) or _matched(connection, corpus.behind(term.phrase)))
        for term in choosing
    ]
    ranked = _best_first(found)
    while batch := list(islice(ranked, size)):
        yield list(map(int, batch))
        size *= 4


def _best_first(lists: Sequence[tuple[float, list[str]]]) -> Iterator[str]:
    """Every row once, by the sum of what its terms are worth; equals in the order of their list.

    Most rows hold one term: they come list by list, as far as they are wanted, and only those of
    several lists are sorted.
    """
    met: set[str] = set()
    several: set[str] = set()
    for _, rows in lists:
        several.update(met.intersection(rows))
        met.update(rows)
    values: dict[str, float] = defaultdict(float)
    for value, rows in lists:
        for row in filter(several.__contains__, rows):
            values[row] += value
    ranked = deque(sorted(values, key=values.__getitem__, reverse=True))
    for value, rows in sorted(lists, key=lambda one: -one[0]):
        while ranked and values[ranked[0]] >= value:
            yield ranked.popleft()
        yield from filterfalse(several.__contains__, rows)
    yield from ranked


def _matched(connection: apsw.Connection, match: str) -> list[str]:
    """The numbers of the newest rows that match, as digits, the newest first."""
    # FTS5 reads its lists forwards in half the time: backwards only where the newest are not all.
    (rows,) = first(connection, own("match_rows"), {"match": match, "most": POSTINGS + 1})
    found: list[str] = rows.split(",") if rows else []
    if len(found) <= POSTINGS:
        found.reverse()
        return found
    (rows,) = first(connection, own("newest_match_rows"), {"match": match, "most": POSTINGS})
    return rows.split(",") if rows else []
