"""What the second conversations of `sdk.py` are to carry, in the order they are asked."""

FACTS = (
    "PostgreSQL for the billing",
    "tabs over spaces",
    "heron-7",
    "on Tuesdays",
    "Kotlin",
    "Deniz",
)
