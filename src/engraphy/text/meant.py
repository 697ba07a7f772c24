"""What a name that is not known may stand for: other memories call the same things otherwise."""

from engraphy.text.datafiles import table


def unknown(name: str) -> str:
    """A name that is not known, as it is told, with the one of ours that may be meant."""
    ours = table("meant")["names"].get(name)
    return f"{name!r} (is {ours} meant?)" if ours else repr(name)
