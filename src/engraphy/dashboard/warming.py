"""What the first page would have to wait for is done once, when the server begins."""

import logging

from engraphy.dashboard.overview import glance
from engraphy.dashboard.pages import environment
from engraphy.errors import EngraphyError
from engraphy.serving.house import House

_LOG = logging.getLogger("engraphy.dashboard.warming")


async def warming(house: House) -> None:
    """Compile the templates, and read what the first page shows of the server's own tenant."""
    try:
        await house.work(_compiled, long=True)
        await house.work(lambda: glance(house.memory, {}), long=True)
    except EngraphyError as error:
        _LOG.warning("%s: %s", type(error).__name__, error)


def _compiled() -> None:
    known = environment()
    for name in known.list_templates():
        known.get_template(name)
