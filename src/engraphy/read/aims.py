"""What a question wants done decides what else counts: standing instructions and preferences where
it asks for help, every session where it looks over everything, a place where it asks for one."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from engraphy.model import Candidate, DataSource, Kind
from engraphy.profile import Aim
from engraphy.read.exchanges import exchanged
from engraphy.read.measure import Pool
from engraphy.read.select import Scored
from engraphy.text.aims import (
    begins_as_convention,
    holds,
    prefers,
    refuses,
    states_choice,
    states_practice,
)
from engraphy.text.domains import CODE, of_codes
from engraphy.text.imprint import CODE_BYTES

_RULES = frozenset({Kind.POLICY, Kind.CORRECTION, Kind.WORKFLOW})
_SHORT = 40
"""Index tokens of what is a preference and nothing else."""
_FAR = 4.0
"""So many times as much of a question answers it far more than an instruction does."""
_AHEAD = 1.01
"""Of the best other score, for what comes before it."""


def aimed(rows: Sequence[Scored], pool: Pool, knobs: Aim) -> list[Scored]:
    """The rows, best first, by what the question wants done; a score stays in [0, 1]."""
    if pool.told:
        rows = _stated(rows, pool.told)
    if pool.asked.requests or pool.asked.topics:
        return _helping(rows, pool, knobs)
    if not pool.asked.surveys:
        return list(rows)
    if knobs.exchange and pool.asked.of_agent and _over_sessions(rows):
        return exchanged(rows, pool, knobs)
    if knobs.opening and not pool.asked.of_agent:
        rows = _opened(rows, knobs)
    return _spread(rows, knobs) if knobs.spread else list(rows)


def _stated(rows: Sequence[Scored], told: Collection[str]) -> list[Scored]:
    """The rows with those that state what is asked for before all others."""
    others = max((row.score for row in rows if row.id not in told), default=0.0)
    least = min((row.score for row in rows if row.id in told), default=0.0)
    factor = _AHEAD * others / least if 0.0 < least <= others else 1.0
    return _ordered(_scaled(row, factor) if row.id in told else row for row in rows)


def answering(
    rows: Sequence[Scored], texts: Mapping[str, str], kind: str, gain: float
) -> list[Scored]:
    """The rows, best first; those whose text (by id) holds an answer of the kind gain."""
    found = {one for one, text in texts.items() if holds(kind, text)}
    return _ordered(_scaled(row, 1.0 + gain) if row.id in found else row for row in rows)


def practised(
    rows: Sequence[Scored], texts: Mapping[str, str], question: str, told: Collection[str]
) -> list[Scored]:
    """The rows, best first; the best of those read that states how what is asked is done, or that
    answers far more of it by itself, comes before the instructions `told`, which then say how to
    answer, and are no answer; unless one of them says which is to be used of what is asked for."""
    if any(states_choice(texts.get(one, ""), question) for one in told):
        return list(rows)
    place = next((at for at, row in enumerate(rows) if row.id in told), len(rows))
    others = [row for row in rows if row.id not in told]
    said = (row for row in others if states_practice(texts.get(row.id, ""), question))
    best = next(said, None)
    if best is None and place < len(rows):
        most = _FAR * rows[place].score / rows[place].aim
        best = next((row for row in others[:1] if row.score / row.aim > most), None)
    if best is None or rows.index(best) < place:
        return list(rows)
    factor = _AHEAD * rows[place].score / best.score if best.score > 0.0 else 1.0
    confidence = max(best.confidence, rows[place].confidence)
    moved = replace(_scaled(best, factor), confidence=confidence)
    rest = [row for row in rows if row.id != best.id]
    return [*rest[:place], moved, *rest[place:]]


def _helping(rows: Sequence[Scored], pool: Pool, knobs: Aim) -> list[Scored]:
    if pool.asked.requests:
        rows = _ordered(_preferred(row, knobs) for row in rows)
    rows = _topical(rows, pool, knobs) if pool.asked.topics else rows
    best = rows[0] if rows else None
    applied = dict(zip(_instructions(rows, pool), knobs.applied, strict=False))
    return _ordered(
        _applied(row, best, applied[row.id]) if best is not None and row.id in applied else row
        for row in rows
    )


def _topical(rows: Sequence[Scored], pool: Pool, knobs: Aim) -> list[Scored]:
    """The rows, best first; what the user prefers of that about which advice is asked bears on the
    advice, whatever words it shares with the question."""
    near = pool.lists.similarity
    best = max((row.score for row in rows), default=0.0)
    best = max(best, knobs.topical_from)
    found = [row for row in rows if _bears(row.measured.candidate, pool.asked.topics)]
    found.sort(key=lambda row: -near.get(row.id, row.score))
    least = {row.id: share * best for row, share in zip(found, knobs.topical, strict=False)}
    return _ordered(
        lifted(row, least[row.id], knobs.topical_from) if row.id in least else row for row in rows
    )


def _bears(one: Candidate, topics: Collection[str]) -> bool:
    if one.data_source != DataSource.USER_MESSAGE or one.speaker:
        return False
    shared = of_codes(one.words).intersection(topics)
    if shared & CODE and one.length <= _SHORT and _is_convention(one, shared):
        return True
    if not shared or not (one.kind == Kind.PREFERENCE or prefers(one.words)):
        return False
    return one.length <= _SHORT or prefers(one.words) or refuses(one.words)


def _is_convention(one: Candidate, shared: Collection[str]) -> bool:
    """Whether it is a rule by its kind, begins as one does, or with what the rule is about
    ("Deploys go ...")."""
    if one.kind in _RULES or begins_as_convention(one.words):
        return True
    return not of_codes(one.words[:CODE_BYTES]).isdisjoint(shared)


def lifted(row: Scored, score: float, confidence: float) -> Scored:
    """A row that is worth at least so much."""
    if row.score >= score and row.confidence >= confidence:
        return row
    wanted = max(row.score, min(1.0, score))
    aim = wanted / row.score if row.score > 0.0 else 1.0
    sure = max(row.confidence, min(1.0, confidence))
    return replace(row, score=wanted, confidence=sure, aim=row.aim * aim)


def _instructions(rows: Sequence[Scored], pool: Pool) -> list[str]:
    """Standing instructions of the user's, the one nearest to the question first."""
    near = pool.lists.similarity
    found = [row for row in rows if row.id in pool.instructions]
    return [row.id for row in sorted(found, key=lambda row: -near.get(row.id, row.score))]


def _applied(row: Scored, best: Scored, share: float) -> Scored:
    """An instruction that applies is worth a share of the best hit, whatever words it shares."""
    least = share * best.score
    return row if row.score >= least else lifted(row, least, share * best.confidence)


def _preferred(row: Scored, knobs: Aim) -> Scored:
    one, gain = row.measured.candidate, 1.0
    if one.kind == Kind.PREFERENCE:
        gain += knobs.preferred
    told = one.data_source == DataSource.USER_MESSAGE
    if knobs.preferring and told and prefers(one.words):
        gain *= 1.0 + knobs.preferring
    return _scaled(row, gain)


def _over_sessions(rows: Iterable[Scored]) -> bool:
    sessions = {row.measured.candidate.session for row in rows}
    return len(sessions - {None}) > 1


def _opened(rows: Sequence[Scored], knobs: Aim) -> list[Scored]:
    """The rows, best first; of the user's those gain that came early in their session, since what
    is brought up is said before what follows from it."""
    told: dict[str | None, set[int]] = {}
    for row in rows:
        one = row.measured.candidate
        if one.data_source == DataSource.USER_MESSAGE:
            told.setdefault(one.session, set()).add(one.valid_from)
    told.pop(None, None)
    share = {
        (session, moment): 1.0 - place / len(moments)
        for session, moments in told.items()
        for place, moment in enumerate(sorted(moments))
    }
    return _ordered(_scaled(row, 1.0 + knobs.opening * _share(row, share)) for row in rows)


def _share(row: Scored, share: Mapping[tuple[str | None, int], float]) -> float:
    one = row.measured.candidate
    own = one.data_source == DataSource.USER_MESSAGE
    return share.get((one.session, one.valid_from), 0.0) if own else 0.0


def _spread(rows: Sequence[Scored], knobs: Aim) -> list[Scored]:
    better: Counter[str] = Counter()
    found = []
    for row in rows:
        session = row.measured.candidate.session
        if session is None:
            found.append(row)
            continue
        found.append(_scaled(row, 1.0 / (1.0 + knobs.spread * better[session])))
        better[session] += 1
    return _ordered(found)


def _scaled(row: Scored, factor: float) -> Scored:
    if factor == 1.0:
        return row
    return replace(row, score=min(1.0, row.score * factor), aim=row.aim * factor)


def _ordered(rows: Iterable[Scored]) -> list[Scored]:
    return sorted(rows, key=lambda row: (-row.score, -row.measured.candidate.seq))
