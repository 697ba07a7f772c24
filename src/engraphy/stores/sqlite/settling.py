"""Pages that a program without checksums moved out of a store's log: they are what the log says."""

import logging
from pathlib import Path

import apsw

from engraphy.stores.sqlite.frames import committed
from engraphy.stores.sqlite.holding import alone
from engraphy.stores.sqlite.sums import sum_anew, wrong_pages
from engraphy.stores.summing import RESERVED, has_sums

_HEADER, _SIZE = 100, slice(16, 18)
_log = logging.getLogger("engraphy")
_TOLD = (
    "%s: another program moved %d pages out of the log without their checksums; each is what the"
    " log says, and has its checksum now"
)


def settled(path: str, kept: str) -> int:
    """Give the pages of the file that are what a log says, but for their checksums, the right ones,
    and take the log away; how many. The caller holds the side lock."""
    try:
        with alone(path) as file:
            count = _settled(file, Path(kept).read_bytes())
            # Killed before this, it is done once more.
            Path(kept).unlink()
    except apsw.BusyError:
        return 0
    if count:
        _log.warning(_TOLD, path, count)
    return count


def _settled(file: apsw.VFSFile, log: bytes) -> int:
    header = file.xRead(_HEADER, 0) if file.xFileSize() > _HEADER else b""
    size = int.from_bytes(header[_SIZE])
    if not has_sums(header) or not size:
        return 0
    found, count = dict[int, int](), 0
    for frames, _ in committed(log, size):
        found |= dict(frames)
    for number, place in found.items():
        begin = (number - 1) * size
        if begin + size > file.xFileSize():
            continue
        page = bytearray(file.xRead(size, begin))
        if wrong_pages(page, size) and page[:-RESERVED] == log[place : place + size - RESERVED]:
            sum_anew(page, size, [1])
            file.xWrite(bytes(page[-RESERVED:]), begin + size - RESERVED)
            count += 1
    if count:
        file.xSync(apsw.SQLITE_SYNC_FULL)
    return count
