"""What is given up in one place, at one time or for one purpose only: "I stopped smoking in the
house" ends no smoking elsewhere. The patterns are `of_a_part` of `lexicon/replacing.toml`."""

from functools import lru_cache

from engraphy.text.datafiles import table
from engraphy.text.shaped import composed
from engraphy.text.wordlists import plain

_READ = 400


@lru_cache(maxsize=256)
def in_part(text: str) -> str:
    """Where, when, for what, or what of a thing a text gives something up; "" for all of it."""
    folded = plain(text[:_READ])
    for source in table("replacing")["guards"]["of_a_part"]:
        found = composed(source).search(folded)
        if found is not None:
            return next(one for one in found.groups() if one is not None).lower()
    return ""
