"""engraphy: long-term memory for AI agents, in one SQLite file, with no key and no server."""

TYPE_CHECKING = False
"""As `typing` has it. To import that would take as long as a hook of a coding agent may take."""

if TYPE_CHECKING:
    from typing import Any

    from engraphy.asynchronous import AsyncMemory
    from engraphy.errors import EngraphyError
    from engraphy.memory import Memory
    from engraphy.model import Context, Fact, Hit, Outcome

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

_ROOMS = {
    "AsyncMemory": "engraphy.asynchronous",
    "Context": "engraphy.model",
    "EngraphyError": "engraphy.errors",
    "Fact": "engraphy.model",
    "Hit": "engraphy.model",
    "Memory": "engraphy.memory",
    "Outcome": "engraphy.model",
}


def __getattr__(name: str) -> "Any":
    """A public name when it is first asked for: naming the package costs next to nothing, and
    asyncio is only loaded for `AsyncMemory` (PEP 562)."""
    if name in _ROOMS:
        room = __import__(_ROOMS[name], fromlist=[name])
        found = globals()[name] = getattr(room, name)
        return found
    raise AttributeError(f"module 'engraphy' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return __all__
