"""What every test shares: repeatable property tests, a home that is not the user's, and a machine
that nothing leaves."""

import gc
from collections.abc import Iterator
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.offline.plugin", "tests.postgres.plugin"]

if TYPE_CHECKING:
    from tests.serving.server import Served

for name, examples in (("quick", 10), ("whole", 50)):
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )

NUMBERS = count()


def pytest_configure(config: pytest.Config) -> None:
    """Properties are tried with fewer examples where the slow tests are left out."""
    settings.load_profile("quick" if "not slow" in config.option.markexpr else "whole")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: it is not looked through for what may go."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all homes of this run."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def own_home(homes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh ENGRAPHY_HOME (not yet made), so that no test touches the user's memory, no
    language model but the test's own, and no key."""
    home = homes / str(next(NUMBERS))
    monkeypatch.setenv("ENGRAPHY_HOME", str(home))
    monkeypatch.delenv("ENGRAPHY_MODEL", raising=False)
    monkeypatch.delenv("ENGRAPHY_KEY", raising=False)
    monkeypatch.delenv("ENGRAPHY_KEY_FILE", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    return home


@pytest.fixture
def served(tmp_path: Path) -> Iterator["Served"]:
    """A real server on loopback over a store of its own; see tests/serving/server.py."""
    started: type[Served] = import_module("tests.serving.server").Served
    with started(path=tmp_path / "memory.db") as one:
        yield one
