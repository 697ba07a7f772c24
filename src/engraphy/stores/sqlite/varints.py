"""Numbers as SQLite writes them, seven bits a byte (Database File Format, section 1.6)."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number in SQLite's variable length, and where the next one begins. Raises IndexError where
    the bytes end before it does."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 127
        if data[place] < 128:
            return value, place + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64) if value >> 63 else value, at + 9
