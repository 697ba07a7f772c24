"""The command line."""

from engraphy.cli.app import main

__all__ = ["main"]
