"""Files of others, read with bounds: never more in memory than one line or one part, never a file
that unpacks to more than it may, and nothing outside the folder that was named."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, IO

from engraphy.errors import EngraphyError, InvalidInputError, UnreadableFileError
from engraphy.importers.notes import Notes
from engraphy.text.moments import in_range, microseconds

LONGEST_LINE = 16 << 20
LONGEST_PART = 64 << 20
LARGEST_FILE = 256 << 20
"""Bytes of a line, of one part of a large document, of a document that is read whole."""
_CHUNK = 1 << 18
_MOST_FILES = 200_000
MOST_OTHERS = 1_000
"""Files of a folder; lines or parts of other things before the first that is read."""
_NEVER = frozenset({".git", ".venv", "__pycache__", "node_modules", "venv"})
_IN_STRING = rb'(?:[^"\\]++|\\.)*+'
_SIGN = re.compile(
    rb'(?:[^"{}\[\]]++|"' + _IN_STRING + rb'")*+'
    rb'(?:([{\[])|([}\]])|"' + _IN_STRING + rb"(\\?)\Z|\Z)",
    re.DOTALL,
)
"""The next bracket outside of strings, one that opens or one that closes; or a string that goes on
behind the chunk, and whether its next sign is escaped. It fits anywhere: each byte is read once."""
_STRING_ENDS = re.compile(_IN_STRING + rb'("|\\?\Z)', re.DOTALL)
_NUMBER = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?")
_SECONDS_UNTIL = 100_000_000_000
"""A number from here on counts milliseconds, and a thousand times that microseconds."""
_SECOND = 1_000_000


def files(path: Path, fits: Callable[[Path], bool], notes: Notes) -> Iterator[Path]:
    """The file, whatever it is called, or those of the folder that fit, in order of their names;
    links are not followed. Raises UnreadableFileError."""
    if not path.is_dir():
        notes.files += 1
        yield path
        return
    found = 0
    for folder, folders, names in os.walk(path, onerror=_unreadable):
        folders[:] = sorted(one for one in folders if one not in _NEVER)
        for name in sorted(names):
            file = Path(folder, name)
            if not fits(file):
                continue
            if why := _left_out(file):
                notes.skip(why)
                continue
            found += 1
            if found > _MOST_FILES:
                got = f"a folder with more than {_MOST_FILES:,} files"
                raise InvalidInputError(field="path", got=got, allowed="a smaller folder")
            notes.files += 1
            yield file


def _left_out(file: Path) -> str:
    """Why a file of a folder is not read; empty where it is."""
    if file.is_symlink():
        return "a link"
    if not file.is_file():
        return "no file"
    return "" if os.access(file, os.R_OK) else "a file that may not be read"


def _unreadable(error: OSError) -> None:
    raise UnreadableFileError(path=error.filename, problem=error.strerror) from error


def opened(path: Path) -> IO[bytes]:
    """The file, to be read. Raises UnreadableFileError."""
    try:
        if path.exists() and not path.is_file():
            raise UnreadableFileError(path=path, problem="it is no file")
        return path.open("rb")
    except OSError as error:
        raise UnreadableFileError(path=path, problem=error.strerror) from error


def records(path: Path, notes: Notes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a JSON Lines file with their line numbers; what is none is noted. A file
    that begins with very many lines that are none is not read on."""
    found = False
    for number, line in lines(path, notes):
        value = parsed(line, path, number, notes)
        if isinstance(value, dict):
            found = True
            yield number, value
        elif value is not None:
            notes.wrong(path, number, "it is no JSON object")
        if number >= MOST_OTHERS and not found:
            notes.wrong(path, number, "no line so far is a JSON object")
            return


def lines(path: Path, notes: Notes) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, numbered from 1; one that is too long is noted."""
    with opened(path) as file:
        number, too_long = 0, False
        while line := file.readline(LONGEST_LINE):
            whole = line.endswith(b"\n") or len(line) < LONGEST_LINE
            if too_long:
                too_long = not whole
                continue
            number += 1
            if not whole:
                notes.wrong(path, number, f"it is longer than {LONGEST_LINE >> 20} MB")
                too_long = True
            elif stripped := line.removeprefix(b"\xef\xbb\xbf").strip():
                yield number, stripped


def parsed(raw: bytes, path: str | Path, number: int, notes: Notes) -> Any:
    """A JSON value; None, and a note, where it is none."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        problem = "it is nested too deeply" if isinstance(error, RecursionError) else error
        notes.wrong(path, number, problem)
    return None


def document(path: Path) -> Any:
    """A JSON document that is read whole. Raises UnreadableFileError and InvalidInputError."""
    try:
        return json.loads(whole(path))
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError(path=path, problem=f"it is no JSON: {error}") from error


def whole(path: Path) -> bytes:
    """The bytes of a file that is not too large. Raises UnreadableFileError, InvalidInputError."""
    with opened(path) as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        got = f"a file of more than {LARGEST_FILE >> 20} MB"
        raise InvalidInputError(field="path", got=got, allowed="a smaller one; split it")
    return content.removeprefix(b"\xef\xbb\xbf")


def parts(stream: IO[bytes], name: str, notes: Notes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of one large JSON array, or of JSON Lines, one at a time, numbered from 1."""
    for number, raw in enumerate(_spans(stream, name, notes), 1):
        if raw is None:
            notes.wrong(name, number, f"it is longer than {LONGEST_PART >> 20} MB")
            continue
        value = parsed(raw, name, number, notes)
        if isinstance(value, dict):
            yield number, value


def _spans(stream: IO[bytes], name: str, notes: Notes) -> Iterator[bytes | None]:
    """The bytes of each object; None for one that is too long. The objects of an array lie one
    deeper than those of lines."""
    scan = _Scan()
    while chunk := stream.read(_CHUNK):
        yield from scan.feed(chunk)
    if scan.depth:
        notes.wrong(name, scan.count + 1, "the file ends in the middle of it")


class _Scan:
    """Where objects begin and end, over chunks."""

    def __init__(self) -> None:
        self.depth = self.count = 0
        self._base: int | None = None
        self._held = bytearray()
        self._inside = self._dropped = self._text = self._escaped = False

    def feed(self, chunk: bytes) -> Iterator[bytes | None]:
        """The objects that end in this chunk."""
        kept = 0
        for found in _SIGN.finditer(chunk, self._out_of_text(chunk)):
            if found.lastindex == 1:
                if self._opens(found[1]):
                    kept = found.start(1)
            elif found.lastindex == 2:
                if self._closes():
                    yield self._take(chunk[kept : found.end()])
                    kept = found.end()
            elif found.lastindex == 3:
                self._text, self._escaped = True, bool(found[3])
        if self._inside:
            self._keep(chunk[kept:])

    def _out_of_text(self, chunk: bytes) -> int:
        """Where a string ends that began before this chunk."""
        if not self._text:
            return 0
        found = _STRING_ENDS.match(chunk, int(self._escaped))
        if found is None:
            return len(chunk)
        self._text, self._escaped = found[1] != b'"', found[1] == b"\\"
        return found.end()

    def _opens(self, sign: bytes) -> bool:
        """Whether an object begins here."""
        if self._inside:
            self.depth += 1
            return False
        if self._base is None:
            self._base = 1 if sign == b"[" else 0
        begins = self.depth == self._base and not (self._base and not self.depth)
        self.depth += 1
        if begins:
            self._inside = True
        return begins

    def _closes(self) -> bool:
        """Whether an object ends here."""
        self.depth = max(0, self.depth - 1)
        return self._inside and self.depth == self._base

    def _keep(self, piece: bytes) -> None:
        if not self._dropped and len(self._held) + len(piece) > LONGEST_PART:
            self._dropped = True
            self._held.clear()
        if not self._dropped:
            self._held += piece

    def _take(self, piece: bytes) -> bytes | None:
        if self._held or self._dropped or len(piece) > LONGEST_PART:
            self._keep(piece)
            piece = bytes(self._held)
        taken = None if self._dropped else piece
        self._held.clear()
        self._inside = self._dropped = False
        self.count += 1
        return taken


def moment(value: object) -> int | None:
    """Microseconds UTC of ISO 8601 text, or of a number of seconds, milli- or microseconds; None
    where it is none of these."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        if value != value or abs(value) > _SECONDS_UNTIL * _SECOND:  # noqa: PLR0124 - not a number
            return None
        size = abs(value)
        scale = _SECOND if size < _SECONDS_UNTIL else 1_000 if size < _SECONDS_UNTIL * 1_000 else 1
        at = round(value * scale)
        return at if in_range(at) else None
    if isinstance(value, str) and len(value) > 8 and _NUMBER.fullmatch(value.strip()):
        return moment(float(value))
    return _written(value)


def _written(value: object) -> int | None:
    try:
        return microseconds(value)
    except EngraphyError:
        return None


def text(value: object) -> str:
    """A text, or "" for anything else."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> Mapping[str, Any]:
    """A mapping, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """A list, or an empty one for anything else."""
    return value if isinstance(value, list) else []


def name_of(*told: object) -> str:
    """What a thing without an id of its own is called by: the same for the same words."""
    joined = "\0".join(str(one) for one in told)
    return sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def modified(path: Path) -> int | None:
    """When a file was changed last, in microseconds UTC."""
    try:
        return path.stat().st_mtime_ns // 1_000
    except OSError:
        return None


def bytes_of(path: Path) -> int | None:
    """How large a file is; None where it is there no longer."""
    try:
        return path.stat().st_size
    except OSError:
        return None
