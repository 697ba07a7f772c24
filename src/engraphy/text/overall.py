"""Questions after all that is known, or all of one kind ("what do you know about me?"), or after
one thing of who asks ("where do I live?")."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engraphy.model import Kind
from engraphy.record import Record
from engraphy.text.aims import holds
from engraphy.text.datafiles import table
from engraphy.text.persons import people
from engraphy.text.promised import promised
from engraphy.text.wordlists import plain

_LONGEST = 160
_READ = 4_096
_FOR_GOOD = {"address": "reached", "postal": "postal"}
"""By what is wanted: how a text reads that gives it, unless for one time or somebody else."""
_EDGE = " \t\n\"'.,;:!?¿–—-"


class Overall(Record, frozen=True, kw_only=True):
    """What a question asks all of: `kinds` of memories, empty for every kind, None where it is
    after one thing; `attributes`: the facts of who asks that answer it, one that ends in ":" for
    all that are narrower; `told`: what a text that answers it without a fact tells (`tells`);
    `newest`: only so many of those that tell it, what was told last, 0 for all; `latest`: it is
    after what was done last ("where were we?")."""

    kinds: frozenset[Kind] | None
    attributes: tuple[str, ...]
    told: str = ""
    newest: int = 0
    latest: bool = False


def overall(question: str) -> Overall | None:
    """What a question asks all of; None where it asks for something of its own ("what do you know
    about Rome?"). English and Turkish; in part German and Spanish."""
    if len(question) > _LONGEST:
        return None
    asked = _bare(question)
    return next((wanted for wanted, rule in _rules() if rule.fullmatch(asked)), None)


def recaps(question: str) -> bool:
    """Whether a question is after what was done last; it reads no other rule."""
    return len(question) <= _LONGEST and _latest().fullmatch(_bare(question)) is not None


def _bare(question: str) -> str:
    return plain(question).lower().strip(_EDGE)


def recap_cues() -> list[str]:
    """What a question after what was done last holds one of, in lower case."""
    return [str(one) for one in table("overall")["latest"]["cues"]]


def introducing() -> tuple[str, ...]:
    """The facts with which people introduce themselves, those that answer a question after all
    that is known: beside them the rest is often told."""
    rows = table("overall")["about"]
    return tuple(next(row["attributes"] for row in rows if row.get("kinds") == []))


def tells(wanted: str, text: str) -> bool:
    """Whether a text tells in passing what is wanted of who speaks, within 4,096 characters: a
    "name", a "place" where they are at home, an "address" to write to, a "postal" one, or a
    "promise"."""
    read = text[:_READ]
    if wanted == "promise":
        return promised(read)
    if wanted in _FOR_GOOD:
        folded = plain(read)
        given = _pattern(_FOR_GOOD[wanted]).search(folded) is not None
        return given and _pattern("elsewhere").search(folded) is None
    if wanted == "name":
        return _introduces(read)
    settled = _introduces(read) or _pattern("settled").search(plain(read)) is not None
    return settled and holds(wanted, read)


def _introduces(text: str) -> bool:
    """Whether somebody gives a name as the own one ("I'm Maya")."""
    ends = {found.end() for found in _pattern("introduced").finditer(plain(text))}
    return bool(ends) and any(one.start in ends for one in people(text))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    listed = table("overall")[name]
    if isinstance(listed, str):
        return re.compile(plain(listed))
    return re.compile("|".join(plain(one) for one in listed), re.IGNORECASE)


@cache
def _rules() -> tuple[tuple[Overall, re.Pattern[str]], ...]:
    rows = reversed(table("overall")["about"])
    latest = Overall(kinds=None, attributes=(), latest=True)
    return (*((_wanted(row), _either(row["patterns"])) for row in rows), (latest, _latest()))


@cache
def _latest() -> re.Pattern[str]:
    return _either(table("overall")["latest"]["patterns"])


def _either(listed: Sequence[str]) -> re.Pattern[str]:
    data = table("overall")
    opening, closing = plain(data["open"]), plain(data["close"])
    asked = "|".join(listed).replace("<<them>>", data["them"]).replace("<<whom>>", data["whom"])
    asked = asked.replace("<<goods>>", data["goods"])
    return re.compile(f"{opening}(?:{plain(asked).lower()}){closing}")


def _wanted(row: Mapping[str, Any]) -> Overall:
    kinds = frozenset(map(Kind, row["kinds"])) if "kinds" in row else None
    return Overall(
        kinds=kinds,
        attributes=tuple(row.get("attributes", ())),
        told=row.get("told", ""),
        newest=row.get("newest", 0),
    )
