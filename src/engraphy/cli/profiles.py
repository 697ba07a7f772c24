"""`engraphy profile list | show | diff`."""

import click

from engraphy.cli.session import answer, failing, json_option
from engraphy.opening import open_profile
from engraphy.profile import as_tree, differences, load, names


@click.group()
def profile() -> None:
    """Profiles, named sets of settings: list them, show one, compare two."""


@profile.command("list")
@json_option
@failing
def list_(as_json: bool) -> None:
    """List the profiles that ship."""
    rows = [{"name": n, "description": load(n).description} for n in names()]
    answer({"profiles": rows}, "profiles", as_json=as_json)


@profile.command()
@click.argument("name")
@json_option
@failing
def show(name: str, as_json: bool) -> None:
    """Show every setting (knob) of a profile, by its name or file."""
    answer(as_tree(open_profile(name)), "knobs", as_json=as_json)


@profile.command()
@click.argument("first")
@click.argument("second")
@json_option
@failing
def diff(first: str, second: str, as_json: bool) -> None:
    """Show the settings in which two profiles, by name or file, differ."""
    rows = [
        {"knob": knob, first: one, second: two}
        for knob, one, two in differences(open_profile(first), open_profile(second))
        if knob not in ("name", "description")
    ]
    answer({"first": first, "second": second, "differences": rows}, "diff", as_json=as_json)
