"""What the first page would have to wait for is done once, when the server begins."""

import logging
from functools import partial

from engraphy.dashboard.overview import glance
from engraphy.dashboard.pages import environment
from engraphy.errors import EngraphyError
from engraphy.serving.house import House

_LOG = logging.getLogger("engraphy.dashboard.warming")
_FIRST = ("base", "head", "icons", "overview", "components/")
"""How the templates begin that the first page is made of."""


async def warming(house: House) -> None:
    """Compile the templates, those of the first page first, and read what that shows of the
    server's own tenant."""
    try:
        await house.work(partial(_compiled, first=True), long=True)
        await house.work(lambda: glance(house.memory, {}), long=True)
        await house.work(partial(_compiled, first=False), long=True)
    except EngraphyError as error:
        _LOG.warning("%s: %s", type(error).__name__, error)


def _compiled(*, first: bool) -> None:
    known = environment()
    for name in known.list_templates():
        if first == name.startswith(_FIRST):
            known.get_template(name)
