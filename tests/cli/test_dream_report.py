"""`engraphy dream --report`: what a cycle did, as a page and a picture for people."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from tests.engine.making import Ticks, opened

from engraphy.cli import main
from engraphy.dream.picture import DAYS, fading, picture
from engraphy.dream.report import page
from engraphy.model import DreamReport
from engraphy.model.dreaming import DreamStep, Example
from engraphy.model.survey import Retained, Survey

SVG = "{http://www.w3.org/2000/svg}"


def run(store: Path, *words: str) -> Any:
    command = ["dream", "--db", str(store), "--no-embed", *words]
    return CliRunner().invoke(main, command)


def filled(store: Path) -> None:
    """A memory of which a third has had its time, long before today."""
    with opened(store, Ticks()) as memory:
        for number in range(30):
            more = {"ttl_days": 1} if number % 3 == 0 else {}
            memory.remember(f"Locker {number} holds {number * 7} bolts", user=f"u{number}", **more)


@pytest.mark.long
def test_a_page_and_a_picture_are_written(tmp_path: Path) -> None:
    """The page tells what each step looked at, changed and why, with counts before and after over
    every scope; the picture stands beside it and is named in it."""
    filled(tmp_path / "store.db")
    done = run(tmp_path / "store.db", "--report", str(tmp_path / "night.md"))
    assert done.exit_code == 0, done.output
    text = (tmp_path / "night.md").read_text("utf-8")
    assert text.startswith("# A dream\n")
    assert re.search(r"\| expire \| \d+ \| 10 \|", text)
    assert "| expired | 0 | 10 | +10 |" in text
    assert "| active | 30 | 20 | -10 |" in text
    assert "- 10 × its time has passed" in text
    assert "](night.svg)" in text
    root = ET.parse(tmp_path / "night.svg").getroot()
    assert "expired 0 to 10" in str(root.findtext(f"{SVG}desc"))
    again = run(tmp_path / "store.db", "--report", str(tmp_path / "night.md"))
    assert again.exit_code == 0


@pytest.mark.long
def test_a_dry_run_is_told_as_one(tmp_path: Path) -> None:
    """What was only tried is told as that: the same steps, and the memory as it is."""
    filled(tmp_path / "store.db")
    page = tmp_path / "tried.md"
    assert run(tmp_path / "store.db", "--dry-run", "--report", str(page)).exit_code == 0
    text = page.read_text("utf-8")
    assert text.startswith("# A dream that was only tried")
    assert "10 × its time has passed" in text
    assert "| active | 30 |" in text


def test_nothing_due_writes_nothing(tmp_path: Path) -> None:
    """Where no cycle is due there is nothing to tell, and a page of before stays."""
    store, file = tmp_path / "store.db", tmp_path / "night.md"
    run(store)
    assert run(store, "--due", "--report", str(file)).exit_code == 0
    assert not file.exists()


@pytest.mark.parametrize("wrong", ["notes.md", "missing/night.md", "night.svg"])
def test_a_page_is_only_written_where_it_may_be(tmp_path: Path, wrong: str) -> None:
    """Somebody's own file, a folder that is not there, and the picture's name are refused before
    anything is done."""
    filled(tmp_path / "store.db")
    (tmp_path / "notes.md").write_text("# My notes\n")
    refused = run(tmp_path / "store.db", "--report", str(tmp_path / wrong))
    assert refused.exit_code == 1
    assert "UnreadableFileError" in refused.output
    assert (tmp_path / "notes.md").read_text() == "# My notes\n"
    assert "changed 10" in run(tmp_path / "store.db").output


def surveyed(**more: Any) -> Survey:
    given = {"at": 0, "curve": "fsrs6", "total": 3, **more}
    return Survey(**given)


def test_a_picture_says_what_it_shows(tmp_path: Path) -> None:
    """The picture is well-formed, has a title and its meaning in words, shows each tier that there
    is before and after, and stays inside its frame whatever the numbers are."""
    held = (Retained("a", "episodic", 0.0, 10.0, 0.0), Retained("b", "semantic", 3.0, 90.0, 0.1))
    before = surveyed(by_state={"active": 1_000_000}, by_tier={"episodic": 1_000_000}, sample=held)
    after = surveyed(by_state={"active": 900_000}, by_tier={"semantic": 900_000}, sample=held)
    for last, curves in ((after, 4), (None, 2)):
        root = ET.fromstring(picture(before, last))
        assert root.get("role") == "img"
        assert root.get("aria-labelledby") == "title desc"
        assert root.findtext(f"{SVG}title")
        assert "1,000,000" in str(root.findtext(f"{SVG}desc"))
        assert len(root.findall(f"{SVG}polyline")) == curves
        width, height = float(str(root.get("width"))), float(str(root.get("height")))
        for line in root.findall(f"{SVG}polyline"):
            for point in str(line.get("points")).split():
                x, y = map(float, point.split(","))
                assert (0 <= x <= width, 0 <= y <= height) == (True, True)
    empty = ET.fromstring(picture(surveyed(total=0), surveyed(total=0)))
    assert not empty.findall(f"{SVG}polyline")


def test_how_a_sample_fades() -> None:
    """The mean over a sample by the profile's curve, less what decay took off; never below 0."""
    held = (Retained("a", "episodic", 0.0, 10.0, 0.0), Retained("b", "episodic", 0.0, 10.0, 0.2))
    told = fading(held, "fsrs6")
    assert len(told) == DAYS + 1
    assert told[0] == pytest.approx(0.9)
    assert told[10] == pytest.approx(0.8)
    assert told == sorted(told, reverse=True)
    assert fading([Retained("a", "episodic", 500.0, 0.1, 1.0)], "document") == [0.0] * (DAYS + 1)


def test_a_reason_is_no_markdown() -> None:
    """What a reason or a name says is told as it is, and cannot become a link or a heading."""
    why = "[x](http://evil) | # <b>"
    step = DreamStep(name="expire", looked=1, changed=1, why=((why, 1), ("other", 1)),
                     examples=(Example(id="m1", reason=why),))  # fmt: skip
    report = DreamReport(dry_run=False, steps=(step,), changed=1, finished_at=None)
    text = page(report, surveyed(), surveyed(), "")
    assert r"\[x\](http://evil) \| \# \<b\>" in text
    assert "its time was up" in text
    assert "`m1` (" in text


def test_a_survey_is_of_every_scope_and_touches_nothing(tmp_path: Path) -> None:
    """It counts memories of every user and sensitivity in every state, and looking is no access."""
    with opened(tmp_path / "store.db", Ticks()) as memory:
        memory.remember("The cellar door sticks", user="ada", sensitivity="secret")
        kept = memory.remember("The attic window is open", user="bob").memory
        assert kept is not None
        first = memory.survey()
        assert (first.total, first.by_state, sum(first.by_strength)) == (2, {"active": 2}, 2)
        assert {one.id for one in first.sample} >= {kept.id}
        assert memory.get(kept.id, user="bob", touch=False).access_count == 0
        assert memory.survey().sample[0][:2] == first.sample[0][:2]
