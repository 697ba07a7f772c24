"""An edit by a caller, with what stands beside the row: the steps of a workflow follow its text."""

from functools import partial

from msgspec.structs import replace

from engraphy.engine import layers, manage
from engraphy.engine.parts import Engine
from engraphy.errors import InvalidInputError
from engraphy.model import Change, Memory, Procedure, PutProcedure, View
from engraphy.text.fold import fold_text
from engraphy.text.stepped import stepped
from engraphy.write.given import Given
from engraphy.write.intake import admitted


def edited(engine: Engine, id: str, view: View, content: str | None, wanted: Given) -> Memory:
    """Change a memory; the new text of a workflow is read as its name and numbered steps. Raises
    InvalidInputError where it is none, ProtectedError, NotFoundError."""
    part = None
    if content is not None and isinstance(id, str):
        part = engine.store.procedure(manage.everything(view), id)
    if part is None or content is None:
        return manage.update(engine, id, view, content, wanted)
    new = _followed(part, admitted(content, engine.profile.write.max_content_chars), engine)
    beside = partial(_beside, replace(part, steps=new.steps, trigger=new.trigger))
    return manage.update(engine, id, view, new.content, wanted, beside=beside)


def _followed(part: Procedure, text: str, engine: Engine) -> layers.Workflow:
    told = stepped(text)
    allowed = (
        f"its name ({part.name}) and then its steps, each in a line with its number; by another "
        "name it is another workflow: procedure(name, steps)"
    )
    if not told.steps or told.rest:
        got = "lines that are neither its name nor a step" if told.steps else "a text without steps"
        raise InvalidInputError(field="content", got=got, allowed=allowed)
    if told.name and fold_text(told.name) != fold_text(part.name):
        raise InvalidInputError(field="content", got=repr(told.name)[:60], allowed=allowed)
    most = engine.profile.write.max_content_chars
    return layers.workflow(part.name, list(told.steps), told.trigger or part.trigger, most)


def _beside(part: Procedure, memory: Memory) -> tuple[Change, ...]:
    return (PutProcedure(procedure=replace(part, memory_id=memory.id), reason="update"),)
