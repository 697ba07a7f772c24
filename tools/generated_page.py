"""What the generators of a page share: write it, or say that it is stale."""

import argparse
from collections.abc import Callable
from pathlib import Path


class PageError(Exception):
    """Something that the page must tell has no words, or is not known to its generator."""


def run(target: Path, page: Callable[[], str], about: str, arguments: list[str] | None) -> int:
    """Write the page to `target` under --root, or with --check only compare; returns 1 where it is
    stale or cannot be made."""
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if it is stale")
    parser.add_argument("--root", type=Path, default=Path(), help="the repository (default: here)")
    options = parser.parse_args(arguments)
    try:
        text = page()
    except PageError as error:
        print(error)
        return 1
    file = options.root / target
    if not options.check:
        file.write_text(text, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != text:
        print(f"{target} is stale: run `make docs`")
        return 1
    print(f"{target}: fresh")
    return 0
