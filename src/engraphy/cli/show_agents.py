"""How the agents with this memory are shown."""

from typing import Any

from rich.markup import escape

from engraphy.cli.show import console

Row = dict[str, Any]


def status(value: Row) -> None:
    """A line for each agent, and what it brought below; those that are not here in one line."""
    away = [row["title"] for row in value["agents"] if not (row["here"] or row["installed"])]
    for row in value["agents"]:
        if row["title"] not in away:
            _agent(row)
    if len(away) == len(value["agents"]):
        console.print("No agent was found. To set one up all the same: engraphy install NAME")
    if away:
        console.print(f"[dim]Not found here: {escape(', '.join(away))}[/]", soft_wrap=True)


def project(value: Row) -> None:
    """The project of a folder, and where its memories are if it had another name until now."""
    name, had = value["project"], value["before"]
    if name is None:
        console.print("no project: what is told here is told for all projects")
        return
    console.print(escape(name), soft_wrap=True)
    if had not in (None, name):
        console.print(
            f"[dim]What was kept before is of the project {escape(had)}. To have it here, too:\n"
            f"engraphy export before.jsonl --project {escape(had)}\n"
            f"engraphy import before.jsonl --project {escape(name)} --trusted[/]",
            soft_wrap=True,
        )


def _agent(row: Row) -> None:
    if not row["installed"]:
        offer = f"engraphy install {row['agent']}"
        console.print(f"[bold]{escape(row['title'])}[/]  not installed  [dim]{offer}[/]")
        return
    since = f" since {row['since'][:10]}" if row["since"] else ""
    console.print(f"[bold]{escape(row['title'])}[/]  [green]installed[/]{since}", soft_wrap=True)
    last, day = row["last"], row["day"]
    if not row["hooks"]:
        console.print("  by its tools only: it has no hooks")
        return
    if last is None:
        console.print(
            "  no hook has fired yet: restart the agent, with the ENGRAPHY_HOME of this shell if it"
            " has one",
            soft_wrap=True,
        )
        return
    where = escape(last["project"] or "no project")
    console.print(
        f"  last  {last['event']} at {last['at'][:19].replace('T', ' ')} UTC, {where}, "
        f"{last['ms']} ms ({last['way']})",
        soft_wrap=True,
    )
    console.print(
        f"  24 h  {day['fired']} hooks, {day['injected']} memories injected "
        f"({day['tokens']} tokens), {day['captured']} kept",
        soft_wrap=True,
    )
    for reason, count in sorted(day["skipped"].items(), key=lambda one: -one[1])[:3]:
        console.print(f"        [dim]{count} x not kept: {escape(reason)}[/]", soft_wrap=True)
    if day["failed"]:
        console.print(f"        [red]{day['failed']} steps failed[/]: engraphy doctor")
