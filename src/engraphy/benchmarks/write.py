"""`engraphy bench write`: whether the way in keeps the right things, and keeps them right.

Each part measures one thing through the public class; parts whose data are not there are left out
and named. Everything is defined in the result ("definitions").
"""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from engraphy.benchmarks.run import Opening, Progress
from engraphy.benchmarks.write_figures import Row
from engraphy.benchmarks.write_part import Ground, Measure, Part
from engraphy.errors import InvalidInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A part by name: its module (with its `measure`), and the folders of data it needs."""

    module: str
    needs: tuple[str, ...] = ()


PARTS: Mapping[str, Entry] = {
    "generated": Entry(module="write_generated"),
    "hand": Entry(module="write_hand"),
    "blind": Entry(module="write_blind"),
    "among": Entry(module="write_among"),
    "duplicates": Entry(module="write_duplicates"),
    "halumem": Entry(module="write_halumem", needs=("halumem",)),
    "requests": Entry(module="write_requests"),
    "clinc": Entry(module="write_trivial", needs=("clinc",)),
    "preferences": Entry(module="write_preferences", needs=("prefeval",)),
    "mempalace": Entry(module="write_typed", needs=("mempalace_model_eval",)),
    "sick": Entry(module="write_pairs", needs=("sick",)),
    "cri": Entry(module="write_cri", needs=("cri",)),
    "beliefs": Entry(module="write_beliefs", needs=("precisionmembench",)),
    "gating": Entry(module="write_gating", needs=("locomo", "beam")),
    "speed": Entry(module="write_speed"),
}


def run(
    data: str | None,
    opening: Opening,
    tell: Progress | None = None,
    only: Sequence[str] = (),
) -> dict[str, Any]:
    """The parts (`only`: these), in their order; one JSON object as every benchmark's.

    `data`: the folder with one folder per data set. Raises InvalidInputError for an unknown part,
    or one asked for by name whose data are not there; UnreadableFileError.
    """
    ground = Ground(opening=opening, data=None if data is None else Path(data), tell=tell)
    if unknown := set(only) - set(PARTS):
        raise InvalidInputError(field="only", got=sorted(unknown), allowed=", ".join(PARTS))
    with ground.memory() as (memory, _):
        embedder = memory.embedder_id
    parts: list[Row] = []
    missing: list[Row] = []
    for name, entry in PARTS.items():
        if only and name not in only:
            continue
        if lacking := [folder for folder in entry.needs if ground.folder(folder) is None]:
            missing.append({"part": name, "missing": lacking})
        else:
            parts.append(_timed(name, entry, ground, tell))
    if only and missing:
        lacks = ", ".join(sorted({one for row in missing for one in row["missing"]}))
        raise InvalidInputError(field="data", got=data, allowed=f"a folder that has {lacks}")
    return _report(parts, missing, opening, embedder)


def _timed(name: str, entry: Entry, ground: Ground, tell: Progress | None) -> Row:
    measure: Measure = import_module(f"engraphy.benchmarks.{entry.module}").measure
    started = time.process_time()
    part: Part = measure(ground)
    spent = time.process_time() - started
    if tell is not None:
        tell(f"{name}: {spent:.1f} s CPU")
    return {"part": name, "cpu_s": spent, **part.row()}


def _report(
    parts: Sequence[Row], missing: Sequence[Row], opening: Opening, embedder: str
) -> dict[str, Any]:
    digests = [digest for part in parts for digest in part["data_sha256"].values()]
    return {
        "benchmark": "write",
        "data_sha256": hashlib.sha256("".join(digests).encode()).hexdigest(),
        "data": "each part names its own",
        "engine": "sqlite",
        "embedder": embedder,
        "profile": opening.profile,
        "questions": sum(int(group["counts"].get("cases", 0)) for group in _groups(parts)),
        "metrics": {
            f"{part['part']}.{group['group']}.{name}": figure["value"]
            for part in parts
            for group in part["groups"]
            for name, figure in group["figures"].items()
        },
        "latency_ms": {},
        "parts": list(parts),
        "missing": list(missing),
        "rows": [{"part": part["part"], **row} for part in parts for row in part["wrong"]],
    }


def _groups(parts: Sequence[Row]) -> Iterator[Row]:
    for part in parts:
        yield from part["groups"]
