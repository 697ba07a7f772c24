"""The public doubles behave as the ports say."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.ports import Embed
from engraphy.testing import CountedIds, ScriptedModel, TickingClock, ToyEmbedder


def test_clock_ticks_and_jumps() -> None:
    """Each reading advances by the step; a jump moves either way."""
    clock = TickingClock(at=1_000, step=5)
    assert [clock(), clock()] == [1_000, 1_005]
    clock.jump(-2_000)
    assert clock() == -990
    assert TickingClock(at=7, step=0)() == 7


@given(moments=st.lists(st.integers(0, 2**62), min_size=2, max_size=20))
def test_ids_sort_by_moment_and_never_repeat(moments: list[int]) -> None:
    """Later moments sort later, equal ones by the order of making, and no id comes twice."""
    new_id = CountedIds(prefix="m-")
    made = [(moment, new_id(moment)) for moment in moments]
    in_time = [name for _, name in sorted(made, key=lambda pair: pair[0])]
    assert sorted(in_time) == in_time
    assert len(set(in_time)) == len(moments)


@given(text=st.text())
def test_vectors_have_length_one_or_zero(text: str) -> None:
    """Any text has a vector of `dim` finite numbers, the same each time."""
    embedder = ToyEmbedder(dim=16)
    (vector,) = embedder.embed_documents([text])
    assert vector == embedder.embed_query(text)
    assert len(vector) == embedder.dim
    assert math.hypot(*vector) == pytest.approx(1.0) or not any(vector)


def test_shared_words_are_similar() -> None:
    """Texts with more words in common are closer; calibration is the cosine itself."""
    embedder = ToyEmbedder(dim=256)
    assert isinstance(embedder, Embed)
    near, far = embedder.embed_documents(["The red fox jumps", "a stone lies there"])
    query = embedder.embed_query("red FOX")
    close = sum(x * y for x, y in zip(query, near, strict=True))
    assert close > sum(x * y for x, y in zip(query, far, strict=True))
    assert embedder.calibrate(close) == close
    assert (embedder.calibrate(-0.5), embedder.calibrate(1.5)) == (0.0, 1.0)


def test_script_is_followed_to_its_end() -> None:
    """Answers come in order, an exception is raised, and a finished script says so."""
    model = ScriptedModel(["{}", TimeoutError("slow"), "[]"])
    assert model.complete("one", schema={"type": "object"}, timeout=1.0) == "{}"
    with pytest.raises(TimeoutError, match="slow"):
        model.complete("two", schema={}, timeout=2.0)
    assert model.complete("three", schema={}, timeout=3.0) == "[]"
    with pytest.raises(LookupError, match="no answer number 4"):
        model.complete("four", schema={}, timeout=4.0)
    assert model.prompts == ["one", "two", "three", "four"]
    assert model.asked[0] == ({"type": "object"}, 1.0)
