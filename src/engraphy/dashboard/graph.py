"""What ties memories together: a picture with links, and the same as tables."""

import math
from typing import NamedTuple
from urllib.parse import quote, urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import shows
from engraphy.dashboard.labels import Label, Taken, labelled
from engraphy.dashboard.layout import laid_out
from engraphy.dashboard.pages import page
from engraphy.dashboard.visit import Visit
from engraphy.model.overview import Edge, Graph, Node

_SIZES = (30, 60, 120)
_WIDTH, _HEIGHT, _EDGE = 1000, 640, 46
_MOST_ROWS = 50
_LONGEST = 28


class Dot(NamedTuple):
    """A node in its place; `short`: as much of its label as there is room for, at `at`."""

    node: Node
    x: float
    y: float
    r: float
    href: str
    short: str
    at: Label = Label(0, 0, "start")


class Line(NamedTuple):
    """An edge between two places."""

    edge: Edge
    x1: float
    y1: float
    x2: float
    y2: float


class Picture(NamedTuple):
    """A graph laid out."""

    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]


def routes() -> list[BaseRoute]:
    """The graph, and one entity of it."""
    return [shows("/graph", _graph)]


async def _graph(visit: Visit) -> Response:
    entity = visit.query("entity")
    if entity:
        return await _entity(visit, entity)
    size = int(visit.chosen("size", [str(one) for one in _SIZES]) or _SIZES[1])
    found = await visit.work(visit.memory.graph, limit=size, **visit.scope)
    picture = await visit.work(_drawn, found)
    labels = {node.id: node for node in found.nodes}
    return page(
        visit,
        "graph.html",
        found=found,
        picture=picture,
        labels=labels,
        size=size,
        sizes=_SIZES,
        view=(_WIDTH, _HEIGHT),
    )


async def _entity(visit: Visit, name: str) -> Response:
    """Everything that names one entity."""
    hub = await visit.work(visit.memory.entity, name, limit=_MOST_ROWS, **visit.scope)
    labels = {row.id: row.title or row.content for row in hub.memories}
    changes = f"/timeline?{urlencode({'entity': name})}"
    return page(visit, "entity.html", hub=hub, labels=labels, changes=changes)


def _drawn(graph: Graph) -> Picture:
    nodes = {node.id: node for node in graph.nodes}
    at = laid_out(list(nodes), [(edge.source, edge.target) for edge in graph.edges])
    places = {name: _scaled(x, y) for name, (x, y) in at.items()}
    degree = dict.fromkeys(nodes, 0)
    for edge in graph.edges:
        degree[edge.source] += 1
        degree[edge.target] += 1
    crowded = len(nodes) > _SIZES[0]
    bare = [_dot(node, places[name], degree[name], crowded) for name, node in nodes.items()]
    dots = _with_labels(bare)
    lines = [Line(edge, *places[edge.source], *places[edge.target]) for edge in graph.edges]
    return Picture(tuple(dots), tuple(lines))


def _scaled(x: float, y: float) -> tuple[float, float]:
    return (
        round(_EDGE + x * (_WIDTH - 2 * _EDGE), 1),
        round(_EDGE / 2 + y * (_HEIGHT - _EDGE), 1),
    )


def _dot(node: Node, at: tuple[float, float], degree: int, crowded: bool) -> Dot:
    entity = node.what == "entity"
    radius = 5.5 + 2.2 * math.sqrt(node.weight if entity else degree)
    href = f"/graph?{urlencode({'entity': node.id})}" if entity else f"/memories/{quote(node.id)}"
    named = entity or not crowded or degree > 3
    short = _short(node.label) if named else ""
    return Dot(node, *at, round(radius, 1), href, short)


def _with_labels(bare: list[Dot]) -> list[Dot]:
    """The dots with a label beside each where there is room: what is named most chooses first, and
    a memory whose label would stand in another's way has none."""
    room = Taken(_WIDTH, _HEIGHT, [(one.x, one.y, one.r) for one in bare])
    made = dict(enumerate(bare))
    for number in sorted(made, key=lambda at: (bare[at].node.what != "entity", -bare[at].r)):
        one = bare[number]
        if one.short:
            bold = one.node.what == "entity"
            found = labelled(room, one.short, (one.x, one.y, one.r), needed=bold)
            made[number] = one._replace(short="") if found is None else one._replace(at=found)
    return list(made.values())


def _short(label: str) -> str:
    """The beginning of a label, whole words where there are any."""
    if len(label) <= _LONGEST:
        return label
    return (label[:_LONGEST].rpartition(" ")[0] or label[:_LONGEST]).rstrip(",;:-")
