"""What a proven memory holds, by its words: a rule, or how something is done (D-46)."""

from engraphy.text.wordlists import READ_LIMIT, pattern, plain


def tells_a_rule(text: str) -> bool:
    """Whether a text says what always or never holds."""
    return pattern("knowing", "rule").finds(plain(text[:READ_LIMIT]))


def tells_a_way(text: str) -> bool:
    """Whether a text says how something is done."""
    return pattern("knowing", "way").finds(plain(text[:READ_LIMIT]))
