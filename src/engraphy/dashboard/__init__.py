"""A door for people: pages that show what is remembered, why, and what became of it."""

from engraphy.dashboard.routing import routes

__all__ = ["routes"]
