"""The verbs about what is held back: look at it, let it in, turn it away."""

from typing import Unpack

from engraphy.engine import reviewing, scoping
from engraphy.model import Forgotten, HeldBack
from engraphy.model import Memory as Row
from engraphy.verbs.base import Reading, Verbs
from engraphy.write.intake import admitted

_MOST_ROWS = 10_000


class Reviewing(Verbs):
    """What a person does with memories that came from elsewhere and try to instruct."""

    def review(self, *, limit: int = 50, **scope: Unpack[Reading]) -> list[HeldBack]:
        """The memories that are held back in this scope, newest first, each with the reason.

        Held back is what did not come from the user and tries to instruct. It is never delivered,
        neither by `recall` nor by `context`, until somebody accepts it. Looking is not access.
        """
        count = scoping.positive("limit", limit, _MOST_ROWS)
        return reviewing.waiting(self._engine, self._view(scope), count)

    def accept(self, id: str, content: str | None = None, **scope: Unpack[Reading]) -> Row:
        """Let a memory that is held back in, or its edited text `content`; the text before stays
        as a version.

        From then on it is found; where it came from and its trust stay, so it never stands in
        every prompt. Raises NotFoundError, and InvalidInputError where it is not held back.
        """
        text = content
        if content is not None:
            text = admitted(content, self._engine.profile.write.max_content_chars)
        view = self._view(scope)
        return reviewing.accept(self._engine, self._id(id, view), view, text)

    def reject(self, id: str, **scope: Unpack[Reading]) -> Forgotten:
        """Erase a memory that is held back; the journal keeps that it was rejected, not its text.

        The same text is held back anew should it come again. Raises NotFoundError, and
        InvalidInputError where it is not held back.
        """
        view = self._view(scope)
        return reviewing.reject(self._engine, self._id(id, view), view)
