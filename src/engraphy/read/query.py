"""What a query asks for, worked out before anything is searched."""

from dataclasses import dataclass

from engraphy.model import Intent, Term
from engraphy.text.aims import recalls_the_agent, requests, surveys, wanted, wants_present_value
from engraphy.text.analyser import query_terms
from engraphy.text.fold import fold
from engraphy.text.gate import needs_memory
from engraphy.text.imprint import asks_when, first_person, may_name_time
from engraphy.text.overall import Overall, overall
from engraphy.text.timeframe import Anchor, Stretch, Timing, timing

_MOST_TERMS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An analysed query: index terms, its folded words (for names; "ada's" is also "ada"), the
    stretches of time it names and the events it is dated by (`engraphy.text.timeframe`), whether
    it asks for a time, and whether it speaks of the one who asks; whether it asks for help now,
    looks over everything said, is after what the agent said too, which kind of answer it wants,
    and whether it wants the present value of something (`engraphy.text.aims`). `events`: ids of
    the memories that tell of the events; `only_time`: it asks what happened in a time and names
    nothing else."""

    text: str
    terms: tuple[Term, ...]
    words: frozenset[str]
    stretches: tuple[Stretch, ...]
    asks_when: bool
    first_person: bool
    requests: bool = False
    surveys: bool = False
    of_agent: bool = False
    wanted: str | None = None
    wants_present_value: bool = False
    anchors: tuple[Anchor, ...] = ()
    events: frozenset[str] = frozenset()
    only_time: bool = False
    overall: Overall | None = None
    """It asks for all that is known, all of some kinds, or one thing of who asks."""
    intent: Intent | None = None
    """What it is after (D-21), where somebody looked already."""


def asked(text: str, now: int) -> Asked:
    """The query as of `now`; any text is legal, and one without a word has no terms."""
    found = query_terms(text, limit=_MOST_TERMS)
    terms = tuple(Term(term=t.term, surface=t.surface, weight=t.weight) for t in found)
    when = timing(text, now=now) if may_name_time(text) else Timing()
    return Asked(
        text=text,
        terms=terms,
        words=frozenset(t.surface for t in found) | {t.term for t in found if t.weight >= 1.0},
        stretches=when.stretches,
        anchors=when.anchors,
        only_time=bool(when.stretches) and when.alone,
        overall=overall(text),
        asks_when=asks_when(text),
        first_person=first_person(text),
        requests=requests(text),
        surveys=surveys(text),
        of_agent=recalls_the_agent(text),
        wanted=wanted(text),
        wants_present_value=wants_present_value(text),
    )


def unneeded(text: str) -> str | None:
    """Why no memory is needed for this message (D-20); None where it is."""
    return needs_memory(text)


def named(name: str, words: frozenset[str]) -> bool:
    """Whether a person's first or last name is among the query's words."""
    return any(part in words for part in fold(name).split())
