"""What the first requests would have to wait for is done once, when the server begins."""

import logging

from engraphy.errors import EngraphyError
from engraphy.proxy.wire import trusted
from engraphy.serving.allocating import settled
from engraphy.serving.house import House
from engraphy.text.everyday import everyday
from engraphy.text.injection import injection_signals

_LOG = logging.getLogger("engraphy.http.warming")
_QUESTION = "What have I decided since last week, and why should I remember it?"
"""Asked of the server's own tenant only to have loaded what answers questions."""


async def warming(house: House) -> None:
    """Load what a question and a block need, and the authorities that lines to upstreams trust;
    what stands by then stays. Nothing is counted as a delivery, and no receipt is kept."""
    try:
        await house.work(lambda: house.memory.context(_QUESTION, touch=False), long=True)
    except EngraphyError as error:
        _LOG.warning("%s: %s", type(error).__name__, error)
    await house.work(_loaded, long=True)
    if house.options.upstreams:
        await house.work(trusted, long=True)
    await house.work(settled, long=True)


def _loaded() -> None:
    """What only a memory that is shown asks for: a tenant that has none loads none of it."""
    everyday()
    injection_signals(_QUESTION)
