"""Write docs/ablation.md: each stage of reading set to its neutral value, one at a time.

    python tools/ablate.py --locomo FILE --longmemeval FILE --beam FOLDER --stores FOLDER

Every case is filled once, under the profile as it is, into a store that stays in --stores; every
row of the table is the same questions over the same stores. A difference is set in bold where its
95 % interval (paired bootstrap over the questions) does not hold 0.
"""

import argparse
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engraphy import Memory
from engraphy.benchmarks import beam, locomo, longmemeval, metrics
from engraphy.benchmarks.cases import Case, Suite, Turn
from engraphy.benchmarks.run import Filled, asked, fill
from engraphy.profile import as_tree, load

TARGET = Path("docs/ablation.md")
STAGES = Path(__file__).with_name("ablation.toml")
LOADERS = {"locomo": locomo.load, "longmemeval": longmemeval.load, "beam": beam.load}
PROFILE = "default"
_SHOWN = 0.05
"""Points below which a difference is written as 0."""
TURNS = {"turn.rec@5": "rec@5", "turn.rec@10": "rec@10", "turn.mrr": "MRR"}
SESSIONS = {"session.rec@5": "rec@5", "session.rec@10": "rec@10", "session.mrr": "MRR"}
FIRST = {"session.hit@1": "session hit@1"}
Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A column group: cases of one suite, and what is told of them."""

    suite: str
    title: str
    tuned: bool
    names: Mapping[str, str]


GROUPS = (
    Group(suite="locomo", title="LoCoMo 41 + 42 + 43", tuned=False, names=TURNS | FIRST),
    Group(suite="longmemeval", title="LongMemEval", tuned=False, names=SESSIONS | FIRST),
    Group(suite="beam", title="BEAM, five chats", tuned=False, names=TURNS | FIRST),
    Group(suite="locomo", title="LoCoMo 26 + 30", tuned=True, names=TURNS | FIRST),
    Group(suite="beam", title="BEAM, the other five", tuned=True, names=TURNS | FIRST),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage and the knobs it is ablated by; `turned`: off, or on where the profile has it off."""

    name: str
    knobs: Mapping[str, Any]
    turned: str = "off"

    @property
    def label(self) -> str:
        """Its name in a table."""
        return f"+ {self.name}" if self.turned == "on" else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A difference to the whole, in points, with its 95 % interval."""

    points: float
    low: float
    high: float

    @property
    def certain(self) -> bool:
        """Whether the interval does not hold 0, and the difference is not rounded to it."""
        return abs(self.points) >= _SHOWN and (self.low > 0.0 or self.high < 0.0)

    def __str__(self) -> str:
        if abs(self.points) < _SHOWN:
            return "0"
        return f"**{self.points:+.1f}**" if self.certain else f"{self.points:+.1f}"


def stages() -> list[Stage]:
    """The stages of the data file."""
    table = tomllib.loads(STAGES.read_text("utf-8"))["stage"]
    return [Stage(**row) for row in table]


def overrides(knobs: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted knobs as overrides; a table of weights is told whole, as it is replaced so."""
    tree, changed = as_tree(load(PROFILE)), dict[str, Any]()
    for name, value in knobs.items():
        section, key, *inner = name.split(".")
        if inner:
            tree[section][key][inner[0]] = value
        else:
            tree[section][key] = value
        changed.setdefault(section, {})[key] = tree[section][key]
    return changed


def stored(suite: Suite, case: Case, folder: Path) -> tuple[Path, dict[str, list[Turn]]]:
    """A case's store and which turns each memory stands for; filled where it is not there."""
    file = folder / f"{suite.name}-{suite.data_sha256[:8]}-{case.id}.db"
    note = file.with_suffix(".json")
    if not note.exists():
        file.unlink(missing_ok=True)
        with Memory(file, profile=PROFILE) as memory:
            held, _ = fill(memory, case.turns)
        note.write_text(json.dumps({k: [asdict(t) for t in v] for k, v in held.items()}), "utf-8")
    kept = json.loads(note.read_text("utf-8"))
    return file, {one: [Turn(**turn) for turn in turns] for one, turns in kept.items()}


def measured(suite: Suite, folder: Path, knobs: Mapping[str, Any]) -> Rows:
    """Every question of a suite under some knobs."""
    rows: Rows = []
    for case in suite.cases:
        file, held = stored(suite, case, folder)
        with Memory(file, profile=PROFILE, overrides=overrides(knobs)) as memory:
            filled = Filled(case=case, memory=memory, held=held)
            rows += [asked(filled, question) for question in case.questions]
    return rows


def chosen(rows: Rows, suite: Suite, group: Group) -> Rows:
    """A group's rows of a suite; a suite that names no tuned cases has one group."""
    return [row for row in rows if (row["case"] in suite.tuned) is group.tuned]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Every question of every suite: as the profile is, and under each stage's knobs."""

    suites: Mapping[str, Suite]
    whole: Mapping[str, Rows]
    staged: Sequence[tuple[Stage, Mapping[str, Rows]]]

    def base(self, group: Group) -> Rows:
        """A group's rows as the profile is."""
        return chosen(self.whole[group.suite], self.suites[group.suite], group)

    def changes(self, group: Group, rows: Mapping[str, Rows]) -> Iterator[Change]:
        """What each figure of a group changes by."""
        base, other = self.base(group), chosen(rows[group.suite], self.suites[group.suite], group)
        for name in group.names:
            gained = [100 * (new[name] - old[name]) for new, old in zip(other, base, strict=True)]
            low, high = metrics.interval(gained)
            yield Change(points=metrics.mean(gained), low=low, high=high)


def table(groups: Sequence[Group], found: Found) -> str:
    """The whole first, then a line of differences for each stage."""
    titles = [f"{group.title}: {name}" for group in groups for name in group.names.values()]
    lines = [f"| | {' | '.join(titles)} |", f"|---|{'---|' * len(titles)}"]
    whole = [
        f"{100 * metrics.mean([row[name] for row in found.base(group)]):.1f}"
        for group in groups
        for name in group.names
    ]
    lines.append(f"| everything as in `{PROFILE}` | {' | '.join(whole)} |")
    for stage, rows in found.staged:
        row = [str(change) for group in groups for change in found.changes(group, rows)]
        lines.append(f"| {stage.label} | {' | '.join(row)} |")
    return "\n".join(lines)


def verdicts(found: Found) -> str:
    """For each stage its knobs, and on which data it helps or costs for certain."""
    lines = ["| stage | knobs | helps | costs |", "|---|---|---|---|"]
    for stage, rows in found.staged:
        sign = -1 if stage.turned == "off" else 1
        told: dict[int, list[str]] = {1: [], -1: []}
        for group in GROUPS:
            for change, name in zip(found.changes(group, rows), group.names.values(), strict=True):
                if change.certain:
                    told[sign if change.points > 0 else -sign].append(f"{group.title} {name}")
        helps, costs = (", ".join(told[way]) or "-" for way in (1, -1))
        lines.append(f"| {stage.label} | {shown(stage.knobs)} | {helps} | {costs} |")
    return "\n".join(lines)


HEAD = """\
# Ablation

Written by `tools/ablate.py`; do not edit. Each line sets one stage of reading to its neutral
value, with everything else as in the profile `{profile}`, and tells by how many points each figure
changes; lines with a + switch on what the profile leaves off. All lines are the same questions
over the same stores; `recall`, fifty hits, the static embedder.

```
python tools/ablate.py --locomo FILE --longmemeval FILE --beam FOLDER --stores FOLDER
```

**Bold**: the 95 % interval of the difference (paired bootstrap over the questions, 1,000 seeded
resamples) does not hold 0; what is not bold may be chance. LongMemEval's figures are of sessions
(its gold is whole sessions; of 20 questions one is five points), the others' of turns. Questions:
{counts}.
With so many figures about one in twenty is bold by chance alone: what counts is what is bold on
several of the data, and on those that nothing was tuned on.

## Data that nothing was tuned on

"""
WORTH = """
## What each stage is worth

Where the interval of at least one figure does not hold 0; a stage without such a figure is worth
less than these data can show. Some are there for what these figures do not see: newer values first
and their marks ([decision 67](decisions.md)), cut-offs and the gate (what is not to be delivered,
[decision 65](decisions.md)), what one prefers where advice is asked for (`engraphy bench advice`:
in the block 49 -> 89 %, [decision 180](decisions.md)), words of time and the uses of a memory, of
which these data have few or none.

"""


def page(found: Found) -> str:
    """The whole of docs/ablation.md."""
    counts = ", ".join(f"{group.title} {len(found.base(group))}" for group in GROUPS)
    return "\n".join(
        [
            HEAD.format(profile=PROFILE, counts=counts)
            + table([group for group in GROUPS if not group.tuned], found),
            "\n## Data that the numbers were tuned on\n",
            table([group for group in GROUPS if group.tuned], found),
            WORTH + verdicts(found),
            "",
        ]
    )


def shown(knobs: Mapping[str, Any]) -> str:
    """Knobs and values as in a profile's file."""
    return ", ".join(f"`{name} = {json.dumps(value)}`" for name, value in knobs.items())


def main(arguments: list[str] | None = None) -> int:
    """Fill what is not filled, measure every stage, write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name in LOADERS:
        parser.add_argument(f"--{name}", required=True, help="file or folder of the data")
    parser.add_argument("--stores", type=Path, required=True, help="where filled stores stay")
    parser.add_argument("--out", type=Path, default=TARGET)
    parser.add_argument("--only", action="append", help="this stage alone; may be repeated")
    options = parser.parse_args(arguments)
    options.stores.mkdir(parents=True, exist_ok=True)
    suites = {name: read(getattr(options, name)) for name, read in LOADERS.items()}
    whole = {one: measured(suite, options.stores, {}) for one, suite in suites.items()}
    staged = []
    for stage in stages():
        if options.only and stage.name not in options.only:
            continue
        print(stage.name, flush=True)
        rows = {one: measured(suite, options.stores, stage.knobs) for one, suite in suites.items()}
        staged.append((stage, rows))
    found = Found(suites=suites, whole=whole, staged=staged)
    options.out.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
