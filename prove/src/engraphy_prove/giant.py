"""P-15: what an import reads of a file that is one line: as it is, and as what somebody said in the
format of each source."""

import json
import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import closing
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from engraphy.importers.notes import Notes


class _Format(NamedTuple):
    """A source, a file that it reads, and a text as that file tells it."""

    source: str
    file: str
    told: Callable[[str], Any]


def _typed(text: str, sort: str) -> dict[str, Any]:
    return {"type": sort, "message": {"role": "user", "content": text}}


_JSON = (
    _Format(
        "claude-code", "x.jsonl", lambda t: {"sessionId": "s", "uuid": "u", **_typed(t, "user")}
    ),
    _Format(
        "codex",
        "rollout-x.jsonl",
        lambda t: {
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": t},
        },
    ),
    _Format("cursor", "x.jsonl", lambda t: {"role": "user", "message": {"content": t}}),
    _Format(
        "gemini",
        "session-x.json",
        lambda t: {"sessionId": "s", "messages": [{"type": "user", "content": t}]},
    ),
    _Format(
        "claude-ai",
        "conversations.json",
        lambda t: [{"chat_messages": [{"sender": "human", "text": t}]}],
    ),
    _Format(
        "chatgpt",
        "conversations.json",
        lambda t: [{"mapping": {"a": {"message": _asked(t)}}, "current_node": "a"}],
    ),
    _Format("letta", "x.af", lambda t: {"blocks": [{"label": "a", "value": t}], "agents": []}),
    _Format("mem0", "x.json", lambda t: [{"id": "a", "memory": t}]),
    _Format(
        "server-memory",
        "memory.jsonl",
        lambda t: {"type": "entity", "name": "a", "entityType": "b", "observations": [t]},
    ),
)
_MARKDOWN = (
    _Format("auto-memory", "MEMORY.md", lambda t: f"- [a](a.md) {t}"),
    _Format("rules", "AGENTS.md", lambda t: f"- {t}"),
    _Format("basic-memory", "x.md", lambda t: f"---\ntype: note\n---\n- [a] {t}"),
    _Format("obsidian", "x.md", lambda t: f"---\ntags: [{t[:10_900]}]\n---\n# {t}"),
)


def _asked(text: str) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    return {"author": {"role": "user"}, "content": content}


def reading(folder: Path) -> dict[str, Callable[[str], object]]:
    """What each importer reads, by name; the files are written into the folder."""
    sources = {one.name: one for one in _of_importing("_SOURCES")}
    found: dict[str, Callable[[str], object]] = {}
    for one in (*_JSON, *_MARKDOWN):
        path = folder / one.source / one.file
        path.parent.mkdir()
        wrapped = one.told if one in _MARKDOWN else _dumped(one.told)
        read = partial(_read, sources[one.source].items, path)
        found[f"importers.{one.source} line"] = read
        found[f"importers.{one.source} text"] = _then(wrapped, read)
    found["importers.claude-mem text"] = _database(sources["claude-mem"], folder / "m.db")
    found["importers.auto line"] = partial(_looked_at, folder / "x.jsonl")
    return found


def _dumped(told: Callable[[str], Any]) -> Callable[[str], str]:
    return lambda text: json.dumps(told(text), ensure_ascii=False)


def _then(wrapped: Callable[[str], str], read: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: read(wrapped(text))


def _read(items: Callable[..., Any], path: Path, text: str) -> object:
    path.write_text(text, "utf-8", "surrogatepass")
    return deque(items(path, Notes()), maxlen=0)


def _looked_at(path: Path, text: str) -> object:
    """Whose a file is."""
    path.write_text(text, "utf-8", "surrogatepass")
    return _of_importing("source_of")(path)


def _database(source: Any, path: Path) -> Callable[[str], object]:
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE TABLE observations (id INTEGER PRIMARY KEY, narrative, facts)")

    def read(text: str) -> object:
        with closing(sqlite3.connect(path)) as opened, opened:
            row = (text.encode("utf-8", "surrogatepass").decode("utf-8", "replace"),) * 2
            opened.execute("DELETE FROM observations")
            opened.execute("INSERT INTO observations (narrative, facts) VALUES (?, ?)", row)
        return deque(source.items(path, Notes()), maxlen=0)

    return read


def _of_importing(name: str) -> Any:
    return getattr(import_module("engraphy.importers.importing"), name)
