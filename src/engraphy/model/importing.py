"""What is brought in from elsewhere, and what came of it."""

from collections.abc import Mapping

from msgspec import field

from engraphy.model.kinds import Role
from engraphy.record import Record


class Item(Record, frozen=True, kw_only=True):
    """One thing that another memory keeps, or a message of a conversation held elsewhere.

    `id`: what its source calls it, the same whenever it is read; what has none is called by its
    text. `role`: whose message it is; None for what was kept, not said. `at`: when it was said or
    kept, in microseconds UTC; None = not known. `name`: the speaker. The walls and the session are
    what its source says of it. `fields`: further ones that `remember` takes.
    """

    id: str
    content: str
    role: Role | None = None
    at: int | None = None
    name: str | None = None
    user: str | None = None
    agent: str | None = None
    project: str | None = None
    session: str | None = None
    fields: Mapping[str, object] = field(default_factory=dict)


class Imported(Record, frozen=True, kw_only=True):
    """What an import did, or with `dry_run` would do.

    `run`: by which it can be undone; empty where nothing was written. Of `read` things some came
    in (`memories` by their `kinds`; `owned` of them belong to a user, an agent or a project,
    `superseded` took the place of another memory, `held_back` wait for review), some asked for what
    was said to be `taken_back`; some came in `already` by an earlier import, some say what `stands`
    already, some were `forgotten` after they were said, and of the others `skipped` tells how many
    were left out for which reason. Where files were read: how many, how many of their lines or
    parts are `broken`, and where the first of those are.
    """

    source: str
    dry_run: bool = False
    run: str = ""
    read: int = 0
    memories: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    owned: int = 0
    superseded: int = 0
    taken_back: int = 0
    held_back: int = 0
    already: int = 0
    stands: int = 0
    forgotten: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    files: int = 0
    broken: int = 0
    problems: tuple[str, ...] = ()
