"""What is there, in lists and as a picture: sessions, and what is related to what."""

from typing import Literal

from engraphy.model.outcome import SessionStatus
from engraphy.record import Record


class SessionLine(Record, frozen=True, kw_only=True):
    """A session in a list: how many memories come from it, when the first and the last of them
    was recorded (microseconds UTC), and how far it has come, where it was begun as one and that is
    still known."""

    session: str
    memories: int
    first_at: int
    last_at: int
    status: SessionStatus | None = None


class Owner(Record, frozen=True, kw_only=True):
    """Who memories belong to, and how many of them, in whatever state; a wall that is None is not
    named: with none named they are everybody's in the tenant."""

    user: str | None
    agent: str | None
    project: str | None
    conversation: str | None
    memories: int


class Node(Record, frozen=True):
    """An entity or a memory in a graph. `id`: an entity's address, a memory's id; `label`: as
    people read it; `kind`: an entity's (person, tech ...) or a memory's; `weight`: how many
    memories name the entity, 1 for a memory; `current`: whether it still holds."""

    id: str
    label: str
    what: Literal["entity", "memory"]
    kind: str
    weight: int = 1
    current: bool = True


class Edge(Record, frozen=True):
    """A line between two nodes by their ids: `names` from a memory to an entity, or the type of a
    relation between two memories."""

    source: str
    target: str
    type: str
    confidence: float = 1.0


class Graph(Record, frozen=True, kw_only=True):
    """What ties memories together: the most named entities, the memories that name them, and how
    these are related. `more`: how many nodes were left out because there were too many."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    more: int = 0
