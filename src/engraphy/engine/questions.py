"""What is made of a question before anything is searched: its intent and route (D-21), the
questions it holds (D-22), and hypothetical answers to it (D-23); a model only where one is told."""

from typing import TypeVar

from msgspec.structs import replace

from engraphy.engine.ask import Asked as Told
from engraphy.engine.ask import ask, asks
from engraphy.engine.embedding import hypothetical_vector, query_vector
from engraphy.engine.parts import Engine
from engraphy.engine.watching import note
from engraphy.errors import StoreBusyError, StoreFullError, StoreReadOnlyError
from engraphy.model import Sensitivity, Step, Term, View
from engraphy.read.query import Asked
from engraphy.read.routing import route_for, told
from engraphy.skills.asking import HYPOTHESES, INTENT, Sought
from engraphy.skills.shape import Skill
from engraphy.text.analyser import query_terms
from engraphy.text.compound import Pair, joins, taken_apart
from engraphy.text.hypotheses import hypotheses
from engraphy.text.intents import recognised
from engraphy.text.secrets import find_secrets

Answer = TypeVar("Answer")
Vector = tuple[float, ...]

_LOOKED_AT = 5
"""So many memories are looked at for a pair of names that stands joined."""
_MOST_WORDS = 12


def parts_of(engine: Engine, query: str, view: View) -> tuple[tuple[str, ...], tuple[Step, ...]]:
    """The questions that a query holds, each asked on its own; the query itself where it is one,
    or where a memory names in one breath what it would be cut between. A question that asks the
    same of two names is asked whole as well, at the end."""
    most = engine.profile.questions.parts
    if most < 2:
        return (query,), ()
    found = taken_apart(query, most)
    if len(found.parts) < 2:
        return (query,), ()
    pair = next((one for one in found.pairs if _one_name(engine, one, view)), None)
    if pair is not None:
        detail = f"asked whole: a memory joins {pair[0]} and {pair[1]}"
        return (query,), (Step(stage="parts", detail=detail),)
    steps = tuple(Step(stage="parts", detail=part) for part in found.parts)
    if not found.pairs:
        return found.parts, steps
    both = Step(stage="parts", detail="and the whole: one memory may speak of both")
    return (*found.parts, query), (*steps, both)


def _one_name(engine: Engine, pair: Pair, view: View) -> bool:
    words = query_terms(" ".join(pair), limit=_MOST_WORDS)
    terms = [Term(term=one.term, surface=one.surface, weight=one.weight) for one in words]
    matches = engine.store.search_text(view, terms, _LOOKED_AT).matches
    rows = engine.store.get(view, [match.id for match in matches])
    return any(joins(row.content, pair) for row in rows)


def routed(engine: Engine, question: Asked) -> tuple[Asked, tuple[Step, ...]]:
    """The question with what it is after, where the profile routes by it; and what is told."""
    if not engine.profile.questions.routes:
        return question, ()
    wanted, word = recognised(question.text)
    sign = f'"{word}"' if word else "no key word"
    answer = _answer(engine, INTENT, Sought(question=question.text))
    if answer.answer is not None:
        wanted, sign = answer.answer, "a model's word"
    steps = answer.steps
    note(intent=wanted.value)
    route = route_for(wanted, engine.profile.questions)
    if route is not None:
        steps = (*steps, Step(stage="route", detail=told(wanted, sign, route)))
    return replace(question, intent=wanted), steps


def vector_of(engine: Engine, query: str) -> tuple[Vector | None, tuple[Step, ...]]:
    """The vector of a question, or the centre between it and hypothetical answers to it: a model's
    where one is to be asked, else by template; None without an embedder."""
    most = engine.profile.questions.hypotheses
    if not most or engine.embedder is None:
        return query_vector(engine, query), ()
    found = hypotheses(query)
    texts, kind = found.answers[:most], found.kind
    answer = _answer(engine, HYPOTHESES, Sought(question=query, most=most))
    if answer.answer is not None:
        texts, kind = answer.answer, "a model's"
    if not texts:
        return query_vector(engine, query), answer.steps
    step = Step(stage="hypotheses", detail=f"{len(texts)}, {kind}: {texts[0]} ...")
    return hypothetical_vector(engine, query, texts), (*answer.steps, step)


def _answer(engine: Engine, skill: Skill[Sought, Answer], sought: Sought) -> Told[Answer]:
    """A model's answer; none where the rules are to find it, as for a question that holds a secret
    or where no call can be written down."""
    if engine.model is None or engine.store.read_only:
        return Told()
    sensitive = Sensitivity.SECRET if find_secrets(sought.question) else Sensitivity.PUBLIC
    if not asks(engine, skill.name, sensitive):
        return Told()
    try:
        return ask(engine, skill, sought)
    except (StoreBusyError, StoreFullError, StoreReadOnlyError):
        return Told()
