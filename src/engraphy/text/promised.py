"""What somebody undertakes to do for the other ("we will refund you 20 euros"): it is owed until it
is done, whatever day was named. English, Turkish, German, Spanish and French."""

from engraphy.text.evidence import asks
from engraphy.text.split import sentences
from engraphy.text.wordlists import READ_LIMIT, pattern, plain


def promised(text: str) -> bool:
    """Whether any sentence of a text promises something, within its first 8,192 characters."""
    told = (one for one in map(plain, sentences(text[:READ_LIMIT])) if not asks(one))
    return any(pattern("promised", "made").finds(one) for one in told)
