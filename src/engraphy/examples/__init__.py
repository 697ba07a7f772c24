"""Real data shipped with the package, and how to read it."""

import gzip
import json
from importlib.resources import files
from typing import Any

__all__ = ["conversation", "ground_truth", "told"]


def conversation() -> list[dict[str, Any]]:
    """The messages of the CRI persona (MIT): role, content, timestamp, session_id, in order."""
    text = _unpacked("conversations.jsonl.gz")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def ground_truth() -> dict[str, Any]:
    """The persona's changes, conflicts and questions with the facts an answer should hold."""
    truth: dict[str, Any] = json.loads(_unpacked("ground_truth.json.gz"))
    return truth


def told() -> list[dict[str, str]]:
    """The persona's changes (of the ground truth) as plain statements in our words, with dates."""
    text = files(__package__).joinpath("cri", "told.json").read_text("utf-8")
    statements: list[dict[str, str]] = json.loads(text)
    return statements


def _unpacked(name: str) -> str:
    data = files(__package__).joinpath("cri", name).read_bytes()
    return gzip.decompress(data).decode("utf-8")
