"""Reading data files: their bytes, their hash, and whether the hash is a known one."""

import gzip
import hashlib
import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

from engraphy.errors import UnreadableFileError


def read(path: str) -> tuple[list[tuple[str, Any]], str]:
    """Name and parsed JSON of a file, or of every .json and .json.gz of a folder (in the order of
    their names), and one SHA-256 over all their bytes. Raises UnreadableFileError."""
    root = Path(path)
    try:
        found = [root] if root.is_file() else sorted(root.rglob("*.json*"))
        chosen = [one for one in found if one.name.endswith((".json", ".json.gz", ".jsonl"))]
        raw = [(one.name, one.read_bytes()) for one in chosen]
    except OSError as error:
        raise UnreadableFileError(path=path, problem=str(error)) from error
    if not raw:
        raise UnreadableFileError(path=path, problem="no JSON file there")
    digest = hashlib.sha256(b"".join(content for _, content in raw)).hexdigest()
    return [(name, _parsed(path, name, content)) for name, content in raw], digest


def known(digest: str) -> str | None:
    """What the data with this hash is; None where it is not a known one."""
    table = tomllib.loads(files(__package__).joinpath("known.toml").read_text("utf-8"))
    return next((name for name, value in table["sha256"].items() if value == digest), None)


def _parsed(path: str, name: str, content: bytes) -> Any:
    try:
        text = (gzip.decompress(content) if name.endswith(".gz") else content).decode("utf-8")
        if name.endswith(".jsonl"):
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        return json.loads(text)
    except (OSError, ValueError) as error:
        raise UnreadableFileError(path=path, problem=f"{name}: {error}") from error
