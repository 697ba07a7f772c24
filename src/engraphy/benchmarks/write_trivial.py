"""Trivial messages are dropped, and only those: CLINC150 (Larson et al. 2019), its test split."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from engraphy.benchmarks.data import read, shaped_as
from engraphy.benchmarks.write_figures import Bar, Group, Tally, scored, share
from engraphy.benchmarks.write_part import Ground, Part, wrong
from engraphy.benchmarks.write_story import told_of
from engraphy.model import Action, Outcome
from engraphy.text.trivial import QUESTION

_DEFINITIONS = {
    "positive": "a message of an intent that write_intents.toml lists as trivial, with its reason; "
    "all other intents and the out-of-scope texts of the test split are negative",
    "as trivial": "dropped by the stage that drops trivial messages, for another reason than being "
    "a bare question (which is a real request, but tells nothing of the user)",
    "for any reason": "nothing is kept of the message",
    "bare_questions": "share of the real messages that were dropped as bare questions",
    "asked": "each message by itself, as a user's, with `why_not`: what `observe` would do",
}
_BARS = (
    Bar(group="as trivial", figure="recall", limit=0.85),
    Bar(group="as trivial", figure="precision", limit=0.97),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdict:
    """What was done with one message: `small` where it was dropped as trivial."""

    id: str
    text: str
    positive: bool
    dropped: bool
    small: bool
    question: bool
    why: str


def measure(ground: Ground) -> Part:
    """All 5,500 messages. Raises UnreadableFileError."""
    splits, digest = clinc(ground)
    verdicts = list(_verdicts(ground, splits))
    real = [one for one in verdicts if not one.positive]
    bare = share(sum(one.question for one in real), len(real))
    strict = [tally(found=one.small, positive=one.positive) for one in verdicts]
    loose = [tally(found=one.dropped, positive=one.positive) for one in verdicts]
    rows = [
        wrong(ground, one.id, f"{'trivial' if one.positive else 'real'}; {one.why}", text=one.text)
        for one in verdicts
        if one.small != one.positive
    ]
    groups: list[Group] = [
        scored("as trivial", strict, bare_questions=bare),
        scored("for any reason", loose),
    ]
    return Part(
        groups=groups, bars=_BARS, definitions=_DEFINITIONS, wrong=rows, data={"clinc": digest}
    )


def clinc(ground: Ground) -> tuple[dict[str, list[list[str]]], str]:
    """CLINC's splits as lists of text and intent, and the file's SHA-256."""
    path = str(ground.folder("clinc"))
    found, digest = read(path, ("data_full.json.gz",))
    with shaped_as("CLINC150", path):
        splits = found[0][1]
        return {
            name: [[str(text), str(intent)] for text, intent in rows]
            for name, rows in splits.items()
        }, digest


def tally(*, found: bool, positive: bool) -> Tally:
    """One yes-or-no case."""
    return Tally(
        tp=int(found and positive),
        fp=int(found and not positive),
        fn=int(positive and not found),
        tn=int(not found and not positive),
    )


def _verdicts(ground: Ground, splits: dict[str, list[list[str]]]) -> Iterator[_Verdict]:
    listed = files(__package__).joinpath("write_intents.toml").read_text("utf-8")
    trivial = frozenset(tomllib.loads(listed)["trivial"])
    with ground.memory() as (memory, _):
        for place, (text, intent) in enumerate([*splits["test"], *splits["oos_test"]]):
            outcomes = memory.why_not([{"role": "user", "content": text}], user="u")
            dropped = all(one.action is Action.SKIPPED for one in outcomes)
            stages = _last(outcomes)
            question = dropped and any(QUESTION in detail for _, detail in stages)
            small = dropped and not question and all(stage == "trivial" for stage, _ in stages)
            yield _Verdict(
                id=f"test:{place}:{intent}",
                text=text,
                positive=intent in trivial,
                dropped=dropped,
                small=small,
                question=question,
                why=told_of(outcomes),
            )


def _last(outcomes: Sequence[Outcome]) -> list[tuple[str, str]]:
    return [(one.trace[-1].stage, one.trace[-1].detail) for one in outcomes if one.trace]
