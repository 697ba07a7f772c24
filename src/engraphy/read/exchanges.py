"""What a summary is after is exchanges: what the user brought up and what was answered, together,
from one session after another."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from engraphy.model import Candidate, DataSource
from engraphy.profile import Aim
from engraphy.read.measure import Pool
from engraphy.read.select import Scored
from engraphy.text.aims import resumes

# Plain strings: they are compared hundreds of times per question.
_USER, _AGENT = DataSource.USER_MESSAGE.value, DataSource.ASSISTANT_MESSAGE.value
_BEHIND = 0.5
"""Of its exchange's score, for a further part of a message."""
Known = Mapping[str | None, Candidate]


class _Exchange(Struct):
    """The rows of what was said and of what was answered, the best of each first, and the earliest
    part of all."""

    first: Candidate
    said: list[Scored]
    answered: list[Scored]

    @property
    def size(self) -> int:
        """How many rows it has."""
        return len(self.said) + len(self.answered)

    def worth(self, share: float) -> float:
        """What its best parts are worth, an answer that was not found as much as what was said."""
        said = self.said[0].score if self.said else 0.0
        answered = self.answered[0].score if self.answered else said
        return (said + share * answered) / (1.0 + share)


def exchanged(rows: Sequence[Scored], pool: Pool, knobs: Aim) -> list[Scored]:
    """The rows, best first: of each exchange the best part of what was said and the best of the
    answer next to each other, as good as the exchange, and their further parts behind them."""
    found = _exchanges(rows, pool.candidates)
    worth = _apart(found, _worth(found, pool.candidates, knobs), knobs)
    most = max(worth.values(), default=0.0)
    scale = max((row.score for row in rows), default=0.0) / most if most > 0.0 else 0.0
    best_first = sorted(worth, key=lambda key: -worth[key])
    placed = [row for key in best_first for row in _placed(found[key], scale * worth[key])]
    # What was said stays before its answer, as their scores are equal.
    return sorted(placed, key=lambda row: -row.score)


def _exchanges(rows: Iterable[Scored], candidates: Iterable[Candidate]) -> dict[str, _Exchange]:
    """The exchanges by the id of their first part that was fetched."""
    known: Known = {one.id: one for one in candidates}
    found: dict[str, _Exchange] = {}
    for row in rows:
        one = row.measured.candidate
        first = _begun(one, known)
        exchange = found.setdefault(first.id, _Exchange(first, [], []))
        (exchange.answered if one.data_source == _AGENT else exchange.said).append(row)
    return found


def _begun(one: Candidate, known: Known) -> Candidate:
    """The first part of the exchange that a row is of: an answer belongs to the message before."""
    first = _message(one, known)
    if first.data_source == _AGENT and first.session is not None:
        before = known.get(first.previous_id)
        return _message(before, known) if before and before.data_source == _USER else first
    return first


def _message(one: Candidate, known: Known) -> Candidate:
    """The first part of a message, as far as its parts were fetched one after another."""
    if one.session is None:
        return one
    own = (one.data_source, one.valid_from, one.speaker)
    before = known.get(one.previous_id)
    while before is not None and (before.data_source, before.valid_from, before.speaker) == own:
        one, before = before, known.get(before.previous_id)
    return one


def _worth(
    found: Mapping[str, _Exchange], candidates: Iterable[Candidate], knobs: Aim
) -> dict[str, float]:
    """What exchanges are worth: those that came early in their session gain, those that only went
    on with one lose."""
    by_number = sorted(candidates, key=attrgetter("seq"))
    last = {one.session: one.seq for one in by_number}
    first = {one.session: one.seq for one in reversed(by_number)}
    worth = {}
    for key, one in found.items():
        value = one.worth(knobs.exchange)
        session = one.first.session
        if session is not None:
            low, high = first[session], last[session]
            value *= 1.0 + knobs.opening * (1.0 - (one.first.seq - low) / (high - low + 1))
        if knobs.resumed and one.said and resumes(one.first.words):
            value *= 1.0 - knobs.resumed
        worth[key] = value
    return worth


def _apart(
    found: Mapping[str, _Exchange], worth: Mapping[str, float], knobs: Aim
) -> dict[str, float]:
    """What exchanges are worth where each loses by the rows of the better ones of its session."""
    better: Counter[str] = Counter()
    left = dict(worth)
    for key in sorted(worth, key=lambda key: -worth[key]):
        session = found[key].first.session
        if session is not None:
            left[key] /= 1.0 + knobs.spread * better[session]
            better[session] += found[key].size
    return left


def _placed(one: _Exchange, score: float) -> list[Scored]:
    best = [*one.said[:1], *one.answered[:1]]
    rest = [*one.said[1:], *one.answered[1:]]
    return [*(_at(row, score) for row in best), *(_at(row, _BEHIND * score) for row in rest)]


def _at(row: Scored, score: float) -> Scored:
    if row.score <= 0.0:
        return row
    score = min(1.0, score)
    return replace(row, score=score, aim=row.aim * score / row.score)
