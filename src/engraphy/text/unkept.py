"""Messages whose speaker asks that they are not kept ("off the record", "don't remember this")."""

from engraphy.text.rewrite import without_lead_in
from engraphy.text.split import sentences
from engraphy.text.wordlists import pattern, plain

_READ = 2_000
_SENTENCE = 400


def unkept(text: str) -> bool:
    """Whether a sentence of a text asks that what is said is not kept; English and Turkish.
    Reads 2,000 characters; what is asked ("don't you remember this?") is no such request."""
    asked = pattern("unkept", "asks")
    for sentence in sentences(text[:_READ]):
        said = sentence[:_SENTENCE].strip()
        if not said.endswith("?") and asked.search(plain(without_lead_in(said))):
            return True
    return False
