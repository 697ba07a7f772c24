"""Words under which people ask for what a statement says (`lexicon/gloss.toml`)."""

import re
from collections.abc import Iterable

from engraphy.model import Slot
from engraphy.text.datafiles import table
from engraphy.text.language import language

_HEAD = re.compile(r"[^:@]+")


def gloss(text: str, slots: Iterable[Slot]) -> str:
    """The asking words of the attributes that a text states, in its language; "" for none."""
    words = table("gloss")["tr" if language(text) == "tr" else "en"]
    heads = (_HEAD.match(slot.attribute) for slot in slots if slot.polarity)
    found = (words.get(head.group().strip()) for head in heads if head is not None)
    return "; ".join(dict.fromkeys(one for one in found if one))
