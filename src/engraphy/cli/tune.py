"""`engraphy tune`: fit the weights of retrieval to labelled questions."""

from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from engraphy.cli.session import answer, asked_key, embedder_of, failing, store_options
from engraphy.errors import GainTooSmallError

_DATA = "JSON Lines: question, gold (ids or exact texts), user, agent, project, session, as_of"


@click.command()
@click.option("--data", required=True, type=click.Path(exists=True, dir_okay=False), help=_DATA)
@click.option("--out", type=click.Path(dir_okay=False), help="write the tuned profile here (TOML)")
@click.option("--force", is_flag=True, help="write it although the gain is not above noise")
@click.option("--objective", default="mrr", show_default=True, help="mrr, rec@10 or hit@1")
@click.option("--search", default="coordinate", show_default=True, help="coordinate or random")
@click.option("--folds", default=5, show_default=True, help="2 to 50 parts, each held out once")
@click.option("--trials", default=200, show_default=True, help="try at most this many settings")
@click.option("--seconds", default=600.0, show_default=True, help="stop after this many seconds")
@click.option("--seed", default=0, show_default=True, help="seed of the folds and the search")
@click.option("--ranges", type=click.Path(exists=True, dir_okay=False), help="your list of ranges")
@click.option(
    "--knob", "only", multiple=True, metavar="NAME", help="only this one; may be repeated"
)
@click.option("-u", "--user", help="who asks, where a line does not say")
@click.option("--agent", help="the agent, where a line does not say")
@click.option("-p", "--project", help="the project, where a line does not say")
@click.option("--allow-private", is_flag=True, help="see private memories too")
@click.option("--allow-secret", is_flag=True, help="see secret memories too")
@store_options
@failing
def tune(
    *,
    data: str,
    out: str | None,
    force: bool,
    as_json: bool,
    store: str | None,
    knobs: str | None,
    tenant: str | None,
    embedder: str | None,
    no_embed: bool,
    ask_key: bool,
    user: str | None,
    agent: str | None,
    project: str | None,
    allow_private: bool,
    allow_secret: bool,
    **planned: Any,
) -> None:
    """Fit the weights of retrieval to questions whose answers you know.

    The store is only read. Every question is judged by weights that were fitted without it, and a
    profile is written only if the gain is above noise. Use it with --profile FILE, with
    ENGRAPHY_PROFILE, or as Memory(profile="FILE").
    """
    _check(out, force=force)
    tuning = import_module("engraphy.tuning")
    planned["knobs"] = planned.pop("ranges")
    found = tuning.tune(
        data,
        tuning.Plan(**planned),
        path=store,
        profile=knobs,
        tenant=tenant,
        key=asked_key("Key") if ask_key else None,
        embedder=embedder_of(embedder, none=no_embed),
        progress=None if as_json else lambda text: click.echo(text, err=True),
        user=user,
        agent=agent,
        project=project,
        allow_private=allow_private,
        allow_secret=allow_secret,
    )
    written, refused = None, None
    try:
        written = tuning.save(found, out, force=force) if out else None
    except GainTooSmallError as error:
        refused = error
    told = {**asdict(found), "above_noise": found.above_noise}
    told["written"] = None if written is None else str(written)
    answer(told, "show_tune:tuned", as_json=as_json)
    if refused is not None:
        raise refused


def _check(out: str | None, *, force: bool) -> None:
    """What would be noticed only after the search."""
    if force and out is None:
        raise click.UsageError("--force needs --out FILE: without it nothing is written.")
    if out is not None and not Path(out).absolute().parent.is_dir():
        raise click.BadParameter("its folder does not exist", param_hint="--out")
