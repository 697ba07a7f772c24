"""`engraphy bench NAME`: quality on the user's data, and speed against a limit."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from engraphy.cli.session import answer, failing, json_option

_QUALITY = ("locomo", "longmemeval", "beam", "precision")


@click.group()
def bench() -> None:
    """Measure quality on data you bring, and speed on data made here."""


def _quality(name: str) -> click.Command:
    @click.command(name, help=import_module(f"engraphy.benchmarks.{name}").__doc__)
    @click.option("--data", required=True, type=click.Path(exists=True), help="file or folder")
    @click.option("--profile", "knobs", default="default", show_default=True)
    @click.option("--embedder", default=None, help="static, minilm, multilingual or provider/model")
    @click.option("--no-embed", is_flag=True, help="full text only")
    @click.option("--out", type=click.Path(dir_okay=False), help="write the JSON object here too")
    @json_option
    @failing
    def run(
        data: str,
        knobs: str,
        embedder: str | None,
        no_embed: bool,
        out: str | None,
        as_json: bool,
    ) -> None:
        engine = import_module("engraphy.benchmarks.run")
        suite = import_module(f"engraphy.benchmarks.{name}").load(data)
        chosen = "none" if no_embed else embedder
        opening = engine.Opening(profile=knobs, embedder=chosen)
        _report(engine.run(suite, opening, _progress(as_json)), out, as_json)

    return run


def _progress(as_json: bool) -> Callable[[str], None]:
    return lambda text: click.echo(text, err=True) if not as_json else None


def _report(result: dict[str, Any], out: str | None, as_json: bool) -> None:
    if out is not None:
        dumped = import_module("json").dumps(result, ensure_ascii=False, indent=1)
        Path(out).write_text(dumped, encoding="utf-8")
    answer(result, "bench", as_json=as_json)


for _name in _QUALITY:
    bench.add_command(_quality(_name))
