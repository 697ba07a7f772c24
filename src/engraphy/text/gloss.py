"""Words under which people ask for what a statement says (`lexicon/gloss.toml`)."""

import re
from collections.abc import Iterable

from engraphy.model import Slot
from engraphy.text.canonical import told_in
from engraphy.text.datafiles import table
from engraphy.text.language import language

_PART = re.compile(r"[^:@]+")


def gloss(text: str, slots: Iterable[Slot]) -> str:
    """The asking words of the attributes that a text states, in its language; "" for none. What is
    told in another language than English and Turkish is asked for in English too.

    "preference:test_runner" is asked for as a preference and as a test runner.
    """
    listed = table("gloss")
    spoken = "tr" if language(text) == "tr" else told_in(text)
    words = listed["tr" if spoken == "tr" else "en"]
    own = listed.get(spoken, {}) if spoken not in {"en", "tr"} else {}
    found: list[str] = []
    for slot in slots:
        head, *narrower = _PART.findall(slot.attribute)
        if slot.polarity and head in words:
            found += [*filter(None, (own.get(head),)), words[head]]
            found += (one.replace("_", " ") for one in narrower)
    return "; ".join(dict.fromkeys(found))
