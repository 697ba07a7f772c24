"""What was named before in a conversation, for the pronouns of its next message (D-06)."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.model import Entity, Listing, Message, Scope, Sensitivity, View
from engraphy.text.coref import refers
from engraphy.text.entities import entities
from engraphy.write.intake import own_words

_REMEMBERED = 8


def named(
    engine: Engine, messages: Sequence[Message], scope: Scope
) -> Iterator[tuple[Message, tuple[Entity, ...]]]:
    """Each message with what was named before it: in this call, or else by the last memory of the
    same session; nothing where the profile does not ask for it."""
    said: tuple[Entity, ...] = ()
    for message in messages:
        if not engine.profile.form.coreference:
            yield message, ()
            continue
        text = own_words(message.content).text
        if not said and refers(text):
            said = _kept_last(engine, scope)
        yield message, said
        said = (*said, *entities(text))[-_REMEMBERED:]


def _kept_last(engine: Engine, scope: Scope) -> tuple[Entity, ...]:
    """The entities of the newest memory of this session and exactly these walls."""
    if scope.session is None:
        return ()
    view = View(
        scope=scope,
        now=engine.clock(),
        session=scope.session,
        sensitivities=frozenset({Sensitivity.PUBLIC}),
    )
    newest = engine.store.page(view, Listing(order="newest", limit=1))
    walls = replace(scope, session=None)
    mine = [one for one in newest if replace(one.scope, session=None) == walls]
    return tuple(entity for one in mine for entity in entities(one.content))
