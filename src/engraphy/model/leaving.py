"""A user who leaves: the change that erases them, and what they hold."""

from engraphy.record import Record


class ForgetUser(Record, frozen=True, kw_only=True):
    """Erase what stands behind a user's walls in the tenant: session state at once, then facts,
    removed and standing memories, protected ones too, at most `limit` of each, and the grants
    that are bound to the user. With the last of it
    the name goes: the places it stood for are called `alias` from then on."""

    user: str
    alias: str
    limit: int = 1_000
    reason: str = ""


class Holdings(Record, frozen=True, kw_only=True):
    """What stands behind a user's walls, counted: memories in every state, those that are removed
    and could be brought back, facts, grants of tokens that are bound to the user, and pieces of
    session state by their name.

    `sessions`: different ones, `places`: sets of walls; `newest`: a number that grows with each
    memory that comes.
    """

    memories: int = 0
    removed: int = 0
    facts: int = 0
    grants: int = 0
    sessions: int = 0
    places: int = 0
    newest: int = 0
    states: tuple[tuple[str, int], ...] = ()
