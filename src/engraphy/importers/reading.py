"""Files of others, read with bounds: never more in memory than one line or one part, never a file
that unpacks to more than it may, and nothing outside the folder that was named."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from typing import Any

from engraphy.errors import EngraphyError, InvalidInputError, UnreadableFileError
from engraphy.importers.notes import Notes
from engraphy.text.moments import in_range, microseconds

LONGEST_LINE = 16 << 20
LARGEST_FILE = 256 << 20
"""Bytes of a line, of a document that is read whole."""
_MOST_FILES = 200_000
MOST_OTHERS = 1_000
"""Files of a folder; lines or parts of other things before the first that is read."""
_NEVER = frozenset({".git", ".venv", "__pycache__", "node_modules", "venv"})
_NUMBER = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?")
_SECONDS_UNTIL = 100_000_000_000
"""A number from here on counts milliseconds, and a thousand times that microseconds."""
_SECOND = 1_000_000
_FORMS = (
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%d.%m.%Y",
    "%d.%m.%Y %H:%M",
    "%B %d, %Y",
    "%b %d, %Y",
    "%d %B %Y",
    "%d %b %Y",
)
"""Dates as people write them, of which the day cannot be taken for the month."""
_LONGEST_DATE, _SHOWN = 64, 40
_PACKED = b"\x1f\x8b\x08"
_BOM = b"\xef\xbb\xbf"
_CUT = "it was cut off, it ends in the middle; what is missing may be what was deleted since"
_EXPORT, _SIGN = b'{"format": "engraphy-export"', 64


def files(path: Path, fits: Callable[[Path], bool], notes: Notes) -> Iterator[Path]:
    """The file, whatever it is called, or those of the folder that fit, in order of their names;
    links are not followed. Raises UnreadableFileError."""
    if not path.is_dir():
        notes.files += 1
        yield path
        return
    found = 0
    for file in _inside(path, notes):
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
        notes.reads(file)
        yield file


def _inside(path: Path, notes: Notes) -> Iterator[Path]:
    """Everything in a folder and the folders in it, in order of its names; folders that are not
    looked into are noted."""

    def hindered(error: OSError) -> None:
        if Path(error.filename) == path:
            raise UnreadableFileError(path=path, problem=error.strerror) from error
        notes.skip("a folder that may not be read")

    for folder, folders, names in os.walk(path, onerror=hindered):
        folders[:] = sorted(one for one in folders if one not in _NEVER)
        for _ in filter(Path.is_symlink, (Path(folder, one) for one in folders)):
            notes.skip("a link")
        yield from (Path(folder, name) for name in sorted(names))


def _left_out(file: Path) -> str:
    """Why a file of a folder is not read; empty where it is."""
    if file.is_symlink():
        return "a link"
    if not file.is_file():
        return "no file"
    return "" if os.access(file, os.R_OK) else "a file that may not be read"


def opened(path: Path) -> BufferedReader:
    """The file, to be read. Raises UnreadableFileError."""
    try:
        if path.exists() and not path.is_file():
            raise UnreadableFileError(path=path, problem="it is no file")
        file = path.open("rb")
    except OSError as error:
        raise UnreadableFileError(path=path, problem=error.strerror) from error
    if file.peek(len(_PACKED)).startswith(_PACKED):
        file.close()
        raise UnreadableFileError(path=path, problem="it is packed with gzip: unpack it first")
    return file


def records(path: Path, notes: Notes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a JSON Lines file with their line numbers; what is none is noted. A file
    that begins with very many lines that are none is not read on."""
    found = False
    if is_export(path):
        notes.skip("an export of engraphy")
        return
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


def is_export(path: Path) -> bool:
    """Whether it is one of engraphy's own, whose walls and sensitivities only its own import
    knows."""
    with opened(path) as file:
        return file.peek(_SIGN)[:_SIGN].removeprefix(_BOM).startswith(_EXPORT)


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
            elif stripped := line.removeprefix(_BOM).strip():
                yield number, stripped


def parsed(raw: bytes, path: str | Path, number: int, notes: Notes) -> Any:
    """A JSON value; None, and a note, where it is none."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        notes.wrong(path, number, _why_no_json(error))
    return None


def _why_no_json(error: Exception) -> object:
    """Without the line that a parser counts inside of what is one line of a file."""
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON: {error.msg}, sign {error.pos + 1}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else error


def document(path: Path) -> Any:
    """A JSON document that is read whole. Raises UnreadableFileError and InvalidInputError."""
    try:
        return json.loads(whole(path))
    except (ValueError, RecursionError) as error:
        problem = _CUT if _is_cut(error) else f"it is no JSON: {error}"
        raise UnreadableFileError(path=path, problem=problem) from error


def _is_cut(error: Exception) -> bool:
    """Whether what was wrong with a document is that it ended."""
    if not isinstance(error, json.JSONDecodeError) or not error.doc.strip():
        return False
    return error.msg.startswith("Unterminated") or error.pos >= len(error.doc.rstrip())


def whole(path: Path) -> bytes:
    """The bytes of a file that is not too large. Raises UnreadableFileError, InvalidInputError."""
    with opened(path) as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        got = f"a file of more than {LARGEST_FILE >> 20} MB"
        raise InvalidInputError(field="path", got=got, allowed="a smaller one; split it")
    return content.removeprefix(_BOM)


def moment(value: object) -> int | None:
    """Microseconds UTC of ISO 8601 text, of a date of mail or as people write it, or of a number of
    seconds, milli- or microseconds; None where it is none of these."""
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


def undated(name: str, value: object) -> str:
    """That a date was told which is none that can be read."""
    told = repr(value[:_SHOWN]) if isinstance(value, str) else f"a {type(value).__name__}"
    return f"its {name} cannot be read: {told}"


def _written(value: object) -> int | None:
    if not isinstance(value, str):
        return _read(value)
    told = value[: _LONGEST_DATE + 1].strip().removeprefix("[[").removesuffix("]]")
    told = told.removesuffix("UTC").removesuffix("GMT").strip()
    if len(told) > _LONGEST_DATE:
        return None
    if (at := _read(told)) is not None:
        return at
    for form in _FORMS:
        with suppress(ValueError):
            return _read(datetime.strptime(told, form).replace(tzinfo=UTC))
    with suppress(ValueError, TypeError, OverflowError):
        return _read(parsedate_to_datetime(told))
    return None


def _read(value: object) -> int | None:
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
