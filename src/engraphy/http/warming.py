"""What the first requests would have to wait for is done once, when the server begins."""

import logging
from pathlib import Path
from tempfile import TemporaryDirectory

from engraphy.errors import EngraphyError
from engraphy.memory import Memory
from engraphy.proxy.wire import trusted
from engraphy.serving.allocating import settled
from engraphy.serving.house import House

_LOG = logging.getLogger("engraphy.http.warming")
_QUESTION = "What have I decided since last week, and why should I remember it?"
"""Asked of the server's own tenant only to have loaded what answers questions."""
_TOLD = (
    "Ada moved from Bursa to Berlin in May because of a new job there.",
    "The list of new papers for the car can be used from May on, as the office writes. " * 8,
)
_ASKED = (
    "Where does Ada live now, and since when?",
    "Make a new list of papers for the car",
    "Write the release notes of our weather model: training data and a list of open questions",
)
"""Told to a store of nobody's by a tool, and asked of it: what a first block loads."""


async def warming(house: House) -> None:
    """Load what a question and a block need, and the authorities that lines to upstreams
    trust; what stands by then stays. Nothing is counted as a delivery, and no receipt is kept."""
    try:
        await house.work(lambda: house.memory.context(_QUESTION, touch=False), long=True)
        await house.work(_rehearsed, long=True)
    except (EngraphyError, OSError) as error:
        _LOG.warning("%s: %s", type(error).__name__, error)
    if house.options.upstreams:
        await house.work(trusted, long=True)
    await house.work(settled, long=True)


def _rehearsed() -> None:
    with (
        TemporaryDirectory(prefix="engraphy-") as folder,
        Memory(Path(folder) / "rehearsal.db", embedder="static") as memory,
    ):
        for one in _TOLD:
            memory.remember(one, origin="tool")
        for place, question in enumerate(_ASKED):
            memory.inject([{"role": "user", "content": question}], conversation=str(place))
