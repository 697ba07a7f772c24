"""Whom a question means: "my wife" is meant by her name too, where a memory tells it, and the name
of whose memories they are narrows nothing."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.model import Term, TextResult, View
from engraphy.read.query import Asked
from engraphy.text.analyser import query_terms
from engraphy.text.kin import also, called, meant

_LOOKED_AT = 30
_MOST = 2
"""Of more names than so many nobody knows which is meant."""
_WEIGHT = 0.8
_APART = re.compile(r"[\W\d_]+")
_SHORTEST = 3


def with_names(engine: Engine, asked: Asked, view: View) -> Asked:
    """The question with the names of those whom it means by what they are to who asks."""
    if not engine.profile.search.overall:
        return asked
    more = [one for who in meant(asked.text) for one in _named(engine, asked, view, who)]
    if not more:
        return asked
    words = asked.words | {one.term for one in more}
    return replace(asked, terms=(*asked.terms, *more), words=words)


def beside_own_name(asked: Asked, view: View, text: TextResult) -> Asked:
    """The question without the name of whose memories are asked, where none of them says it ("which
    size does Erik take?", of `user="erik"`)."""
    own = _names_in(view.scope.user) if view.scope.user else frozenset()
    if own.isdisjoint(one.surface for one in asked.terms):
        return asked
    counts = dict(text.document_frequency)
    said = {one.surface for one in asked.terms if counts.get(one.term)}
    left = tuple(one for one in asked.terms if one.surface in said or one.surface not in own)
    return replace(asked, terms=left) if left else asked


@lru_cache(maxsize=1_024)
def _names_in(user: str) -> frozenset[str]:
    found = query_terms(_APART.sub(" ", user))
    return frozenset(one.surface for one in found if len(one.surface) >= _SHORTEST)


def _named(engine: Engine, asked: Asked, view: View, who: str) -> Iterator[Term]:
    surface = next((one.surface for one in asked.terms if who in {one.term, one.surface}), None)
    if surface is None:
        return
    sought = [Term(term=one, surface=who, weight=1.0) for one in also(who)]
    matches = engine.store.search_text(view, sought, _LOOKED_AT).matches
    rows = engine.store.get(view, [match.id for match in matches])
    names = dict.fromkeys(name for row in rows for name in called(row.content, who))
    if len(names) > _MOST:
        return
    for found in query_terms(" ".join(names)):
        weight = _WEIGHT * found.weight
        yield Term(term=found.term, surface=surface, weight=weight)
