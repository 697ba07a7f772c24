"""Whose words a question is after: the one speaker it names."""

from pathlib import Path

import pytest
from tests.engine.making import kept, opened

from engraphy import Memory

SAID = {
    "Ada": "We repainted the boat house by the pier last summer",
    "Ben": "Somebody repaired a boat and its house on the other pier in June",
}


def told(memory: Memory) -> dict[str, str]:
    """Both said something about the same things; the ids by speaker."""
    turns = {name: {"role": "user", "content": text, "name": name} for name, text in SAID.items()}
    return {name: kept(memory.observe([turn], session=name)[0]).id for name, turn in turns.items()}


@pytest.mark.parametrize(
    "question",
    [
        "What did Ada repaint by the pier?",
        "What is Ada's boat house like?",
        "Ada’s boat house?",
        "Ada'nın boat house nerede?",
    ],
)
def test_a_speaker_is_named_in_any_form(tmp_path: Path, question: str) -> None:
    """What the speaker named in a question said gains, whether or not the name has an ending."""
    with opened(tmp_path / "store.db") as memory:
        said = told(memory)
        gains = {
            hit.memory.id: hit.why.get("relevance.x speaker") for hit in memory.recall(question)
        }
    assert gains[said["Ada"]] == pytest.approx(1.2)
    assert gains.get(said["Ben"]) is None


def test_a_question_about_two_speakers_favours_neither(tmp_path: Path) -> None:
    """Where both are named, with an ending or without, nobody's words gain."""
    with opened(tmp_path / "store.db") as memory:
        told(memory)
        hits = memory.recall("What do Ada's and Ben's boat houses look like?")
    assert len(hits) == 2
    assert all("relevance.x speaker" not in hit.why for hit in hits)
