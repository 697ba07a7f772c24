"""Every verb once: its name, typed arguments and words. Doors (CLI, MCP, HTTP) render these.

`run` takes an opened `Memory` and the named arguments, and gives back model values;
`engraphy.plain` makes them into what JSON can say.
"""

from engraphy.operations.asking import ASKING
from engraphy.operations.background import BACKGROUND
from engraphy.operations.clearing import CLEARING
from engraphy.operations.core import CORE
from engraphy.operations.costs import COSTS
from engraphy.operations.federating import FEDERATING
from engraphy.operations.injecting import INJECTING
from engraphy.operations.layers import LAYERS
from engraphy.operations.looking_back import LOOKING_BACK
from engraphy.operations.overviews import OVERVIEWS
from engraphy.operations.relating import RELATING
from engraphy.operations.reminding import REMINDING
from engraphy.operations.review import REVIEW
from engraphy.operations.sessions import SESSIONS
from engraphy.operations.shape import Argument, Operation
from engraphy.operations.timing import TIMING
from engraphy.operations.upkeep import UPKEEP

OPERATIONS: tuple[Operation, ...] = (
    *CORE,
    *CLEARING,
    *LOOKING_BACK,
    *INJECTING,
    *ASKING,
    *TIMING,
    *REMINDING,
    *LAYERS,
    *RELATING,
    *REVIEW,
    *COSTS,
    *OVERVIEWS,
    *SESSIONS,
    *BACKGROUND,
    *UPKEEP,
    *FEDERATING,
)


def operation(name: str) -> Operation:
    """The operation of that name. Raises KeyError."""
    return {one.name: one for one in OPERATIONS}[name]


__all__ = [
    "ASKING",
    "Argument",
    "BACKGROUND",
    "CLEARING",
    "CORE",
    "COSTS",
    "FEDERATING",
    "INJECTING",
    "LAYERS",
    "LOOKING_BACK",
    "OPERATIONS",
    "OVERVIEWS",
    "Operation",
    "RELATING",
    "REMINDING",
    "REVIEW",
    "SESSIONS",
    "TIMING",
    "UPKEEP",
    "operation",
]
