"""PrecisionMemBench's two files as values: beliefs to keep, cases to ask."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engraphy.benchmarks.data import known, listed, read, shaped_as
from engraphy.text.moments import microseconds

USER = "test-user"
BUDGET = 20
"""Beliefs that a context may hold where a case says nothing else (the published default)."""
_FILES = ("beliefs.seed.json", "retrieval.cases.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """One belief of the seed; times in microseconds UTC."""

    id: str
    user: str
    type: str
    name: str
    aliases: tuple[str, ...]
    content: str
    matters: str
    scopes: tuple[str, ...]
    confidence: float
    pinned: bool
    created_at: int
    resolved_at: int | None
    superseded_by: str | None
    participants: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalCase:
    """One question, in the scopes it is asked in, and what its context must hold."""

    id: str
    category: str
    user: str
    scopes: tuple[str, ...]
    query: str
    budget: int
    expect: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixtures:
    """The seed and the cases, with the hash of both files."""

    beliefs: tuple[Belief, ...]
    cases: tuple[RetrievalCase, ...]
    data_sha256: str
    known: str | None


def load(path: str) -> Fixtures:
    """The seed and the cases under a folder. Raises UnreadableFileError."""
    found, digest = read(path, _FILES)
    files = dict(found)
    with shaped_as("PrecisionMemBench", path):
        beliefs = tuple(map(_belief, listed(files[_FILES[0]])))
        cases = tuple(map(_case, listed(files[_FILES[1]])))
    return Fixtures(beliefs=beliefs, cases=cases, data_sha256=digest, known=known(digest))


def _belief(row: dict[str, Any]) -> Belief:
    resolved = row.get("resolved_at")
    return Belief(
        id=row["_id"],
        user=row["user_id"],
        type=row["type"],
        name=row["canonical_name"],
        aliases=tuple(row["aliases"]),
        content=row["content"],
        matters=row["why_it_matters"],
        scopes=tuple(row["scope"]),
        confidence=row["confidence"],
        pinned=row["pinned"],
        created_at=microseconds(row["created_at"]),
        resolved_at=None if resolved is None else microseconds(resolved),
        superseded_by=row.get("superseded_by"),
        participants=tuple(row.get("participants", ())),
    )


def _case(row: dict[str, Any]) -> RetrievalCase:
    return RetrievalCase(
        id=row["caseId"],
        category=row["category"],
        user=row.get("userId", USER),
        scopes=tuple(row["scope"]),
        query=row["query"],
        budget=row.get("budget", {}).get("maxBeliefs", BUDGET),
        expect=row["expect"],
    )
