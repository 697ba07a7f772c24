"""What is of the kind that a question asks for: "what laptop do I have?" is after a ThinkPad."""

from collections.abc import Sequence

from engraphy.model import Candidate, DataSource
from engraphy.profile import Aim
from engraphy.read.aims import lifted
from engraphy.read.measure import Pool
from engraphy.read.select import Scored
from engraphy.text.imprint import code
from engraphy.text.oneself import names_speaker, of_others, of_the_speaker

_PERSON = "entity://person/"
_SHORT = 40
"""Index tokens of what tells of one thing."""


def of_kind(rows: Sequence[Scored], pool: Pool, knobs: Aim) -> list[Scored]:
    """The rows, best first; what is of the kind that a question asks for, and is not another
    person's, is worth a share of the best hit, whatever words it shares with the question. What
    speaks of its speaker comes first, also where it only says what the kind is called."""
    kind = pool.asked.kind
    if not (knobs.of_kind and kind.ones) or not rows:
        return list(rows)
    ones = [code(one) for one in kind.ones]
    terms = pool.asked.terms
    called = [[code(one.term) for one in terms if one.surface == word] for word in kind.words]
    places = {}
    for row in rows:
        one = row.measured.candidate
        if not _stated(one):
            continue
        is_one, own = _holds(one, ones), of_the_speaker(one.words, pool.asked.text)
        if is_one or (own and all(_holds(one, word) for word in called)):
            places[row.id] = (not own, not is_one, -row.score)
    best, found = max(row.score for row in rows), sorted(places, key=places.__getitem__)
    least = dict(zip(found, knobs.of_kind, strict=False))
    first = [row for one in least for row in rows if row.id == one]
    raised = [lifted(row, least[row.id] * best, knobs.topical_from) for row in first]
    rest = [row for row in rows if row.id not in least]
    # The order stays where scores are equal, as the best may be as good as can be.
    return sorted([*raised, *rest], key=lambda row: -row.score)


def _stated(one: Candidate) -> bool:
    """Whether somebody says in short how something is, and not with another person."""
    if one.data_source != DataSource.USER_MESSAGE or one.speaker or one.asks:
        return False
    return one.length <= _SHORT and not (of_others(one.words) or _names_another(one))


def _names_another(one: Candidate) -> bool:
    """Whether it tells of somebody by name, and has no word for its speaker."""
    named = any(uri.startswith(_PERSON) for uri in one.entities)
    return named and not names_speaker(one.words)


def _holds(one: Candidate, codes: Sequence[bytes]) -> bool:
    return any(token in one.words for token in codes)
