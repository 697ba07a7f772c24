"""The addresses of the dashboard, and how each of its pages is reached."""

from starlette.routing import BaseRoute

from engraphy.dashboard import (
    changing,
    costs,
    dreams,
    graph,
    jobs,
    journal,
    knobs,
    live,
    memories,
    one_memory,
    overview,
    places,
    procedures,
    reminders,
    review,
    searching,
    sessions,
    signing,
    timeline,
    tokens,
)
from engraphy.dashboard.assets import PATH, static
from engraphy.serving.house import House
from engraphy.serving.route import route

_PAGES = (
    signing,
    places,
    live,
    overview,
    searching,
    memories,
    one_memory,
    changing,
    timeline,
    graph,
    sessions,
    procedures,
    reminders,
    review,
    dreams,
    jobs,
    journal,
    tokens,
    costs,
    knobs,
)


def routes(house: House) -> list[BaseRoute]:
    """All of it; nothing where the server was started without one."""
    if not house.options.dashboard:
        return []
    made: list[BaseRoute] = [route(PATH + "{name}", static, role=None)]
    for one in _PAGES:
        made += one.routes()
    return made
