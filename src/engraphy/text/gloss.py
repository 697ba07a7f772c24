"""Words under which people ask for what a statement says (`lexicon/gloss.toml`)."""

import re
from collections.abc import Iterable

from engraphy.model import Slot
from engraphy.text.datafiles import table
from engraphy.text.language import language

_PART = re.compile(r"[^:@]+")


def gloss(text: str, slots: Iterable[Slot]) -> str:
    """The asking words of the attributes that a text states, in its language; "" for none.

    "preference:test_runner" is asked for as a preference and as a test runner.
    """
    words = table("gloss")["tr" if language(text) == "tr" else "en"]
    found: list[str] = []
    for slot in slots:
        head, *narrower = _PART.findall(slot.attribute)
        if slot.polarity and head in words:
            found += [words[head], *(one.replace("_", " ") for one in narrower)]
    return "; ".join(dict.fromkeys(found))
