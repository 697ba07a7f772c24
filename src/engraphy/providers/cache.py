"""Vectors computed a moment ago, kept for a while: the embedding cache of row D-29."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Final

from engraphy.errors import InvalidInputError
from engraphy.ports import Clock, Embed, LateInteraction

ENTRIES: Final = 200
LIFETIME: Final = 30 * 60 * 1_000_000

Vector = Sequence[float]


class EmbeddingCache:
    """The most recently used vectors under SHA-256 keys, none older than their lifetime.

    Texts themselves are never kept. May be used from several threads.
    """

    def __init__(self, clock: Clock, *, entries: int = ENTRIES, lifetime: int = LIFETIME) -> None:
        """Hold at most ``entries`` vectors for ``lifetime`` microseconds after they were made."""
        if entries < 1 or lifetime < 1:
            raise InvalidInputError(
                field="entries, lifetime", got=(entries, lifetime), allowed="1 or more each"
            )
        self._clock = clock
        self._entries = entries
        self._lifetime = lifetime
        self._kept: OrderedDict[bytes, tuple[int, Vector]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> Vector | None:
        """Return the vector under the key, or None where it is absent or too old."""
        now = self._clock()
        with self._lock:
            entry = self._kept.get(key)
            if entry is None:
                return None
            if now - entry[0] >= self._lifetime:
                del self._kept[key]
                return None
            self._kept.move_to_end(key)
            return entry[1]

    def put(self, key: bytes, vector: Vector) -> None:
        """Keep the vector; the one that was not used for longest makes room."""
        now = self._clock()
        with self._lock:
            self._kept[key] = (now, vector)
            self._kept.move_to_end(key)
            while len(self._kept) > self._entries:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget every vector (done at the end of a session)."""
        with self._lock:
            self._kept.clear()


class CachedEmbedder:
    """An embedder that asks the one beneath it only for texts it has not just seen."""

    def __init__(self, embedder: Embed, cache: EmbeddingCache) -> None:
        """Put the cache before the embedder; several embedders may share one cache."""
        self._embedder = embedder
        self.cache = cache

    @property
    def model_id(self) -> str:
        """The id of the embedder beneath."""
        return self._embedder.model_id

    @property
    def dim(self) -> int:
        """Numbers per vector."""
        return self._embedder.dim

    @property
    def averages_words(self) -> bool:
        """Whether the vectors of the embedder beneath know no order of words."""
        return getattr(self._embedder, "averages_words", False) is True

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector per text; those not in the cache are embedded as one batch."""
        keys = [self._key("document", text) for text in texts]
        found = {key: kept for key in keys if (kept := self.cache.get(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            made = self._embedder.embed_documents(list(missing.values()))
            for key, vector in zip(missing, made, strict=True):
                self.cache.put(key, vector)
                found[key] = vector
        return [found[key] for key in keys]

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question, from the cache where it was just asked."""
        key = self._key("query", text)
        vector = self.cache.get(key)
        if vector is None:
            vector = self._embedder.embed_query(text)
            self.cache.put(key, vector)
        return vector

    def forget(self) -> None:
        """Drop every vector in the cache (done at the end of a session)."""
        self.cache.clear()

    def calibrate(self, cosine: float) -> float:
        """Return a cosine on the common similarity scale, as the embedder beneath sees it."""
        return self._embedder.calibrate(cosine)

    def _key(self, kind: str, text: str) -> bytes:
        named = f"{self.model_id}\0{kind}\0{text}"
        return hashlib.sha256(named.encode("utf-8", "surrogatepass")).digest()


class CachedLateEmbedder(CachedEmbedder):
    """A cached embedder whose tokens can also be compared (nothing of that is cached)."""

    def __init__(self, embedder: Embed, late: LateInteraction, cache: EmbeddingCache) -> None:
        """Put the cache before the embedder; ``late`` is the same object as the other port."""
        super().__init__(embedder, cache)
        self._late = late

    def encode_tokens(self, texts: Sequence[str]) -> list[bytes]:
        """Return the token codes, as the embedder beneath makes them."""
        return self._late.encode_tokens(texts)

    def maxsim(self, words: Sequence[str], documents: Sequence[bytes]) -> list[tuple[float, ...]]:
        """Return the late-interaction scores, as the embedder beneath gives them."""
        return self._late.maxsim(words, documents)


def cached(embedder: Embed, cache: EmbeddingCache) -> CachedEmbedder:
    """Put a cache before an embedder; late interaction stays available where it was."""
    if isinstance(embedder, LateInteraction):
        return CachedLateEmbedder(embedder, embedder, cache)
    return CachedEmbedder(embedder, cache)
