"""Pairs of an old statement and a new message for tools/train_succession.py.

Those of tools/succession/*.jsonl were written for it: whether the old one no longer holds (`y`),
and what the new message is to it (`kind`). To them come the wordings of the generated cases of
`engraphy bench write`, with other values; messages that tell a change beside old statements that
they do not concern; old statements beside others like them; and statements of LongMemEval (Wu et
al. 2024, MIT) and CRI (MIT) beside the ones most like them, of which none is taken to end another.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engraphy.benchmarks.slot_shapes import SUPERSEDING
from engraphy.benchmarks.slot_templates import made
from engraphy.providers.static import StaticEmbedder
from engraphy.text.evidence import asks
from engraphy.text.split import sentences
from engraphy.text.wordlists import plain

PAIRS = Path(__file__).parent / "succession"
JUST, JUST_NONE = 0.5, 0.6
CROSSED = 2
TALK_SENTENCES, TALK_NEAR, TALK_ALIKE = 2_000, 2, 0.97
LONG_WORD, NUMBER = re.compile(r"[^\W\d_]{5,}"), re.compile(r"\d{1,6}")
SPEAKER = re.compile(r"^(?=(?:user|assistant): )", re.MULTILINE)
CONTENT = re.compile(r'"content": ?"((?:[^"\\]|\\.){20,400})"')


class Pair(NamedTuple):
    """An old statement, a new message, whether the old one is over, and how it was told."""

    new: str
    old: str
    over: bool
    kind: str
    just: bool
    group: str


def written_pairs(draw: random.Random) -> list[Pair]:
    """Those of tools/succession; a correction is of what was said just before."""
    found = []
    for path in sorted(PAIRS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            just = row["kind"] == "correction" or draw.random() < JUST
            found.append(
                Pair(row["new"], row["old"], bool(row["y"]), row["kind"], just, path.stem[:2])
            )
    return found


def made_pairs(seed: int) -> Iterator[Pair]:
    """Those of the generated cases' wordings, with a seed of their own."""
    for language in ("en", "tr"):
        for case in made(language, seed):
            for place, old in enumerate(case.old):
                over = case.relation in SUPERSEDING and place in case.supersedes
                last = place == len(case.old) - 1
                yield Pair(case.new.text, old.text, over, case.relation, last, language)


def crossed(pairs: Sequence[Pair], draw: random.Random) -> Iterator[Pair]:
    """Messages that tell a change beside statements that they do not concern: what a store holds
    most of. Two by chance and the one most like them; what corrects was not told just before."""
    for group in sorted({one.group for one in pairs}):
        own = [one for one in pairs if one.group == group]
        olds = sorted({one.old for one in own})
        news = [one for one in own if one.over]
        vectors = np.array(StaticEmbedder().embed_documents(olds), dtype=np.float32)
        said = np.array(StaticEmbedder().embed_documents([one.new for one in news]))
        for one, alike in zip(news, said @ vectors.T, strict=True):
            near = next(i for i in np.argsort(-alike) if olds[i] != one.old)
            for old in (olds[near], *draw.sample(olds, CROSSED)):
                just = one.kind != "correction" and draw.random() < JUST_NONE
                if old != one.old:
                    yield Pair(one.new, old, False, "crossed", just, group)


def plain_pairs(pairs: Sequence[Pair], draw: random.Random) -> Iterator[Pair]:
    """Statements that tell of no change beside others like them: each beside the one most like it,
    or beside itself with a word of another statement, or with another number."""
    olds = sorted({(one.old, one.group) for one in pairs})
    texts = [old for old, _ in olds]
    vectors = np.array(StaticEmbedder().embed_documents(texts), dtype=np.float32)
    for place, (old, group) in enumerate(olds):
        alike = vectors @ vectors[place]
        alike[place] = -1
        near = texts[int(alike.argmax())]
        made = [_reworded(old, draw.choice(texts), draw), _renumbered(old, draw)]
        told = [(old, near), *((variant, old) for variant in made if variant != old)]
        new, held = draw.choice(told)
        yield Pair(new, held, False, "plain", draw.random() < JUST_NONE, group)


def _reworded(text: str, other: str, draw: random.Random) -> str:
    """The text with one of its longer words exchanged for one of another text."""
    mine, theirs = LONG_WORD.findall(text), LONG_WORD.findall(other)
    if not mine or not theirs:
        return text
    return text.replace(draw.choice(mine), draw.choice(theirs), 1)


def _renumbered(text: str, draw: random.Random) -> str:
    """The text with another number where it has one, and one at its end where it has none."""
    if NUMBER.search(text):
        return NUMBER.sub(lambda found: str(int(found[0]) + draw.randint(1, 9)), text, count=1)
    return f"{text} {draw.randint(1, 30)}"


def talk_pairs(talks: Path, cri: Path, draw: random.Random) -> Iterator[Pair]:
    """Statements of conversations beside those told before that are most like them."""
    told = [*_talks(talks), *_diary(cri)]
    vectors = np.array(StaticEmbedder().embed_documents(told), dtype=np.float32)
    for place in draw.sample(range(len(told)), min(len(told), TALK_SENTENCES)):
        alike = vectors[:place] @ vectors[place]
        near = [one for one in np.argsort(-alike)[:12] if alike[one] < TALK_ALIKE]
        for one in near[:TALK_NEAR]:
            yield Pair(told[place], told[one], False, "talk", draw.random() < JUST_NONE, "en")


def _talks(path: Path) -> Iterator[str]:
    for document in json.loads(path.read_text(encoding="utf-8"))["documents"]:
        for turn in SPEAKER.split(document["text"])[1:]:
            speaker, _, said = turn.partition(": ")
            yield from _statements(sentences(said[:1_500]) if speaker == "user" else ())


def _diary(path: Path) -> Iterator[str]:
    for name in sorted(path.rglob("*.json*")):
        for text in CONTENT.findall(name.read_text(encoding="utf-8")):
            yield from _statements(sentences(json.loads(f'"{text}"')))


def _statements(told: Iterable[str]) -> Iterator[str]:
    for one in told:
        if 25 < len(one) < 180 and "?" not in one and not asks(plain(one)):
            yield one.strip()
