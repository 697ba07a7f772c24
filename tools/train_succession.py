"""Train the model of what takes an older statement's place (src/engraphy/text/succession.py).

Usage::

    python tools/train_succession.py TALKS CRI           # train and write the weights
    python tools/train_succession.py TALKS CRI --check   # four folds: how it does on unseen pairs

The pairs are those of tools/succession_pairs.py. The mean of four networks of one layer, by Adam,
and of a weight for each word, by AdaGrad, seeded: the same data give the same file.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engraphy.text.pairing import marks, traits
from engraphy.text.succession import SCALE
from succession_pairs import (
    Pair,
    crossed,
    made_pairs,
    plain_pairs,
    talk_pairs,
    written_pairs,
)

WEIGHTS = Path(__file__).parent.parent / "src/engraphy/text/lexicon/succession_weights.txt"
SEED, EPOCHS, BATCH, UNITS, NETWORKS = 7, 25, 64, 10, 4
RATE, DECAY = 0.01, 3e-3
WORD_RATE, WORD_DECAY, LEAST_SEEN, LEAST_WEIGHT = 0.05, 4e-3, 4, 5
FOLDS = 4

Floats = NDArray[Any]


class Model(NamedTuple):
    names: list[str]
    mean: Floats
    spread: Floats
    layers: list[Floats]
    words: Floats
    places: dict[str, int]


def trained(pairs: Sequence[Pair]) -> Model:
    """The model of these pairs."""
    rows = [traits(one.new, one.old, just=one.just) for one in pairs]
    names = sorted(rows[0])
    table = np.array([[row[name] for name in names] for row in rows])
    mean, spread = table.mean(axis=0), table.std(axis=0) + 1e-2
    said = [marks(one.new, one.old) for one in pairs]
    seen = Counter(mark for row in said for mark in row)
    places = {name: i for i, name in enumerate(sorted(n for n in seen if seen[n] >= LEAST_SEEN))}
    spoken = [np.array(sorted(places[m] for m in row if m in places), dtype=int) for row in said]
    over = np.array([one.over for one in pairs], dtype=float)
    made = [
        _descended((table - mean) / spread, spoken, over, len(places), seed)
        for seed in range(SEED, SEED + NETWORKS)
    ]
    return Model(names, mean, spread, *_averaged(made), places=places)


def _averaged(made: list[tuple[list[Floats], Floats]]) -> tuple[list[Floats], Floats]:
    """One network whose log odds are the mean of several."""
    layers = [one for one, _ in made]
    return [
        np.concatenate([one[0] for one in layers], axis=1),
        np.concatenate([one[1] for one in layers]),
        np.concatenate([one[2] for one in layers]) / len(made),
        np.mean([one[3] for one in layers], axis=0),
        np.mean([one[4] for one in layers], axis=0),
    ], np.mean([words for _, words in made], axis=0)


def _descended(
    table: Floats, spoken: list[Floats], over: Floats, count: int, seed: int
) -> tuple[list[Floats], Floats]:
    draw = np.random.default_rng(seed)
    width = table.shape[1]
    layers = [
        draw.normal(0, 0.3 / np.sqrt(width), (width, UNITS)),
        np.zeros(UNITS),
        draw.normal(0, 0.3, UNITS),
        np.zeros(width),
        np.zeros(1),
    ]
    first, second = [np.zeros_like(p) for p in layers], [np.zeros_like(p) for p in layers]
    words, squares = np.zeros(count), np.full(count, 0.1)
    step = 0
    for _ in range(EPOCHS):
        order = draw.permutation(len(table))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            rows = [spoken[i] for i in batch]
            error = _shares(layers, table[batch], words, rows) - over[batch]
            step += 1
            for i, gradient in enumerate(_gradients(layers, table[batch], error / len(batch))):
                first[i] = 0.9 * first[i] + 0.1 * gradient
                second[i] = 0.999 * second[i] + 0.001 * gradient**2
                scaled = np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8
                layers[i] = layers[i] - RATE * (first[i] / (1 - 0.9**step)) / scaled
            for row, off in zip(rows, error, strict=True):
                gradient = off + WORD_DECAY * words[row]
                squares[row] += gradient * gradient
                words[row] -= WORD_RATE * gradient / np.sqrt(squares[row])
    return layers, words


def _shares(layers: list[Floats], table: Floats, words: Floats, rows: Sequence[Floats]) -> Floats:
    hidden = np.tanh(table @ layers[0] + layers[1])
    total = hidden @ layers[2] + table @ layers[3] + layers[4][0]
    total = total + np.array([words[row].sum() for row in rows])
    shares: Floats = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
    return shares


def _gradients(layers: list[Floats], table: Floats, error: Floats) -> Iterator[Floats]:
    hidden = np.tanh(table @ layers[0] + layers[1])
    inner = error[:, None] * layers[2][None] * (1 - hidden * hidden)
    yield table.T @ inner + DECAY * layers[0]
    yield inner.sum(axis=0)
    yield hidden.T @ error + DECAY * layers[2]
    yield table.T @ error + DECAY * layers[3]
    yield np.array([error.sum()])


def probabilities(model: Model, pairs: Sequence[Pair]) -> Floats:
    """What the model says of pairs."""
    rows = [traits(one.new, one.old, just=one.just) for one in pairs]
    table = np.array([[row[name] for name in model.names] for row in rows])
    spoken = [
        np.array([model.places[m] for m in marks(one.new, one.old) if m in model.places], dtype=int)
        for one in pairs
    ]
    return _shares(model.layers, (table - model.mean) / model.spread, model.words, spoken)


def written(model: Model) -> str:
    """The weights as the packaged file has them."""
    lines = [
        "# Made by tools/train_succession.py from tools/succession, LongMemEval and CRI (MIT).",
        "# A trait's mean, spread, weight and weight by unit; a word's weight in sixty-fourths.",
        f"units\t{model.layers[4][0]:.4f}",
        f"units\t{' '.join(f'{one:.4f}' for one in model.layers[1])}",
        f"units\t{' '.join(f'{one:.4f}' for one in model.layers[2])}",
    ]
    for i, name in enumerate(model.names):
        row = [model.mean[i], model.spread[i], model.layers[3][i], *model.layers[0][i]]
        lines.append(f"trait\t{name}\t{' '.join(f'{one:.4f}' for one in row)}")
    for mark, place in model.places.items():
        weight = round(float(model.words[place]) * SCALE)
        if abs(weight) >= LEAST_WEIGHT:
            lines.append(f"word\t{mark}\t{weight}")
    return "\n".join(lines) + "\n"


def check(pairs: Sequence[Pair], rest: Sequence[Pair]) -> None:
    """Folds over the old statements of the written pairs: what the model finds of those unseen."""
    olds = sorted({one.old for one in pairs})
    random.Random(SEED).shuffle(olds)
    fold_of = {old: place % FOLDS for place, old in enumerate(olds)}
    for language in ("en", "tr"):
        shares: list[float] = []
        over: list[bool] = []
        for fold in range(FOLDS):
            seen = [one for one in pairs if fold_of[one.old] != fold]
            unseen = [one for one in pairs if fold_of[one.old] == fold and one.group == language]
            mixed = random.Random(fold)
            made = [*crossed(seen, mixed), *plain_pairs(seen, mixed)]
            model = trained([*seen, *made, *rest])
            shares += list(probabilities(model, unseen))
            over += [one.over for one in unseen]
        _told(language, np.array(shares), np.array(over))


def _told(language: str, shares: Floats, over: NDArray[np.bool_]) -> None:
    for least in (0.3, 0.5, 0.7, 0.8, 0.9):
        hit, false = int((shares[over] >= least).sum()), int((shares[~over] >= least).sum())
        print(
            f"{language} from {least}: recall {hit / over.sum():.3f}, "
            f"precision {hit / max(1, hit + false):.3f}, false {false / (~over).sum():.3f}"
        )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("talks", type=Path)
    parser.add_argument("cri", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    draw = random.Random(SEED)
    pairs = written_pairs(draw)
    rest = [*made_pairs(SEED), *talk_pairs(given.talks, given.cri, draw)]
    if given.check:
        check(pairs, rest)
        return 0
    model = trained([*pairs, *crossed(pairs, draw), *plain_pairs(pairs, draw), *rest])
    given.out.write_text(written(model), encoding="utf-8")
    size = given.out.stat().st_size
    print(f"{len(pairs)} + {len(rest)} pairs, {len(model.places)} words, {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
