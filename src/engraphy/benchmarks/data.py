"""Reading data files: their bytes, their hash, and whether the hash is a known one."""

import gzip
import hashlib
import json
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from engraphy.errors import UnreadableFileError

_ENDINGS = (".json", ".json.gz", ".jsonl")


def read(path: str, names: Sequence[str] = ()) -> tuple[list[tuple[str, Any]], str]:
    """Name and parsed JSON of a file, or of every .json, .jsonl and .json.gz under a folder in
    the order of their names (`names`: of these only), and one SHA-256 over all their bytes.

    Raises UnreadableFileError.
    """
    try:
        raw = [(one.name, one.read_bytes()) for one in _chosen(Path(path), names)]
    except OSError as error:
        raise UnreadableFileError(path=path, problem=str(error)) from error
    if missing := set(names) - {name for name, _ in raw}:
        raise UnreadableFileError(path=path, problem=f"no {', '.join(sorted(missing))} there")
    if not raw:
        raise UnreadableFileError(path=path, problem="no JSON file there")
    digest = hashlib.sha256(b"".join(content for _, content in raw)).hexdigest()
    return [(name, _parsed(path, name, content)) for name, content in raw], digest


def read_one(path: str) -> tuple[Any, str]:
    """The parsed JSON of one file (or of the only one in a folder), and its SHA-256.

    Raises UnreadableFileError.
    """
    found, digest = read(path)
    if len(found) > 1:
        listed = ", ".join(name for name, _ in found[:5])
        raise UnreadableFileError(path=path, problem=f"name one of its files: {listed}")
    return found[0][1], digest


def read_text(path: str) -> tuple[str, str]:
    """The text of one file, and its SHA-256. Raises UnreadableFileError."""
    try:
        content = Path(path).read_bytes()
        return content.decode("utf-8-sig"), hashlib.sha256(content).hexdigest()
    except (OSError, ValueError) as error:
        raise UnreadableFileError(path=path, problem=str(error)) from error


@contextmanager
def shaped_as(name: str, path: str) -> Iterator[None]:
    """What goes wrong inside means that the data are not in the format `name`.

    Raises UnreadableFileError.
    """
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        problem = f"not in the format of {name} ({type(error).__name__}: {error})"
        raise UnreadableFileError(path=path, problem=problem) from error


def listed(value: Any) -> list[Any]:
    """The value, which must be a list. Raises TypeError."""
    if not isinstance(value, list):
        raise TypeError(f"{type(value).__name__} where a list belongs")
    return value


def known(digest: str) -> str | None:
    """What the data with this hash is; None where it is not a known one."""
    table = tomllib.loads(files(__package__).joinpath("known.toml").read_text("utf-8"))
    return next((name for name, value in table["sha256"].items() if value == digest), None)


def _chosen(root: Path, names: Sequence[str]) -> list[Path]:
    if root.is_file():
        return [root]
    found = sorted(one for one in root.rglob("*") if one.name.endswith(_ENDINGS))
    return [one for one in found if one.name in names] if names else found


def _parsed(path: str, name: str, content: bytes) -> Any:
    try:
        text = (gzip.decompress(content) if name.endswith(".gz") else content).decode("utf-8")
        if name.endswith(".jsonl"):
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        return json.loads(text)
    except (OSError, EOFError, ValueError) as error:
        raise UnreadableFileError(path=path, problem=f"{name}: {error}") from error
