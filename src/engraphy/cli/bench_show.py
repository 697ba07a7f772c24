"""Benchmark results for people: tables readable at 80 columns."""

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

Row = dict[str, Any]
_SHOWN = {
    "turn.rec@5": "rec@5",
    "turn.rec@10": "rec@10",
    "turn.mrr": "MRR",
    "session.hit@1": "session\nhit@1",
    "session.hit@5": "session\nhit@5",
    "session.all@5": "session\nall@5",
    "update.above_stale": "new\nabove",
    "stale@10": "stale\n@10",
    "unmarked.stale@10": "unmarked\nstale@10",
    "off.nothing": "off-topic\nnothing",
    "on.hit@1": "hit@1",
    "on.hit@5": "hit@5",
    "on.hit@10": "hit@10",
    "on.hit@block": "hit in\nblock",
    "free.hit@5": "hit@5\nno cut",
    "block.overrun": "overruns",
    "case.precision": "precision",
    "case.recall": "recall",
    "case.pass": "passed",
}
console = Console(highlight=False, soft_wrap=False)


def quality(value: Row) -> None:
    """A benchmark's figures: overall with intervals, then group by group."""
    console.print(
        f"[bold]{value['benchmark']}[/]  {value['questions']} questions  "
        f"[dim]{escape(value['data'])}, {value['embedder']}, profile {value['profile']}[/]"
    )
    names = [name for name in _SHOWN if name in value["metrics"]]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("in %", overflow="fold")
    for name in names:
        table.add_column(_SHOWN[name], justify="right", no_wrap=True)
    table.add_row("all", *_percent(value["metrics"], names))
    for bound, place in (("95 % from", 0), ("95 % to", 1)):
        edge = {name: value["intervals_95"][name][place] for name in names}
        table.add_row(bound, *_percent(edge, names))
    for part in ("groups", "categories"):
        table.add_section()
        for group, row in value[part].items():
            table.add_row(escape(group), *_percent(row, names))
    _peers(table, value.get("peers"), names)
    console.print(table)
    if "kept" in value:
        shares = ", ".join(f"{name} {share:.3f}" for name, share in value["kept"].items())
        tokens = ", ".join(f"{name} {count:.0f}" for name, count in value["tokens"].items())
        console.print(f"hit@5 kept of its value without a cut-off: {shares}")
        console.print(f"tokens of a question's block: {tokens}")
    _passes(value.get("passes", {}))
    _by_name(value.get("by_name"))
    latency = ", ".join(f"{name} {ms:.1f} ms" for name, ms in value["latency_ms"].items())
    console.print(f"[dim]{latency} (wall)[/]")


def _peers(table: Table, peers: Row | None, names: list[str]) -> None:
    """The same questions asked of others, under our own rows."""
    if peers is None:
        return
    table.add_section()
    for name, found in peers["measured"].items():
        table.add_row(escape(f"{name} {found['version']}"), *_percent(found["metrics"], names))
        rest = found["groups"].get("not tuned on")
        if rest is not None:
            table.add_row("  not tuned on", *_percent(rest, names))
    for name, why in peers["left_out"].items():
        console.print(f"[dim]{escape(f'{name} is left out: {why}')}[/]")


def perf(value: Row) -> None:
    """Times of each operation by size and layout, then the bars."""
    if value["engine"] == "postgres":
        _database(value)
        return
    machine = value["machine"]
    console.print(
        f"[bold]perf[/]  {value['embedder']} embedder, profile {value['profile']}  "
        f"[dim]{machine['processors']} processors, Python {machine['python']}[/]"
    )
    console.print(
        "[dim]milliseconds; layout tail: 200 users, one with 26 %; layout one: one user;\n"
        "recall without the embedding of the query unless said; x limit: median against\n"
        "the limit measured beside it[/]"
    )
    for ground in dict.fromkeys((row["size"], row["layout"]) for row in value["rows"]):
        rows = [row for row in value["rows"] if (row["size"], row["layout"]) == ground]
        console.print(_times(f"{ground[0]:,} memories, layout {ground[1]}", rows))
    for bar in value["bars"]:
        console.print(_bar(bar))


def _database(value: Row) -> None:
    """Times of each operation in each group of users, client and server together."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("", "CPU", "p95", "server", "wall", "p95", "a second"):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for row in value["rows"]:
        cpu, wall = row["cpu_ms"], row["wall_ms"]
        server, often = row.get("server_cpu_ms"), row.get("per_second")
        table.add_row(
            f"{row['group']}, {row['operation']}",
            *(f"{one:.1f}" for one in (cpu["p50"], cpu["p95"])),
            "" if server is None else f"{server:.1f}",
            *(f"{one:.1f}" for one in (wall["p50"], wall["p95"])),
            "" if often is None else f"{often:.0f}",
        )
    console.print(f"[bold]perf[/]  {value['size']:,} memories in PostgreSQL  [dim]milliseconds[/]")
    console.print(table)
    for bar in value["bars"]:
        console.print(_bar(bar))


def write(value: Row) -> None:
    """Each part of the way in: its figures group by group, then what it should reach."""
    console.print(f"[bold]write[/]  [dim]{value['embedder']}, profile {value['profile']}[/]")
    for part in value["parts"]:
        console.print(f"\n[bold]{part['part']}[/]  [dim]{part['cpu_s']:.1f} s CPU[/]")
        for group in part["groups"]:
            counts = ", ".join(f"{name} {count:g}" for name, count in group["counts"].items())
            console.print(f"{escape(group['group'])}: [dim]{escape(counts)}[/]")
            console.print(_figures(group))
        for bar in part["bars"]:
            console.print(_reached(bar))
    for row in value["missing"]:
        console.print(f"[dim]{row['part']}: no {', '.join(row['missing'])} in the data[/]")


def multilingual(value: Row) -> None:
    """hit@1 and hit@5 with their intervals, language by language, for each embedder."""
    console.print(
        f"[bold]multilingual[/]  {value['questions']} questions, {value['memories']} memories, "
        f"{value['languages']} languages  [dim]profile {value['profile']}[/]"
    )
    for run in value["runs"]:
        table = Table(box=None, pad_edge=False, header_style="dim", title=run["embedder"])
        for name in ("in %", "n", "hit@1", "hit@5", "95 % from", "to"):
            table.add_column(name, justify="left" if name == "in %" else "right", no_wrap=True)
        for kind in ("keywords", "unseen", "paraphrase"):
            table.add_row(*_found(f"[bold]{kind}[/]", run[kind]["all"]))
            for language, row in run[kind]["languages"].items():
                table.add_row(*_found(f"  {language}", row))
        console.print(table)


def _found(name: str, row: Row) -> list[str]:
    first, fifth = row["hit@1"], row["hit@5"]
    values = (first["value"], fifth["value"], fifth["low"], fifth["high"])
    return [name, str(row["n"]), *(f"{100 * value:.1f}" for value in values)]


def _figures(group: Row) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 1, 0, 1))
    for _ in range(2):
        table.add_column(no_wrap=True)
    for name, figure in group["figures"].items():
        between = figure["interval_95"]
        spread = "" if between is None else f"{between[0]:.3f} to {between[1]:.3f}, "
        table.add_row(name, _measured(figure["value"]), f"[dim]{spread}n {figure['n']}[/]")
    return table


def _reached(bar: Row) -> str:
    verdict = "[green]met[/]   " if bar["met"] else "[red]missed[/]"
    sign = ">=" if bar["at_least"] else "<="
    return (
        f"{verdict} {escape(bar['group'])}: {bar['figure']} {sign} {bar['limit']:g}: "
        f"{_measured(bar['measured'])}"
    )


def _measured(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _times(title: str, rows: list[Row]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", title=title, title_justify="left")
    table.add_column("", overflow="fold", max_width=30)
    for name in ("CPU 50", "95", "99", "wall 50", "95", "99", "x limit"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        figures = [
            row[clock][share] for clock in ("cpu_ms", "wall_ms") for share in ("p50", "p95", "p99")
        ]
        ratio = f"{row['ratio']:.1f}" if "ratio" in row else ""
        table.add_row(row["operation"], *map(_milliseconds, figures), ratio)
        if "mb_per_10000" in row:
            table.add_row(f"[dim]  {row['mb_per_10000']:.1f} MB per 10,000[/]")
        if "megabytes" in row:
            table.add_row(f"[dim]  held {row['megabytes']:.0f} MB[/]")
    return table


def _milliseconds(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _bar(bar: Row) -> str:
    verdict = "[green]met[/]   " if bar["met"] else "[red]missed[/]"
    source = "" if bar["promised"] else " (design)"
    return (
        f"{verdict} {bar['name']} < {bar['limit']:.0f} {bar['unit']}{source}: "
        f"{bar['measured']:.1f} at {bar['size']:,}"
    )


def _passes(passes: dict[str, dict[str, int]]) -> None:
    counts = (f"{name} {one['passed']} of {one['of']}" for name, one in passes.items())
    if passes:
        console.print(f"passed: {', '.join(counts)}")


def _by_name(named: Row | None) -> None:
    if named is None:
        return
    figures = named["metrics"]
    known = (name for name in _SHOWN if name in figures)
    shown = ", ".join(f"{_SHOWN[name]} {figures[name] * 100:.1f}" for name in known)
    console.print(f"where a hit has to be named (score.names = asked): {shown}")
    _passes(named["passes"])


def _percent(row: Row, names: list[str]) -> list[str]:
    return [f"{row[name] * 100:.1f}" if name in row else "-" for name in names]


def rest(value: Row) -> None:
    """What a night costs, size by size, and the bars."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("memories", "layout", "night", "s", "CPU s", "MB", "changed", "add p95 ms"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in value["rows"]:
        beside = {"first night": f"{row['writer beside']['wall_ms']['p95']:.1f}"}
        for night in ("first night", "second night"):
            one = row[night]
            figures = [f"{one[name]:,.1f}" for name in ("seconds", "cpu_seconds", "megabytes")]
            told = [f"{row['size']:,}", row["layout"], night.split()[0], *figures]
            table.add_row(*told, f"{one['changed']:,}", beside.get(night, ""))
    console.print(table)
    for bar in value["bars"]:
        mark = "[green]met[/]" if bar["met"] else "[red]missed[/]"
        limit = f"< {bar['limit']:g} {bar['unit']}"
        console.print(f"{mark}  {bar['name']}: {bar['measured']:.2f} ({limit})")


def mcp(value: Row) -> None:
    """What a bare server and ours take until they list their tools."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("until the tools are listed", "CPU s", "most", "wall s"):
        table.add_column(name, justify="left" if "tools" in name else "right", no_wrap=True)
    for name, row in value["servers"].items():
        times = (row["cpu_seconds"], row["most_cpu_seconds"], row["wall_seconds"])
        table.add_row(name, *(f"{one:.2f}" for one in times))
    console.print(table)
    mark = "[green]met[/]" if value["kept"] else "[red]missed[/]"
    told = f"{value['more_cpu_seconds']:+.2f} s of CPU (at most {value['limit_seconds']:g})"
    console.print(f"{mark}  {told}, {value['ratio']:.2f} times the bare server")


def load(value: Row) -> None:
    """What a server with many clients answered, how long they waited, and what was lost."""
    told = value["metrics"]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("ms of wall", "p50", "p95", "p99"):
        table.add_column(name, justify="left" if "wall" in name else "right", no_wrap=True)
    for name in ("recall", "write"):
        times = told[f"{name}_ms"]
        table.add_row(name, *(f"{times[key]:,.0f}" for key in ("p50", "p95", "p99")))
    console.print(table)
    rate = f"{told['requests_per_second']:.1f} requests a second of {told['requests']:,}"
    console.print(f"{rate}, {told['errors']} errors, {told['without_answer']} without an answer")
    if (spent := told.get("server_cpu_ms")) is not None:
        console.print(f"{spent:.1f} ms of the server's CPU for each")
    mark = "[red]missed[/]" if told["lost"] or told["errors"] else "[green]met[/]"
    console.print(f"{mark}  of {told['acknowledged']:,} acknowledged writes {told['lost']} lost")
