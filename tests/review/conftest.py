"""A memory on a clock of its own, without an embedder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.making import Ticks, opened

from engraphy import Memory


@pytest.fixture
def clock() -> Ticks:
    """The moment of this test."""
    return Ticks()


@pytest.fixture
def memory(tmp_path: Path, clock: Ticks) -> Iterator[Memory]:
    """A fresh memory in profile `default`."""
    with opened(tmp_path / "store.db", clock) as made:
        yield made
