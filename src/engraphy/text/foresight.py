"""Announcements: what is planned or due, and until when it holds (D-06)."""

from engraphy.model.language import DateMention, Foresight
from engraphy.text.atoms import lacks_subject, stands_alone
from engraphy.text.dates import dates
from engraphy.text.evidence import asks
from engraphy.text.split import clauses, sentences
from engraphy.text.wordlists import READ_LIMIT, pattern, plain

ASSUMED_DAYS = 7
_DAY = 86_400_000_000
_ARTICLE = 5
"""Characters: " the "."""
_BORDERS = ("until", "valid until", "valid through")


def foresight(text: str, *, now: int) -> Foresight | None:
    """What a text announces, or None: it holds to the end of the stated date, else for 7 days.

    `now`: microseconds UTC, the message's own time. Only a date after `now` counts as stated. What
    holds "until" something that is no date announces nothing.
    """
    for sentence in sentences(text[:READ_LIMIT]):
        cue = pattern("foresight", "cues").search(plain(sentence))
        if cue is None:
            continue
        coming = [found for found in dates(sentence, now=now, told=True) if found.until > now]
        if not coming and cue[0].lower() in _BORDERS:
            # It holds until something happens, and not for a week.
            continue
        until = latest(coming) if coming else now + ASSUMED_DAYS * _DAY
        said = sentence[cue.start() : cue.end()]
        return Foresight(valid_until=until, cue=said, stated=bool(coming))
    return None


def begins_at(text: str, *, now: int) -> int:
    """The moment from which a text says that it holds ("from March we use pnpm"), where that is one
    and still to come; else `now`."""
    for sentence in sentences(text[:READ_LIMIT]):
        found = [one for one in dates(sentence, now=now, told=True) if one.begin > now]
        if len(found) == 1 and not asks(plain(sentence)) and _from(sentence, found[0]):
            return found[0].begin
    return now


def _from(sentence: str, when: DateMention) -> bool:
    """Whether a sentence says "from" of a date that it opens or ends with, and not of a thing ("the
    list from March"), nor that it holds already; or that somebody starts somewhere then."""
    folded = plain(sentence)
    before, after = folded[: when.end], folded[when.end :]
    if pattern("foresight", "from_behind").match(after) is not None:
        return True
    if pattern("foresight", "from_start").search(folded[: when.start]) is not None:
        return True
    found = pattern("foresight", "from").search(before)
    if found is None or when.start - found.end("from") > _ARTICLE:
        return False
    said = before[: found.start("from")]
    if pattern("foresight", "from_opens").search(said) is not None:
        return True
    if any(pattern("foresight", one).search(said) for one in ("from_thing", "already")):
        return False
    return pattern("foresight", "from_ends").match(after) is not None


def lasts_besides(text: str, *, now: int) -> bool:
    """Whether a text tells, beside what it announces, what has no such end ("Our car is a Skoda,
    the inspection is due on 3 May")."""
    found = (one for one in sentences(text[:READ_LIMIT]) if not asks(plain(one)))
    for clause in dict.fromkeys(clause for sentence in found for clause in clauses(sentence)):
        if pattern("foresight", "cues").search(plain(clause)) is not None:
            continue
        if not stands_alone(clause) or lacks_subject(clause):
            continue
        ahead = (one.until - now for one in dates(clause, now=now, told=True))
        if max(ahead, default=0) <= _DAY:
            return True
    return False


def standing(text: str) -> bool:
    """Whether what a text announces is no single event, or was decided: "Jenkins will retry when a
    build fails"."""
    return pattern("foresight", "standing").search(plain(text[:READ_LIMIT])) is not None


def latest(coming: list[DateMention]) -> int:
    """The end of the last of these spans."""
    return max(found.until for found in coming)
