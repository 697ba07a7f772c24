"""What is done with what the journal holds of something that is forgotten."""

from typing import Protocol

from engraphy.stores.relational.sql import Connection, query


class Erasing(Protocol):
    """Erases what the journal holds under a key, inside a transaction."""

    def erase(self, connection: Connection, key: str) -> None:
        """Erase it."""

    def scrub(self, connection: Connection) -> None:
        """Take what was deleted out of an index that keeps deleted words for a while."""


class PlainErasing:
    """For an engine that needs nothing but the deletion itself."""

    def erase(self, connection: Connection, key: str) -> None:
        """Delete the texts of the journal under this key."""
        connection.execute(query("erase_texts"), {"key": key})

    def scrub(self, connection: Connection) -> None:
        """Nothing: a deleted row is gone from its indexes."""
