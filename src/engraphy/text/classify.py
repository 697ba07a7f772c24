"""The kind of a statement by patterns, with a confidence (D-03)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import takewhile
from typing import Any

from engraphy.model.kinds import Kind
from engraphy.model.language import Classification
from engraphy.text.datafiles import table
from engraphy.text.entities import entities
from engraphy.text.evidence import asks
from engraphy.text.gazetteer import lookup
from engraphy.text.split import clauses, sentences
from engraphy.text.wordlists import LANGUAGES, READ_LIMIT, Rule, cued, pattern, plain

_ENTITY_RICH = 2
_MOST = 0.95


def classify(text: str) -> Classification:
    """The kind whose evidence is strongest; a plain fact where there is none.

    Base confidences are those of the cognitive document (correction .4, decision .35, preference
    and entity-rich .3, fact .25); each further piece of evidence adds its share, up to .95.
    Questions give no evidence, but for a preference that one states first ("I prefer tea, can you
    suggest a shop?"). `signals` are "kind:name", in the order found.
    """
    read = text[:READ_LIMIT]
    said = sentences(plain(read))
    signals = tuple(dict.fromkeys((*stated(said), *preferred(said))))
    scores = weigh(signals)
    if not scores:
        return entity_rich(text) or Classification(kind=Kind.FACT, confidence=0.1, signals=())
    found = max(scores, key=lambda name: (scores[name], -order().index(name)))
    kind = settings()["shown_as"].get(found)
    return Classification(
        kind=Kind(kind or found),
        confidence=scores[found],
        signals=signals,
        category=found if kind else "",
    )


def stated(said: Iterable[str]) -> Iterator[str]:
    """The rules that fire in what is stated. A sentence that opens with saying that something was
    decided is a decision: the port and the host in it are what was decided, no facts besides."""
    leads, told = pattern("leads", "decision"), [one for one in said if not asks(one)]
    led = list(filter(leads.search, told))
    decided = [
        name
        for name in evidence(" \n".join(led))
        if name.partition(":")[0] not in settings()["decided"]
    ]
    if led and not any(name.startswith(f"{Kind.DECISION}:") for name in decided):
        decided.append(f"{Kind.DECISION}:led_in")
    yield from decided
    yield from evidence(" \n".join(one for one in told if one not in led))


def entity_rich(text: str) -> Classification | None:
    """A statement that only names things is about them."""
    named = entities(text)
    if len(named) < _ENTITY_RICH:
        return None
    signals = tuple(f"entity:{one.kind}" for one in named)
    confidence = min(bases()["entity"] + 0.05 * (len(named) - _ENTITY_RICH), _MOST)
    return Classification(kind=Kind.ENTITY, confidence=round(confidence, 4), signals=signals)


def preferred(said: Iterable[str]) -> Iterator[str]:
    """The rules of preferences that fire in what a question states before it asks."""
    opening, supposing = pattern("questions", "opens"), pattern("stance", "conditional")
    for sentence in filter(asks, said):
        stated = takewhile(lambda clause: not asks(clause), clauses(sentence))
        told = " \n".join(
            clause
            for clause in stated
            if not opening.search(clause) and not supposing.search(clause)
        )
        yield from (name for name in evidence(told) if name.startswith(f"{Kind.PREFERENCE}:"))


def evidence(told: str) -> Iterator[str]:
    """The names of the rules that fire, at most once each."""
    for rule in cued("kinds", told.lower()):
        if fires(rule, told):
            yield f"{rule.fields['kind']}:{rule.name}"


def fires(rule: Rule, told: str) -> bool:
    """Whether a rule's pattern is found, and not only in that somebody moves house."""
    if rule.pattern.search(told) is None:
        return False
    moved = pattern("leads", "house").search(told) if rule.name == "going_with" else None
    if moved is None or not _to_a_place(moved):
        return True
    return rule.pattern.search(f"{told[: moved.start()]} {told[moved.end() :]}") is not None


def _to_a_place(moved: re.Match[str]) -> bool:
    """Whether where somebody moves is a place; of one person alone, whether it is not known to be
    anything else."""
    ends = [known for name in ("o", "v") if (known := lookup(moved[name] or "")) is not None]
    return any(one.kind == "place" for one in ends) or (moved["one"] is not None and not ends)


def weigh(signals: tuple[str, ...]) -> Mapping[str, float]:
    """Each kind's confidence: its base, and a share for every signal beyond the first."""
    scores: dict[str, float] = {}
    for signal in signals:
        kind = signal.partition(":")[0]
        scores[kind] = scores[kind] + shares() if kind in scores else bases()[kind]
    return {kind: round(min(score, _MOST), 4) for kind, score in scores.items()}


@cache
def settings() -> Mapping[str, Any]:
    """The numbers of this room, beside the patterns they belong to."""
    return table(LANGUAGES[0])["kind_confidence"]  # type: ignore[no-any-return]


def bases() -> Mapping[str, float]:
    """The base confidence of each kind."""
    return settings()["base"]  # type: ignore[no-any-return]


def shares() -> float:
    """What one more signal adds."""
    return float(settings()["further"])


def order() -> list[str]:
    """The kinds, the one that wins a tie first."""
    return list(settings()["order"])
