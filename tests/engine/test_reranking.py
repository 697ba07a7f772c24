"""A second look at the best hits: heeded as far as the profile says, and never in the way."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.engine.making import opened, texts

from engraphy import Memory
from engraphy.errors import InvalidInputError, ProfileError, RerankerError, SettingsError

SAID = (
    "The ferry to the island leaves at nine",
    "The ferry to the island is painted red",
    "The ferry to the island was built in Gdansk",
    "The old ferry to the island is a museum now",
)
QUESTION = "the ferry to the island"


class Model:
    """Prefers texts that hold a word, and remembers what it was asked."""

    model_id = "toy/1"

    def __init__(self, word: str, scale: float = 1.0) -> None:
        self.word, self.scale = word, scale
        self.seen: list[tuple[str, list[str]]] = []

    def rerank(self, query: str, given: Sequence[str]) -> list[float]:
        self.seen.append((query, list(given)))
        return [self.scale * (self.word in text) for text in given]


def filled(path: Path, reranker: object, **knobs: Any) -> Memory:
    overrides = {"judge": {"supersede": False}, "rerank": knobs}
    memory = opened(path, reranker=reranker, overrides=overrides)
    for text in SAID:
        memory.remember(text)
    return memory


def test_the_order_of_the_reranker_alone(tmp_path: Path) -> None:
    """With weight 1 the text it likes best is the first hit, whichever that is."""
    for number, word in enumerate(("nine", "red", "Gdansk", "museum")):
        memory = filled(tmp_path / f"{number}.db", Model(word), weight=1.0)
        assert word in texts(memory.recall(QUESTION, touch=False))[0]


def test_it_is_given_the_question_and_the_best_texts(tmp_path: Path) -> None:
    """As many as `rerank.most`, cut to `rerank.chars`, best first."""
    plain = texts(filled(tmp_path / "a.db", None).recall(QUESTION, touch=False))
    model = Model("x")
    filled(tmp_path / "b.db", model, most=2, chars=20).recall(QUESTION, touch=False)
    assert model.seen == [(QUESTION, [text[:20] for text in plain[:2]])]


@pytest.mark.spec("P-14")
def test_no_credential_of_a_question_is_given_to_it(tmp_path: Path) -> None:
    """It may stand on another machine: what is asked goes there redacted."""
    token, model = "ghp_abcdefghijklmnopqrstuvwxyz0123456789", Model("x")
    memory = filled(tmp_path / "a.db", model)
    memory.recall(f"{QUESTION} with {token}", touch=False)
    assert model.seen
    assert token not in repr(model.seen)


def test_it_is_told_who_said_it(tmp_path: Path) -> None:
    """The speaker's name stands before what was said by name."""
    model = Model("x")
    memory = opened(tmp_path / "a.db", reranker=model)
    for name, text in (
        ("Ada", "I painted the ferry red last week."),
        ("Ben", "The ferry needs a new engine before the winter comes."),
    ):
        memory.observe([{"role": "user", "name": name, "content": text}], user="u")
    memory.recall("who painted the ferry?", user="u", touch=False)
    assert {text.partition(":")[0] for text in model.seen[0][1]} == {"Ada", "Ben"}


@pytest.mark.parametrize(("most", "given"), [("public", 2), ("private", 3)])
def test_what_is_more_sensitive_is_not_given_to_it(tmp_path: Path, most: str, given: int) -> None:
    """By default only what is public, though a private memory may be delivered beside it."""
    model = Model("x")
    memory = opened(
        tmp_path / "a.db", reranker=model, overrides={"rerank": {"most_sensitive": most}}
    )
    memory.remember("The ferry leaves at nine")
    memory.remember("The ferry is painted red")
    memory.remember("The ferry made me cry", sensitivity="private")
    hits = memory.recall("the ferry", touch=False, allow_private=True)
    assert len(hits) == 3
    assert len(model.seen[0][1]) == given
    assert ("The ferry made me cry" in model.seen[0][1]) is (given == 3)


def test_its_scale_does_not_matter(tmp_path: Path) -> None:
    """Scores of any range lead to the same order and the same scores."""
    found = [
        [(hit.memory.content, hit.score) for hit in memory.recall(QUESTION, touch=False)]
        for memory in (
            filled(tmp_path / "a.db", Model("red")),
            filled(tmp_path / "b.db", Model("red", scale=1_000.0)),
        )
    ]
    assert found[0] == found[1]


def test_nobody_leaves_the_range_of_our_own_scores(tmp_path: Path) -> None:
    """The best and the worst score are those without it, so that cut-offs keep their meaning."""
    open_cut = {"score": {"min_share_of_best": 0.0}}
    spans = []
    for name, model in (("a", None), ("b", Model("museum"))):
        memory = opened(
            tmp_path / f"{name}.db",
            reranker=model,
            overrides={"judge": {"supersede": False}, "rerank": {"weight": 1.0}, **open_cut},
        )
        for text in SAID:
            memory.remember(text)
        scores = [hit.score for hit in memory.recall(QUESTION, touch=False)]
        spans.append((min(scores), max(scores), len(scores)))
    assert spans[1] == pytest.approx(spans[0], abs=1e-4)


def test_the_weight_says_how_far_it_is_heeded(tmp_path: Path) -> None:
    """Both scores spread over [0, 1], the weighted sum laid over the range of our own."""
    cut = {"judge": {"supersede": False}, "score": {"min_share_of_best": 0.0}}
    found: dict[float, dict[str, float]] = {}
    for weight in (0.0, 0.3):
        overrides = {**cut, "rerank": {"weight": weight}}
        memory = opened(tmp_path / f"{weight}.db", reranker=Model("museum"), overrides=overrides)
        for text in SAID:
            memory.remember(text)
        hits = memory.recall(QUESTION, touch=False)
        found[weight] = {hit.memory.content: hit.score for hit in hits}
    own, low, high = found[0.0], min(found[0.0].values()), max(found[0.0].values())
    for text, score in own.items():
        spread = (score - low) / (high - low)
        wanted = low + (high - low) * (0.7 * spread + 0.3 * ("museum" in text))
        assert found[0.3][text] == pytest.approx(wanted, abs=1e-4)


def test_every_hit_says_what_it_did(tmp_path: Path) -> None:
    """The factor stands in `why`, and the step in `explain` names the model."""
    memory = filled(tmp_path / "a.db", Model("museum"), weight=1.0)
    hits = memory.recall(QUESTION, touch=False)
    assert any(hit.why.get("x rerank", 1.0) != 1.0 for hit in hits)
    step = next(one for one in memory.explain(QUESTION).steps if one.stage == "rerank")
    assert step.passed
    assert "toy/1" in step.detail
    assert "4 of the best" in step.detail


@pytest.mark.parametrize("knobs", [{"most": 0}, {"weight": 0.0}, {}])
def test_without_it_nothing_changes(tmp_path: Path, knobs: dict[str, Any]) -> None:
    """No reranker, none of the best, or no weight: the hits and their scores are the same."""
    model = Model("museum") if knobs else None
    plain = filled(tmp_path / "a.db", None).recall(QUESTION, touch=False)
    other = filled(tmp_path / "b.db", model, **knobs).recall(QUESTION, touch=False)
    assert [(hit.memory.content, hit.score, hit.why) for hit in other] == [
        (hit.memory.content, hit.score, hit.why) for hit in plain
    ]
    if knobs.get("most") == 0:
        assert model is not None
        assert model.seen == []


def broken(query: str, given: Sequence[str]) -> list[float]:
    raise ConnectionError("the model is gone")


class OddError(Exception):
    """An error of a client library, of no builtin kind."""


def odd(query: str, given: Sequence[str]) -> list[float]:
    raise OddError("quota")


@pytest.mark.parametrize(
    ("reranker", "problem"),
    [
        (broken, "the model is gone"),
        (odd, "OddError: quota"),
        (lambda query, given: [1.0], "it gave 1"),
        (lambda query, given: [float("nan")] * len(given), "not finite"),
        (lambda query, given: None, "TypeError"),
        (lambda query, given: ["high"] * len(given), "ValueError"),
    ],
)
def test_a_failure_leaves_the_order_and_is_told(
    tmp_path: Path, reranker: object, problem: str
) -> None:
    """A recall never fails for its reranker: the hits are those without it, `explain` says why."""
    plain = texts(filled(tmp_path / "a.db", None).recall(QUESTION, touch=False))
    memory = filled(tmp_path / "b.db", reranker)
    assert texts(memory.recall(QUESTION, touch=False)) == plain
    step = next(one for one in memory.explain(QUESTION).steps if one.stage == "rerank")
    assert not step.passed
    assert problem in step.detail


def test_what_an_edit_replaced_is_not_read(tmp_path: Path) -> None:
    """It is given the text that stands now."""
    model = Model("x")
    memory = filled(tmp_path / "a.db", model)
    hit = memory.recall(QUESTION, touch=False)[0]
    memory.update(hit.memory.id, content="The ferry to the island leaves at eleven")
    memory.recall(QUESTION, touch=False)
    assert "The ferry to the island leaves at eleven" in model.seen[-1][1]
    assert hit.memory.content not in model.seen[-1][1]


@pytest.mark.parametrize("wrong", [5, object()])
def test_what_is_no_reranker_is_refused(tmp_path: Path, wrong: object) -> None:
    """With what is allowed."""
    with pytest.raises(InvalidInputError, match="rerank"):
        opened(tmp_path / "a.db", reranker=wrong)


def test_a_name_without_an_address_is_refused(tmp_path: Path) -> None:
    """Nothing is looked for anywhere but in a folder here or at a stated address."""
    with pytest.raises(SettingsError, match="ENGRAPHY_RERANKER_BASE_URL"):
        opened(tmp_path / "a.db", reranker="cross-encoder/some-model")


@pytest.mark.parametrize("knobs", [{"most": -1}, {"most": 201}, {"weight": 1.5}, {"chars": 0}])
def test_senseless_knobs_are_refused(tmp_path: Path, knobs: dict[str, Any]) -> None:
    """Each has its range."""
    with pytest.raises(ProfileError):
        filled(tmp_path / "a.db", None, **knobs)


def test_the_environment_may_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ENGRAPHY_RERANKER counts where none is given, and "none" wins over it."""
    monkeypatch.setenv("ENGRAPHY_RERANKER", "nobody/model")
    with pytest.raises(SettingsError, match="nobody/model"):
        opened(tmp_path / "a.db")
    assert opened(tmp_path / "b.db", reranker="none").recall(QUESTION, touch=False) == []


def test_the_farthest_scores_apart_are_scores(tmp_path: Path) -> None:
    """Two finite numbers whose difference is none order as any others."""
    texts_of: dict[float, list[str]] = {}
    for scale in (1.0, 1e308):

        def far(query: str, given: Sequence[str], scale: float = scale) -> list[float]:
            return [scale * (1.0 if "Gdansk" in text else -1.0) for text in given]

        memory = filled(tmp_path / f"{scale}.db", far, weight=1.0)
        hits = memory.recall(QUESTION, touch=False)
        assert all(0.0 <= hit.score <= 1.0 for hit in hits)
        texts_of[scale] = texts(hits)
    assert texts_of[1e308] == texts_of[1.0]


def test_a_reranker_that_failed_is_not_waited_for_again(tmp_path: Path) -> None:
    """A compound question asks it for its parts until it fails, and no further."""
    asked: list[str] = []

    def late(query: str, given: Sequence[str]) -> list[float]:
        asked.append(query)
        raise TimeoutError("no answer")

    memory = filled(tmp_path / "a.db", late)
    question = "When does the ferry to the island leave and where was the ferry built?"
    assert memory.recall(question, touch=False)
    assert len(asked) == 1
    steps = [one for one in memory.explain(question).steps if one.stage == "parts"]
    assert len(steps) > 1


def test_its_error_is_of_our_tree() -> None:
    """The message names the model and what went wrong."""
    assert str(RerankerError(model="m", problem="p")) == "The reranker m failed: p."
