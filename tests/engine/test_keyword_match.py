"""A better keyword match never scores lower, in any profile (R-01)."""

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from tests.engine.making import Ticks, kept, opened

from engraphy import Memory
from engraphy.profile import names

WORDS = (
    "amber", "basil", "cedar", "delta", "ember", "fjord", "glacier", "harbour", "indigo",
    "juniper", "kestrel", "lantern", "meadow", "nectar", "orchid", "pepper", "quartz", "raven",
    "saffron", "thistle", "umbrella", "velvet", "walnut", "yarrow",
)  # fmt: skip
FILL = (
    "anvil", "bobbin", "cobalt", "dynamo", "easel", "funnel", "gasket", "hinge", "ingot",
    "jigsaw", "kettle", "ladle", "mallet", "nozzle", "otter", "pulley", "rivet", "shovel",
)  # fmt: skip
KNOBS = {
    "score": {"min_score": 0.0, "min_share_of_best": 0.0, "min_confidence": 0.0, "names": "any"},
    "judge": {
        "supersede": False, "reinforce_above": 1.0, "reinforce_same_words": True,
        "on_gap": "create", "on_update": "create",
    },
}  # fmt: skip
"""Nothing is dropped or merged, so that every score can be compared."""


@pytest.fixture(scope="module")
def of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Memory]]:
    """One memory per profile; each round stays behind a user of its own."""
    folder, held = tmp_path_factory.mktemp("keywords"), dict[str, Memory]()

    def memory(profile: str) -> Memory:
        if profile not in held:
            path = folder / f"{profile}.db"
            held[profile] = opened(path, Ticks(), profile=profile, overrides=KNOBS)
        return held[profile]

    yield memory
    for one in held.values():
        one.close()


def told(memory: Memory, words: list[str], user: str, at: int) -> str:
    """A memory of these words that differs from others in nothing but them; its id."""
    same = {"importance": 0.5, "kind": "fact", "title": "Note", "user": user, "at": at}
    return kept(memory.remember(" ".join(words), **same)).id


def more_never_score_lower(memory: Memory, profile: str, rounds: int) -> None:
    """Of two memories of one length, age and weight the one that holds more of the words asked
    for, the other's among them, never scores lower; in so many random stores."""
    dice = random.Random(17)
    worse: list[tuple[list[str], str, str]] = []
    strict = 0
    for number in range(rounds):
        user, at = f"{profile}-{number}", Ticks().now
        asked = dice.sample(WORDS, dice.randint(2, 5))
        fill = dice.sample(FILL, 12)
        most = dice.randint(1, len(asked))
        sizes = sorted({most, dice.randint(0, most - 1)})
        held = {}
        for size in sizes:
            words = asked[:size] + fill[: 8 - size]
            dice.shuffle(words)
            held[size] = told(memory, words, user, at)
        for _ in range(dice.randint(0, 6)):
            told(memory, dice.sample(WORDS, 3) + dice.sample(FILL, 5), user, at)
        assert len({*held.values()}) == 2
        hits = memory.recall(" ".join(asked), user=user, limit=50, touch=False)
        scores = {hit.memory.id: hit.score for hit in hits}
        low, high = (scores.get(held[size], 0.0) for size in (sizes[0], sizes[-1]))
        strict += high > low
        if high < low - 1e-9:
            worse.append((asked, f"{low} for {sizes[0]}", f"{high} for {sizes[-1]}"))
    assert worse == []
    # The property would hold of a score that counts no words at all: it does count them.
    assert strict > rounds * 0.7


@pytest.mark.long
@pytest.mark.spec("R-01")
@pytest.mark.parametrize("profile", names())
def test_more_of_the_questions_words_never_score_lower(
    of: Callable[[str], Memory], profile: str
) -> None:
    """More of the words asked for never score lower, whatever the profile."""
    more_never_score_lower(of(profile), profile, 8)


@pytest.mark.slow
@pytest.mark.spec("R-01")
@pytest.mark.parametrize("profile", names())
def test_more_never_score_lower_in_many_stores(of: Callable[[str], Memory], profile: str) -> None:
    """The same in a hundred stores."""
    more_never_score_lower(of(profile), f"many-{profile}", 100)


@pytest.mark.spec("R-01")
@pytest.mark.parametrize("profile", names())
def test_a_word_told_more_often_never_scores_lower(
    of: Callable[[str], Memory], profile: str
) -> None:
    """Of two memories of one length the one that says the word asked for more often."""
    memory = of(profile)
    for word, times in zip(WORDS, (2, 3, 4, 2, 3, 4, 5, 6), strict=False):
        user, at = f"{profile}-{word}", Ticks().now
        often = told(memory, [word] * times + list(FILL[: 8 - times]), user, at)
        once = told(memory, [word, *FILL[10:17]], user, at)
        told(memory, list(FILL[:8]), user, at)
        hits = memory.recall(word, user=user, limit=50, touch=False)
        scores = {hit.memory.id: hit.score for hit in hits}
        assert scores[often] >= scores[once] - 1e-9, word


@pytest.mark.spec("R-01")
@pytest.mark.parametrize("profile", names())
def test_the_share_of_the_match_rises_with_it(of: Callable[[str], Memory], profile: str) -> None:
    """Where a profile weighs words, the part of the score that is theirs rises strictly with each
    word more, and is what the score is made of: no match is worth nothing."""
    memory, user, at = of(profile), f"{profile}-rising", Ticks().now
    ids = [told(memory, [*WORDS[:size], *FILL[: 8 - size]], user, at) for size in range(1, 6)]
    hits = memory.recall(" ".join(WORDS[:5]), user=user, limit=50, touch=False)
    parts = {hit.memory.id: hit.why for hit in hits}
    part = next(name for name in ("match", "coverage", "relevance") if name in parts[ids[0]])
    shares = [parts[one][part] for one in ids]
    assert shares[0] > 0.0
    assert all(more > less for less, more in pairwise(shares)), shares
    assert [hit.memory.id for hit in hits] == ids[::-1]
