"""Exports that come as a ZIP file, as the folder it unpacks to, or as the one file that counts.

Nothing is unpacked to a disk. An archive with a name that leaves its folder, or that unpacks to
very much more than it holds, is refused before anything of it is read.
"""

import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any, IO
from zipfile import BadZipFile, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo, is_zipfile

from engraphy.errors import InvalidInputError, UnreadableFileError
from engraphy.importers.notes import Notes
from engraphy.importers.reading import files, opened
from engraphy.importers.spans import parts

_LARGEST = 8 << 30
"""Bytes that one member may unpack to."""
_SMALL = 1 << 20
_RATIO = 200
"""How many times its size a member may unpack to: text shrinks to a tenth, a bomb much further."""
_MOST = 100_000
_PACKED = (ZIP_STORED, ZIP_DEFLATED)
Fits = Callable[[str], bool]


def objects(path: Path, fits: Fits, notes: Notes) -> Iterator[dict[str, Any]]:
    """The JSON objects of the members whose file names fit, in the order of their names. Raises
    InvalidInputError and UnreadableFileError."""
    for name, stream in _members(path, fits, notes):
        try:
            with closing(stream):
                yield from (value for _, value in parts(stream, name, notes))
        except (BadZipFile, zlib.error, EOFError) as error:
            notes.wrong(name, 0, f"the archive is damaged here: {error}")
        except OSError as error:
            raise UnreadableFileError(path=path, problem=str(error)) from error


def has(path: Path, fits: Fits) -> bool:
    """Whether a folder or an archive has a member whose name fits; of a file, its own name."""
    if path.is_dir():
        return any(one.is_file() and fits(one.name) for one in path.iterdir())
    if path.suffix.lower() == ".zip" and is_zipfile(path):
        with _archive(path) as archive:
            return any(fits(PurePosixPath(one.filename).name) for one in archive.infolist())
    return path.is_file() and fits(path.name)


def _members(path: Path, fits: Fits, notes: Notes) -> Iterator[tuple[str, IO[bytes]]]:
    if path.suffix.lower() != ".zip":
        for file in files(path, lambda one: fits(one.name), notes):
            yield str(file), opened(file)
        return
    # However often it is looked through.
    notes.files = 1
    with _archive(path) as archive:
        for one in _checked(path, archive, fits):
            notes.reads(one.filename)
            try:
                stream = archive.open(one)
            except (BadZipFile, NotImplementedError) as error:
                notes.wrong(one.filename, 0, f"the archive is damaged here: {error}")
                continue
            yield one.filename, stream


def _archive(path: Path) -> ZipFile:
    try:
        return ZipFile(path)
    except (BadZipFile, OSError, NotImplementedError, ValueError) as error:
        raise UnreadableFileError(path=path, problem=f"it is no ZIP file: {error}") from error


def _checked(path: Path, archive: ZipFile, fits: Fits) -> list[ZipInfo]:
    """The members that are read, once all of them were found harmless."""
    members = archive.infolist()
    if len(members) > _MOST:
        raise _refused(path, f"has {len(members):,} members", f"at most {_MOST:,}")
    wanted: list[ZipInfo] = []
    for one in members:
        name = PurePosixPath(one.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts or ":" in name.parts[0:1]:
            raise _refused(path, f"has a member {one.filename!r}", "names inside its folder")
        if not one.is_dir() and fits(name.name):
            wanted.append(one)
    for one in wanted:
        _check(path, one)
    if sum(one.compress_size for one in wanted) > path.stat().st_size:
        raise _refused(path, "has members that lie over one another", "members beside one another")
    return sorted(wanted, key=lambda one: one.filename)


def _check(path: Path, one: ZipInfo) -> None:
    """Raises InvalidInputError for a member that is not read."""
    if one.flag_bits & 1:
        raise _refused(path, f"has an encrypted {one.filename!r}", "one without a password")
    if one.compress_type not in _PACKED:
        told = f"packs {one.filename!r} in method {one.compress_type}"
        raise _refused(path, told, "members that are stored or deflated")
    too_much = one.file_size > max(_SMALL, _RATIO * one.compress_size)
    if one.file_size > _LARGEST or too_much:
        told = f"unpacks {one.filename!r} from {one.compress_size:,} to {one.file_size:,} bytes"
        raise _refused(path, told, f"{_RATIO} times its size, and {_LARGEST >> 30} GB")


def _refused(path: Path, got: str, allowed: str) -> InvalidInputError:
    return InvalidInputError(field="path", got=f"{path.name!r}, which {got}", allowed=allowed)
