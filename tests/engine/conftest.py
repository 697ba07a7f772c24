"""Memories on a clock of their own, closed when the test is over."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.engine.making import Ticks, opened

from engraphy import Memory

Opening = Callable[..., Memory]
Shared = Callable[..., Memory]
Filling = Callable[..., Memory]
Standing = Callable[..., list[str]]
FILLED: dict[Callable[[Memory], None], tuple[bytes, int]] = {}
USERS = count()


@pytest.fixture
def clock() -> Ticks:
    """The moment of this test."""
    return Ticks()


@pytest.fixture
def opening(tmp_path: Path, clock: Ticks) -> Iterator[Opening]:
    """Opens memories: `opening()` the test's own file, `opening("other")` another one."""
    with ExitStack() as stack:

        def make(name: str = "store", **more: Any) -> Memory:
            return stack.enter_context(opened(tmp_path / f"{name}.db", clock, **more))

        yield make


@pytest.fixture
def filling(
    opening: Opening, tmp_path: Path, clock: Ticks, request: pytest.FixtureRequest
) -> Filling:
    """`filling(fill, **how)`: the test's own memory as `fill` leaves one that is opened like this.
    A file is filled once, and copied from then on."""

    def make(fill: Callable[[Memory], None], **how: Any) -> Memory:
        file = tmp_path / "store.db"
        if fill not in FILLED:
            memory = opening(**how)
            fill(memory)
            if request.config.getoption("--engine") != "sqlite":
                return memory
            memory.close()
            FILLED[fill] = file.read_bytes(), clock.now
        data, clock.now = FILLED[fill]
        file.write_bytes(data)
        return opening(**how)

    return make


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Memory]]:
    """One memory per profile for all tests that stay behind a user of their own."""
    folder, memories = tmp_path_factory.mktemp("shared"), dict[str, Memory]()
    with ExitStack() as stack:

        def of(profile: str = "default") -> Memory:
            if profile not in memories:
                made = opened(folder / f"{profile}.db", profile=profile)
                memories[profile] = stack.enter_context(made)
            return memories[profile]

        yield of


@pytest.fixture
def user() -> str:
    """A user whom no other test knows."""
    return f"user-{next(USERS)}"


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """A fresh memory in profile `default`, without an embedder."""
    return opening()


@pytest.fixture
def standing(shared: Shared, user: str) -> Standing:
    """What still stands of statements that are told one right after the other."""

    def make(*texts: str) -> list[str]:
        memory = shared()
        for text in texts:
            memory.observe(text, user=user, session="one")
        return [one.content for one in memory.list(user=user)]

    return make
