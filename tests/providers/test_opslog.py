"""The log of operations as a file: appended to by many, set aside by size, never in the way."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.processes import at_once

from engraphy.providers.opslog import JsonLines

DAY = int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()) * 1_000_000


def opened(
    path: Path, rotate_bytes: int = 10_000_000, clock: Callable[[], int] | None = None
) -> JsonLines:
    return JsonLines(path, clock=clock or (lambda: DAY), rotate_bytes=rotate_bytes)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def told(folder: Path) -> list[dict[str, Any]]:
    return [row for file in sorted(folder.glob("*.jsonl")) for row in rows(file)]


def written(log: JsonLines, numbers: range) -> None:
    """Lines of which each stands in the file before the next is told."""
    for number in numbers:
        log.write("recall", number=number)
        log.check()


def test_a_line_is_json_with_its_moment(tmp_path: Path) -> None:
    """Each line is one JSON object that begins with when and what; other scripts stay readable."""
    log = opened(tmp_path / "deep" / "ops-log.jsonl")
    log.write("recall", output="çay\n2", odd=object())
    log.close()
    line = (tmp_path / "deep" / "ops-log.jsonl").read_text("utf-8")
    assert line.startswith('{"ts": "2026-03-01T12:00:00.000Z", "op": "recall", ')
    assert "çay" in line
    assert rows(log.path)[0]["odd"] == "object"


def test_it_is_set_aside_under_the_day_and_never_over_another(tmp_path: Path) -> None:
    """A file that is full is set aside as `ops-log-{date}.jsonl`; several of one day stand beside
    one another, a file of that name that was there already stays, and no line is lost (B6)."""
    foreign = tmp_path / "ops-log-2026-03-01.jsonl"
    foreign.write_text('{"op": "somebody else\'s"}\n')
    log = opened(tmp_path / "ops-log.jsonl", rotate_bytes=1_000)
    written(log, range(60))
    log.close()
    assert foreign.read_text() == '{"op": "somebody else\'s"}\n'
    aside = sorted(file.name for file in tmp_path.glob("ops-log-*.jsonl"))
    assert aside[:3] == [f"ops-log-2026-03-01{n}.jsonl" for n in (".2", ".3", ".4")]
    assert all(file.stat().st_size <= 1_000 for file in tmp_path.iterdir())
    numbers = [row["number"] for row in told(tmp_path) if "number" in row]
    assert sorted(numbers) == list(range(60))
    assert not list(tmp_path.glob("*.lock"))


def test_the_next_day_has_a_name_of_its_own(tmp_path: Path) -> None:
    """The name is that of the day on which a file was set aside."""
    now = [DAY]
    log = opened(tmp_path / "ops-log.jsonl", rotate_bytes=1_000, clock=lambda: now[0])
    written(log, range(30))
    now[0] += 86_400_000_000
    written(log, range(30, 60))
    log.close()
    assert {file.name[:18] for file in tmp_path.glob("ops-log-*.jsonl")} == {
        "ops-log-2026-03-01",
        "ops-log-2026-03-02",
    }


def test_a_batch_that_is_too_big_is_parted(tmp_path: Path) -> None:
    """Lines that waited together are written to as many files as they need."""
    log = opened(tmp_path / "ops-log.jsonl", rotate_bytes=2_000)
    for number in range(500):
        log.write("recall", number=number)
    log.close()
    assert all(file.stat().st_size <= 2_000 for file in tmp_path.iterdir())
    assert sorted(row["number"] for row in told(tmp_path)) == list(range(500))


WRITER = """
import sys
from pathlib import Path
from engraphy.providers.clock import now
from engraphy.providers.opslog import JsonLines
log = JsonLines(Path(sys.argv[1]), clock=now, rotate_bytes=20_000)
for number in range(400):
    log.write("recall", number=number, who=sys.argv[2])
    if number % 7 == 0:
        log.check()
log.close()
"""


@pytest.mark.long
def test_several_processes_append_to_one_file(tmp_path: Path) -> None:
    """Lines of several processes never mix or overwrite one another, also while the file is set
    aside again and again."""
    file = tmp_path / "ops-log.jsonl"
    at_once(WRITER, *((file, name) for name in "abc"))
    found = sorted((row["who"], row["number"]) for row in told(tmp_path))
    assert found == [(who, number) for who in "abc" for number in range(400)]
    assert len(list(tmp_path.glob("ops-log-*.jsonl"))) > 3


@pytest.mark.long
def test_an_end_without_closing_loses_nothing(tmp_path: Path) -> None:
    """A process that ends without closing its log writes what waits first."""
    file = tmp_path / "ops-log.jsonl"
    quick = WRITER.replace("log.close()", "").replace("log.check()", "pass")
    subprocess.run([sys.executable, "-c", quick, str(file), "a"], check=True, timeout=60)
    assert len(told(tmp_path)) == 400


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_counted_and_told(tmp_path: Path) -> None:
    """Where there is no room nothing is raised; what was lost is counted, and how to help told."""
    log = opened(Path("/dev/full"))
    for _ in range(5):
        log.write("recall")
    check = log.check()
    assert (check.ok, "0 lines written, 5 lost" in check.detail) == (False, True)
    assert "space" in check.detail
    assert "ENGRAPHY_OPS_LOG" in check.advice


def test_what_cannot_be_written_is_told_once_it_can(tmp_path: Path) -> None:
    """Lines are lost silently while the place cannot be written; afterwards the log says how many
    are missing, and goes on."""
    place = tmp_path / "folder"
    place.write_text("a file where a folder should be")
    log = opened(place / "ops-log.jsonl")
    written(log, range(3))
    assert not log.check().ok
    place.unlink()
    written(log, range(3, 5))
    assert log.check().ok
    log.close()
    first, *others = rows(place / "ops-log.jsonl")
    assert (first["op"], first["resultCount"], first["success"]) == ("ops_log.lost", 3, False)
    assert [row["number"] for row in others] == [3, 4]


def test_a_closed_log_takes_nothing_and_says_nothing(tmp_path: Path) -> None:
    """Writing to a closed log is no error; closing it twice is none either."""
    log = opened(tmp_path / "ops-log.jsonl")
    log.write("recall")
    log.close()
    log.close()
    log.write("recall")
    assert len(rows(log.path)) == 1
    assert "1 lost" in log.check().detail


def test_a_lock_that_was_left_behind_does_not_hold(tmp_path: Path) -> None:
    """A process that died while it set the file aside keeps nobody from it for long."""
    log = opened(tmp_path / "ops-log.jsonl", rotate_bytes=1_000)
    lock = tmp_path / "ops-log.jsonl.lock"
    lock.touch()
    os.utime(lock, (DAY / 1e6 - 60, DAY / 1e6 - 60))
    written(log, range(40))
    assert list(tmp_path.glob("ops-log-*.jsonl"))
    assert not lock.exists()


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_writes_its_own_lines(tmp_path: Path) -> None:
    """A child does not wait for its parent's thread, and writes nothing of its parent's twice."""
    file = tmp_path / "ops-log.jsonl"
    script = """
import os, sys
from pathlib import Path
from engraphy.providers.clock import now
from engraphy.providers.opslog import JsonLines
log = JsonLines(Path(sys.argv[1]), clock=now, rotate_bytes=10_000_000)
log.write("parent")
if os.fork() == 0:
    log.write("child")
    log.close()
    os._exit(0)
os.wait()
log.close()
"""
    command = [sys.executable, "-W", "ignore", "-c", script, str(file)]
    subprocess.run(command, check=True, timeout=60)
    assert sorted(row["op"] for row in rows(file)) == ["child", "parent"]


@pytest.mark.skipif(os.name != "posix", reason="there are no such permissions here")
def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    """The file is the user's own."""
    log = opened(tmp_path / "ops-log.jsonl")
    log.write("recall")
    log.close()
    assert log.path.stat().st_mode & 0o077 == 0
