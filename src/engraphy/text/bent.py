"""Forms of one word that share no stem ("run", "ran"), and words for one relative ("mother",
"mum"); English (`lexicon/words_forms.toml`)."""

from collections.abc import Mapping, Sequence
from functools import cache

from engraphy.text.datafiles import table


def other_forms(word: str) -> Sequence[str]:
    """The other forms of a word as the index has it; none for most words."""
    return _forms().get(word, ())


@cache
def _forms() -> Mapping[str, Sequence[str]]:
    rows = [row.split() for row in table("words_forms")["en"]["forms"]]
    return {word: tuple(one for one in row if one != word) for row in rows for word in row}
