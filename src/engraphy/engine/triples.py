"""Facts that a caller gives by name, and takes away again."""

from msgspec.structs import replace

from engraphy.engine.manage import get
from engraphy.engine.parts import Engine
from engraphy.engine.screening import stated
from engraphy.engine.standing import same_walls
from engraphy.errors import NotFoundError
from engraphy.model import DeleteFact, Fact, FactFilter, PutFact, Sensitivity, View

_UNSEEN = "No triple {id} is visible in this scope. A listing of facts tells the id of each."


def put_fact(engine: Engine, view: View, new: Fact) -> Fact:
    """Write a triple; the same triple in the same scope updates its confidence (A-12). Where facts
    outlive their source, one that is told again without any keeps the source it has."""
    if new.source_id is not None:
        get(engine, new.source_id, view, touch=False)
    new = stated(engine, new)
    held = _held(engine, view, new)
    if held is not None and new.source_id is None and engine.profile.form.facts_outlive:
        new = replace(new, source_id=held.source_id)
    change = PutFact(fact=new, reason="fact")
    engine.store.apply(view.scope.tenant, [change], now=view.now, actor=engine.actor)
    return _held(engine, replace(view, sensitivities=frozenset(Sensitivity)), new) or new


def _held(engine: Engine, view: View, like: Fact) -> Fact | None:
    """The same triple in exactly the same walls, as a view sees it."""
    wanted = FactFilter(
        subject=like.subject, predicate=like.predicate, object=like.object, limit=1_000
    )
    found = engine.store.facts(view, wanted)
    return next((one for one in found if same_walls(one.scope, like.scope)), None)


def delete_fact(engine: Engine, id: str, view: View) -> None:
    """Delete a fact by its id. Raises NotFoundError."""
    wanted = FactFilter(id=id, current=False, limit=1)
    if not engine.store.facts(view, wanted):
        raise NotFoundError(_UNSEEN.format(id=id), id=id)
    change = DeleteFact(id=id, reason="delete_fact")
    engine.store.apply(view.scope.tenant, [change], now=view.now, actor=engine.actor)
