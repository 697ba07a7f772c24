"""Which dialect a request speaks, and the body with blocks of memories in their places."""

from collections.abc import Sequence

from engraphy.model.outcome import Placed
from engraphy.proxy.anthropic import MESSAGES
from engraphy.proxy.gemini import GENERATE
from engraphy.proxy.openai import CHAT, RESPONSES
from engraphy.proxy.reading import Dialect, Form, Reading
from engraphy.proxy.splice import UnclearError, applied, opened

DIALECTS: tuple[Dialect, ...] = (MESSAGES, CHAT, RESPONSES, GENERATE)


def dialect(method: str, path: str) -> Dialect | None:
    """How a request to this path is read; None for what only passes through."""
    if method != "POST":
        return None
    return next((one for one in DIALECTS if path.endswith(one.paths)), None)


def read(spoken: Dialect, data: bytes) -> Reading | None:
    """A request's conversation; None where the body is not clear, which passes as it is."""
    try:
        found = spoken.read(opened(data))
    except UnclearError:
        return None
    return found if found.chat else None


def edited(
    spoken: Dialect, reading: Reading, blocks: Sequence[Placed], form: Form | None = None
) -> bytes | None:
    """The body with these blocks; None where nothing is put in."""
    chosen = form or reading.form
    try:
        put = [made for one in blocks for made in spoken.place(reading, one, chosen)]
    except UnclearError:
        return None
    return applied(reading.body.text, put).encode() if put else None
