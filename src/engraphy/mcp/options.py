"""What a server is started with; nothing heavy is loaded for it."""

from collections.abc import Callable
from typing import Any, TYPE_CHECKING

from msgspec import field

from engraphy.record import Record

if TYPE_CHECKING:
    from engraphy.memory import Memory


class Options(Record, frozen=True, kw_only=True):
    """Which store, which tools, and where its callers stand.

    `opening`: what `Memory` is opened with. `project`: a name, "auto" for the one that the agent's
    folder belongs to, or "none"; `session`: a name, "auto" for the one that the agent tells.
    `given`: a memory that somebody else opened and closes, in place of `opening`. `demand` raises
    ForbiddenError for an operation that the caller may not do; `reads_only`: none that change
    anything are shown.
    """

    toolset: str = "default"
    opening: dict[str, Any] = field(default_factory=dict)
    user: str | None = None
    agent: str | None = None
    project: str = "auto"
    session: str = "auto"
    given: "Memory | None" = None
    demand: Callable[[str], None] | None = None
    reads_only: bool = False


class Answer(Record, frozen=True, kw_only=True):
    """What a tool says: a JSON object (None: only the text), and the text beside it."""

    text: str
    structured: dict[str, Any] | None = None
    failed: bool = False
