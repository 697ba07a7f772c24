"""engraphy: long-term memory for AI agents, in one SQLite file, with no key and no server."""

from typing import Any, TYPE_CHECKING

from engraphy.errors import EngraphyError
from engraphy.memory import Memory
from engraphy.model import Context, Fact, Hit, Outcome
from engraphy.opening import attribute as _attribute

if TYPE_CHECKING:
    from engraphy.asynchronous import AsyncMemory

__version__ = "0.1.0"

__all__ = [
    "AsyncMemory",
    "Context",
    "EngraphyError",
    "Fact",
    "Hit",
    "Memory",
    "Outcome",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """`AsyncMemory` when it is asked for: asyncio is a quarter of the import's cost."""
    if name == "AsyncMemory":
        return _attribute("engraphy.asynchronous", "AsyncMemory")
    raise AttributeError(f"module 'engraphy' has no attribute {name!r}")
