"""Which memories a question asks for by name (`score.names`)."""

from collections.abc import Iterable

from engraphy.model import Memory
from engraphy.text.naming import named_words, names


def asked_by_name(memories: Iterable[Memory], question: str) -> frozenset[str]:
    """Ids of the memories whose title, or one of whose concepts, the question names."""
    asked = named_words(question)
    return frozenset(one.id for one in memories if _named(one, asked))


def _named(memory: Memory, asked: list[str]) -> bool:
    known = (memory.title, *memory.concepts)
    return any(names(asked, named_words(name)) for name in known if name)
