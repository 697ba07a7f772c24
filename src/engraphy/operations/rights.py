"""Who may do what: the role of a token that each operation needs (D-71).

What only asks needs `read`, and what is named here `admin`; everything else changes something of
the caller's own and needs `write`. How far a role reaches is narrowed further by the walls, the
clearance and the origin of the token.
"""

from functools import cache

from engraphy.model.granting import TokenRole
from engraphy.operations import OPERATIONS
from engraphy.operations.background import CONVERSATIONS
from engraphy.operations.reference import REFERENCE

ADMIN = frozenset(
    {
        "audit",
        "backup",
        "compact",
        "cost",
        "doctor",
        "dream",
        "dreams",
        "forget_user",
        "grant",
        "grants",
        "import",
        "journal",
        "owners",
        "prune",
        "publications",
        "publish",
        "purge_expired",
        "reembed",
        "restore",
        "revoke",
        "snapshot",
        "undo",
        "unpublish",
    }
)
"""What concerns a whole tenant, or the file: whoever's memories are in it."""

LOCAL = frozenset(
    {
        "backup",
        "export",
        "import",
        "install",
        "journal",
        "reembed",
        "restore",
        "schedule",
        "tune",
        "uninstall",
    }
)
"""What reads or writes files of the machine it runs on, by a path that a caller names or that it
tells: no door that can be reached from elsewhere offers it."""


def role_of(name: str) -> TokenRole:
    """The least role for the operation of that name. Raises KeyError for one that is unknown."""
    if name in ADMIN:
        return TokenRole.ADMIN
    return TokenRole.READ if _reads()[name] else TokenRole.WRITE


@cache
def _reads() -> dict[str, bool]:
    return {one.name: one.reads for one in (*OPERATIONS, *CONVERSATIONS, *REFERENCE)}
