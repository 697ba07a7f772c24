"""The server of the databases that are moved from and to, and a keyring."""

from tests.cli.test_encryption import ring
from tests.postgres.conftest import server

__all__ = ["ring", "server"]
