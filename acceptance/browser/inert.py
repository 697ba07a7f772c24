"""P-19: 300 hostile texts, seen on every page: none runs, and none becomes part of a page.

Counted apart: what ran (calls of `hit`, dialogs, requests to elsewhere), what the policy had to
stop (none should come so far), and what of a text became an element, an attribute or a template's
value.
The self-check serves pages that escape nothing: with the policy off something must run, with it on
the page must be seen to be broken.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlencode

import hostile
from look import Eye, chromium
from payloads import HOST, SUM, payloads
from playwright.sync_api import Browser, Error
from served import Served, serving
from walking import sort_of, walk

_EACH = 3
_MOST = {
    "/memories/0*": 6,
    "/memories?after": 30,
    "/timeline?after": 30,
    "/sessions?before": 5,
    "/journal?before": 30,
    "/sessions/one?name": 20,
    "/graph?entity": 10,
}
_ASKED = 10
"""One in so many texts is also asked for, filled in and looked behind."""
_BROKEN = """
() => {
  const wrong = [];
  const tags = new Set(['iframe', 'object', 'embed', 'base', 'style', 'math', 'template',
    'marquee', 'audio', 'video', 'source', 'xmp', 'noscript', 'frame', 'custom-tag', 'animate',
    'use', 'foreignobject']);
  const places = ['href', 'src', 'srcset', 'action', 'formaction', 'xlink:href', 'data', 'poster'];
  for (const one of document.querySelectorAll('*')) {
    const tag = one.localName;
    if (tags.has(tag)) wrong.push(tag);
    if (tag === 'script' && (one.textContent || !one.src.startsWith(location.origin + '/static/')))
      wrong.push('script');
    if (tag === 'link' && !one.href.startsWith(location.origin + '/static/')) wrong.push('link');
    if (tag === 'meta' && one.httpEquiv) wrong.push('meta ' + one.httpEquiv);
    for (const {name, value} of one.attributes) {
      if (/^on|^style$|^srcdoc$|^popover|^contenteditable$|hx-on|hx-ext|hx-vals/i.test(name))
        wrong.push(name);
      if (/hx-(get|post|trigger)/.test(name) && /[[(]|evil|static/.test(value)) wrong.push(name);
      if (places.includes(name)) {
        const url = URL.parse(value, location);
        const outside = one.matches('a.outside[rel~="noreferrer"]') && /^https?:/.test(value);
        if (!url || (url.origin !== location.origin && !outside)) wrong.push(name + ' ' + value);
      }
    }
  }
  if (document.body && document.body.innerText.includes('SUM')) wrong.push('a template');
  return wrong;
}
""".replace("SUM", SUM)
_PROVOKE = """
() => {
  const kinds = ['mouseover', 'mouseenter', 'pointerenter', 'focus', 'animationstart', 'toggle',
    'error', 'begin', 'beforeinput'];
  for (const one of document.querySelectorAll('main *'))
    for (const kind of kinds) one.dispatchEvent(new Event(kind, {bubbles: false}));
}
"""


class Tally:
    """What was seen in one run."""

    def __init__(self) -> None:
        self.pages, self.texts, self.shapes = 0, 0, list[str]()
        self.sorts = set[str]()

    def look(self, eye: Eye, path: str) -> None:
        """One page: provoke it, and see what it is made of."""
        self.pages += 1
        self.sorts.add(sort_of(path))
        eye.page.evaluate(_PROVOKE)
        self.shapes += [f"{path[:90]}: {one}" for one in eye.page.evaluate(_BROKEN)]


def ran(eye: Eye) -> list[str]:
    """What ran: calls, dialogs, requests to elsewhere."""
    seen = eye.seen
    return [*map(str, seen.hits), *seen.dialogs, *seen.elsewhere]


def _walked(eye: Eye, tally: Tally) -> None:
    for path, _ in walk(eye, _EACH, _MOST):
        tally.look(eye, path)


def _each(eye: Eye, tally: Tally, ids: Sequence[str]) -> None:
    """The page of each memory that has one text in every field."""
    for known in ids:
        eye.open(f"/memories/{known}")
        tally.look(eye, f"/memories/{known}")


def _filled(eye: Eye, tally: Tally) -> None:
    """Texts in addresses and forms, and behind walls with hostile names."""
    for number, text in enumerate(payloads()):
        if number % _ASKED:
            continue
        name = text[:500]
        for path in _addresses(text, name):
            eye.open(path)
            tally.look(eye, path)
        eye.open("/tokens")
        eye.page.fill("form[action='/tokens/create'] #name", name.replace("\n", " "))
        eye.page.click("form[action='/tokens/create'] button")
        eye.settle()
        tally.look(eye, "/tokens/create")


def _addresses(text: str, name: str) -> Iterator[str]:
    yield f"/search?{urlencode({'q': text})}"
    yield f"/timeline?{urlencode({'about': text})}"
    yield f"/timeline?{urlencode({'tag': text, 'since': text})}"
    yield f"/sessions/one?{urlencode({'name': name})}"
    yield f"/journal?{urlencode({'actor': text, 'target': text})}"
    yield f"/graph?{urlencode({'entity': text})}"
    yield f"/memories/{urlencode({'': text})[1:]}"
    yield f"/?{urlencode({'at_user': name, 'at_project': name, 'at_agent': name})}"
    yield f"/memories?{urlencode({'at_user': name, 'at_project': name, 'at_agent': name})}"


def proved(browser: Browser, served: Served, ids: Sequence[str]) -> int:
    """The run itself; returns how much went wrong."""
    eye, tally = Eye(browser, served), Tally()
    eye.sign_in(**hostile.WALLS)
    _each(eye, tally, ids)
    _walked(eye, tally)
    _filled(eye, tally)
    wrong, seen = ran(eye), eye.seen
    texts = sum(1 for _ in payloads())
    print(f"   {texts} texts on {tally.pages} pages of {len(tally.sorts)} sorts:")
    print(f"   {len(wrong)} ran, {len(seen.violations)} were stopped by the policy,")
    print(f"   {len(tally.shapes)} became markup; {len(seen.broken)} answers of 500 and more,")
    print(f"   {len(seen.errors)} script errors")
    told = [*wrong, *seen.violations, *tally.shapes, *seen.broken, *seen.errors]
    for one in told[:40]:
        print(f"   {one[:300]}", file=sys.stderr)
    eye.close()
    return len(told)


def caught(browser: Browser, served: Served, *, bypass: bool) -> tuple[int, int, int]:
    """What is seen of pages that escape nothing: ran, stopped by the policy, became markup."""
    eye, tally = Eye(browser, served, bypass=bypass), Tally()
    # A page that is taken over never settles: its parts ask for parts.
    eye.context.set_default_timeout(10_000)
    eye.looks = 10
    eye.sign_in(**hostile.WALLS)
    for path in ("/memories", "/timeline", "/review", "/sessions"):
        try:
            eye.open(path)
            eye.page.wait_for_timeout(500)
            tally.look(eye, path)
        except Error:
            continue  # A page that is taken over may go elsewhere or never settle.
    told = len(ran(eye)), len(eye.seen.violations), len(tally.shapes)
    eye.close()
    return told


def main(store: Path) -> int:
    """The proof and its self-check; returns how much is wrong."""
    ids = hostile.build(store)
    print(f"   the store is built: {len(ids)} memories with a text in every field, and more")
    with chromium() as browser:
        with serving(store) as served:
            wrong = proved(browser, served, ids)
        with serving(store, unescaped=True) as served:
            free = caught(browser, served, bypass=True)
            bound = caught(browser, served, bypass=False)
    print(f"   self-check, nothing escaped: {free[0]} ran without the policy (hosts: {HOST}),")
    print(f"   with it {bound[0]} ran, {bound[1]} were stopped and {bound[2]} became markup")
    blind = free[0] == 0 or bound[1] == 0 or bound[2] == 0
    if blind:
        print("   the self-check did not see what it must see", file=sys.stderr)
    return wrong + blind
