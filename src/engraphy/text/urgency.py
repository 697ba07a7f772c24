"""How urgent or critical a text is by what it tells of: errors, security, deadlines (D-10)."""

from engraphy.text.wordlists import READ_LIMIT, plain, rules


def urgency(text: str) -> float:
    """The highest weight of what a text tells of, in [0, 1]; 0 where nothing of it is urgent."""
    folded = plain(text[:READ_LIMIT])
    found = (rule.fields["weight"] for rule in rules("urgency") if rule.pattern.search(folded))
    return max(map(float, found), default=0.0)
