"""A browser at a server: signed in, told which walls, with an eye on what it must never do."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright
from served import Served

_KNOWN = ("chromium-headless-shell", "chromium", "google-chrome", "chrome")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
"""Nothing but loopback has an address: what is asked of elsewhere is seen, and goes nowhere."""
_WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', e =>
  window.violations.push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));
"""
_STOPPED = "csp"
_LOADING = "!!document.querySelector('.htmx-request, .later[hx-get]')"
_ADDRESSES = "all => all.map(one => URL.parse(one.getAttribute('href'), location)?.href || '')"
PATIENCE = 30_000
_LOOKS = 600
"""So often a page is looked at, 50 ms apart, until it has loaded its parts."""


@dataclass(slots=True)
class Seen:
    """What went on in a browser that must not."""

    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    hits: list[object] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)


def program() -> str | None:
    """The browser: what the environment's CHROMIUM names, else the first that is installed, those
    that draw no window before others."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _KNOWN)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory():
        browser = playwright.chromium.launch(executable_path=program(), args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Eye:
    """One context of a browser, at one server."""

    def __init__(
        self,
        browser: Browser,
        served: Served,
        *,
        width: int = 1280,
        height: int = 860,
        theme: str = "light",
        bypass: bool = False,
        scale: float = 1,
    ) -> None:
        self.served, self.seen = served, Seen()
        self.looks = _LOOKS
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height},
            bypass_csp=bypass,
            color_scheme="dark" if theme == "dark" else "light",
            device_scale_factor=scale,
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(_WATCH)
        self.context.expose_function("hit", lambda number=None: self.seen.hits.append(number))
        self.context.on("requestfailed", self._failed)
        theme_cookie = {"name": "engraphy_theme", "value": theme, "url": served.url}
        self.context.add_cookies([theme_cookie])
        self.page: Page = self._opened()

    def _opened(self) -> Page:
        page = self.context.new_page()
        page.on("dialog", self._dialog)
        page.on("pageerror", lambda error: self.seen.errors.append(str(error)))
        page.on("response", self._answered)
        return page

    def _dialog(self, dialog: object) -> None:
        self.seen.dialogs.append(getattr(dialog, "message", ""))
        dialog.dismiss()  # type: ignore[attr-defined]

    def _failed(self, request: Request) -> None:
        """What is asked of elsewhere fails for want of an address; what the policy stopped was
        never asked."""
        ours = request.url.startswith((self.served.url, "data:"))
        if not ours and request.failure != _STOPPED:
            self.seen.elsewhere.append(f"{request.url} {request.failure}")

    def _answered(self, response: object) -> None:
        status = getattr(response, "status", 200)
        if status >= 500:
            self.seen.broken.append(f"{status} {getattr(response, 'url', '')}")

    def sign_in(self, **walls: str) -> None:
        """Sign in with the server's token, as a person does, and look behind these walls."""
        self.page.goto(f"{self.served.url}/signin")
        self.page.fill("#token", self.served.token)
        self.page.click("form[data-signin] button")
        self.page.wait_for_url(f"{self.served.url}/")
        if walls:
            self.page.click("details.menu summary >> nth=0")
            for wall, name in walls.items():
                self.page.fill(f"#wall-{wall}", name)
            self.page.click("text=Look there")
            self.page.wait_for_load_state("load")

    def open(self, path: str) -> int:
        """Go to a page, wait for what it loads by itself; its status."""
        answer = self.page.goto(self.served.url + path, wait_until="load")
        self.settle()
        return answer.status if answer else 0

    def settle(self) -> None:
        """Until parts that load themselves are there; CSP violations are taken down."""
        for _ in range(self.looks):
            if not self.page.evaluate(_LOADING):
                break
            self.page.wait_for_timeout(50)
        self.seen.violations += self.page.evaluate("window.violations.splice(0)")

    def links(self) -> set[str]:
        """The pages of ours that this one links to."""
        found: list[str] = self.page.eval_on_selector_all("a[href]", _ADDRESSES)
        inside = set()
        for one in found:
            parts = urlsplit(one)
            if one.startswith(self.served.url + "/"):
                inside.add(parts.path + (f"?{parts.query}" if parts.query else ""))
        return inside

    def close(self) -> None:
        """Close the context."""
        self.context.close()


def folder(name: str) -> Path:
    """A folder for what a run leaves."""
    base = os.environ.get("ENGRAPHY_ACCEPTANCE") or Path(tempfile.gettempdir()) / "engraphy-npm"
    made = Path(base) / "browser" / name
    made.mkdir(parents=True, exist_ok=True)
    return made
