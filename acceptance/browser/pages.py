"""Every page of the dashboard, light and dark, on a phone and on a desk: axe-core finds nothing,
nothing sticks out, nothing breaks, nothing is asked of anybody else."""

import sys
from pathlib import Path

import axe
from look import Eye, chromium
from playwright.sync_api import Browser
from served import Served, serving
from walking import sort_of, walk
from year import PROFILE

from engraphy.dashboard.navigation import PLACES

THEMES = ("light", "dark")
WIDTHS = (360, 1280)
_TOLD = 20
"""So often it is said how far it is."""
_TABLES = """
[...document.querySelectorAll('.table')].filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => one.getAttribute('aria-label')).join(', ')
"""
_MENUS = """
() => [...document.querySelectorAll('details[data-menu]')].filter(menu => {
  menu.open = true;
  const box = menu.querySelector('.sheet').getBoundingClientRect();
  menu.open = false;
  return box.left < 0 || box.right > document.documentElement.clientWidth;
}).map(menu => menu.innerText.trim()).join(', ')
"""
_OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def looked(browser: Browser, served: Served, theme: str, width: int, script: str) -> list[str]:
    """What is wrong with the pages in one light and width."""
    eye, problems, sorts = Eye(browser, served, width=width, theme=theme), [], set()
    eye.page.goto(f"{served.url}/signin")
    problems += [f"/signin: {one}" for one in axe.found(eye, script)]
    eye.sign_in(user="robin", project="tidewater")
    cut = eye.page.evaluate(_MENUS)
    problems += [f"/: a menu is cut off: {cut}"] * bool(cut)
    for number, (path, status) in enumerate(walk(eye, 1), start=1):
        if not number % _TOLD:
            print(f"   ... {number} pages")
        sorts.add(sort_of(path))
        wrong = axe.found(eye, script)
        over = eye.page.evaluate(_OVER)
        wrong += [f"status {status}"] * (status != 200) + [f"{over} px too wide"] * (over > 0)
        aside = eye.page.evaluate(_TABLES)
        wrong += [f"scrolls sideways: {aside}"] * bool(aside)
        problems += [f"{path}: {one}" for one in wrong]
    seen = eye.seen
    for kind in ("errors", "dialogs", "elsewhere", "broken", "violations"):
        problems += [f"{kind}: {one}" for one in getattr(seen, kind)]
    missed = {place.path for place in PLACES} - sorts
    problems += [f"not reached: {one}" for one in sorted(missed)]
    eye.close()
    print(f"   {theme} at {width} px: {len(sorts)} sorts of pages, {len(problems)} problems")
    return [f"{theme} {width}: {one}" for one in problems]


def main(store: Path) -> int:
    """All of them; returns how many problems there are."""
    script, problems = axe.source(), []
    with serving(store, profile=PROFILE) as served, chromium() as browser:
        for theme in THEMES:
            for width in WIDTHS:
                problems += looked(browser, served, theme, width, script)
    for one in problems:
        print(f"   {one}", file=sys.stderr)
    return len(problems)
