"""The routes of the doors for clients that people have already."""

from starlette.routing import BaseRoute

from engraphy.compat.mem0 import platform, server
from engraphy.compat.stores import routes as stores
from engraphy.serving.house import House


def routes(house: House) -> list[BaseRoute]:  # noqa: ARG001 - the shape of every door
    """mem0's platform and its server, and Anthropic's memory stores."""
    return [*platform.routes(), *server.routes(), *stores.routes()]
