"""P-19: 300 hostile texts, seen on every page: none runs, and none becomes part of a page.

Counted apart: what ran (calls of `hit`, dialogs, requests to elsewhere), what the policy had to
stop (none should come so far), and what of a text became an element, an attribute or a template's
value.
The self-check serves pages that escape nothing: with the policy off something must run, with it on
the page must be seen to be broken.

In short form the page of each memory is put into one that stands already, as htmx does it, which
costs a third of opening it; of every sort one page is opened.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import hostile
from look import Eye, chromium
from payloads import HOST, SUM, payloads
from playwright.sync_api import Browser, Error, ViewportSize
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
_TOLD = 100
"""So often it is said how far it is."""
_SMALL: ViewportSize = {"width": 480, "height": 320}
"""What is drawn costs more than all else, and nobody looks at it."""
_PUT = "path => htmx.ajax('GET', path, {target: 'main', swap: 'innerHTML'})"


class Form(NamedTuple):
    """How much is done. `opened`: one in so many memories has its page opened, the others are put
    into one; `each`: pages of a sort, `most` of some; `asked`: one in so many texts is also asked
    for, filled in and looked behind."""

    opened: int
    each: int
    most: dict[str, int]
    asked: int


FULL = Form(opened=1, each=_EACH, most=_MOST, asked=10)
SHORT = Form(opened=50, each=1, most={}, asked=60)
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
        if not self.pages % _TOLD:
            print(f"   ... {self.pages} pages")
        self.sorts.add(sort_of(path))
        eye.page.evaluate(_PROVOKE)
        self.shapes += [f"{path[:90]}: {one}" for one in eye.page.evaluate(_BROKEN)]


def ran(eye: Eye) -> list[str]:
    """What ran: calls, dialogs, requests to elsewhere."""
    seen = eye.seen
    return [*map(str, seen.hits), *seen.dialogs, *seen.elsewhere]


def _walked(eye: Eye, tally: Tally, form: Form) -> None:
    for path, _ in walk(eye, form.each, form.most):
        tally.look(eye, path)


def _each(eye: Eye, tally: Tally, ids: Sequence[str], form: Form) -> None:
    """The page of each memory that has one text in every field."""
    for number, known in enumerate(ids):
        if number % form.opened:
            put(eye, f"/memories/{known}")
        else:
            eye.open(f"/memories/{known}")
        tally.look(eye, f"/memories/{known}")


def put(eye: Eye, path: str) -> None:
    """A page of ours into the one that stands, as the dashboard's own parts come."""
    eye.page.evaluate(_PUT, path)
    eye.settle()


def _filled(eye: Eye, tally: Tally, form: Form) -> None:
    """Texts in addresses and forms, and behind walls with hostile names."""
    for number, text in enumerate(payloads()):
        if number % form.asked:
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


def proved(browser: Browser, served: Served, ids: Sequence[str], form: Form) -> int:
    """The run itself; returns how much went wrong."""
    eye, tally = Eye(browser, served), Tally()
    eye.sign_in(**hostile.WALLS)
    eye.page.set_viewport_size(_SMALL)
    _each(eye, tally, ids, form)
    _walked(eye, tally, form)
    _filled(eye, tally, form)
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


class Caught(NamedTuple):
    """What is seen of pages that escape nothing; `shapes`: became markup, of these `put` in a page
    that was put into another."""

    ran: int
    stopped: int
    shapes: int
    put: int


def caught(browser: Browser, served: Served, *, bypass: bool) -> Caught:
    """Pages that escape nothing are opened, and put into one."""
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
    opened = len(tally.shapes)
    with suppress(Error):
        eye.open("/walls")
        put(eye, "/memories")
        tally.look(eye, "/memories")
    shapes = len(tally.shapes)
    told = Caught(len(ran(eye)), len(eye.seen.violations), shapes, shapes - opened)
    eye.close()
    return told


def main(store: Path, form: Form = FULL) -> int:
    """The proof and its self-check; returns how much is wrong."""
    ids = hostile.build(store)
    print(f"   the store is built: {len(ids)} memories with a text in every field, and more")
    with chromium() as browser:
        with serving(store, embedder="none") as served:
            wrong = proved(browser, served, ids, form)
        with serving(store, embedder="none", unescaped=True) as served:
            free = caught(browser, served, bypass=True)
            bound = caught(browser, served, bypass=False)
    print(f"   self-check, nothing escaped: {free.ran} ran without the policy (hosts: {HOST}),")
    print(f"   with it {bound.ran} ran, {bound.stopped} were stopped, {bound.shapes} became markup")
    blind = not (free.ran and bound.stopped and bound.shapes and bound.put)
    if blind:
        print("   the self-check did not see what it must see", file=sys.stderr)
    return wrong + blind + bound.ran


short = partial(main, form=SHORT)
