"""What so many memories and requests need, in the width of a terminal."""

from collections.abc import Iterable, Iterator

from rich.table import Table

from engraphy.cli.show import Row, console

_LEAST = 0.05
"""Processors that are named."""
_ASKED = {
    "cores": "processors",
    "ram_gb": "GB of memory",
    "disk_gb": "GB of disk",
    "one_writer": "of the time of the one who writes",
}
_PARTS = {
    "fixed": "",
    "per doubling of the scope": " a doubling of the scope",
    "per million in the scope": " a million in the scope",
    "per million in all": " a million in all",
    "per million pages": " a million pages",
    "per million turned": " a million turned",
    "of a full page cache": " once the page cache is full",
}
_NAMES = {
    "recall_ms": "recall, ms",
    "add_ms": "remember, ms",
    "database_recall_ms": "· recall there, ms",
    "database_add_ms": "· remember there, ms",
    "scan_ms": "comparing signs, ms",
    "turn_ms": "turning signs, ms",
    "vectors_ms": "reading vectors, ms",
    "signs_ms": "· signs alone, ms",
    "database_vectors_ms": "· vectors there, ms",
    "database_signs_ms": "· signs there, ms",
    "disk_mb": "disk, MB",
    "disk_rows_mb": "· its rows, MB",
    "disk_index_mb": "· its indexes, MB",
    "process_mb": "a process, MB",
    "first_night_ms": "first night, ms",
    "night_ms": "a night, ms",
    "database_first_night_ms": "· first night there, ms",
    "database_night_ms": "· a night there, ms",
}


def capacity(value: Row) -> None:
    """What is asked, what a call costs, what it comes to, what it rests on."""
    demand = value["demand"]
    console.print(
        f"[bold]{demand['memories']:,} memories of {demand['tenants']:,} tenants,"
        f" {demand['qps']:g} requests a second ({demand['writes']:.0%} write)[/]\n"
    )
    _rows([*_asked(value), *_called(value), *_comes(value)])
    console.print()
    _nodes(value)
    console.print("\n[bold]Assumed[/]")
    _points(_assumed(value))
    console.print("\n[bold]Model[/]")
    _points(_model(value))
    if "check" in value:
        _check(value["check"])


def _rows(rows: list[tuple[str, str]]) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column()
    for name, told in rows:
        table.add_row(name, told)
    console.print(table)


def _points(lines: Iterable[str]) -> None:
    table = Table.grid(padding=(0, 1))
    for line in lines:
        table.add_row("·", line, style="dim")
    console.print(table)


def _asked(value: Row) -> Iterator[tuple[str, str]]:
    told = value["tenants"]
    yield (
        "tenants",
        (
            f"the largest has {_number(told['largest'])} ({told['largest_share']:.1%}), one in the"
            f" middle {_number(told['middle'])}; half of all memories are in"
            f" {told['half_of_memories_in']:,}"
        ),
    )
    yield (
        "questions",
        (
            f"half of them meet {_number(told['asked_p50'])} memories or more,"
            f" {_number(told['asked_mean'])} in the mean"
        ),
    )


def _called(value: Row) -> Iterator[tuple[str, str]]:
    told = value["per_call"]
    for name, word in (("recall", "recall"), ("add", "remember")):
        mean = told[f"{name}_ms"] + told.get(f"database_{name}_ms", 0.0)
        most = told[f"largest_{name}_ms"] + told.get(f"largest_database_{name}_ms", 0.0)
        part = told.get(f"database_{name}_ms")
        there = f", {part:.1f} of it the database's" if part else ""
        yield (
            word,
            f"{mean:.1f} ms of a processor in the mean{there}; {most:.1f} in the largest tenant",
        )
    load = told["load_ms"] + told["database_load_ms"]
    beside = f"{load:.1f} ms of reading vectors a process no longer holds"
    serving = f", {told['serving_ms']:.1f} ms of the server" if told["serving_ms"] else ""
    yield "· and", f"{beside} ({1 - value['kept_share']:.0%} of recalls){serving}"


def _comes(value: Row) -> Iterator[tuple[str, str]]:
    cores, demand = value["cores"], value["demand"]
    parts = [
        f"{name.replace('database_', '')} {cores[name]:.1f}"
        for name in ("recall", "write", "requests", "nights")
        if cores[name] >= _LEAST
    ]
    yield "servers", f"{cores['servers']:.1f} processors ({', '.join(parts)} at work)"
    if cores["database"]:
        there = ", ".join(
            f"{name} {cores[f'database_{name}']:.1f}" for name in ("recall", "write", "nights")
        )
        yield "database", f"{cores['database']:.1f} processors ({there} at work)"
    yield (
        "memory",
        (
            f"{value['processes']:,} processes of {value['process_mb']:,.0f} MB;"
            f" {demand['hot'] * value['disk_gb']:,.1f} GB of data kept warm"
        ),
    )
    yield (
        "disk",
        (
            f"{value['disk_gb']:,.1f} GB; these writes add {_number(value['new_per_day'])}"
            " memories a day"
        ),
    )


def _nodes(value: Row) -> None:
    demand, nodes = value["demand"], value["nodes"]
    size = f"{demand['cores']} cores, {demand['ram_gb']:g} GB, {demand['disk_gb']:g} GB of disk"
    if value["engine"] == "sqlite":
        word = "fits one machine" if value["fits"] else "does NOT fit one machine"
        console.print(f"[bold]A file {word} of {size}[/]")
    else:
        console.print(
            f"[bold]{nodes['servers']:,} machines of servers, {nodes['database']:,} of the database"
            f" and {nodes['standby']:,} standbys[/], each of {size}"
        )
        spread = value["spread"]
        console.print(
            f"the fullest of {nodes['database']:,} has {spread['fullest_node']:.1%} of all memories"
            f" ({spread['worst_node']:.1%} in the worst of {spread['draws']} draws;"
            f" an even share is {1 / nodes['database']:.1%}), the fullest of {spread['shards']:,}"
            f" shards {spread['fullest_shard']:.1%}"
        )
    for name, asked in value["asks"].items():
        over = asked["needs"] > asked["has"]
        mark = "[red]too much[/]" if over else "ok"
        console.print(f"· {asked['needs']:,.2f} of {asked['has']:,.2f} {_ASKED[name]}: {mark}")
    if not value["fits"]:
        console.print(f"[yellow]{_advice(value)}[/]")


def _advice(value: Row) -> str:
    if value["engine"] == "sqlite":
        return "A larger machine, or a database: --engine postgres."
    if value["asks"]["one_writer"]["needs"] > value["asks"]["one_writer"]["has"]:
        return "The largest tenant writes more than one writer can: split it, or write in batches."
    return "The largest tenant alone is too much for such a node: larger ones, or split it."


def _assumed(value: Row) -> Iterator[str]:
    demand = value["demand"]
    times = demand["memories"] / value["largest_measured"]
    if value["of_a_file"]:
        yield (
            "COSTS OF A FILE: a database's were not measured (--database). All processors are"
            " counted with the servers, nodes of the database by memory and disk alone"
        )
    elif value["engine"] == "postgres":
        yield (
            "measured in a database of this machine: recall, remember, reading vectors and"
            " maintenance, of client and server apart, and the bytes of rows and indexes. Not"
            " measured: several nodes, their network, the log that standbys follow, vacuum"
        )
    yield (
        f"tenants by Zipf's law with exponent {demand['tail']:g}, each asked as often as it has"
        " memories; a tenant is one scope (users inside it make questions cheaper)"
    )
    yield (
        f"processors are planned {demand['busy']:.0%} busy, disks {demand['full']:.0%} full; a"
        f" day's maintenance of all tenants is done in {demand['night_hours']:g} hours"
    )
    yield (
        f"{demand['hot']:.0%} of the data stays in memory beside the processes; a process keeps"
        " 256 MB of vectors, those of the most asked tenants"
        + (", and is asked by the same tenants again" if demand["routed"] else "")
    )
    yield (
        "what else is in the file or database adds nothing to a question; its text part grows with"
        " the logarithm of the scope; comparing signs was measured by itself, on millions"
    )
    yield (
        "a tenant's vectors lie among those of the others by chance, so the less it has of all, the"
        " more pages are read for them; of scopes over 393,216 vectors signs alone are read"
    )
    if "turn_ms" in value["costs"]:
        yield (
            "where codes of more than 32,768 vectors are read their signs are turned: measured by"
            " itself, on many"
        )
    if value["engine"] == "postgres":
        yield ("the work of a node is in proportion to its memories; standbys take no reads")
    if not value["per_call"]["serving_ms"]:
        yield "what a request through a server costs beside the verb was not measured"
    yield "language models, embedders that are asked elsewhere and networks cost nothing here"
    machine = value["machine"] or {}
    yield (
        f"measured at {', '.join(f'{size:,}' for size in value['sizes'])} memories on"
        f" {machine.get('processors', '?')} processors"
        f" ({value['measured']})" + (f": {times:,.0f} times that is foretold" if times > 1 else "")
    )
    if value["loop_ms"]:
        yield (
            f"processor time of a machine that takes {value['loop_ms']:,.0f} ms for a loop of 5"
            " million sums (python -m timeit -p -n 1 's = 0' 'for n in range(5_000_000): s += n');"
            " one that takes half as long needs half of it: --loop-ms"
        )


def _model(value: Row) -> Iterator[str]:
    for name, parts in value["costs"].items():
        told = " + ".join(f"{part:,.4g}{_PARTS[what]}" for what, part in parts.items() if part)
        yield f"{_NAMES.get(name, name).removeprefix('· ')} = {told or '0'}"


def _check(value: Row) -> None:
    """What was foretold of a size that was not fitted."""
    console.print(
        f"\n[bold]Check[/]: {value['size']:,} memories, foretold from"
        f" {', '.join(f'{size:,}' for size in value['fitted_at'])}"
    )
    table = Table(box=None, padding=(0, 2), header_style="dim")
    for name in ("cost", "scope", "foretold", "met", "off"):
        table.add_column(name, justify="left" if name == "cost" else "right")
    for row in value["rows"]:
        bad = abs(row["off"]) > value["tolerance"]
        table.add_row(
            _NAMES.get(row["cost"], row["cost"]),
            f"{row['scope']:,.0f}",
            f"{row['foretold']:,.2f}",
            f"{row['met']:,.2f}",
            f"{row['off']:+.0%}",
            style="red" if bad else None,
        )
    console.print(table)
    word = "within" if value["kept"] else "NOT within"
    console.print(f"{word} {value['tolerance']:.0%}")


def _number(value: float) -> str:
    """A count as people say it: 850, 12k, 1.7M."""
    for unit, sign in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:,.3g}{sign}"
    return f"{value:,.0f}"
