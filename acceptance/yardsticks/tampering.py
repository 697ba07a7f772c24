"""The store behind `agent-memory-integrity`: T1 to T9, edits of the file past engraphy.

Written and asked through the public `Memory` only. What the suite edits is the `memories` table of
the SQLite file, in the way an attacker who knows the schema would: with a content goes its hash,
with a row its checksum and with a page its own, since without them reading alone refuses the row.
Detection is an audit (`Memory.audit(rows=True)`), and, for an older copy of the whole store, the
head that the audit before told, which is kept here and not in the store, as an operator keeps it on
another machine.
"""

import hashlib
import json
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from agmi.adapters.base import MemoryAdapter, Record

from engraphy import Memory
from engraphy.errors import EngraphyError
from engraphy.stores.relational.rows import checksum
from engraphy.stores.sqlite.sums import sum_anew, wrong_pages

OURS, OTHERS = "ada", "bob"
SIDES = ("", "-wal", "-shm")
_PAGE = 4096


class EngraphyAdapter(MemoryAdapter):
    """A SQLite file with one memory per record; two users are the two contexts."""

    name = "engraphy"
    detection_point = "audit"
    supports_replay = supports_metadata = supports_snapshot = True

    def __init__(self) -> None:
        self._folder = Path()
        self._memory: Memory | None = None
        self._head: str | None = None

    @property
    def _file(self) -> Path:
        return self._folder / "store" / "memories.db"

    def setup(self) -> None:
        """A folder of its own."""
        self._folder = Path(tempfile.mkdtemp(prefix="agmi-engraphy-"))
        self._file.parent.mkdir()
        self._head = None
        self._open()

    def teardown(self) -> None:
        """Close and remove it."""
        self._close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _open(self) -> Memory:
        if self._memory is None:
            self._memory = Memory(self._file, embedder="none")
        return self._memory

    def _close(self) -> None:
        if self._memory is not None:
            self._memory.close()
        self._memory = None

    def seed(self, n: int) -> None:
        """By the public verb; then the head is noted outside the store."""
        self._write(OURS, "seed", n)

    def _write(self, user: str, word: str, n: int) -> None:
        memory = self._open()
        for number in range(n):
            memory.remember(f"agmi {word} record number {number} of {user}", user=user)
        self._head = memory.audit(limit=1).head

    def seed_other(self, n: int) -> None:
        """The second user's."""
        self._write(OTHERS, "other", n)

    def append_genuine(self) -> None:
        """One more of the first user's."""
        self._write(OURS, "late", 1)

    def _raw(self) -> sqlite3.Connection:
        self._close()
        connection = sqlite3.connect(self._file)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = OFF")
        return connection

    def _rows(self, user: str) -> list[Record]:
        connection = self._raw()
        found = connection.execute(
            "SELECT m.* FROM memories AS m JOIN scopes AS s ON s.id = m.scope_id"
            " WHERE s.user = ? ORDER BY m.seq", (user,),
        ).fetchall()  # fmt: skip
        connection.close()
        fields = [dict(row) for row in found]
        return [Record(seq=i, fields=row | {"who": user}) for i, row in enumerate(fields)]

    def read_all_raw(self) -> list[Record]:
        """The first user's rows, from the table."""
        return self._rows(OURS)

    def read_other_raw(self) -> list[Record]:
        """The second user's rows."""
        return self._rows(OTHERS)

    def _change(self, statement: str, values: tuple[Any, ...]) -> None:
        connection = self._raw()
        connection.execute(statement, values)
        found = connection.execute("SELECT * FROM memories").fetchall()
        sums = [(checksum(dict(row)), row["seq"]) for row in found]
        connection.executemany("UPDATE memories SET checksum = ? WHERE seq = ?", sums)
        connection.commit()
        connection.close()
        data = bytearray(self._file.read_bytes())
        sum_anew(data, _PAGE, wrong_pages(data, _PAGE))
        self._file.write_bytes(data)

    def _slot(self, seq: int) -> str | None:
        rows = self.read_all_raw()
        return rows[seq].fields["id"] if seq < len(rows) else None

    def write_raw(self, record: Record) -> None:
        """Content with its hash onto the slot of that number, or a new row behind the last."""
        told = {name: value for name, value in record.fields.items() if name != "who"}
        slot = self._slot(record.seq)
        if slot is None:
            names = ", ".join(told)
            marks = ", ".join("?" * len(told))
            self._change(f"INSERT INTO memories ({names}) VALUES ({marks})", tuple(told.values()))
            return
        # Two rows of one user may not say the same: the old text goes out of the way first.
        self._change(
            "UPDATE memories SET content_hash = zeroblob(32) WHERE content = ? AND id <> ?",
            (told["content"], slot),
        )
        self._put(slot, told)

    def _put(self, slot: str, told: dict[str, Any]) -> None:
        self._change(
            "UPDATE memories SET content = ?, content_hash = ?, title = ? WHERE id = ?",
            (told["content"], _hash(told["content"]), told["title"], slot),
        )

    def delete_raw(self, seq: int) -> None:
        """The row, past the store."""
        self._change("DELETE FROM memories WHERE id = ?", (self._slot(seq),))

    def replay_onto(self, victim_seq: int, donor: Record) -> None:
        """The donor's genuine bytes on another slot. Within one user's rows a unique index of
        hashes refuses that; an attacker drops it, which by itself goes unnoticed."""
        self._change("DROP INDEX IF EXISTS memories_by_hash", ())
        slot = self._slot(victim_seq)
        assert slot is not None
        self._put(slot, donor.fields)

    def mutate_payload(self, record: Record) -> Record:
        """Another text, with the hash that fits it."""
        text = record.fields["content"].replace("record", "rekord")
        record.fields |= {"content": text, "content_hash": _hash(text)}
        return record

    def forge_record(self, template: Record) -> Record:
        """A new row like the last one."""
        forged = Record(seq=template.seq + 1, fields=dict(template.fields))
        forged.fields |= {"id": template.fields["id"][:-2] + "ZZ", "seq": 10_000}
        return self.mutate_payload(forged)

    def read_meta(self, seq: int) -> dict[str, Any]:
        """Origin and times."""
        row = self.read_all_raw()[seq].fields
        return {name: row[name] for name in ("origin", "trust", "recorded_at")}

    def write_meta(self, seq: int, meta: dict[str, Any]) -> None:
        """Another time, the content as it was."""
        moved = 1 if meta.get("agmi_meta_tampered") else 0
        self._change(
            "UPDATE memories SET recorded_at = ? WHERE id = ?",
            (meta["recorded_at"] - moved, self._slot(seq)),
        )

    def snapshot_store(self) -> object:
        """The whole folder of the store."""
        self._close()
        return self._copy_store(self._file.parent)

    def restore_store(self, token: object) -> None:
        """The copy in its place."""
        self._close()
        self._restore_store(str(token), self._file.parent)

    def identity_of(self, record: Record) -> str:
        """The id of the memory."""
        return str(record.fields["id"])

    def payload_of(self, record: Record) -> str:
        """What it says."""
        return json.dumps({"content": record.fields["content"]})

    def owner_of(self, record: Record) -> str:
        """Whose it is."""
        return str(record.fields["who"])

    def reload(self) -> None:
        """A restart."""
        self._close()
        try:
            self._open()
        except EngraphyError:
            self._memory = None

    def verify(self) -> bool:
        """What engraphy says itself: it opens, reads the memories, and audits."""
        self.verify_detail = None
        try:
            memory = self._open()
            memory.list(user=OURS, limit=100)
            told = memory.audit(limit=1, rows=True, head=self._head)
        except EngraphyError as error:
            self.verify_detail = f"{type(error).__name__}: {error}"[:160]
            return False
        if not told.whole:
            self.verify_detail = f"audit: line {told.broken} of the journal is not there"
        elif told.differing:
            self.verify_detail = f"audit: {len(told.differing)} differ from the journal"
        return told.whole and not told.differing


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
