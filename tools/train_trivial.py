"""Train the linear model of small talk (src/engraphy/text/chatter.py) and write its weights.

Usage::

    python tools/train_trivial.py CLINC TALKS           # train, write, show how it does on val
    python tools/train_trivial.py CLINC TALKS --check   # show how the packaged weights do on val
    python tools/train_trivial.py CLINC TALKS --missed  # and what they get wrong there

CLINC is data_full.json.gz (Larson et al. 2019, CC BY 3.0): its train split is learned, its val
split shown, its test split never read. TALKS is a slice of LongMemEval (Wu et al. 2024, MIT): what
users say in the sessions that are no question's gold, as examples of what is no small talk.
Statements in the words of small talk, and Turkish, stand in trivial_examples.toml. Multinomial
logistic regression by AdaGrad, seeded: the same data give the same file.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engraphy.text.chatter import (
    LIKELY,
    MOST_WORDS,
    OTHER,
    SCALE,
    chatter,
    features,
    words_of,
)
from engraphy.text.coverage import covered
from engraphy.text.split import sentences
from engraphy.text.wordlists import plain

LEXICON = Path(__file__).parent.parent / "src" / "engraphy" / "text" / "lexicon"
WEIGHTS = LEXICON / "trivial_weights.txt"
EXAMPLES = Path(__file__).with_name("trivial_examples.toml")
INTENTS = {
    "greeting": ("greeting",),
    "farewell": ("goodbye",),
    "thanks": ("thank_you",),
    "confirmation": ("yes",),
    "denial": ("no",),
    "unsure": ("maybe",),
    "control": ("repeat", "cancel"),
    "small-talk": (
        *("are_you_a_bot", "what_is_your_name", "who_made_you", "who_do_you_work_for"),
        *("what_are_your_hobbies", "do_you_have_pets", "how_old_are_you", "where_are_you_from"),
        *("meaning_of_life", "tell_joke", "what_can_i_ask_you"),
    ),
}
CLASSES = (OTHER, *INTENTS)
SEED, EPOCHS, RATE, DECAY = 7, 10, 0.3, 1e-4
READ = 2_000
SPEAKER = re.compile(r"^(?=(?:user|assistant): )", re.MULTILINE)
LEAST_KNOWN, LEAST_SMALL, LEAST_OTHER = 2, 2, 20
OWN_REPEATS = 2
MOST_FILLED = 6


class Example(NamedTuple):
    """A sentence and the place of its class."""

    words: list[str]
    label: int


Floats = NDArray[np.float32]


def clinc(data: dict[str, list[list[str]]], split: str) -> Iterator[Example]:
    of_intent = {intent: name for name, intents in INTENTS.items() for intent in intents}
    for text, intent in data[split] + data[f"oos_{split}"]:
        yield Example(words_of(text), CLASSES.index(of_intent.get(intent, OTHER)))


def own() -> Iterator[Example]:
    table = tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))
    for line in (line for lines in table["kept"].values() for line in lines):
        yield from (Example(words_of(text), 0) for text in filled(line, table["values"]))
    for name, lines in table["tr"].items():
        yield from (Example(words_of(line), CLASSES.index(name)) for line in lines)


def talks(path: Path) -> Iterator[Example]:
    """What users say to assistants, but for the sentences that the phrase lists know as small."""
    data = json.loads(path.read_text(encoding="utf-8"))
    gold = {name for query in data["queries"] for name in query["gold"]}
    for document in data["documents"]:
        if document["id"] not in gold:
            yield from (Example(words, 0) for words in told(document["text"]))


def told(text: str) -> Iterator[list[str]]:
    for turn in SPEAKER.split(text)[1:]:
        speaker, _, said = turn.partition(": ")
        for sentence in sentences(said[:READ]) if speaker == "user" else ():
            words = words_of(sentence)
            if 1 < len(words) <= MOST_WORDS and covered(plain(sentence)) is None:
                yield words


def filled(line: str, values: dict[str, list[str]]) -> Iterator[str]:
    """The line with its slots filled: the values of a slot in turn, at most six times."""
    slots = [name for name in values if f"{{{name}}}" in line]
    combinations = list(product(*(values[name] for name in slots)))
    step = max(1, len(combinations) // MOST_FILLED)
    for chosen in combinations[::step][:MOST_FILLED]:
        yield line.format(**dict(zip(slots, chosen, strict=True)))


def known_words(examples: Iterable[Example]) -> frozenset[str]:
    counts = Counter(word for one in examples if one.label for word in set(one.words))
    return frozenset(word for word, count in counts.items() if count >= LEAST_KNOWN)


def vocabulary(examples: list[Example], known: frozenset[str]) -> dict[str, int]:
    small, other = Counter[str](), Counter[str]()
    for one in examples:
        (small if one.label else other).update(features(one.words, known))
    names = {name for name, count in small.items() if count >= LEAST_SMALL}
    names |= {name for name, count in other.items() if count >= LEAST_OTHER}
    return {name: place for place, name in enumerate(sorted(names | known))}


def trained(examples: list[Example], known: frozenset[str], places: dict[str, int]) -> Floats:
    rows = [
        np.array([places[name] for name in sorted(features(one.words, known)) if name in places])
        for one in examples
    ]
    labels = [one.label for one in examples]
    random = np.random.default_rng(SEED)
    table = np.zeros((len(places), len(CLASSES)), np.float32)
    squares = np.full_like(table, 1e-2)
    for _ in range(EPOCHS):
        for place in random.permutation(len(rows)):
            step(table, squares, rows[place], labels[place])
    return table


def step(table: Floats, squares: Floats, row: NDArray[Any], label: int) -> None:
    scores = table[row].sum(axis=0)
    shares = np.exp(scores - scores.max())
    error = shares / shares.sum()
    error[label] -= 1
    gradient = error[None, :] + DECAY * table[row]
    squares[row] += gradient * gradient
    table[row] -= RATE * gradient / np.sqrt(squares[row])


def written(table: Floats, places: dict[str, int]) -> str:
    whole = np.rint((table - table[:, :1])[:, 1:] * SCALE).astype(int)
    lines = [
        "# Made by tools/train_trivial.py from CLINC150 (Larson et al. 2019, CC BY 3.0) and",
        "# tools/trivial_examples.toml. Feature, then the weight of each class in sixteenths.",
        "classes\t" + " ".join(CLASSES[1:]),
    ]
    lines += [f"{name}\t{' '.join(map(str, whole[place]))}" for name, place in places.items()]
    return "\n".join(lines) + "\n"


def report(examples: list[Example], *, missed: bool) -> None:
    hit = false = lost = 0
    for one in examples:
        text = " ".join(one.words)
        found = chatter(text)
        hit += found is not None and one.label > 0
        false += found is not None and one.label == 0
        lost += found is None and one.label > 0
        if missed and (found is None) == (one.label > 0):
            print(f"  {CLASSES[one.label]:12} taken for {found or OTHER}: {text}")
    precision, recall = hit / max(1, hit + false), hit / max(1, hit + lost)
    print(
        f"val at {LIKELY}: P {precision:.3f} R {recall:.3f} ({hit} hit, {false} false, {lost} lost)"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clinc", type=Path)
    parser.add_argument("talks", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--missed", action="store_true")
    given = parser.parse_args(arguments)
    data = json.loads(gzip.decompress(given.clinc.read_bytes()))
    if not given.check:
        examples = [*clinc(data, "train"), *list(own()) * OWN_REPEATS, *talks(given.talks)]
        known = known_words(examples)
        places = vocabulary(examples, known)
        given.out.write_text(written(trained(examples, known, places), places), encoding="utf-8")
        print(f"{len(places)} features, {len(known)} words, {given.out.stat().st_size} bytes")
    report(list(clinc(data, "val")), missed=given.missed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
