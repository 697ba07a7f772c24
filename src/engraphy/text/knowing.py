"""What a proven memory holds, by its words: a rule, or how something is done (D-46)."""

from engraphy.text.wordlists import READ_LIMIT, finds, plain


def tells_a_rule(text: str) -> bool:
    """Whether a text says what always or never holds."""
    return finds("knowing", "rule", plain(text[:READ_LIMIT]))


def tells_a_way(text: str) -> bool:
    """Whether a text says how something is done."""
    return finds("knowing", "way", plain(text[:READ_LIMIT]))
