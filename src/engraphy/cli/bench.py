"""`engraphy bench NAME`: quality on the user's data, and speed against a limit."""

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from engraphy.cli.session import failing, json_option
from engraphy.errors import UnreadableFileError

_SMALLEST = 100
_QUALITY = {
    "locomo": "LoCoMo: ten long dialogues of two speakers, gold = evidence turns.",
    "longmemeval": "LongMemEval: questions over chat sessions, gold = whole sessions.",
    "beam": "BEAM: long technical chats, gold = messages, ten abilities.",
    "injection": "What goes into a prompt: LoCoMo's evidence, and nothing for CLINC's prompts.",
    "advice": "PrefEval: preferences that bear on what advice is asked about.",
    "precision": "PrecisionMemBench: the right belief and only that one, of 35.",
}


@click.group()
def bench() -> None:
    """Measure quality on data you bring, and speed on data made here."""


def _quality(name: str) -> click.Command:
    @click.command(name, help=_QUALITY[name])
    @click.option("--data", required=True, type=click.Path(exists=True), help="file or folder")
    @click.option("--profile", "knobs", default="default", show_default=True)
    @click.option("--embedder", default=None, help="static, minilm, multilingual or provider/model")
    @click.option("--no-embed", is_flag=True, help="search by words only")
    @click.option("--reranker", default=None, help="a cross-encoder's folder, or provider/model")
    @click.option("--database", help="an empty PostgreSQL instead of files")
    @click.option("--texts", is_flag=True, help="rows carry the questions' texts, not only ids")
    @click.option("--peer", "peers", multiple=True, help="ask this store too (may be given again)")
    @_out
    @json_option
    @failing
    def run(
        *,
        data: str,
        knobs: str,
        embedder: str | None,
        no_embed: bool,
        reranker: str | None,
        database: str | None,
        texts: bool,
        peers: tuple[str, ...],
        out: str | None,
        as_json: bool,
    ) -> None:
        module = import_module(f"engraphy.benchmarks.{name}")
        engine = import_module("engraphy.benchmarks.run")
        chosen = "none" if no_embed else embedder
        opening = engine.Opening(
            profile=knobs, embedder=chosen, reranker=reranker, texts=texts, database=database
        )
        tell = _progress(as_json)
        if hasattr(module, "run"):
            if peers or reranker or database:
                raise click.UsageError(f"{name} knows neither peers, a reranker nor a database")
            result = module.run(data, opening, tell)
        else:
            suite = module.load(data)
            result = engine.run(suite, opening, tell)
            if peers:
                others = import_module("engraphy.benchmarks.peers")
                result["peers"] = others.compare(suite, peers, opening, tell)
        _report(result, "quality", out, as_json)

    return run


def _out(command: Callable[..., Any]) -> Callable[..., Any]:
    option = click.option(
        "--out", type=click.Path(dir_okay=False), help="write the JSON object here too"
    )
    return option(command)


def _progress(as_json: bool) -> Callable[[str], None]:
    return lambda text: None if as_json else click.echo(text, err=True)


def _report(result: dict[str, Any], shown: str, out: str | None, as_json: bool) -> None:
    if out is not None:
        try:
            Path(out).write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
        except OSError as error:
            raise UnreadableFileError(path=out, problem=str(error)) from error
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False, indent=2))
        return
    room = {"life": "bench_life", "hooks": "show_daemon"}.get(shown, "bench_show")
    getattr(import_module(f"engraphy.cli.{room}"), shown)(result)


def _sizes(context: click.Context, option: click.Parameter, value: str) -> list[int]:  # noqa: ARG001 - click calls it
    """The sizes of --sizes, each a whole number from 100 on."""
    parts = [part.strip().replace("_", "") for part in value.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and int(part) >= _SMALLEST for part in parts):
        raise click.BadParameter(f"whole numbers from {_SMALLEST} on, with commas between them")
    return [int(part) for part in parts]


@bench.command()
@click.option("--sizes", default="1000,10000,100000", show_default=True, callback=_sizes)
@click.option(
    "--processes", default=4, show_default=True, type=click.IntRange(0, 64), help="how many write"
)
@click.option("--queries", default=200, show_default=True, type=click.IntRange(10, 100_000))
@click.option("--folder", type=click.Path(exists=True, file_okay=False), help="work in this folder")
@click.option("--no-embed", is_flag=True, help="search by words only")
@click.option("--database", help="a local PostgreSQL; filled if it is empty")
@_out
@json_option
@failing
def perf(
    *,
    sizes: list[int],
    processes: int,
    queries: int,
    folder: str | None,
    no_embed: bool,
    database: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Speed of the public verbs on memories made here, beside what the machine could do."""
    if database:
        module = import_module("engraphy.benchmarks.perf_database")
        options = {"place": database, "size": sizes[0], "processes": 2 * processes}
    else:
        module = import_module("engraphy.benchmarks.perf")
        options = {"sizes": sizes, "processes": processes, "folder": folder}
    plan = module.Plan(queries=queries, embed=not no_embed, **options)
    _report(module.run(plan, _progress(as_json)), "perf", out, as_json)


@bench.command()
@click.option("--sizes", default="10000,100000", show_default=True, callback=_sizes)
@click.option(
    "--layout",
    "layouts",
    multiple=True,
    type=click.Choice(["tail", "one"]),
    help="many users or one (both where not given)",
)
@click.option("--profile", "knobs", default="default", show_default=True)
@click.option("--folder", type=click.Path(exists=True, file_okay=False), help="work in this folder")
@click.option("--no-embed", is_flag=True, help="search by words only")
@_out
@json_option
@failing
def rest(
    *,
    sizes: list[int],
    layouts: tuple[str, ...],
    knobs: str,
    folder: str | None,
    no_embed: bool,
    out: str | None,
    as_json: bool,
) -> None:
    """What a night costs: a whole cycle of maintenance, beside somebody who writes."""
    module = import_module("engraphy.benchmarks.perf_rest")
    plan = module.Plan(sizes=sizes, profile=knobs, embed=not no_embed, folder=folder)
    if layouts:
        plan = module.replace(plan, layouts=layouts)
    _report(module.run(plan, _progress(as_json)), "rest", out, as_json)


@bench.command()
@click.option("--size", default=10_000, show_default=True, type=click.IntRange(100, 1_000_000))
@click.option("--runs", default=200, show_default=True, type=click.IntRange(5, 10_000))
@click.option("--folder", type=click.Path(exists=True, file_okay=False), help="work in this folder")
@_out
@json_option
@failing
def hooks(*, size: int, runs: int, folder: str | None, out: str | None, as_json: bool) -> None:
    """What an agent waits for its hooks, above a bare start of Python."""
    module = import_module("engraphy.benchmarks.perf_hooks")
    plan = module.Plan(size=size, runs=runs, folder=folder)
    _report(module.run(plan, _progress(as_json)), "hooks", out, as_json)


@bench.command()
@click.option("--size", default=100_000, show_default=True, type=click.IntRange(100, 1_000_000))
@click.option("--clients", default=50, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--seconds", default=60.0, show_default=True, type=click.FloatRange(1, 3_600))
@click.option("--kill", is_flag=True, help="kill the server in the middle, and start it again")
@click.option("--store", type=click.Path(exists=True, dir_okay=False), help="a copy of this one")
@click.option("--folder", type=click.Path(exists=True, file_okay=False), help="work in this folder")
@click.option("--no-embed", is_flag=True, help="search by words only")
@_out
@json_option
@failing
def load(*, no_embed: bool, out: str | None, as_json: bool, **options: Any) -> None:
    """A server with many clients at once, 80 % recall and 20 % writes."""
    module = import_module("engraphy.benchmarks.perf_load")
    plan = module.Plan(embed=not no_embed, **options)
    _report(module.run(plan, _progress(as_json)), "load", out, as_json)


@bench.command()
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1, 1_000))
@_out
@json_option
@failing
def mcp(*, runs: int, out: str | None, as_json: bool) -> None:
    """How soon the MCP server is ready, beside a bare server of the same SDK."""
    _report(import_module("engraphy.benchmarks.mcp_start").run(runs), "mcp", out, as_json)


@bench.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False), help="one folder per set")
@click.option("--only", multiple=True, metavar="PART", help="this part (may be given again)")
@click.option("--profile", "knobs", default="default", show_default=True)
@click.option("--no-embed", is_flag=True, help="search by words only")
@click.option("--texts", is_flag=True, help="rows carry the texts of the data, not only ids")
@_out
@json_option
@failing
def write(
    *,
    data: str | None,
    only: tuple[str, ...],
    knobs: str,
    no_embed: bool,
    texts: bool,
    out: str | None,
    as_json: bool,
) -> None:
    """The way in: what is kept, what is dropped, what supersedes what, and at which speed."""
    engine = import_module("engraphy.benchmarks.run")
    module = import_module("engraphy.benchmarks.write")
    embedder = "none" if no_embed else None
    opening = engine.Opening(profile=knobs, embedder=embedder, texts=texts)
    result = module.run(data, opening, _progress(as_json), only)
    _report(result, "write", out, as_json)


@bench.command()
@click.option("--data", required=True, type=click.Path(exists=True, file_okay=False))
@click.option("--profile", "profiles", multiple=True, help="default where none is named")
@click.option("--only", multiple=True, metavar="STORY", help="a corpus or a case of one")
@click.option(
    "--nights-every", default=7, show_default=True, type=click.IntRange(1, 365), help="idle nights"
)
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--no-embed", is_flag=True, help="search by words only")
@_out
@json_option
@failing
def life(
    *,
    data: str,
    profiles: tuple[str, ...],
    only: tuple[str, ...],
    nights_every: int,
    processes: int,
    no_embed: bool,
    out: str | None,
    as_json: bool,
) -> None:
    """A simulated year: what forgetting at night costs, against a twin that never forgets."""
    engine = import_module("engraphy.benchmarks.run")
    module = import_module("engraphy.benchmarks.life")
    embedder = "none" if no_embed else None
    named = profiles or ("default",)
    openings = [engine.Opening(profile=one, embedder=embedder) for one in named]
    plan = module.Plan(only=only, every=nights_every, processes=processes)
    _report(module.run(data, openings, _progress(as_json), plan), "life", out, as_json)


@bench.command()
@click.option("--profile", "knobs", default="default", show_default=True)
@click.option("--embedder", default=None, help="static, minilm, multilingual or provider/model")
@click.option("--no-embed", is_flag=True, help="search by words only")
@_out
@json_option
@failing
def multilingual(
    *, knobs: str, embedder: str | None, no_embed: bool, out: str | None, as_json: bool
) -> None:
    """Words of many languages in one memory: no data needed; without and with an embedder."""
    engine = import_module("engraphy.benchmarks.run")
    module = import_module("engraphy.benchmarks.multilingual")
    embedders = ["none"] if no_embed else ["none", embedder]
    result = module.run(engine.Opening(profile=knobs), embedders, _progress(as_json))
    _report(result, "multilingual", out, as_json)


for _name in _QUALITY:
    bench.add_command(_quality(_name))
