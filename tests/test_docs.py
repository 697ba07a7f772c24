"""The pages under docs hang together: links, their anchors, and the index of decisions."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
INDEX = ROOT / "docs/decisions.md"
DECISIONS = sorted((ROOT / "docs/decisions").glob("*.md"))
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})


def prose(page: Path) -> str:
    """The text of a page without what stands in fences and in code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`(?!\])", "", text)


def slug(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {slug(one) for one in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_and_anchors_lead_somewhere(page: Path) -> None:
    """A link names a file that exists, and of a page an anchor that one of its headings has."""
    for place, _, anchor in re.findall(r"\]\(([^)#:\s]*)(#([^)\s]*))?\)", prose(page)):
        target = page.parent / place if place else page
        assert target.exists(), place
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{place}#{anchor}"


def entries() -> dict[str, str]:
    """Each decision's number, and where it stands: a heading, or a row of a table. A row about a
    source document is named with its row of the specification, as its number is not its own."""
    found = []
    for page in DECISIONS:
        text = page.read_text("utf-8")
        top = slug(text.splitlines()[0].removeprefix("# "))
        for number, title in re.findall(r"^### (\d+)\. (.+)$", text, re.MULTILINE):
            found.append((number, f"decisions/{page.name}#{slug(f'{number}. {title}')}"))
        for number, first in re.findall(r"^\| (\d+) \| (.+?) \|", text, re.MULTILINE):
            name = f"{number} ({first})" if re.match(r"[A-Z]-\d", first) else number
            found.append((name, f"decisions/{page.name}#{top}"))
    assert len(found) == len(dict(found)), "two decisions have one number"
    return dict(found)


def test_every_decision_is_in_the_index_once() -> None:
    """The index names every decision once, by number, in order, with a link to where it stands."""
    text = INDEX.read_text("utf-8")
    listed = re.findall(r"^\| (\d+(?: \([^)]+\))?) \| \[.+\]\((\S+)\) \|$", text, re.MULTILINE)
    missing = sorted(entries().items() - set(listed))
    assert not missing, [f"| {name} | [its title]({link}) |" for name, link in missing]
    assert len(listed) == len(entries()), "a line too much, or twice"
    numbers = [int(name.split()[0]) for name, _ in listed]
    assert numbers == sorted(numbers)


def test_every_page_of_decisions_is_in_the_index() -> None:
    """The index names every page of decisions, and none is so long that nobody finds a thing."""
    text = INDEX.read_text("utf-8")
    for page in DECISIONS:
        assert f"](decisions/{page.name})" in text, page.name
        assert len(page.read_text("utf-8").splitlines()) <= 700, page.name
