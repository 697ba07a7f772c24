"""Screenshots for the documentation: small PNGs of the year, light and dark, on a desk and a phone.

acceptance/browser.sh pictures      # writes docs/screenshots/*.png
"""

from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from look import Eye, chromium
from playwright.sync_api import Browser
from served import Served, serving
from year import PROFILE

from engraphy import Memory

FOLDER = Path(__file__).parents[2] / "docs/screenshots"
_SESSION = "/sessions/one?name=surge-every-3h"
_SUBJECT = "/timeline?about=staging+server"
_SEARCH = "/search?q=when+does+the+nightly+job+start"
_COLOURS = 96


class Shot(NamedTuple):
    """A picture: its file's name, the page, the lights on a desk, whether on a phone too; what is
    pressed before."""

    name: str
    path: str
    lights: tuple[str, ...] = ("light",)
    phone: bool = False
    press: str = ""


SHOTS = (
    Shot("overview", "/", ("light", "dark"), phone=True),
    Shot("search", _SEARCH, ("light", "dark"), phone=True),
    Shot("memories", "/memories"),
    Shot("memory", "{memory}", ("light", "dark"), phone=True),
    Shot("timeline", "/timeline", ("light", "dark"), phone=True),
    Shot("subject", _SUBJECT, ("light",)),
    Shot("graph", "/graph", ("light", "dark")),
    Shot("sessions", "/sessions", ("light",), phone=True),
    Shot("session", _SESSION, ("light", "dark"), press="details.receipt summary >> nth=0"),
    Shot("procedures", "/procedures", ("light",), phone=True),
    Shot("reminders", "/reminders"),
    Shot("review", "/review", ("light", "dark"), phone=True),
    Shot("dreams", "/dreams", ("light", "dark")),
    Shot("dream", "{dream}"),
    Shot("jobs", "/jobs"),
    Shot("journal", "/journal"),
    Shot("costs", "/costs", ("light", "dark"), phone=True),
    Shot("tokens", "/tokens"),
    Shot("settings", "/settings"),
)
_DESK, _PHONE = (1_200, 780), (390, 780)


def small(png: bytes) -> bytes:
    """The same picture with few colours: a quarter of the bytes."""
    made = BytesIO()
    picture = Image.open(BytesIO(png)).convert("RGB")
    few = picture.quantize(_COLOURS, dither=Image.Dither.NONE)
    few.save(made, "PNG", optimize=True)
    return made.getvalue()


def taken(browser: Browser, served: Served, light: str, *, phone: bool, ids: dict[str, str]) -> int:
    """The pictures in one light and width; returns their bytes."""
    width, height = _PHONE if phone else _DESK
    eye = Eye(browser, served, width=width, height=height, theme=light)
    eye.sign_in(user="robin", project="tidewater")
    # The first search of a server loads what it searches with.
    eye.open(_SEARCH)
    written = 0
    for shot in SHOTS:
        if not (shot.phone and light == "light" if phone else light in shot.lights):
            continue
        eye.open(shot.path.format(**ids))
        if shot.press:
            eye.page.click(shot.press)
        eye.page.evaluate("document.activeElement && document.activeElement.blur()")
        kind = "phone" if phone else light
        picture = small(eye.page.screenshot())
        (FOLDER / f"{shot.name}-{kind}.png").write_bytes(picture)
        written += len(picture)
    eye.close()
    return written


def main(store: Path) -> int:
    """All of them; returns 0."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with Memory(store, profile=PROFILE) as memory:
        rows = memory.list(limit=200, include=("superseded",), user="robin", project="tidewater")
        [row] = [one for one in rows if one.content.startswith("The staging server moved")]
        cycle = max(memory.dreams(limit=3), key=lambda one: one.changed)
        ids = {"memory": f"/memories/{row.id}", "dream": f"/dreams/one?run={cycle.run}"}
    written = 0
    with serving(store, profile=PROFILE) as served, chromium() as browser:
        for light in ("light", "dark"):
            written += taken(browser, served, light, phone=False, ids=ids)
        written += taken(browser, served, "light", phone=True, ids=ids)
    print(f"   {len(list(FOLDER.glob('*.png')))} pictures, {written / 1e6:.2f} MB")
    return 0
