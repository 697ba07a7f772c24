"""A server that is broken on purpose: its pages show stored text as it is. It must be noticed."""

from markupsafe import Markup

from engraphy.cli import main
from engraphy.dashboard import pages


def _raw(text: object) -> Markup:
    return Markup(str(text))


if __name__ == "__main__":
    environment = pages.environment()
    environment.autoescape = False
    environment.filters.update(visible=_raw, linked=_raw)
    main()
