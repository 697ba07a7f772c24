"""How often query words stand in the stored codes of texts, all texts at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.text.imprint import counts, occurrences

RUNS = st.lists(st.lists(st.sampled_from([b"abab", b"bbbb", b"babb"])).map(b"".join), max_size=12)


@given(st.sampled_from([b"abab", b"bbbb", b"babb", b"bbba"]), RUNS)
@pytest.mark.parametrize("more", [0, 40])
def test_all_at_once_is_one_by_one(more: int, token: bytes, texts: list[bytes]) -> None:
    """A rare token and a frequent one are counted as text by text, and never across two texts."""
    texts = [*texts, *[b""] * more]
    alone = {place: held for place, text in enumerate(texts) if (held := occurrences(text, token))}
    assert counts([token], texts) == [alone]
