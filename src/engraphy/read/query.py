"""What a query asks for, worked out before anything is searched."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import field
from msgspec.structs import replace

from engraphy.model import Intent, Term
from engraphy.record import Record
from engraphy.text.aims import (
    asks_for_advice,
    framing_words,
    is_task,
    recalls_the_agent,
    requests,
    surveys,
    wanted,
    wants_present_value,
)
from engraphy.text.analyser import query_terms
from engraphy.text.domains import CODE, of_question
from engraphy.text.fold import fold
from engraphy.text.gate import needs_memory
from engraphy.text.imprint import asks_when, code, first_person, may_name_time
from engraphy.text.kinds import Asking, asked_kind
from engraphy.text.narrower import articles, narrower
from engraphy.text.oneself import of_others
from engraphy.text.overall import Overall, overall
from engraphy.text.timeframe import Anchor, Stretch, Timing, timing

_MOST_TERMS = 32
_OF_KIND = 0.5
_READ = 4_096
_SELF = re.compile(r"I(?:\W|$)")


class Asked(Record, frozen=True, kw_only=True):
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
    narrower: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Index tokens of what is of a kind that a word names, by the word; not where the question
    names somebody: of others people say the word itself, of themselves they seldom do."""
    kind: Asking = Asking()
    """The kind of thing it asks for (`engraphy.text.kinds`); none where it asks of others."""
    topics: frozenset[str] = frozenset()
    """What it wants advice about, or what the work is that it wants done
    (`engraphy.text.domains`); none where it wants neither."""
    overall: Overall | None = None
    """It asks for all that is known, all of some kinds, or one thing of who asks."""
    intent: Intent | None = None
    """What it is after (D-21), where somebody looked already."""

    @property
    def searched(self) -> tuple[Term, ...]:
        """The terms, and what is of a kind that one of them names."""
        more = (
            Term(term=one, surface=word, weight=_OF_KIND)
            for word, told in self.narrower.items()
            for one in told
        )
        return (*self.terms, *more) if self.narrower else self.terms


def asked(text: str, now: int) -> Asked:
    """The query as of `now`; any text is legal, and one without a word has no terms."""
    found = query_terms(text, limit=_MOST_TERMS)
    terms = tuple(Term(term=t.term, surface=t.surface, weight=t.weight) for t in found)
    when = timing(text, now=now) if may_name_time(text) else Timing()
    own, helping = first_person(text), requests(text)
    told = own or helping or not _names(text)
    kind = _own_kind(text, terms) if told else Asking()
    return Asked(
        text=text,
        terms=terms,
        words=frozenset(t.surface for t in found) | {t.term for t in found if t.weight >= 1.0},
        stretches=when.stretches,
        anchors=when.anchors,
        only_time=bool(when.stretches) and when.alone,
        narrower=_narrower(terms, kind) if told else {},
        kind=kind,
        overall=overall(text),
        asks_when=asks_when(text),
        first_person=own,
        requests=helping,
        topics=_topics(text),
        surveys=surveys(text),
        of_agent=recalls_the_agent(text),
        wanted=wanted(text),
        wants_present_value=wants_present_value(text),
    )


def unframed(question: Asked) -> Asked:
    """A question for a summary without the words that only ask for one, where any are left."""
    if not (question.surveys and question.of_agent):
        return question
    framing = framing_words(question.text)
    terms = tuple(one for one in question.terms if one.surface not in framing)
    if not terms or len(terms) == len(question.terms):
        return question
    narrower = {word: told for word, told in question.narrower.items() if word not in framing}
    return replace(question, terms=terms, narrower=narrower)


def _topics(text: str) -> frozenset[str]:
    advice, task = asks_for_advice(text), is_task(text)
    found = of_question(text) if advice or task else frozenset()
    return frozenset(one for one in found if (task if one in CODE else advice))


def _names(text: str) -> bool:
    """Whether a question writes a word other than its first, "I" and German nouns behind their
    articles with a capital letter."""
    return any(
        word[0].isupper() and _SELF.match(word) is None and before.lower() not in articles()
        for before, word in pairwise(text[:_READ].split())
    )


def _own_kind(text: str, terms: Sequence[Term]) -> Asking:
    """The kind a question asks for, without what it names itself; none where it asks of one of
    those around who asks."""
    kind, named = asked_kind(text), {one.term for one in terms}
    if not kind.ones or of_others(b"".join(map(code, named))):
        return Asking()
    return kind._replace(ones=kind.ones - named)


def _narrower(terms: Sequence[Term], kind: Asking) -> Mapping[str, tuple[str, ...]]:
    forms: dict[str, list[str]] = {}
    for one in terms:
        forms.setdefault(one.surface, []).append(one.term)
    own = {one.term for one in terms}
    found = {word: narrower(listed) for word, listed in forms.items()}
    found |= {word: found[word] | kind.ones for word in kind.words if word in found}
    return {word: tuple(sorted(told - own)) for word, told in found.items() if told - own}


def unneeded(text: str) -> str | None:
    """Why no memory is needed for this message (D-20); None where it is."""
    reason = needs_memory(text)
    return None if reason is not None and overall(text) is not None else reason


def named(name: str, words: frozenset[str]) -> bool:
    """Whether a person's first or last name is among the query's words."""
    return any(part in words for part in fold(name).split())
