"""Every action of the dashboard, done in a browser by hand and by keyboard, and what became of it.

Each is told by what the next page says and checked in the store by another opening of the file; at
the end looking at every page must have counted as access nowhere (R-03) and changed nothing.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from look import Eye, chromium
from playwright.sync_api import expect
from served import serving
from walking import walk
from year import PROFILE

from engraphy import Memory

WALLS = {"user": "robin", "project": "tidewater"}
SEEN = {**WALLS, "allow_private": True, "allow_secret": True}


class Hand:
    """An eye with hands, and the store beside it."""

    def __init__(self, eye: Eye, memory: Memory) -> None:
        self.eye, self.page, self.memory = eye, eye.page, memory

    def press(self, selector: str, told: str = "") -> None:
        """Press a button; the next page says `told`."""
        self.page.click(selector)
        self.page.wait_for_load_state("load")
        self.eye.settle()
        if told:
            expect(self.page.locator("main")).to_contain_text(told)

    def row(self, words: str) -> str:
        """The id of the memory that begins so."""
        [found] = [
            row.id
            for row in self.memory.list(limit=500, include=("superseded",), **SEEN)
            if row.content.startswith(words)
        ]
        return found


def review(hand: Hand) -> None:
    """Turn one away, let one in with other words, let one in as it is."""
    before = len(hand.memory.review(**SEEN))
    hand.eye.open("/review")
    hand.page.click("text=Turn away >> nth=0")
    assert len(hand.memory.review(**SEEN)) == before
    hand.press("text=Turn it away for good", "Turned away")
    hand.eye.open("/review")
    hand.page.click("text=Edit, then let in")
    hand.page.fill("details[open] textarea[name=content]", "The collector is a trap.")
    hand.press("text=Let in with this text", "with your text")
    hand.press("text=Let in as it is", "Let in as it is")
    assert len(hand.memory.review(**SEEN)) == before - 3
    assert hand.row("The collector is a trap.")


def reminders(hand: Hand) -> None:
    """Put one off, and be done with one."""
    before = hand.memory.reminders(**SEEN)
    hand.eye.open("/reminders")
    hand.press("text=In a month", "It comes in a month")
    hand.press("button:has-text('Done') >> nth=0", "Done.")
    assert len(hand.memory.reminders(**SEEN)) == len(before) - 1


def procedures(hand: Hand) -> None:
    """Report that one worked."""
    row = hand.memory.list(kind="procedure", limit=1, **SEEN)[0]
    hand.eye.open("/procedures")
    hand.press("text=It worked >> nth=0", "Counted as a success")
    assert hand.memory.get(row.id, touch=False, **SEEN).success_count == row.success_count + 1
    hand.press("text=It failed >> nth=0", "Counted as a failure")


def jobs(hand: Hand) -> None:
    """Try one again that was set aside."""
    hand.eye.open("/jobs")
    hand.press("text=Try again", "Handed over anew")
    hand.memory.flush()


def session(hand: Hand) -> None:
    """Read what was injected; end the session that is open."""
    hand.eye.open("/sessions/one?name=faster-forecasts")
    hand.page.click("details.receipt summary >> nth=0")
    expect(hand.page.locator("details.receipt[open] table").first).to_be_visible()
    hand.press("text=End it", "The session was closed")
    assert hand.memory.session("faster-forecasts", **WALLS).status.ended_at is not None


def dreams(hand: Hand) -> None:
    """Try a cycle on a copy, dream one, look at it, undo it."""
    cycles = len(hand.memory.dreams(limit=1_000))
    hand.eye.open("/dreams")
    hand.press("text=Try on a copy", "nothing was changed")
    assert len(hand.memory.dreams(limit=1_000)) == cycles
    hand.eye.open("/dreams")
    hand.press("text=Dream now", "Steps")
    expect(hand.page.locator("main")).to_contain_text("before")
    hand.page.click("main a >> nth=0")
    hand.page.wait_for_url("**/dreams")
    hand.page.go_back()
    expect(hand.page.locator("main")).to_contain_text("before")
    assert len(hand.memory.dreams(limit=1_000)) == cycles + 1
    hand.press("text=Undo it", "Undo this cycle?")
    hand.press("form.confirm button", "Undone:")


def journal(hand: Hand) -> None:
    """Name a moment, undo a line, filter."""
    hand.eye.open("/journal")
    hand.page.fill("#name", "before the freeze")
    hand.press("text=Name this moment", "before the freeze")
    pinned = hand.row("Keys and passwords live")
    hand.memory.pin(pinned, pinned=False, **SEEN)
    hand.eye.open(f"/journal?target={pinned}")
    hand.press("main tbody a.button >> nth=0", "Undo line")
    hand.press("form.confirm button", "was undone")
    assert hand.memory.get(pinned, touch=False, **SEEN).pinned


def tokens(hand: Hand) -> None:
    """Make one, which is shown once; revoke it."""
    hand.eye.open("/tokens")
    hand.page.fill("form[action='/tokens/create'] #name", "a laptop")
    hand.page.select_option("#role", "read")
    hand.press("text=Make it", "shown this once")
    shown = hand.page.inner_text("#token")
    assert hand.memory.identify(shown).role.value == "read"
    hand.eye.open("/tokens")
    assert shown not in hand.page.content()
    hand.page.click("tr:has-text('a laptop') >> summary:has-text('Revoke')")
    hand.press("tr:has-text('a laptop') >> text=Revoke it", "is over")
    assert any(one.name == "a laptop" and one.revoked_at for one in hand.memory.grants())


def memory_page(hand: Hand) -> None:
    """Edit, pin, protect, forget."""
    known = hand.row("Harbour masters get a mail")
    hand.eye.open(f"/memories/{known}")
    hand.press("button:text-is('Pin')")
    hand.page.click("summary:has-text('Edit')")
    hand.page.fill("#content", "Harbour masters get a mail and a text message.")
    hand.press("text=Save")
    row = hand.memory.get(known, touch=False, **SEEN)
    assert row.pinned
    assert row.content.endswith("text message.")
    hand.press("button:text-is('Protect')")
    hand.press("button:text-is('Unprotect')")
    hand.press("a:has-text('Forget')", "for good")
    hand.press("text=Forget it for good")
    assert all(row.id != known for row in hand.memory.list(limit=500, **SEEN))


def keyboard(hand: Hand) -> None:
    """Search, go, choose and help without a mouse; the graph's nodes are reached by Tab, and who
    leaves a menu is where it was opened."""
    hand.eye.open("/")
    hand.page.keyboard.press("/")
    hand.page.keyboard.type("staging server")
    hand.page.keyboard.press("Enter")
    hand.page.wait_for_url("**/search?**")
    expect(hand.page.locator("main")).to_contain_text("9443")
    hand.page.keyboard.press("Escape")
    hand.page.locator("main").focus()
    hand.page.keyboard.press("g")
    hand.page.keyboard.press("t")
    hand.page.wait_for_url("**/timeline")
    hand.page.keyboard.press("j")
    hand.page.keyboard.press("Enter")
    hand.page.wait_for_url("**/memories/*")
    hand.eye.open("/graph")
    hand.page.locator("svg a.dot").first.focus()
    hand.page.keyboard.press("Tab")
    assert hand.page.evaluate("document.activeElement.matches('svg a.dot')")
    hand.page.focus("details.menu summary >> nth=0")
    hand.page.keyboard.press("Enter")
    hand.page.keyboard.press("Tab")
    hand.page.keyboard.press("Escape")
    assert hand.page.evaluate("document.activeElement.matches('details.menu:not([open]) summary')")
    hand.page.keyboard.press("?")
    expect(hand.page.locator("dialog#keys")).to_be_visible()
    hand.page.keyboard.press("Escape")


def live(hand: Hand) -> None:
    """What is remembered meanwhile comes to the first page by itself, and who reads there with the
    keyboard stays where they are."""
    hand.eye.open("/")
    hand.page.locator("#newest a.over").first.focus()
    held = hand.page.evaluate("document.activeElement.id")
    hand.memory.remember("The tide tables of Nazaré are printed in March.", **WALLS)
    expect(hand.page.locator("#newest")).to_contain_text("Nazaré")
    assert hand.page.evaluate("document.activeElement.id") == held


def theme(hand: Hand) -> None:
    """Change the light, and find it on the next page."""
    hand.eye.open("/")
    hand.page.click("[data-theme-form] button")
    chosen = hand.page.get_attribute("html", "data-theme")
    hand.eye.open("/timeline")
    assert hand.page.get_attribute("html", "data-theme") == chosen


def looking(hand: Hand) -> None:
    """R-03: every page is looked at, and neither an access nor a line of the journal is counted."""
    before = _counted(hand.memory)
    told = sum(1 for _ in walk(hand.eye, 2))
    assert _counted(hand.memory) == before, "looking changed something"
    print(f"   {told} pages were looked at, and nothing was counted or changed")


def _counted(memory: Memory) -> tuple[object, ...]:
    rows = memory.list(limit=1_000, include=("superseded", "expired", "quarantined"), **SEEN)
    accesses = tuple((row.id, row.access_count, row.last_accessed_at) for row in rows)
    return accesses, memory.audit(limit=1).entries[0].line


def signing_out(hand: Hand) -> None:
    """The session is over, and its cookie opens nothing any more."""
    hand.eye.open("/")
    hand.page.click("summary[aria-label='You']")
    hand.press("text=Sign out")
    hand.eye.open("/tokens")
    assert "/signin" in hand.page.url


ACTIONS: tuple[Callable[[Hand], None], ...] = (
    looking,
    review,
    reminders,
    procedures,
    jobs,
    session,
    dreams,
    journal,
    tokens,
    memory_page,
    keyboard,
    live,
    theme,
    signing_out,
)


def main(store: Path) -> int:
    """All of them, one after the other; returns how many failed."""
    failed = 0
    with serving(store, profile=PROFILE) as served, chromium() as browser:
        eye = Eye(browser, served)
        eye.sign_in(**WALLS)
        with Memory(store, profile=PROFILE) as memory:
            for action in ACTIONS:
                failed += not _went_well(action, Hand(eye, memory))
        for kind in ("errors", "dialogs", "elsewhere", "broken", "violations"):
            for one in getattr(eye.seen, kind):
                failed += 1
                print(f"   {kind}: {one}", file=sys.stderr)
    return failed


def _went_well(action: Callable[[Hand], None], hand: Hand) -> bool:
    try:
        action(hand)
    except Exception as error:  # noqa: BLE001 - one action that fails is told, and the next is tried
        print(f"   {action.__name__}: {str(error)[:500]}", file=sys.stderr)
        return False
    print(f"   {action.__name__}: done")
    return True
