"""`engraphy capacity`: how many nodes, how much memory and disk, from costs measured here."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from engraphy.cli.session import answer, failing, json_option
from engraphy.errors import InvalidInputError, UnreadableFileError
from engraphy.settings import is_server, settings

_COUNT = re.compile(r"(\d+(?:\.\d+)?)([kmb]?)", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9}
_MOST = 10**12
_SIZES = "3000,8000,20000"
_CHECK = "40000"
_FEWEST = 3


def _number(text: str) -> int:
    """A whole number from 1 on, also as 200k, 10M or 1.5B. Raises BadParameter."""
    found = _COUNT.fullmatch(text.strip().replace("_", "").replace(",", ""))
    number = round(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if not 1 <= number <= _MOST:
        allowed = "1 to 1000B, as 5000, 200k, 10M or 1.5B"
        raise click.BadParameter(f"{text!r}: allowed are {allowed}")
    return number


def _count(_context: click.Context, _option: click.Parameter, value: str) -> int:
    return _number(value)


def _sizes(_context: click.Context, _option: click.Parameter, value: str) -> list[int]:
    found = {_number(part) for part in value.split(",") if part.strip()}
    least = import_module("engraphy.benchmarks.capacity_measure").SMALLEST
    if len(found) < _FEWEST or min(found) < least:
        raise click.BadParameter(f"three sizes or more, each from {least} on")
    return sorted(found)


@click.command()
@click.option(
    "--memories", required=True, callback=_count, help="how many memories in all, such as 10M or 1B"
)
@click.option(
    "--qps", required=True, type=click.FloatRange(0, 1e7, min_open=True), help="requests per second"
)
@click.option(
    "--tenants", default="200", show_default=True, callback=_count, help="tenants that share them"
)
@click.option(
    "--writes",
    default=0.2,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="share of the requests that write, 0 to 1",
)
@click.option(
    "--tail",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0, 3),
    help="Zipf exponent of the tenants' sizes; 0: all are equal",
)
@click.option(
    "--engine",
    default="sqlite",
    show_default=True,
    type=click.Choice(["sqlite", "postgres"]),
    help="SQLite files, or PostgreSQL",
)
@click.option("--replicas", default=0, type=click.IntRange(0, 10), help="standbys per node")
@click.option("--routed", is_flag=True, help="a load balancer sends each tenant to one process")
@click.option(
    "--cores", default=8, show_default=True, type=click.IntRange(1, 1_024), help="cores per node"
)
@click.option("--ram", default=32.0, show_default=True, type=click.FloatRange(1), help="GB a node")
@click.option("--disk", default=1e3, show_default=True, type=click.FloatRange(1), help="GB a node")
@click.option(
    "--measured",
    type=click.Path(),
    help="take the costs from this file [default: those measured before]",
)
@click.option("--again", is_flag=True, help="measure the costs again")
@click.option("--check", is_flag=True, help="measure a bigger size too, and say how far off it is")
@click.option(
    "--sizes", default=_SIZES, show_default=True, callback=_sizes, help="sizes to measure at"
)
@click.option(
    "--check-size", default=_CHECK, show_default=True, callback=_count, help="the bigger size"
)
@click.option(
    "--queries",
    default=60,
    show_default=True,
    type=click.IntRange(10, 10_000),
    help="queries at each size",
)
@click.option("--database", help="an empty PostgreSQL to measure on")
@click.option(
    "--folder", type=click.Path(exists=True, file_okay=False), help="measure in this folder"
)
@click.option(
    "--loop-ms",
    type=click.FloatRange(1, 1e5),
    help="how long a loop of 5 million sums takes on the machine that is planned",
)
@json_option
@failing
def capacity(*, as_json: bool, **options: Any) -> None:
    """Estimate the machines, memory and disk that so many memories and requests need.

    Costs are measured here at three sizes (some minutes, once, and kept), fitted, and summed over
    tenants: what drives them is the scope that a question may see, not the total. --check
    measures a fourth, bigger size and shows how far the estimate is off; it fails above 25 %.
    """
    model = import_module("engraphy.benchmarks.capacity")
    if options["tenants"] > options["memories"]:
        allowed = f"at most {options['memories']}, as each has a memory"
        raise InvalidInputError(field="tenants", got=options["tenants"], allowed=allowed)
    told, source = _costs(model, options, quiet=as_json)
    demand = import_module("engraphy.benchmarks.capacity_work").Demand(
        memories=options["memories"],
        qps=options["qps"],
        tenants=options["tenants"],
        writes=options["writes"],
        tail=options["tail"],
        replicas=options["replicas"],
        routed=options["routed"],
        cores=options["cores"],
        ram_gb=options["ram"],
        disk_gb=options["disk"],
    )
    fitted_at = told["check"]["fitted_at"] if "check" in told else None
    costs = model.model_of(told, fitted_at)
    if options["loop_ms"] is not None:
        costs = model.scaled(costs, options["loop_ms"])
    result = model.needed(costs, demand)
    result |= {"measured": source, "machine": told["machine"], "sizes": fitted_at or told["sizes"]}
    result["of_a_file"] = bool(told.get("of_a_file"))
    if "check" in told:
        result["check"] = told["check"]
    answer(result, "show_capacity:capacity", as_json=as_json)
    if options["check"] and not told["check"]["kept"]:
        raise click.exceptions.Exit(1)


def _costs(model: Any, options: dict[str, Any], *, quiet: bool) -> tuple[dict[str, Any], str]:
    """What was measured, and where it is kept."""
    measure = import_module("engraphy.benchmarks.capacity_measure")
    kept = Path(options["measured"] or settings().home / f"capacity-{options['engine']}.json")
    again = options["again"] or options["check"]
    if options["measured"] or (kept.exists() and not again):
        return _read(measure.read(kept), model, options), str(kept)
    plan = import_module("engraphy.benchmarks.capacity_fill").Plan(
        sizes=options["sizes"],
        queries=options["queries"],
        database=_database(options),
        folder=options["folder"],
    )

    def tell(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    if options["check"]:
        told = model.checked(plan, options["check_size"], tell)
    else:
        told = measure.measured(plan, tell)
    _keep(kept, told)
    return told, str(kept)


def _read(told: dict[str, Any], model: Any, options: dict[str, Any]) -> dict[str, Any]:
    """What was kept, of the engine that is asked about; costs of a file stand in for those of a
    database, which is said. Checked against its largest size."""
    if told["engine"] == "sqlite" and options["engine"] == "postgres":
        told = told | {"engine": "postgres", "of_a_file": True}
    if told["engine"] != options["engine"]:
        allowed = f"a file of {options['engine']}, or --engine {told['engine']}"
        raise InvalidInputError(field="measured", got=told["engine"], allowed=allowed)
    if options["check"] and "check" not in told:
        told["check"] = model.compared_at(told, max(told["sizes"]))
    return told


def _database(options: dict[str, Any]) -> str | None:
    """The database to measure on; None for a file."""
    place: str | None = options["database"]
    wanted = options["engine"] == "postgres"
    if wanted != (place is not None) or (place is not None and not is_server(place)):
        allowed = "postgresql://..., an empty one, with --engine postgres; none with sqlite"
        raise InvalidInputError(field="database", got=place and "given", allowed=allowed)
    return place


def _keep(file: Path, told: dict[str, Any]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UnreadableFileError(path=str(file), problem=str(error)) from error
