"""Statements of a transaction that wait to be sent.

Most of what a write says asks for no answer, so it goes to the server together: a lock is held for
a few ways there and back instead of one for each statement.
"""

from collections.abc import Callable, Iterator

from psycopg.rows import TupleRow

from engraphy.stores.postgres.prepared import Call, Given, Prepared

MOST = 1_000
"""So many wait at most."""
_Told = Callable[[Given], None]


class Answer:
    """The rows of a statement, which is run at the latest when somebody asks for them."""

    def __init__(self, waiting: "Waiting") -> None:
        self._waiting = waiting
        self._left: Iterator[TupleRow] | None = None

    def hold(self, rows: list[TupleRow]) -> None:
        """What the server said."""
        self._left = iter(rows)

    def fetchone(self) -> TupleRow | None:
        """The next row; None where there is none."""
        return next(iter(self), None)

    def fetchall(self) -> list[TupleRow]:
        """All rows that are left."""
        return list(self)

    def __iter__(self) -> Iterator[TupleRow]:
        if self._left is None:
            self._waiting.send()
        assert self._left is not None
        return self._left


class Waiting:
    """The statements of one transaction that were not sent yet."""

    def __init__(self, kept: Prepared) -> None:
        self._kept = kept
        self._calls: list[tuple[Call, Answer, _Told]] = []

    def add(self, call: Call, told: _Told) -> Answer:
        """Have a statement wait; `told` hears what it gave."""
        if len(self._calls) >= MOST:
            self.send()
        answer = Answer(self)
        self._calls.append((call, answer, told))
        return answer

    def send(self, word: bytes | None = None) -> None:
        """Run what waits, in its order, and then this word. Raises psycopg's errors."""
        waiting, self._calls = self._calls, []
        calls = [call for call, _, _ in waiting]
        if word is None and len(calls) == 1:
            given = [self._kept.run(calls[0])]
        elif calls or word is not None:
            given = self._kept.together(calls, word)
        else:
            return
        for (_, answer, told), one in zip(waiting, given, strict=True):
            answer.hold(one[0])
            told(one)
