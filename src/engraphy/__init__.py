"""engraphy: long-term memory for AI agents, in one SQLite file, with no key and no server."""

from engraphy.errors import EngraphyError
from engraphy.memory import Memory
from engraphy.model import Context, Fact, Hit, Outcome

__version__ = "0.1.0"

__all__ = ["Context", "EngraphyError", "Fact", "Hit", "Memory", "Outcome", "__version__"]
