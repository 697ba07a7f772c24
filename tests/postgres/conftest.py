"""One server for all tests of a process."""

from collections.abc import Iterator

import pytest
from tests.postgres.server import QUICK, Server, running


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A real PostgreSQL."""
    with running(**QUICK) as one:
        yield one
