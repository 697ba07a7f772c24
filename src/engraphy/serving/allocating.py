"""How much of what a server no longer needs it keeps."""

import ctypes
import gc
import sys
from contextlib import suppress

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Of glibc's malloc.h."""
_LARGE = 1_000_000
"""Bytes."""


def give_back() -> None:
    """Have what is freed given back, or used again.

    By default glibc keeps for each of up to eight threads a processor what that one has freed, of
    no use to the others; and once something large was freed, what is up to as large (32 MB) is no
    longer given back. Requests of chance sizes made 64 MB of it in 10,000. So all threads share one
    arena (one at a time has the interpreter: they hardly ever wait for each other), and what is
    large is always given back. Nothing happens where there are no such settings.
    """
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        option = ctypes.CDLL(None).mallopt
        option(_ARENA_MAX, 1)
        option(_MMAP_THRESHOLD, _LARGE)
        option(_TRIM_THRESHOLD, _LARGE)


def settled() -> None:
    """Have what stands by now passed over by the collector of cycles: it stands until the server
    ends. Otherwise one request in some hundreds waits while all of it is looked through."""
    gc.collect()
    gc.freeze()
