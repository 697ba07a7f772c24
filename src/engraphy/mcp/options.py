"""What a server is started with; nothing heavy is loaded for it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Which store, which tools, and where its callers stand.

    `opening`: what `Memory` is opened with. `project`: a name, "auto" for the one that the agent's
    folder belongs to, or "none"; `session`: a name, "auto" for the one that the agent tells.
    """

    toolset: str = "default"
    opening: dict[str, Any] = field(default_factory=dict)
    user: str | None = None
    agent: str | None = None
    project: str = "auto"
    session: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool says: a JSON object (None: only the text), and the text beside it."""

    text: str
    structured: dict[str, Any] | None = None
    failed: bool = False
