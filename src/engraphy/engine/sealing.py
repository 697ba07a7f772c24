"""Counts that outlive an interruption without a word of what they count."""

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from hashlib import blake2b

from msgspec.structs import replace

from engraphy.model import Census

_BYTES = 8


class Sealed(Mapping[str, int]):
    """Counts by name, kept by a salted hash of the name."""

    def __init__(self, counts: Mapping[str, int], salt: str) -> None:
        self._counts = counts
        self._sealed = lru_cache(maxsize=4_096)(partial(_hash, salt=salt))

    def __getitem__(self, name: str) -> int:
        return self._counts[self._sealed(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)


def sealed(census: Census, salt: str) -> Census:
    """A census that may be written down: names that come from texts are hashes."""
    return replace(
        census,
        entities={_hash(name, salt): count for name, count in census.entities.items()},
        categories={_hash(name, salt): count for name, count in census.categories.items()},
    )


def unsealed(census: Census, salt: str) -> Census:
    """The same, to be asked by name."""
    return replace(
        census,
        entities=Sealed(census.entities, salt),
        categories=Sealed(census.categories, salt),
    )


def _hash(name: str, salt: str) -> str:
    return blake2b(name.encode(), digest_size=_BYTES, key=salt.encode()[:64]).hexdigest()
