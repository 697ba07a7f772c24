"""`engraphy profile list | show | diff`."""

import click

from engraphy.cli.session import answer, failing, json_option
from engraphy.opening import open_profile
from engraphy.profile import as_tree, differences, load, names


@click.group()
def profile() -> None:
    """The bags of knobs: list them, show one, compare two."""


@profile.command("list")
@json_option
@failing
def list_(as_json: bool) -> None:
    """The shipped profiles."""
    rows = [{"name": n, "description": load(n).description} for n in names()]
    answer({"profiles": rows}, "profiles", as_json=as_json)


@profile.command()
@click.argument("name")
@json_option
@failing
def show(name: str, as_json: bool) -> None:
    """Every knob of one profile, by its name or by its file."""
    answer(as_tree(open_profile(name)), "knobs", as_json=as_json)


@profile.command()
@click.argument("first")
@click.argument("second")
@json_option
@failing
def diff(first: str, second: str, as_json: bool) -> None:
    """The knobs in which two profiles, named or in files, differ."""
    rows = [
        {"knob": knob, first: one, second: two}
        for knob, one, two in differences(open_profile(first), open_profile(second))
        if knob not in ("name", "description")
    ]
    answer({"first": first, "second": second, "differences": rows}, "diff", as_json=as_json)
