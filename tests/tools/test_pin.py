"""The pins: complete, in agreement with one another and with pyproject.toml."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import pin

ROOT = Path(pin.__file__).resolve().parent.parent
WANTED = pin.wanted(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8")))


def text(name: str) -> str:
    """A requirements file."""
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pinned(name: str) -> dict[str, str]:
    """Distribution to version."""
    return dict(one.split("==") for one in pin.names(text(name)))


@pytest.mark.parametrize("name", WANTED)
def test_what_pyproject_asks_for_is_pinned(name: str) -> None:
    """Every requirement is pinned at a version that it allows."""
    versions = pinned(name)
    for requirement in map(Requirement, WANTED[name]):
        assert versions[canonicalize_name(requirement.name)] in requirement.specifier


@pytest.mark.parametrize("name", ["core", "extras"])
def test_files_agree(name: str) -> None:
    """A distribution has the same version in every file."""
    dev = pinned("dev")
    both = dev.keys() & pinned(name).keys()
    assert both
    assert {one: dev[one] for one in both} == {one: pinned(name)[one] for one in both}


@pytest.mark.parametrize("name", WANTED)
def test_hashes_and_nothing_else(name: str) -> None:
    """Every pin has hashes; no line names an address or an option of pip."""
    blocks = re.split(r"^(?=[a-z0-9])", text(name), flags=re.MULTILINE)[1:]
    assert len(blocks) == len(pinned(name))
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", block) for block in blocks)
    assert not re.search(r"://|^-|^\s*--(?!hash=)", text(name), flags=re.MULTILINE)
