"""What `engraphy bench perf` measures with: made memories, meters, bars."""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from engraphy import Memory
from engraphy.benchmarks import perf_bars, perf_limits
from engraphy.benchmarks.perf_data import LARGEST, Zipf, memories, owners, write_export, write_parts
from engraphy.benchmarks.perf_meter import Times, child_with_memory
from engraphy.cli import main
from engraphy.model import Memory as Row


@pytest.mark.long
def test_memories_follow_from_the_seed() -> None:
    """The same size and layout always give the same memories; layouts differ in owners only."""
    first, again = list(memories(50, "tail")), list(memories(50, "tail"))
    assert first == again
    other = list(memories(50, "one"))
    assert [row.content for row in first] == [row.content for row in other]
    assert {row.scope.user for row in other} == {"u0"}


def test_memories_have_about_40_words_with_zipf_frequencies() -> None:
    """Texts have about 40 words, about half of them stop words, and the commonest word stands
    near 4.2 % (1 / 3.7 over the sum of 1 / (rank + 2.7))."""
    words = [row.content.split() for row in memories(2_000, "one")]
    assert sum(map(len, words)) / len(words) == pytest.approx(40, abs=1.5)
    counts = Counter(word for text in words for word in text)
    total = sum(counts.values())
    assert counts.most_common(1)[0][1] / total == pytest.approx(0.0315, abs=0.005)
    source = Zipf()
    stops = sum(counts[word] for word in source.words[: source.common])
    assert 0.4 < stops / total < 0.6


def test_scopes_have_a_heavy_tail() -> None:
    """The largest of 200 scopes holds 26 %, and small ones are many."""
    counts = Counter(owners(50_000, "tail", Random(1)))
    shares = sorted((count / 50_000 for count in counts.values()), reverse=True)
    assert shares[0] == pytest.approx(LARGEST, abs=0.01)
    assert shares[1] < 0.15
    assert len(shares) == 200


@pytest.mark.long
def test_the_export_is_one_that_memory_imports(tmp_path: Path) -> None:
    """A generated export comes in whole through `import_`."""
    write_export(tmp_path / "made.jsonl", memories(120, "tail"))
    with Memory(tmp_path / "perf.db", embedder="none") as memory:
        assert memory.import_(tmp_path / "made.jsonl").memories == 120
        [first] = memory.list(user="u0", limit=1, order="oldest")
        assert len(first.content.split()) > 7


@pytest.mark.parametrize("most", [1, 50, 120, 500])
def test_parts_of_an_export_are_all_of_it(tmp_path: Path, most: int) -> None:
    """Every row stands in one part, none of which is larger than was said, in the order of the
    whole; the digest is the whole's."""
    whole = tmp_path / "made.jsonl"
    write_export(whole, memories(120, "tail"))
    parts, digest = write_parts(tmp_path, memories(120, "tail"), most)
    told = [part.read_text(encoding="utf-8").splitlines(keepends=True) for part in parts]
    head, *rows = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    assert [row for lines in told for row in lines[1:]] == rows
    assert {lines[0] for lines in told} == {head}
    assert max(map(len, told)) <= most + 1
    assert digest == hashlib.sha256(whole.read_bytes()).hexdigest()


def test_a_part_is_written_before_the_next_is_made(tmp_path: Path) -> None:
    """Rows are taken as they are written, so that a million need no more room than one part."""

    def watched() -> Iterator[Row]:
        for number, row in enumerate(memories(60, "one")):
            if number in (25, 50):
                written = sorted(tmp_path.iterdir())
                assert len(written) == number // 25
                assert len(written[-1].read_text(encoding="utf-8").splitlines()) == 26
            yield row

    assert len(write_parts(tmp_path, watched(), 25)[0]) == 3


def test_times_subtract_call_by_call() -> None:
    """A part that was measured within each call is taken off that call."""
    whole, part = Times([5.0, 7.0], [6.0, 8.0]), Times([1.0, 2.0], [1.0, 3.0])
    assert whole.less(part) == Times([4.0, 5.0], [5.0, 5.0])
    assert Times([1.0, 3.0], [1.0, 3.0]).summary()["cpu_ms"] == {
        "mean": 2.0,
        "p50": 1.0,
        "p95": 3.0,
        "p99": 3.0,
    }


@pytest.mark.long
def test_limits_are_measured(tmp_path: Path) -> None:
    """The floors are times of real work: bytes copied, postings counted, fsyncs waited for."""
    write_export(tmp_path / "made.jsonl", memories(100, "one"))
    with Memory(tmp_path / "perf.db", embedder="none") as memory:
        memory.import_(tmp_path / "made.jsonl")
    counted = perf_limits.postings(tmp_path / "perf.db", [("what is beabrai", "u0")] * 3)
    synced = perf_limits.fsyncs(tmp_path, 4_096, 5)
    copied = perf_limits.sign_bits(1_000, 128, runs=4)
    assert (len(counted.cpu), len(synced.wall), len(copied.cpu)) == (3, 5, 4)
    assert min(synced.wall) > 0
    assert not (tmp_path / "fsync.bin").exists()


def test_the_worst_layout_decides_a_bar() -> None:
    """A bar is met only where every layout is below it."""
    rows = [
        {"size": 9, "layout": name, "operation": "add", "cpu_ms": {"p50": 1.0, "p95": value}}
        for name, value in (("tail", 4.0), ("one", 11.0))
    ]
    [bar] = perf_bars.bars(rows)
    assert (bar["measured"], bar["limit"], bar["met"], bar["size"]) == (11.0, 10.0, False, 9)
    assert perf_bars.metrics(rows) == {"tail.add.cpu_ms.p95": 4.0, "one.add.cpu_ms.p95": 11.0}


def test_speed_is_held_to_the_bar_of_its_size() -> None:
    """Recall and context must stay below 10 ms of CPU up to 100,000 memories and below 50 ms
    beyond, and a reading process below 1 GB."""
    limits = {
        (bar.operation, size): bar.limit_of(size)
        for bar in perf_bars.BARS
        for size in (100_000, 1_000_000)
    }
    assert [limits[name, 100_000] for name in ("recall", "context")] == [10.0, 10.0]
    assert [limits[name, 1_000_000] for name in ("recall", "context")] == [50.0, 50.0]
    assert limits["reading process", 1_000_000] == 1_000.0
    row = {"size": 1_000_000, "layout": "one", "operation": "recall", "cpu_ms": {"p95": 30.0}}
    [bar] = perf_bars.bars([row])
    assert bar["met"]
    [bar] = perf_bars.bars([row | {"size": 100_000}])
    assert not bar["met"]


@pytest.mark.long
def test_what_a_process_held_is_measured() -> None:
    """A child that fills 50 MB held at least as much, whatever the process that starts it holds
    itself, and its times are noted once."""
    own = bytearray(300_000_000)
    own[:: 1 << 12] = b"1" * len(own[:: 1 << 12])
    times, megabytes = child_with_memory([sys.executable, "-c", "held = bytearray(50_000_000)"])
    assert len(times.cpu) == len(times.wall) == 1
    assert 50 < megabytes < 150
    assert len(own) == 300_000_000


@pytest.mark.slow
def test_perf_runs_whole(tmp_path: Path) -> None:
    """`bench perf` on a small size prints every operation in both layouts, the bars, and the
    keys of every benchmark; its table fits 80 columns."""
    out = tmp_path / "perf.json"
    arguments = ["--sizes", "150", "--queries", "10", "--processes", "2", "--out", str(out)]
    result = CliRunner().invoke(main, ["bench", "perf", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    found = json.loads(out.read_text(encoding="utf-8"))
    operations = {row["operation"] for row in found["rows"] if row["layout"] == "tail"}
    assert {"load", "cold open", "cold recall", "recall", "context", "add"} <= operations
    assert "add by each of 2 writers" in operations
    assert [bar["name"] for bar in found["bars"]] == [bar.name for bar in perf_bars.BARS]
    assert found["latency_ms"].keys() == {"p50", "p95", "p99"}
    for row in found["rows"]:
        assert row["cpu_ms"]["p50"] >= 0
