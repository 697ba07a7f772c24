"""The real clock and the real ids: the only places that read the time and randomness."""

import secrets
import threading
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80
_TIME_LIMIT = 1 << 48
_SECRET_BITS = 260


def now() -> int:
    """Now, in integer microseconds UTC."""
    return time.time_ns() // 1_000


def stopwatch() -> float:
    """Seconds of a clock that never jumps: for durations only."""
    return time.monotonic()


class SortableIds:
    """ULIDs: 26 characters, 48 bits of milliseconds and 80 random bits, rising within a process.

    Ids of one millisecond count up from a random start, so they sort in the order they were made
    even then; if the clock jumps back the last millisecond is used on. Source: the ULID
    specification (Crockford's base 32).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = (0, 0)

    def __call__(self, at: int) -> str:
        """A fresh id for a moment in microseconds UTC; moments before 1970 count as 1970."""
        stamp = min(max(at, 0) // 1_000, _TIME_LIMIT - 1)
        with self._lock:
            last, low = self._last
            if stamp > last:
                last, low = stamp, secrets.randbits(_RANDOM_BITS - 1)
            else:
                low += 1
            self._last = (last, low)
        return _encoded(last << _RANDOM_BITS | low)


def secret() -> str:
    """52 characters of the same alphabet that nobody can guess: 260 random bits."""
    return _encoded(secrets.randbits(_SECRET_BITS), _SECRET_BITS)


def _encoded(value: int, bits: int = 130) -> str:
    return "".join(_ALPHABET[value >> shift & 31] for shift in range(bits - 5, -5, -5))
