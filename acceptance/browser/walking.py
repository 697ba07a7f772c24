"""Which pages there are: those of the menu, and what they link to, so many of each sort."""

from collections import Counter, deque
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

from look import Eye

from engraphy.dashboard.navigation import PLACES

BEGIN = (
    *(place.path for place in PLACES),
    "/walls",
    "/search?q=staging+server",
    "/timeline?about=staging+server",
    "/procedures?show=episodes",
    "/reminders?told=1",
    "/settings/knobs",
)
_LEFT_OUT = ("/static/", "/live", "/signin", "/v1/", "/mcp", "/metrics", "/health")


def sort_of(path: str) -> str:
    """Pages of one sort: the same address but for ids and values."""
    parts = urlsplit(path)
    steps = [f"{one[:1]}*" if any(map(str.isdigit, one)) else one for one in parts.path.split("/")]
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return "/".join(steps) + (f"?{'&'.join(names)}" if names else "")


def walk(eye: Eye, each: int, most: dict[str, int] | None = None) -> Iterator[tuple[str, int]]:
    """Open pages one after the other and tell each with its status: at most `each` of a sort, or
    what `most` says of it."""
    bounds = most or {}
    waiting, met, told = deque(BEGIN), set(BEGIN), Counter[str]()
    while waiting:
        path = waiting.popleft()
        sort = sort_of(path)
        if told[sort] >= bounds.get(sort, each):
            continue
        told[sort] += 1
        yield path, eye.open(path)
        for one in sorted(eye.links() - met):
            if not one.startswith(_LEFT_OUT):
                met.add(one)
                waiting.append(one)
