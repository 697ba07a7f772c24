"""A glance at a store: words looked up in its full-text index by a process that has no time to open
it, a fraction of a second after it began. Reads only.

Every row stands behind the same gate as in a recall: walls, sensitivity, state, validity, expiry.
What it leaves out, a recall has: vectors, neighbours, aims, what sleeps.
"""

import heapq
import json
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from importlib import import_module
from typing import Any, NamedTuple

import apsw
from Stemmer import Stemmer

from engraphy.stores import summing
from engraphy.text import acronyms

_WORD = re.compile(r"[^\W_]+")
_SHORTENED = re.compile(r"\b\w{1,8}n't\b|'(?:s|re|ve|ll|d|m)\b")
_MOST_ASKED = 4_000
_MOST_WORDS = 24
_POSTINGS = 48_000
"""Rows that hold a word, of all words together, ..."""
_RANKED, _LOOKED_AT = 2_000, 40
"""... of which so many that answer most are looked through for what the user said, and so many
whoever said it."""
_EVERYDAY = 0.5
_COLUMNS = "content title subtitle context tags"
_SCOPES = """
    SELECT id, project FROM scopes
    WHERE tenant = :tenant AND user IS NULL AND agent IS NULL AND conversation IS NULL
        AND (project IS NULL OR project = :project)
"""
_GATE = """
    m.scope_id IN ({scopes}) AND m.sensitivity = 'public' AND m.state = 'active'
    AND m.valid_from <= max(:now, m.recorded_at)
    AND (m.valid_until IS NULL OR m.valid_until > :now)
    AND (m.expires_at IS NULL OR m.expires_at > :now)
"""
_FIELDS = "m.seq, m.id, m.version, m.kind, m.valid_from, m.speaker, m.origin, m.content"
_STANDING = """
    AND m.kind IN ({kinds}) AND m.priority IN ({priorities}) AND m.origin = 'user'
    AND (m.write_source = 'manual' OR lower(m.speaker) IN ('', 'user'))
    ORDER BY m.importance DESC, m.seq DESC LIMIT :most
"""
_GIVEN = """
    SELECT value FROM session_state
    WHERE scope_id = :scope AND coalesce('=' || session, '') = '=' || :session
        AND name = 'inject.given'
        AND (expires_at IS NULL OR expires_at > :now)
"""

_SUCCESSORS = """
    WITH RECURSIVE line (first, id) AS (
        SELECT seq, superseded_by FROM memories
        WHERE seq IN ({listed}) AND scope_id IN ({scopes}) AND sensitivity = 'public'
            AND state = 'superseded' AND superseded_by IS NOT NULL
        UNION
        SELECT line.first, m.superseded_by FROM line CROSS JOIN memories AS m ON m.id = line.id
        WHERE m.state = 'superseded' AND m.superseded_by IS NOT NULL
    )
    SELECT line.first, {fields} FROM line CROSS JOIN memories AS m ON m.id = line.id
    WHERE {gate}
"""
"""What took the place of what was found: a newer value seldom says again what it is of. Lines are
short, so they are followed row by row, and no scope is gone through."""


class Seen(NamedTuple):
    """A memory as it was found, which share of the question's words it answers, in [0, 1] (rarer
    words count for more), and how many that are no everyday words. `valid_from` in microseconds
    UTC."""

    seq: int
    id: str
    version: int
    kind: str
    valid_from: int
    speaker: str
    origin: str
    content: str
    share: float = 1.0
    telling: int = 0


class Place(NamedTuple):
    """Where to look: the file, its last migration, the tenant and project, and the moment."""

    path: str
    schema: int
    tenant: str
    project: str | None
    now: int
    everyday: frozenset[str] = frozenset()
    """Words that people say about everything: they count less."""
    standing: tuple[tuple[str, ...], tuple[str, ...], int] = ((), (), 0)
    """Kinds, priorities and how many of what always stands."""
    wait_ms: int = 100
    key: object = None
    """What the file is encrypted with (`stores.ciphering.Key`); None for nothing."""


class Glance(NamedTuple):
    """What stands whatever is asked, what answers, best first, and what the conversation was given
    already, as it is stored ("" for nothing)."""

    standing: list[Seen]
    found: list[Seen]
    given: str


def words(text: str, stop_words: frozenset[str]) -> dict[str, set[str]]:
    """The telling words of a question, each with the index terms that stand for it."""
    if not text.isascii():
        return _of_any_script(text, stop_words)
    stem = Stemmer("english").stemWord
    found: dict[str, set[str]] = {}
    for word in _WORD.findall(_SHORTENED.sub(" ", text[:_MOST_ASKED].lower())):
        if len(word) < 2 or word in stop_words or len(found) >= _MOST_WORDS:
            continue
        one = word[:-1] if acronyms.SEVERAL.fullmatch(word) else stem(word)
        found.setdefault(one, set()).add(word)
    return {key: {key, *typed} for key, typed in found.items()}


def _of_any_script(text: str, stop_words: frozenset[str]) -> dict[str, set[str]]:
    """The same where letters have marks, or words no spaces: cut and folded as the index is."""
    pieces: Any = import_module("engraphy.text.pieces")
    found: dict[str, set[str]] = {}
    for piece in text[:_MOST_ASKED].split():
        terms = list(pieces.cut(piece, style="latin"))
        pairs = any(one.role == "pair" for one in terms)
        for one in terms:
            unspaced = one.role in {"pair", "single"}
            word = one.text if unspaced else one.surface
            if word in stop_words or (one.role == "single" and pairs) or len(found) >= _MOST_WORDS:
                continue
            if unspaced or len(word) > 1:
                found.setdefault(word, set()).add(one.text)
    return found


def glance(place: Place, question: Mapping[str, set[str]], session: str) -> Glance | None:
    """What a place holds about these words; None where this is not a store of that schema, or has
    pages with other checksums than they say: who opens it finds out whose work that is. Raises
    apsw.Error."""
    try:
        return _glanced(place, question, session)
    except apsw.IOError as problem:
        if summing.is_wrong(problem):
            return None
        raise


def _glanced(place: Place, question: Mapping[str, set[str]], session: str) -> Glance | None:
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX
    # The last one to close moves pages out of the log, which have no checksums yet: not without the
    # layer that makes them.
    layer = summing.layer() if place.key is None else None
    with closing(apsw.Connection(place.path, flags, layer)) as connection:
        connection.set_busy_timeout(place.wait_ms)
        if layer is None:
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        if place.key is not None:
            ciphering: Any = import_module("engraphy.stores.ciphering")
            ciphering.unlock(connection, place.path, place.key)
        connection.execute("PRAGMA query_only = ON")
        ((schema,),) = connection.execute("SELECT max(number) FROM migrations")
        if schema != place.schema:
            return None
        # One moment for all that is read.
        connection.execute("BEGIN")
        return _seen(connection, place, question, session)


def _seen(
    connection: apsw.Connection, place: Place, question: Mapping[str, set[str]], session: str
) -> Glance:
    walls = {"tenant": place.tenant, "project": place.project}
    scopes = dict(connection.execute(_SCOPES, walls))
    own = next((number for number, named in scopes.items() if named == place.project), None)
    asked = {"scope": own, "session": session, "now": place.now}
    given = list(connection.execute(_GIVEN, asked)) if own is not None and session else []
    return Glance(
        standing=_standing(connection, place, list(scopes)),
        found=_found(connection, place, list(scopes), question),
        given=str(given[0][0]) if given else "",
    )


def _gate(scopes: Sequence[int]) -> str:
    return _GATE.format(scopes=", ".join(map(str, map(int, scopes))) or "NULL")


def _standing(connection: apsw.Connection, place: Place, scopes: Sequence[int]) -> list[Seen]:
    kinds, priorities, most = place.standing
    if not kinds or not most:
        return []
    names = {f"k{number}": name for number, name in enumerate(kinds)}
    ranks = {f"p{number}": name for number, name in enumerate(priorities)}
    wanted = _STANDING.format(
        kinds=", ".join(f":{name}" for name in names),
        priorities=", ".join(f":{name}" for name in ranks),
    )
    bound: dict[str, Any] = {"now": place.now, "most": most, **names, **ranks}
    text = f"SELECT {_FIELDS} FROM memories AS m WHERE {_gate(scopes)}{wanted}"
    return [Seen(*row) for row in connection.execute(text, bound)]


def _found(
    connection: apsw.Connection,
    place: Place,
    scopes: Sequence[int],
    question: Mapping[str, set[str]],
) -> list[Seen]:
    behind = " OR ".join(f'"w{number}"' for number in scopes)
    totals = "SELECT coalesce(sum(documents), 0) FROM walls WHERE wall IN ({})"
    ((documents,),) = connection.execute(
        totals.format(", ".join(f"'w{int(number)}'" for number in scopes) or "NULL")
    )
    if not documents or not question:
        return []
    scores: dict[int, float] = defaultdict(float)
    telling: dict[int, int] = defaultdict(int)
    whole, each = 0.0, _POSTINGS // len(question)
    for word, terms in question.items():
        either = " OR ".join(f'"{term}"' for term in sorted(terms))
        match = f"({{{_COLUMNS}}} : ({either})) AND wall : ({behind})"
        rows = [row for (row,) in connection.execute(_MATCHED, (match, each))]
        # A word that nobody said counts as one that was said once: in a young store most are.
        held = max(1, len(rows))
        worth = math.log1p((max(documents, held) - held + 0.5) / (held + 0.5))
        is_everyday = word in place.everyday
        worth *= _EVERYDAY if is_everyday else 1.0
        whole += worth
        for row in rows:
            scores[row] += worth
            telling[row] += not is_everyday
    ranked = heapq.nsmallest(_RANKED, scores, key=lambda row: (-scores[row], -row))
    best = ranked[:_LOOKED_AT]
    if len(ranked) > _LOOKED_AT:
        asked = {"rows": json.dumps(ranked[_LOOKED_AT:]), "most": _LOOKED_AT}
        best += [row for (row,) in connection.execute(_OWN, asked)]
    text = f"SELECT {_FIELDS} FROM memories AS m WHERE m.seq IN ({{}}) AND {_gate(scopes)}"
    listed = ", ".join(map(str, best)) or "NULL"
    answered = {row: (scores[row] / whole, telling[row]) for row in best}
    now = {"now": place.now}
    found = [
        Seen._make((*row, *answered[row[0]]))
        for row in connection.execute(text.format(listed), now)
    ]
    text = _SUCCESSORS.format(
        listed=listed, scopes=", ".join(map(str, scopes)), fields=_FIELDS, gate=_gate(scopes)
    )
    after = connection.execute(text, now)
    found += [Seen._make((*row, *answered[old])) for old, *row in after]
    return _best(found)


def _best(found: Sequence[Seen]) -> list[Seen]:
    """Each memory once, by the most that it answers, itself or what it took the place of."""
    known: dict[int, Seen] = {}
    for one in sorted(found, key=lambda one: (-one.share, -one.seq)):
        known.setdefault(one.seq, one)
    return list(known.values())


_OWN = """
    SELECT r.value FROM json_each(:rows) AS r CROSS JOIN memories AS m ON m.seq = r.value
    WHERE m.origin = 'user' ORDER BY r.key LIMIT :most
"""
_MATCHED = """
    SELECT rowid FROM memories_fts WHERE memories_fts MATCH ? ORDER BY rowid DESC LIMIT ?
"""
