"""The file of a store, past engraphy."""

import apsw

from engraphy.stores.sqlite.sums import sum_anew, wrong_pages
from engraphy.stores.summing import has_sums, layer

PAGE = 4096


def raw(path: object) -> apsw.Connection:
    """A connection that gives what it writes its checksums, as ours do."""
    return apsw.Connection(str(path), vfs=layer())


def summed(data: bytes) -> bytes:
    """A file whose bytes were changed, with checksums that fit them if it has any."""
    if not has_sums(data[:100]):
        return data
    made = bytearray(data)
    sum_anew(made, PAGE, wrong_pages(made, PAGE))
    return bytes(made)
