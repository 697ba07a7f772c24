"""What stands in a write-ahead log, read without SQLite ("Database File Format", section 4)."""

from collections.abc import Iterator
from struct import Struct, unpack_from

_FRAME, _LOG = Struct(">6I"), Struct(">8I")
_LOG_MAGIC, _WORD = 0x377F0682, 0xFFFFFFFF


def committed(log: bytes, size: int) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """The transactions that were committed in a log of pages of this size, as far as it is whole:
    of each the pages it wrote, with where they begin in the log, and how many the file has then."""
    if len(log) < _LOG.size or _LOG.unpack_from(log)[0] & ~1 != _LOG_MAGIC:
        return
    magic, _, told, _, *salts, first, second = _LOG.unpack_from(log)
    if told != size or (first, second) != _summed(log[:24], (0, 0), big=bool(magic & 1)):
        return
    sums, waiting = (first, second), list[tuple[int, int]]()
    for begin in range(_LOG.size, len(log) - size - _FRAME.size + 1, size + _FRAME.size):
        number, commits, one, other, *check = _FRAME.unpack_from(log, begin)
        body = begin + _FRAME.size
        sums = _summed(log[begin : begin + 8], sums, big=bool(magic & 1))
        sums = _summed(log[body : body + size], sums, big=bool(magic & 1))
        if [one, other] != salts or tuple(check) != sums or not number:
            return
        waiting.append((number, body))
        if commits:
            yield waiting, commits
            waiting = []


def _summed(data: bytes, sums: tuple[int, int], *, big: bool) -> tuple[int, int]:
    one, other = sums
    words = unpack_from(f"{'>' if big else '<'}{len(data) // 4}I", data)
    for place in range(0, len(words), 2):
        one = (one + words[place] + other) & _WORD
        other = (other + words[place + 1] + one) & _WORD
    return one, other
