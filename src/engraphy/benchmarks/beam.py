"""BEAM 100K (Tavakoli et al. 2025): long technical chats, gold = messages, ten abilities.

Questions without source messages (abstention, summaries of everything) are dropped and counted.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from engraphy.benchmarks.cases import Case, Question, Suite, Turn
from engraphy.benchmarks.data import known, read, shaped_as
from engraphy.text.moments import microseconds

_MINUTE = 60_000_000
_TUNED = frozenset({"chat-1", "chat-13", "chat-17", "chat-3", "chat-7"})
"""Every other one of the ten chats of 100K, in the order of their files."""
_ANCHOR = "%B-%d-%Y"
_START = microseconds(datetime(2024, 1, 1, tzinfo=UTC))


def load(path: str) -> Suite:
    """The chats of a folder (or one file) of BEAM as cases; batches of a chat are its sessions.

    Raises UnreadableFileError.
    """
    files, digest = read(path)
    with shaped_as("BEAM", path):
        cases = tuple(_case(chat) for _, chat in files)
        asked = sum(len(rows) for _, chat in files for rows in chat["probing_questions"].values())
    return Suite(
        name="beam",
        data_sha256=digest,
        known=known(digest),
        cases=cases,
        dropped=asked - sum(len(case.questions) for case in cases),
        tuned=_TUNED,
    )


def _case(chat: dict[str, Any]) -> Case:
    turns = tuple(_turns(chat))
    asked = tuple(_questions(chat, {turn.source for turn in turns}))
    return Case(id=f"chat-{chat['chat_id']}", turns=turns, questions=asked)


def _turns(chat: dict[str, Any]) -> Iterator[Turn]:
    at = _START
    for batch in chat["chat"]:
        for group in batch["turns"]:
            for message in group:
                at = max(at + _MINUTE, _anchor(message, at))
                yield Turn(
                    source=str(message["id"]),
                    session=f"batch-{batch['batch_number']}",
                    role=message["role"],
                    content=message["content"],
                    at=at,
                )


def _anchor(message: dict[str, Any], default: int) -> int:
    anchor = message.get("time_anchor")
    if not anchor:
        return default
    try:
        return microseconds(datetime.strptime(anchor, _ANCHOR).replace(tzinfo=UTC))
    except ValueError:
        return default


def _questions(chat: dict[str, Any], sources: set[str]) -> Iterator[Question]:
    for ability, rows in chat["probing_questions"].items():
        for number, row in enumerate(rows):
            gold = _ids(row.get("source_chat_ids")) & sources
            if gold:
                yield Question(
                    id=f"{chat['chat_id']}:{ability}:{number}",
                    text=row["question"],
                    category=ability,
                    gold=frozenset(gold),
                    **_change(ability, row.get("source_chat_ids")),
                )


def _change(ability: str, ids: Any) -> dict[str, frozenset[str]]:
    if ability != "knowledge_update" or not isinstance(ids, dict):
        return {}
    new, old = _ids(ids.get("updated_info")), _ids(ids.get("original_info"))
    return {"updated": frozenset(new), "stale": frozenset(old - new)} if old - new else {}


def _ids(value: Any) -> set[str]:
    """Every id in a list, a mapping of lists, or a single number."""
    if isinstance(value, dict):
        return {one for part in value.values() for one in _ids(part)}
    if isinstance(value, list):
        return {one for part in value for one in _ids(part)}
    return set() if value is None else {str(value)}
