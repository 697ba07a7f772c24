"""Compressed bodies: undone for whoever reads them, piece by piece and never without bound."""

import sys
import zlib
from collections.abc import Iterator
from typing import Any, Protocol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    try:
        from backports import zstd
    except ImportError:
        zstd = None  # type: ignore[assignment]
try:
    import brotli
except ImportError:
    brotli = None

_PIECE = 1_000_000


class UndoError(ValueError):
    """The body is not what its Content-Encoding says, or grows beyond what is read."""


class Undo(Protocol):
    """What is fed with compressed bytes and gives the plain ones."""

    def __call__(self, data: bytes) -> Iterator[bytes]: ...


def codings() -> tuple[str, ...]:
    """The names of the encodings that can be undone here."""
    more = (("zstd", zstd), ("br", brotli))
    return ("gzip", "deflate", *(name for name, library in more if library is not None))


def accepted(told: str | None) -> str:
    """An Accept-Encoding of the encodings that the client takes and that can be undone here."""
    if told is None:
        return "identity"
    kept = []
    for one in told.split(","):
        name = one.partition(";")[0].strip().lower()
        if name in codings() or name == "identity":
            kept.append(one.strip())
    return ", ".join(kept) or "identity"


def undoing(encoding: str) -> Undo | None:
    """What undoes an encoding; None where that cannot be done here."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return _as_it_is
    if name in ("gzip", "x-gzip"):
        return _Zlib(47)
    if name == "deflate":
        return _Zlib(15)
    if name == "zstd" and zstd is not None:
        return _Zstd()
    if name == "br" and brotli is not None:
        return _Brotli()
    return None


def undone(data: bytes, encoding: str, most: int) -> bytes:
    """A whole body without its encoding. Raises UndoError."""
    undo = undoing(encoding)
    if undo is None:
        raise UndoError
    parts, size = [], 0
    for part in undo(data):
        size += len(part)
        if size > most:
            raise UndoError
        parts.append(part)
    return b"".join(parts)


def _as_it_is(data: bytes) -> Iterator[bytes]:
    yield data


class _Zlib:
    def __init__(self, bits: int) -> None:
        self._bits, self._begun = bits, False
        self._undo = zlib.decompressobj(bits)

    def __call__(self, data: bytes) -> Iterator[bytes]:
        while data:
            yield self._piece(data)
            data = self._undo.unconsumed_tail
            if not data and self._undo.eof and self._undo.unused_data:
                data = self._undo.unused_data
                self._undo = zlib.decompressobj(self._bits)

    def _piece(self, data: bytes) -> bytes:
        try:
            made = self._undo.decompress(data, _PIECE)
        except zlib.error as error:
            if self._begun or self._bits != 15:
                raise UndoError from error
            # Some send deflate without its wrapping.
            self._bits, self._begun = -15, True
            self._undo = zlib.decompressobj(-15)
            return self._piece(data)
        self._begun = True
        return made


class _Zstd:
    def __init__(self) -> None:
        self._undo: Any = zstd.ZstdDecompressor()

    def __call__(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._undo.eof:
                self._undo = zstd.ZstdDecompressor()
            try:
                yield self._undo.decompress(data, _PIECE)
                while not (self._undo.eof or self._undo.needs_input):
                    yield self._undo.decompress(b"", _PIECE)
            except zstd.ZstdError as error:
                raise UndoError from error
            data = self._undo.unused_data if self._undo.eof else b""


class _Brotli:
    def __init__(self) -> None:
        self._undo: Any = brotli.Decompressor()

    def __call__(self, data: bytes) -> Iterator[bytes]:
        try:
            yield self._undo.process(data, output_buffer_limit=_PIECE)
            while not self._undo.can_accept_more_data():
                yield self._undo.process(b"", output_buffer_limit=_PIECE)
        except brotli.error as error:
            raise UndoError from error
