"""Words that people say about everything ("use", "list", "new"): two texts that share nothing else
are about different things. English and Turkish (`lexicon/words_everyday.toml`)."""

from collections.abc import Sequence
from functools import cache, lru_cache

from engraphy.text.analyser import analyse, query_terms
from engraphy.text.datafiles import words
from engraphy.text.domains import of_codes
from engraphy.text.fold import fold
from engraphy.text.imprint import code
from engraphy.text.stems import english_stem, turkish_stem

_READ = 2_000
"""Characters of each text that are read."""


def share_everyday(prompt: str, text: str) -> bool:
    """Whether a prompt and a text have words in common that are all everyday words."""
    held = frozenset(analyse(text[:_READ]))
    shared = [usual for forms, usual in _asked(prompt[:_READ]) if not held.isdisjoint(forms)]
    return bool(shared) and all(shared)


@lru_cache(maxsize=8)
def _asked(prompt: str) -> Sequence[tuple[frozenset[str], bool]]:
    """The index tokens of each word of a prompt, and whether it is an everyday word."""
    forms: dict[str, set[str]] = {}
    for one in query_terms(prompt):
        forms.setdefault(one.surface, set()).add(one.term)
    return [(frozenset(one), not everyday().isdisjoint(one)) for one in forms.values()]


@cache
def everyday() -> frozenset[str]:
    """Everyday words as index tokens: as they are written, and their stems."""
    english, turkish = words("words_everyday", "en"), words("words_everyday", "tr")
    stems = (*map(english_stem, english), *map(turkish_stem, turkish))
    usual = (*english, *map(fold, turkish), *stems)
    # What names a domain says what a text is about.
    return frozenset(one for one in usual if not of_codes(code(one)))
