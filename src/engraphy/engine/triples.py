"""Facts that a caller gives by name, and takes away again."""

from dataclasses import replace

from engraphy.engine.manage import get
from engraphy.engine.parts import Engine
from engraphy.engine.screening import stated
from engraphy.engine.standing import same_walls
from engraphy.errors import NotFoundError
from engraphy.model import DeleteFact, Fact, FactFilter, PutFact, Sensitivity, View


def put_fact(engine: Engine, view: View, new: Fact) -> Fact:
    """Write a triple; the same triple in the same scope updates its confidence (A-12)."""
    if new.source_id is not None:
        get(engine, new.source_id, view, touch=False)
    new = stated(engine, new)
    change = PutFact(fact=new, reason="fact")
    engine.store.apply(view.scope.tenant, [change], now=view.now, actor=engine.actor)
    wanted = FactFilter(
        subject=new.subject, predicate=new.predicate, object=new.object, limit=1_000
    )
    every = replace(view, sensitivities=frozenset(Sensitivity))
    held = [one for one in engine.store.facts(every, wanted) if same_walls(one.scope, new.scope)]
    return held[0] if held else new


def delete_fact(engine: Engine, id: str, view: View) -> None:
    """Delete a fact by its id. Raises NotFoundError."""
    wanted = FactFilter(id=id, current=False, limit=1)
    if not engine.store.facts(view, wanted):
        raise NotFoundError(id=id)
    change = DeleteFact(id=id, reason="delete_fact")
    engine.store.apply(view.scope.tenant, [change], now=view.now, actor=engine.actor)
