"""The server of the databases that are moved from and to."""

from tests.postgres.conftest import server

__all__ = ["server"]
