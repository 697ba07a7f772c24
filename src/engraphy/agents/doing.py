"""Writing an agent's settings: the old ones are kept, and come back byte for byte.

What was written stands in a record beside the memories (`agents.json`), with the fingerprint of
each file. Going away, a file that nobody changed since gets its old bytes back; from one that was
changed only what is ours is taken out.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engraphy.agents.places import Places
from engraphy.agents.planning import Edit, read, uninstalled
from engraphy.agents.shape import Agent
from engraphy.errors import SettingsError
from engraphy.record import Record
from engraphy.text.moments import iso

_RECORD = "agents.json"
_KEPT = "agents-kept"
Row = dict[str, Any]


class Keeper(Record, frozen=True, kw_only=True):
    """What was written into agents' settings, kept in the folder of the memories."""

    home: Path

    def install(self, agent: Agent, places: Places, edits: Sequence[Edit], now: int) -> None:
        """Write the edits, keeping what was there without us. Raises SettingsError."""
        _unchanged(edits)
        known = self._files(agent, places)
        bases = {edit.path: edit.after for edit in uninstalled(agent, places)}
        for edit in edits:
            row = known.get(str(edit.path))
            if row is None or row["sha256"] != _fingerprint(edit.before):
                row = self._kept(edit.path, bases[edit.path], now)
            _write(edit.path, edit.after)
            known[str(edit.path)] = row | {"sha256": _fingerprint(edit.after)}
        self._save(agent, places, {"installed_at": iso(now), "files": known})

    def uninstall(self, agent: Agent, places: Places) -> list[Edit]:
        """How the files are to be when we are gone; writes nothing. Raises SettingsError."""
        known = self._files(agent, places)
        return [
            self._restored(edit, known.get(str(edit.path))) for edit in uninstalled(agent, places)
        ]

    def leave(self, agent: Agent, places: Places, edits: Sequence[Edit]) -> None:
        """Write those, and forget the record; what was put by goes where it is back in its place:
        settings hold keys. Raises SettingsError."""
        _unchanged(edits)
        known = self._files(agent, places)
        for edit in edits:
            _write(edit.path, edit.after)
            kept = known.get(str(edit.path), {}).get("kept")
            if kept is not None and read(self.home / _KEPT / kept) == edit.after:
                _write(self.home / _KEPT / kept, None)
        self._save(agent, places, None)

    def installed_at(self, agent: Agent, places: Places) -> str | None:
        """When it was last installed, as ISO 8601; None where nothing is known of it."""
        found = self._record().get(_key(agent, places))
        return None if found is None else str(found["installed_at"])

    def _restored(self, edit: Edit, row: Row | None) -> Edit:
        if row is None or edit.before is None or row.get("sha256") != _fingerprint(edit.before):
            return edit
        kept = row.get("kept")
        if kept is None:
            return Edit(path=edit.path, before=edit.before, after=None)
        try:
            before = (self.home / _KEPT / kept).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return edit
        return Edit(path=edit.path, before=edit.before, after=before)

    def _kept(self, path: Path, base: str | None, now: int) -> Row:
        """The record of a file, and what it is without us put by."""
        if base is None:
            return {"kept": None}
        mark = hashlib.sha256(str(path).encode()).hexdigest()[:8]
        name = f"{now}-{mark}-{path.name}"
        self._own(self.home / _KEPT)
        _write(self.home / _KEPT / name, base)
        return {"kept": name}

    def _files(self, agent: Agent, places: Places) -> dict[str, Row]:
        found = self._record().get(_key(agent, places))
        return {} if found is None else dict(found["files"])

    def _record(self) -> dict[str, Row]:
        path = self.home / _RECORD
        try:
            found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        except (OSError, ValueError) as error:
            raise SettingsError(setting=str(path), problem=f"cannot be read: {error}") from error
        return {str(name): row for name, row in found.items()}

    def _save(self, agent: Agent, places: Places, row: Row | None) -> None:
        record = self._record()
        record.pop(_key(agent, places), None)
        if row is not None:
            record[_key(agent, places)] = row
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n" if record else None
        self._own(self.home)
        _write(self.home / _RECORD, text)

    def _own(self, folder: Path) -> None:
        """Make a folder beside the memories, and theirs, which nobody else may read."""
        try:
            for one in (self.home, folder):
                one.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(setting=str(folder), problem=f"cannot be made: {error}") from error


def _unchanged(edits: Sequence[Edit]) -> None:
    """Raises SettingsError where a file says something else than when its edit was made: agents
    write into their settings too, also while somebody reads what would change."""
    for edit in edits:
        if read(edit.path) != edit.before:
            problem = "it was changed meanwhile; nothing was written: do it again"
            raise SettingsError(setting=str(edit.path), problem=problem)


def _key(agent: Agent, places: Places) -> str:
    return agent.name if places.project is None else f"{agent.name} {places.project}"


def _fingerprint(text: str | None) -> str:
    return hashlib.sha256((text or "").encode()).hexdigest()


def _write(path: Path, text: str | None) -> None:
    """The whole file or none of it, where its links lead, with its rights; None removes it."""
    try:
        real = Path(os.path.realpath(path))
        if text is None:
            real.unlink(missing_ok=True)
            return
        real.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(beside).chmod(real.stat().st_mode & 0o7777 if real.exists() else 0o600)
            Path(beside).replace(real)
        except OSError:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise SettingsError(setting=str(path), problem=f"cannot be written: {error}") from error
